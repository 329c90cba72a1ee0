"""Plain gradient steps from weights that are drawn from a normal distribution, whatever the width of their layer.

Short programs for back-propagation start like this. Weights of size 1 in 240 neurons make outputs of size 20 to begin
with, and steps that mend the margins leave the neurons as steep as they were.
"""

import numpy as np

from conelu import Network

BATCH = 32


def descend(X, y, *, beta, deviation, rate, epochs, neurons, seed):
    """The network, and its training objective. Hinge loss, weight decay, one rate."""
    classes = np.unique(y)
    sides = np.where(y == classes[1], 1.0, -1.0)
    random = np.random.default_rng(seed)
    hidden = deviation * random.standard_normal((X.shape[1], neurons))
    output = deviation * random.standard_normal(neurons)
    for _ in range(epochs):
        for rows in np.array_split(random.permutation(len(y)), len(y) // BATCH):
            before = X[rows] @ hidden
            after = np.maximum(before, 0)
            push = np.where(sides[rows] * (after @ output) < 1, sides[rows], 0) / len(rows)
            hidden_slope = X[rows].T @ (np.outer(push, output) * (before > 0))
            output_slope = after.T @ push
            hidden += rate * (hidden_slope - beta * hidden)
            output += rate * (output_slope - beta * output)
    margins = sides * (np.maximum(X @ hidden, 0) @ output)
    objective = np.maximum(0, 1 - margins).mean() + beta / 2 * ((hidden**2).sum() + (output**2).sum())
    layers = [hidden, output[:, None]], [np.zeros(neurons), np.zeros(1)]
    return Network.from_arrays(*layers, classes=classes), float(objective)
