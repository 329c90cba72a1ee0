"""Alg 1 and Alg 2 on points of a line with random labels."""

import numpy as np

from experiments.harness.data import with_ones
from experiments.harness.networks import to_lists, train


def tasks(settings):
    shared = {name: settings[name] for name in ("samples", "eps", "beta", "methods")}
    return [{"seed": seed, **shared, "cost": 0.1} for seed in range(settings["draws"])]


def points(samples, seed):
    """As the paper has them: random places, random labels."""
    random = np.random.default_rng(seed)
    return random.uniform(-1, 1, (samples, 1)), random.choice([-1, 1], samples)


def conflicts(X, y, eps):
    """Which points have a point of the other label so near that their intervals overlap."""
    near = np.abs(X - X.T) < 2 * eps
    return (near & (y[:, None] != y)).any(axis=1)


def run(task):
    X, y = points(task["samples"], task["seed"])
    record = {"X": X.tolist(), "y": y.tolist(), "conflicts": conflicts(X, y, task["eps"]).tolist(), "methods": {}}
    for method in task["methods"]:
        rows = with_ones(X)
        network, facts = train(method, rows, y, beta=task["beta"], eps=task["eps"], seed=task["seed"])
        alone = [task["eps"], 0]  # whoever moves a point does not move its column of ones
        facts |= {
            "network": to_lists(network),
            "right": (network.predict(rows) == y).tolist(),
            "certified": network.certify(rows, alone, y).robust.tolist(),
            "constant": network.certify(rows, alone).robust.tolist(),
        }
        record["methods"][method["name"]] = facts
    return record
