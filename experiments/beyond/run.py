"""One data set, one split, one radius, one contender at a time."""

import time

from experiments.beyond import reasons
from experiments.beyond.contenders import CONTENDERS, best, network_scores
from experiments.beyond.data import parts

COSTS = {"ours": 25, "reduced": 12, "GD-PGD": 10, "MLP": 6, "boosting": 3, "linear SVM": 1}


def tasks(settings):
    shared = {name: value for name, value in settings.items() if name not in ("data", "radii", "splits", "reasons")}
    return [
        {"name": name, "eps": eps, "seed": seed, "contender": contender, "settings": shared, "cost": COSTS[contender]}
        for name in settings["data"]
        for eps in settings["radii"]
        for seed in range(settings["splits"])
        for contender in CONTENDERS
    ] + reasons.tasks(settings, shared)


def run(task):
    if "reason" in task:
        return reasons.run(task)
    settings, eps = task["settings"], task["eps"]
    sizes = settings["largest_training_set"], settings["largest_test_set"]
    training, validation, test, regression = parts(task["name"], task["seed"], *sizes)
    make, score = CONTENDERS[task["contender"]]
    start = time.process_time()
    candidates = make(settings, *training, eps, regression, task["seed"])
    seconds = time.process_time() - start
    last = settings["verify_branches"] if score is network_scores else regression
    chosen = candidates[0]
    if len(candidates) > 1:
        chosen = best(candidates, lambda candidate: score(candidate, *validation, eps, last), regression)
    clean, attacked, certified = map(float, score(chosen, *test, eps, last))
    training_certified = float(score(chosen, *training, eps, last)[2])
    facts = {name: task[name] for name in ("name", "eps", "seed", "contender")}
    facts |= {
        "regression": regression,
        "features": training[0].shape[1],
        "samples": len(training[1]),
        "seconds": seconds,
    }
    scores = {"clean": clean, "attacked": attacked, "certified": certified, "training_certified": training_certified}
    return facts | scores
