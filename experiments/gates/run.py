"""All automobiles and horses, 7 x 7 x 3 pixels as (x - 120) / 50."""

import numpy as np

from experiments.harness.data import images
from experiments.harness.networks import measured, train


def tasks(settings):
    shared = {name: settings[name] for name in ("eps", "beta", "images", "test_images", "verify_branches")}
    return [
        {"method": plain(method), "seed": seed, **shared, "cost": method["cost"]}
        for method in settings["methods"]
        for seed in range(method["runs"])
    ]


def plain(method):
    """Without what only says how often and how long."""
    return {name: value for name, value in method.items() if name not in ("cost", "runs")}


def run(task):
    X, y = around_zero("data_batch", task["images"])
    X_test, y_test = around_zero("test_batch", task["test_images"])
    if task["method"].get("mirror"):
        mirrored = X.reshape(-1, 3, 7, 7)[:, :, :, ::-1].reshape(len(X), -1)
        X, y = np.concatenate([X, mirrored]), np.concatenate([y, y])
    network, facts = train(task["method"], X, y, beta=task["beta"], eps=task["eps"], seed=task["seed"])
    scores = measured(network, X_test, y_test, task["eps"], task["verify_branches"])
    return {"method": task["method"]["name"]} | facts | scores


def around_zero(part, count):
    X, y = images(part, count)
    return (255 * X - 120) / 50, y
