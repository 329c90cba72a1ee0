"""What is behind rows that ours loses: a penalty that is too small for the data, or gates that are not the right ones.

Each is put to the test by training again with other ones.
"""

import tempfile
from pathlib import Path

import numpy as np

from conelu import ConvexReLURegressor, train_baseline
from experiments.beyond.contenders import convex, network_scores
from experiments.beyond.data import parts
from experiments.harness.networks import penalty


def tasks(settings, shared):
    """Those of the penalty, then those of the gates."""
    found = []
    for reason, cost in (("penalty", 10), ("gates", 60)):
        chosen = settings["reasons"][reason]
        same = {"reason": reason, "eps": chosen["eps"], "rounds": settings["reasons"]["rounds"], "settings": shared}
        found += [
            same | {"name": name, "beta": beta, "seed": seed, "cost": cost}
            for name in chosen["data"]
            for beta in chosen["betas"]
            for seed in range(settings["splits"])
        ]
    return found


def run(task):
    sizes = task["settings"]["largest_training_set"], task["settings"]["largest_test_set"]
    training, validation, test, regression = parts(task["name"], task["seed"], *sizes)
    facts = {name: task[name] for name in ("reason", "name", "eps", "beta", "seed")}
    if task["reason"] == "gates":
        return facts | {"variants": other_gates(task, training, test)}
    return facts | scores_of_penalty(task, {"training": training, "validation": validation, "test": test}, regression)


def scores_of_penalty(task, rows, regression):
    """What both of ours certify with the task's beta."""
    settings = task["settings"] | {"betas": {"classification": [task["beta"]], "regression": [task["beta"]]}}
    found = {}
    for method in ("convex", "reduced"):
        network = convex(settings, settings[method], *rows["training"], task["eps"], regression, task["seed"])[0]
        found[method] = {
            name: float(network_scores(network, *part, task["eps"], settings["verify_branches"])[2])
            for name, part in rows.items()
        }
    return found


def other_gates(task, training, test):
    """Regression with the method's own gates, with twice as many, and with those of the network that GD-PGD finds.

    `program` is the objective that is proven of the network: of GD-PGD's by bounds on its outputs.
    """
    settings, eps, beta, seed = (task[name] for name in ("settings", "eps", "beta", "seed"))
    X, y = training

    def judged(network, record):
        branches = settings["verify_branches"]
        errors = [float(network_scores(network, *rows, eps, branches)[2]) for rows in (training, test)]
        found = {"network": len(y) / 2 * errors[0] + penalty(network, beta), "training": errors[0], "test": errors[1]}
        proven = record.get("objective", record["network_objective"])
        return found | {"program": proven, "neurons": record["neurons"], "gap": record.get("relative_gap")}

    shared = {"eps": eps, "beta": beta, "random_state": seed, "n_jobs": 1}
    descended = train_baseline(X, y, loss="squared", **shared, **settings["descent"])
    found = {"GD-PGD": judged(descended.network, descended.record)}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "patterns.npy"
        hidden, offsets = descended.network.coefs[0], descended.network.intercepts[0]
        np.save(path, np.unique((X @ hidden + offsets >= 0).T, axis=0).astype(np.uint8))
        twice = {"pattern_count": 2 * settings["convex"]["pattern_count"]}
        for words, changes in (
            ("own gates", {}),
            ("own gates, twice as many", twice),
            ("gates of GD-PGD", {"patterns": str(path)}),
        ):
            for rounds, times in ((1, "one round"), (task["rounds"], "more rounds")):
                options = shared | settings["convex"] | changes | {"rounds": rounds}
                model = ConvexReLURegressor(**options).fit(X, y)
                found[f"{words}, {times}"] = judged(model.network_, model.record_)
    return found
