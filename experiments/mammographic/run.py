"""Trainings on Mammographic Masses, 70 % of the complete rows, z-scores."""

import numpy as np
from sklearn.preprocessing import StandardScaler

from experiments.harness.data import load, split, with_ones
from experiments.harness.networks import attacked, exact_objective, measured, plain_descents, train
from experiments.mammographic.noise import live_count, perturbed_patterns, relaxed_network
from experiments.mammographic.normal_start import descend

ODD = 55  # of one row in BI-RADS, whose values are 0 to 6: an error of the original file


def tasks(settings):
    shared = {name: settings[name] for name in ("eps", "beta", "train_share", "verify_branches", "exact_branches")}
    found = []
    for seed in range(settings["runs"]):
        for method in settings["methods"]:
            for odd_row in [True, False]:
                cost = method["cost"]
                found.append(
                    {"kind": "main", "method": plain(method), "seed": seed, "odd_row": odd_row, **shared, "cost": cost}
                )
        for method in settings["readings"]:
            found.append({"kind": "reading", "method": method, "seed": seed, "odd_row": True, **shared, "cost": 0.2})
    for stratified in [False, True]:
        for seed in range(settings["splits"]["seeds"]):
            for method in settings["splits"]["methods"]:
                found.append(
                    {
                        "kind": "splits",
                        "method": method,
                        "seed": seed,
                        "stratified": stratified,
                        "odd_row": True,
                        **shared,
                        "cost": 1.3,
                    }
                )
    for method in plain_descents(settings["plain_descents"], neurons=240):
        cost = 0.3 + 0.03 * method["descent"]["epochs"]
        found.append({"kind": "plain", "method": method, "seed": 0, "odd_row": True, **shared, "cost": cost})
    normal = settings["normal_start"]
    for deviation, rate, epochs in normal["descents"]:
        method = {"name": f"{deviation:g}, {rate:g}, {epochs} epochs", "deviation": deviation}
        method |= {"rate": rate, "epochs": epochs, "neurons": 240}
        for seed in range(normal["runs"]):
            found.append({"kind": "normal", "method": method, "seed": seed, "odd_row": True, **shared, "cost": 2})
    noise = {"name": "noise", "patterns": settings["noise"]["patterns"]}
    for seed in range(settings["noise"]["runs"]):
        found.append(
            {
                "kind": "noise",
                "method": noise,
                "seed": seed,
                "odd_row": True,
                **shared,
                "cost": settings["noise"]["patterns"] / 3,
            }
        )
    return found


def plain(method):
    """Without what the clock wants to know."""
    return {name: value for name, value in method.items() if name != "cost"}


def without_odd_row(X, y, X_test, y_test):
    """The same split, in z-scores that the row has no part in."""
    keep, keep_test = X[:, 0] != ODD, X_test[:, 0] != ODD
    scaler = StandardScaler().fit(X[keep])
    return scaler.transform(X[keep]), y[keep], scaler.transform(X_test[keep_test]), y_test[keep_test]


def run(task):
    data = load("mammographic_masses")
    stratified = task.get("stratified", False)
    count = round(task["train_share"] * len(data.y))
    if task["odd_row"]:
        X, y, X_test, y_test = split(data.X, data.y, task["seed"], count, stratified=stratified)
    else:
        X, y, X_test, y_test = without_odd_row(*split(data.X, data.y, task["seed"], count, standardize=False))
    if task["method"].get("ones"):
        X, X_test = with_ones(X), with_ones(X_test)
    if task["kind"] == "noise":
        patterns = perturbed_patterns(X, task["eps"], task["method"]["patterns"], task["seed"])
        kind = {"kind": "noise", "method": "noise", "odd_row": True, "live": live_count(X, task["eps"], patterns)}
        if kind["live"]:
            return kind
        labels = np.unique(y)
        sides = np.where(y == labels[1], 1.0, -1.0)
        network, gain = relaxed_network(X, sides, task["eps"], patterns, labels)
        return kind | {"gain": gain} | measured(network, X_test, y_test, task["eps"], task["verify_branches"])
    if task["kind"] == "normal":
        options = {name: value for name, value in task["method"].items() if name != "name"}
        network, objective = descend(X, y, beta=task["beta"], seed=task["seed"], **options)
        kind = {"kind": "normal", "method": task["method"]["name"], "odd_row": True, "objective": objective}
        return kind | attacked(network, X_test, y_test, task["eps"])
    network, facts = train(task["method"], X, y, beta=task["beta"], eps=task["eps"], seed=task["seed"])
    kind = {"kind": task["kind"], "method": task["method"]["name"], "odd_row": task["odd_row"]}
    kind |= {"stratified": stratified, "seed": task["seed"]}
    worst = {}
    if task["kind"] == "main":
        worst["exact_objective"] = exact_objective(network, X, y, task["eps"], task["beta"], task["exact_branches"])
    return kind | facts | measured(network, X_test, y_test, task["eps"], task["verify_branches"]) | worst
