"""The data sets of the comparison, features and targets in z-scores of the training rows."""

from experiments.harness.data import load_task, scaled_target, split


def parts(name, seed, largest_training_set, largest_test_set):
    """Training, validation and test rows, and whether it is a regression."""
    X, y, regression = load_task(name)
    X, y, X_test, y_test = split(X, y, seed, min(largest_training_set * 5 // 4, round(0.75 * len(y))))
    if regression:
        y, y_test = scaled_target(y, y_test)
    cut = len(y) * 4 // 5
    return (X[:cut], y[:cut]), (X[cut:], y[cut:]), (X_test[:largest_test_set], y_test[:largest_test_set]), regression
