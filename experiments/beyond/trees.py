"""What an attacker can do to gradient boosting: bounds by intervals, and perturbations that are tried out."""

import numpy as np


def output_range(model, X, eps):
    """Bounds on the raw output within the box of each row: the extremes of every tree, added up."""
    lowest = np.full(len(X), _start(model, X))
    highest = lowest.copy()
    for (tree,) in model.estimators_:
        low, high = _tree_range(tree.tree_, X, eps)
        lowest += model.learning_rate * low
        highest += model.learning_rate * high
    return lowest, highest


def _start(model, X):
    """The raw output before the first tree."""
    trees = sum(model.learning_rate * tree.predict(X[:1])[0] for (tree,) in model.estimators_)
    return raw_output(model, X[:1])[0] - trees


def raw_output(model, X):
    return model.decision_function(X) if hasattr(model, "decision_function") else model.predict(X)


def _tree_range(tree, X, eps):
    """Smallest and largest leaf that a row can be moved to. Trees compare in single precision; so does this."""
    low, high = np.full(len(X), np.inf), np.full(len(X), -np.inf)
    below, above = (X - eps).astype(np.float32), (X + eps).astype(np.float32)
    waiting = [(0, np.ones(len(X), dtype=bool))]
    while waiting:
        node, rows = waiting.pop()
        if tree.children_left[node] < 0:
            value = tree.value[node, 0, 0]
            low[rows], high[rows] = np.minimum(low[rows], value), np.maximum(high[rows], value)
            continue
        feature, threshold = tree.feature[node], tree.threshold[node]
        waiting.append((tree.children_left[node], rows & (below[:, feature] <= threshold)))
        waiting.append((tree.children_right[node], rows & (above[:, feature] > threshold)))
    return low, high


def worst_found(model, X, eps, direction, seed=0, rounds=3, corners=40):
    """The lowest value of direction * output that random corners and moves of single features find in each box."""
    random = np.random.default_rng(seed)
    best, points = direction * raw_output(model, X), X.copy()

    def take(tried):
        nonlocal best, points
        values = direction * raw_output(model, tried)
        better = values < best
        best, points = np.where(better, values, best), np.where(better[:, None], tried, points)

    for _ in range(corners):
        take(X + eps * random.choice([-1.0, 1.0], X.shape))
    for _ in range(rounds):
        for feature in random.permutation(X.shape[1]):
            for side in (-eps, 0.0, eps):
                tried = points.copy()
                tried[:, feature] = X[:, feature] + side
                take(tried)
    return best
