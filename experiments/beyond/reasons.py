"""What is behind rows that ours loses: a penalty that is too small for the data, or gates that are not the right ones.

Each is put to the test by training again with other ones, everything else being the same.
"""

import tempfile
from pathlib import Path

import numpy as np

from conelu import ConvexReLURegressor
from experiments.beyond.contenders import convex, descent, network_scores
from experiments.beyond.data import parts


def tasks(settings, shared):
    """Those of the penalty, then those of the gates."""
    found = []
    for reason, cost in (("penalty", 10), ("gates", 40)):
        chosen = settings["reasons"][reason]
        found += [
            {"reason": reason, "name": name, "eps": chosen["eps"], "beta": beta, "seed": seed, "settings": shared}
            | {"cost": cost}
            for name in chosen["data"]
            for beta in chosen["betas"]
            for seed in range(settings["splits"])
        ]
    return found


def run(task):
    settings, eps = task["settings"], task["eps"]
    sizes = settings["largest_training_set"], settings["largest_test_set"]
    training, validation, test, regression = parts(task["name"], task["seed"], *sizes)
    only = settings | {"betas": {"classification": [task["beta"]], "regression": [task["beta"]]}}
    facts = {name: task[name] for name in ("reason", "name", "eps", "beta", "seed")}
    if task["reason"] == "gates":
        return facts | other_gates(only, training, test, eps, task["beta"], task["seed"])
    scores = {}
    for method in ("convex", "reduced"):
        network = convex(only, settings[method], *training, eps, regression, task["seed"])[0]
        rows = {"training": training, "validation": validation, "test": test}
        limit = settings["verify_seconds"]
        scores[method] = {name: float(network_scores(network, *part, eps, limit)[2]) for name, part in rows.items()}
    return facts | scores


def other_gates(settings, training, test, eps, beta, seed):
    """Regression with the method's own gates, and with those of the network that gradient descent finds."""
    X, y = training
    limit = settings["verify_seconds"]

    def judged(network, program=None):
        error = float(network_scores(network, X, y, eps, limit)[2])
        layers = network.coefs[0], network.intercepts[0], network.coefs[1]
        weights = sum(float(np.sum(np.square(layer))) for layer in layers)
        found = {"network": len(y) / 2 * error + beta / 2 * weights, "training": error}
        return found | {"test": float(network_scores(network, *test, eps, limit)[2]), "program": program}

    descended = descent(settings, X, y, eps, True, seed)[0]
    found = {"GD-PGD": judged(descended)}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "patterns.npy"
        active = X @ np.asarray(descended.coefs[0]) + np.asarray(descended.intercepts[0]) >= 0
        np.save(path, np.unique(active.T, axis=0).astype(np.uint8))
        options = {"eps": eps, "beta": beta, "random_state": seed, "n_jobs": 1} | settings["convex"]
        for words, patterns in (("own gates", None), ("gates of GD-PGD", str(path))):
            for rounds, times in ((1, "one round"), (settings["reasons"]["rounds"], "more rounds")):
                model = ConvexReLURegressor(**options | {"patterns": patterns, "rounds": rounds}).fit(X, y)
                found[f"{words}, {times}"] = judged(model.network_, model.record_["objective"])
    return {"variants": found}
