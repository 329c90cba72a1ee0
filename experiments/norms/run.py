"""One problem of the plane against attackers who measure differently."""

from conelu import ConvexReLUClassifier, datasets
from experiments.harness.networks import to_lists


def tasks(settings):
    shared = {name: settings[name] for name in ("samples", "seed", "eps", "beta", "norms")}
    return [{"norm": norm, **shared, "cost": 3} for norm in settings["norms"]]


def run(task):
    data = datasets.plane(task["samples"], task["seed"])
    model = ConvexReLUClassifier(
        beta=task["beta"], eps=task["eps"], norm=task["norm"], patterns="all", method="cones", n_jobs=1
    ).fit(data.X, data.y)
    certified = {norm: model.robust_score(data.X, data.y, task["eps"], norm=norm) for norm in task["norms"]}
    return {
        "network": to_lists(model.network_),
        "objective": model.objective_,
        "relative_gap": model.gap_,
        "patterns": model.record_["patterns"],
        "live_patterns": model.record_["live_patterns"],
        "certified": certified,
    }
