"""Attacks on a network in the ball of the program, to find out whether a certified worst case can be exceeded."""

import itertools

import numpy as np
from oracle import LOSSES


class Network:
    """f(x) = sum_j output_j (hidden_j'x + hidden_bias_j)_+ + output_bias, as in a model file."""

    def __init__(self, model, features):
        self.hidden = np.array(model["hidden"], dtype=float).reshape(-1, features)
        self.hidden_bias = np.array(model["hidden_bias"], dtype=float)
        self.output = np.array(model["output"], dtype=float)
        self.output_bias = float(model["output_bias"])

    def __call__(self, x):
        return np.maximum(x @ self.hidden.T + self.hidden_bias, 0) @ self.output + self.output_bias

    def gradient(self, x):
        return ((x @ self.hidden.T + self.hidden_bias > 0) * self.output) @ self.hidden

    def penalty(self, beta):
        return beta / 2 * ((self.hidden**2).sum() + (self.hidden_bias**2).sum() + (self.output**2).sum())


def steepest(gradient, norm):
    """The points of the unit ball of |.|_p with the largest inner product."""
    if norm == "inf":
        return np.sign(gradient)
    if norm == "2":
        length = np.linalg.norm(gradient, axis=-1, keepdims=True)
        return gradient / np.where(length > 0, length, 1.0)
    largest = np.abs(gradient).argmax(axis=-1)[..., None] == np.arange(gradient.shape[-1])
    return np.sign(gradient) * largest


def starts(random, count, d, norm):
    """Points of the unit ball: the centre, its corners where there are any, and random ones."""
    points = random.normal(size=(count, d))
    sizes = {"inf": np.abs(points).max(axis=1), "2": np.linalg.norm(points, axis=1), "1": np.abs(points).sum(axis=1)}
    points /= sizes[norm][:, None]
    points[::2] *= random.uniform(size=(len(points[::2]), 1))
    corners = np.vstack([np.eye(d), -np.eye(d)])
    if norm == "inf":
        corners = np.array(list(itertools.product([-1.0, 1.0], repeat=d)))
    return np.vstack([np.zeros((1, d)), corners, points])


def worst_loss(network, program, inputs, radii, random, count=30, steps=20):
    """The largest training loss found: every sample attacked upwards and downwards from many starts by steps towards
    the best point of the ball for the network as it is there (conditional gradients: no projection is needed)."""
    rows = program.weights > 0
    X, y, weights = inputs[rows], program.y[rows], program.weights[rows]
    loss = LOSSES[program.loss]

    def losses(f):
        return loss.value(-y[:, None] * f if loss.margin else np.abs(f - y[:, None]))

    first = starts(random, count, X.shape[1], program.norm)
    worst = np.zeros(len(X))
    for direction in (1.0, -1.0):
        at = np.broadcast_to(first, (len(X), *first.shape))
        for step in range(steps + 1):
            x = X[:, None, :] + radii * at
            worst = np.maximum(worst, losses(network(x)).max(axis=1))
            towards = steepest(direction * radii * network.gradient(x), program.norm)
            at = at + (towards - at) / (1 + step / 2)
    return loss.coefficients(weights) @ worst
