"""Some trainings on points of the plane with random labels."""

import numpy as np

from experiments.harness.data import with_ones
from experiments.harness.networks import to_lists, train


def tasks(settings):
    shared = {name: settings[name] for name in ("samples", "eps", "beta")}
    return [
        {"seed": settings["seed"] + draw, "method": method, **shared, "cost": 3}
        for draw in range(settings["draws"])
        for method in settings["methods"]
    ]


def points(samples, seed):
    """In [-2, 2]^2; labels by chance, so that some boxes of different label overlap."""
    random = np.random.default_rng(seed)
    return random.uniform(-2, 2, (samples, 2)), random.choice([-1, 1], samples)


def run(task):
    X, y = points(task["samples"], task["seed"])
    ones = task["method"].get("ones", False)
    rows = with_ones(X) if ones else X
    network, facts = train(task["method"], rows, y, beta=task["beta"], eps=task["eps"], seed=task["seed"])
    radii = [task["eps"], task["eps"], *([0] if ones else [])]
    facts |= {
        "X": X.tolist(),
        "y": y.tolist(),
        "network": to_lists(network),
        "right": float(np.mean(network.predict(rows) == y)),
        "certified": float(network.certify(rows, radii, y).robust.mean()),
    }
    return facts
