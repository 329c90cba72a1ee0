"""Clean accuracy after training against a small radius, and after other ways to regularise."""

from experiments.harness.data import load, split
from experiments.harness.networks import train


def tasks(settings):
    shared = {name: settings[name] for name in ("eps", "beta", "train_share")}
    return [
        {"method": method, "seed": seed, **shared, "cost": 2}
        for method in settings["methods"]
        for seed in range(settings["runs"])
    ]


def run(task):
    data = load("mammographic_masses")
    X, y, X_test, y_test = split(data.X, data.y, task["seed"], round(task["train_share"] * len(data.y)))
    network, facts = train(task["method"], X, y, beta=task["beta"], eps=task["eps"], seed=task["seed"])
    accuracies = {"train": (network.predict(X) == y).mean(), "test": (network.predict(X_test) == y_test).mean()}
    return facts | {name: float(value) for name, value in accuracies.items()}
