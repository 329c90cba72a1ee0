"""`MLPRegressor` of scikit-learn with Adam as it comes: the squared loss, nobody attacks."""
# packages: scikit-learn numpy

import numpy as np
from sklearn.neural_network import MLPRegressor

from benchmarks.descent.judge import Best
from benchmarks.descent.problem import load, objective


EPOCHS = 20  # a lap


def run(problem, clock, folder):
    training = load(problem)
    n = len(training.y)
    batch = min(200, n)
    # It divides the penalty by the rows of a batch; and an integer for a seed would shuffle every epoch alike.
    network = MLPRegressor(
        hidden_layer_sizes=(training.neurons,),
        alpha=training.beta * batch / n,
        batch_size=batch,
        random_state=np.random.RandomState(0),
    )
    best = Best()
    while clock.seconds < min(clock.limit, problem["seconds"]):
        with clock:
            for _ in range(EPOCHS):
                network.partial_fit(training.X, training.y)
        parts = weights(network)
        best.see(clock.seconds, objective(training, *parts, network.predict(training.X)), parts)
    return best.facts(problem, training, folder)


def weights(network):
    """The bias of its output is one more neuron for us, which is active everywhere."""
    (hidden, output), (bias, last) = network.coefs_, network.intercepts_
    return np.column_stack([hidden, np.zeros(len(hidden))]), np.append(bias, 1.0), np.append(output[:, 0], last)
