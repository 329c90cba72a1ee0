"""Regression on 8 points of a piecewise-linear truth, with and without an uncertainty of the inputs."""

import numpy as np

from conelu import ConvexReLURegressor
from experiments.harness.data import with_ones


def tasks(settings):
    shared = {name: settings[name] for name in ("samples", "test_samples", "beta", "pattern_count", "trials")}
    return [
        {"truth": truth, "reading": reading, "eps": eps, **shared, "cost": 0.01 * settings["trials"]}
        for truth in settings["truths"].values()
        for reading in settings["readings"]
        for eps in [0, *settings["radii"]]
    ]


def draw_data(truth, samples, random):
    x = random.uniform(truth["x"][0], truth["x"][-1], samples)
    return x[:, None], np.interp(x, truth["x"], truth["y"])


def run(task):
    errors, outside, live = [], [], []
    for trial in range(task["trials"]):
        random = np.random.default_rng(trial)
        X, y = draw_data(task["truth"], task["samples"], random)
        X_test, y_test = draw_data(task["truth"], task["test_samples"], random)
        safe = task["reading"] == "safe"
        if not safe:
            X, X_test = with_ones(X), with_ones(X_test)
        model = ConvexReLURegressor(
            beta=task["beta"], eps=task["eps"], bias=safe, patterns="perturbed" if task["eps"] else "gaussian",
            pattern_count=task["pattern_count"], random_state=trial, n_jobs=1,
        ).fit(X, y)  # fmt: skip
        squares = (model.predict(X_test) - y_test) ** 2
        errors.append(float(np.mean(squares)))
        beyond = (X_test[:, 0] < X[:, 0].min()) | (X_test[:, 0] > X[:, 0].max())
        outside.append(float(np.sum(squares[beyond]) / len(squares)))
        live.append(model.record_["live_patterns"])
    return {"errors": errors, "outside": outside, "live": live}
