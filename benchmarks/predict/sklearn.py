"""`MLPRegressor.predict` of scikit-learn with these weights."""
# packages: scikit-learn numpy

import numpy as np
from sklearn.neural_network import MLPRegressor

from benchmarks.harness.clock import best_of
from benchmarks.predict.network import RUNS, judged, load


def run(problem, clock, folder):
    hidden, bias, output, X = load(problem)
    # Trained on next to nothing, to have all attributes; then the weights are put in their place.
    network = MLPRegressor(hidden_layer_sizes=(len(bias),), max_iter=1).partial_fit(X[:8], np.zeros(8))
    network.coefs_, network.intercepts_ = [hidden, output[:, None]], [bias, np.zeros(1)]
    seconds, outputs = best_of(RUNS, clock, lambda: network.predict(X))
    return {"seconds": seconds} | judged(problem, outputs)
