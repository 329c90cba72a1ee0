"""The data sets of the comparison, features and targets in z-scores of the training rows."""

import numpy as np

from experiments.harness.data import load, split


def load_task(name):
    """Features and a target: 0 and 1, or a number."""
    data = load(name)
    if data.is_regression:
        return data.X, data.y, True
    labels = np.unique(data.y)
    # Heart disease is graded from 0, none, to 4; the usual question is whether there is any.
    return data.X, (data.y != labels[0]).astype(int), False


def parts(name, seed, largest_training_set, largest_test_set):
    """Training, validation and test rows, and whether it is a regression."""
    X, y, regression = load_task(name)
    X, y, X_test, y_test = split(X, y, seed, min(largest_training_set * 5 // 4, round(0.75 * len(y))))
    if regression:
        center, spread = y.mean(), y.std()
        y, y_test = (y - center) / spread, (y_test - center) / spread
    cut = len(y) * 4 // 5
    return (X[:cut], y[:cut]), (X[cut:], y[cut:]), (X_test[:largest_test_set], y_test[:largest_test_set]), regression
