"""`MLPRegressor` of scikit-learn with Adam as it comes: the squared loss, nobody attacks."""
# packages: scikit-learn numpy

import warnings

import numpy as np
from sklearn.neural_network import MLPRegressor

from benchmarks.descent.problem import load, objective


def run(problem, clock, folder):
    warnings.simplefilter("ignore")  # of too few steps: they go on below
    training = load(problem)
    network = MLPRegressor(
        hidden_layer_sizes=(training.neurons,), alpha=training.beta, max_iter=20, warm_start=True, tol=0, random_state=0
    )
    trace, best = [], np.inf
    while clock.seconds < min(clock.limit, problem["seconds"]):
        with clock:
            network.fit(training.X, training.y)
        best = min(best, judge(training, network))
        trace.append([clock.seconds, best])
    return {"trace": trace, "objective": best}


def judge(training, network):
    """The bias of its output is one more neuron for us, which is active everywhere."""
    (hidden, output), (bias, last) = network.coefs_, network.intercepts_
    value = objective(training, hidden, bias, output[:, 0], network.predict(training.X))
    return value + training.beta * abs(float(last[0]))
