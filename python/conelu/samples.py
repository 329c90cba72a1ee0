"""Samples as people give them, for functions that are no estimators."""

import numpy as np

from conelu import _core


def to_samples(X, y, loss):
    """What the library is told of them.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
        Labels; numbers if `loss` is one for numbers.
    loss : str

    Returns
    -------
    X, targets, features, classes
        `classes` are the labels in order, or None for numbers.
    """
    X, y = np.asarray(X, dtype=np.float64), np.asarray(y)
    if X.ndim != 2 or y.shape != (len(X),):
        raise ValueError(f"X, y: have shapes {X.shape} and {y.shape}, expected one label or value for each row of X")
    classes, targets = None, y
    if _core.is_margin_loss(loss):
        classes, numbers = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError("y: has one class, expected at least two classes")
        targets = numbers * 2.0 - 1 if len(classes) == 2 else numbers
    return X, targets.astype(np.float64), [f"x{a + 1}" for a in range(X.shape[1])], classes


def to_names(classes):
    """Labels as the library knows them."""
    return [] if classes is None else [str(label) for label in classes]
