"""The optimum of Alg 1 for more and more patterns, and the exact one."""

import numpy as np

from conelu import ConvexReLUClassifier


def tasks(settings):
    shared = {name: settings[name] for name in ("samples", "seed", "beta")}
    sampled = [
        {"count": count, "repetitions": settings["repetitions"], **shared, "cost": 0.1 + 0.012 * count}
        for count in settings["counts"]
    ]
    return [{"count": "all", **shared, "cost": 2}, *sampled]


def points(samples, seed):
    random = np.random.default_rng(seed)
    return random.uniform(-1, 1, (samples, 2)), random.choice([-1, 1], samples)


def run(task):
    X, y = points(task["samples"], task["seed"])
    options = {"beta": task["beta"], "method": "cones", "n_jobs": 1}
    if task["count"] == "all":
        exact = ConvexReLUClassifier(patterns="all", **options).fit(X, y)
        return {"objectives": [exact.objective_], "found": [exact.record_["patterns"]], "bound": exact.lower_bound_}
    fitted = [
        ConvexReLUClassifier(patterns="gaussian", pattern_count=task["count"], random_state=seed, **options).fit(X, y)
        for seed in range(task["repetitions"])
    ]
    return {
        "objectives": [model.objective_ for model in fitted],
        "found": [model.record_["patterns"] for model in fitted],
        "widest_gap": max(model.gap_ for model in fitted),
    }
