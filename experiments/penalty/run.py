"""One data set, one loss, one choice of validation rows: all shares of beta_max, and the default that was."""

import time

import numpy as np

from conelu import ConvexReLUClassifier, ConvexReLURegressor
from experiments.harness.data import load_task, scaled_target, split

FIRST_SPLIT = 0  # that of `priced`: its test rows are not seen here


def tasks(settings):
    taken = "shares", "former", "train_share", "validation_share", "largest_validation_set", "options"
    shared = {name: settings[name] for name in taken}
    found = []
    for loss, names in settings["data"].items():
        for name in names:
            largest = settings["training_sets"].get(name, settings["largest_training_set"])
            task = {"name": name, "loss": loss, "largest_training_set": largest, **shared, "cost": largest / 20}
            found += [task | {"seed": seed} for seed in range(settings["seeds"])]
    return found


def run(task):
    (X, y), (X_held, y_held), regression = rows_of(task)
    kind = ConvexReLURegressor if regression else ConvexReLUClassifier
    betas = [f"{share:g}max" for share in task["shares"]]
    if task["seed"] == 0:
        betas.append(task["former"])
    found = []
    for beta in betas:
        start = time.process_time()
        model = kind(task["loss"], beta=beta, random_state=task["seed"], n_jobs=1, **task["options"]).fit(X, y)
        seconds = time.process_time() - start
        record = model.record_
        facts = {"validation": model.score(X_held, y_held), "training": model.score(X, y)}
        facts |= {"objective": record["objective"], "gap": record["relative_gap"], "neurons": record["neurons"]}
        found.append(facts | {"beta": record["beta"], "beta_max": record["beta_max"], "seconds": seconds})
    facts = {name: task[name] for name in ("name", "loss", "seed")}
    sizes = {"samples": len(y), "held": len(y_held), "features": X.shape[1]}
    return facts | sizes | {"regression": regression, "found": found}


def rows_of(task):
    """Rows to train on and rows to validate on, both of the training rows of a split that is always the same."""
    X, y, regression = load_task(task["name"])
    order = np.random.default_rng(FIRST_SPLIT).permutation(len(y))[: round(task["train_share"] * len(y))]
    count = min(task["largest_training_set"], round((1 - task["validation_share"]) * len(order)))
    X, y, X_held, y_held = split(X[order], y[order], task["seed"], count)
    if regression:
        y, y_held = scaled_target(y, y_held)
    largest = task["largest_validation_set"]
    return (X, y), (X_held[:largest], y_held[:largest]), regression
