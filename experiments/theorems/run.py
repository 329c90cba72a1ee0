"""What Theorem 2 and the theorem labelled THM:CVX_MINIMAX promise, by experiment; and how many patterns survive."""

import tempfile
from pathlib import Path

import numpy as np

from conelu import ConvexReLUClassifier, datasets, train_baseline
from experiments.harness.data import images, load, missing, split, with_ones
from experiments.harness.networks import exact_objective


def tasks(settings):
    theorem2, bound = settings["theorem2"], settings["bound"]
    shared = {name: theorem2[name] for name in ("samples", "beta", "draws")}
    found = [
        {"check": "theorem2", "count": count, "seed": seed, **shared, "cost": 0.3}
        for count in theorem2["counts"]
        for seed in range(theorem2["sets"])
    ]
    found += [{"check": "bound", "seed": seed, **bound, "cost": 1.5} for seed in range(bound["draws"])]
    found += [
        {"check": "live", "data": name, "seed": seed, **options, "cost": 6}
        for name, options in settings["live"].items()
        if name == "plane" or not missing([name])
        for seed in range(1 if options["patterns"] == "all" else settings["live_seeds"])
    ]
    return found


def run(task):
    return {"theorem2": one_more_pattern, "bound": bound_and_truth, "live": count_live}[task["check"]](task)


def one_more_pattern(task):
    """How often one more draw lowers the optimum, for one set of patterns.

    Draws are independent and need not be distinct, as the theorem counts them. A draw that is in the set already
    changes nothing; for another one the larger program is solved. Lower is what is proven to be lower.
    """
    random = np.random.default_rng([task["samples"], task["count"], task["seed"]])
    X = random.uniform(-1, 1, (task["samples"], 2))
    y = random.choice([-1, 1], task["samples"])
    drawn = np.unique(with_ones(X) @ random.standard_normal((3, task["count"])) >= 0, axis=1).T
    first = solve(X, y, drawn, task["beta"])
    lower, known = 0, {}
    for _ in range(task["draws"]):
        pattern = with_ones(X) @ random.standard_normal(3) >= 0
        key = pattern.tobytes()
        if key not in known:
            seen = (drawn == pattern).all(axis=1).any()
            larger = None if seen else solve(X, y, np.vstack([drawn, pattern]), task["beta"])
            known[key] = larger is not None and larger.objective_ < first.lower_bound_
        lower += known[key]
    return {"count": task["count"], "share": lower / task["draws"], "distinct": len(drawn)}


def solve(X, y, patterns, beta):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "patterns.npy"
        np.save(path, patterns.astype(np.uint8))
        return ConvexReLUClassifier(beta=beta, patterns=path, method="cones", tolerance=1e-8, n_jobs=1).fit(X, y)


def bound_and_truth(task):
    """The bound of each convex program and the exact worst case of its network; gradient descent to compare."""
    random = np.random.default_rng(task["seed"])
    X = random.uniform(-1, 1, (task["samples"], 2))
    y = np.sign(X[:, 0] * X[:, 1] + 0.1 * random.standard_normal(task["samples"])).astype(int)
    eps, beta = task["eps"], task["beta"]

    def proven(network):
        return exact_objective(network, X, y, eps, beta, task["verify_branches"])[1]

    record = {}
    for name, options in {
        "cones": {"patterns": "all", "method": "cones"},
        "reduced": {"method": "reduced"},
        "gated": {"method": "auto"},
    }.items():
        model = ConvexReLUClassifier(beta=beta, eps=eps, n_jobs=1, **options).fit(X, y)
        record[name] = {"bound": model.objective_, "exact": proven(model.network_)}
    descent = train_baseline(
        X, y, "gd-pgd", beta=beta, eps=eps, neurons=task["neurons"], random_state=task["seed"], n_jobs=1
    )
    found = descent.record["attacked_objective"]
    record["GD-PGD"] = {"bound": found, "exact": proven(descent.network)}
    return record


def count_live(task):
    """Live patterns of the paper's program for each radius; the program itself is not solved."""
    if task["data"] == "plane":
        data = datasets.plane(34, 1)
        X, y = data.X, data.y
    elif task["data"] == "cifar10":
        X, y = images("data_batch", 600, task["seed"])
    else:
        data = load(task["data"])
        X, y, _, _ = split(data.X, data.y, task["seed"], 581)
    patterns = {"patterns": task["patterns"], "pattern_count": task.get("count", 100), "random_state": task["seed"]}
    shares = []
    for eps in task["radii"]:
        # Alg 2 perturbs nothing if the radius is 0: it is Alg 1 then.
        source = patterns | ({"patterns": "gaussian"} if eps == 0 and task["patterns"] == "perturbed" else {})
        model = ConvexReLUClassifier(eps=eps, method="cones", max_iterations=1, n_jobs=1, **source).fit(X, y)
        shares.append(model.record_["live_patterns"] / model.record_["patterns"])
    return {"data": task["data"], "shares": shares}
