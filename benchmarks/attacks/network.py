"""A random network and rows to attack.

# shared by contenders
"""

import numpy as np

RUNS = 3


def load(problem):
    """Weights as scikit-learn has them (d x m and m), rows, and labels -1 and 1 as the network itself has them."""
    random = np.random.default_rng(problem["seed"])
    n, d, m = (problem[name] for name in ("rows", "features", "neurons"))
    hidden, bias = random.normal(size=(d, m)) / np.sqrt(d), 0.3 * random.normal(size=m)
    output = random.normal(size=m) / np.sqrt(m)
    X = random.normal(size=(n, d))
    y = np.where(np.maximum(X @ hidden + bias, 0) @ output >= 0, 1, -1)
    return hidden, bias, output, X, y


def judged(problem, points):
    """What an attack has come to: margins at its points, which must be within reach."""
    hidden, bias, output, X, y = load(problem)
    margins = y * (np.maximum(points @ hidden + bias, 0) @ output)
    reach = np.abs(points - X).max() / problem["eps"]
    return {"broken": float(np.mean(margins < 0)), "margin": float(margins.mean()), "reach": float(reach)}
