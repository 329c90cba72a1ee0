"""One data set and one beta: all contenders, some of them on more splits, or how far a bound for all networks gets."""

from sklearn.model_selection import KFold, StratifiedKFold

from experiments.harness.data import images, load_task, scaled_target, split
from experiments.priced.contenders import descended, estimator, trained


def tasks(settings):
    shared = {name: settings[name] for name in ("sampled", "priced", "descended", "train_share")}
    return contest(settings, shared) + more_splits(settings, shared) + bounds(settings, shared)


def contest(settings, shared):
    found = []
    for name in settings["data"]:
        largest = settings["training_sets"].get(name, settings["largest_training_set"])
        task = {"part": "contest", "name": name, "seed": 0, "largest_training_set": largest, **shared}
        found += [task | {"beta": f"{share:g}max", "cost": 15 + 0.03 / share} for share in settings["shares"]]
    pictures = settings["images"]
    task = {"part": "contest", "name": "cifar10", "seed": 0, "largest_training_set": pictures["count"], **shared}
    return [*found, task | {"beta": pictures["beta"], "cost": 150}]


def more_splits(settings, shared):
    asked = settings["splits"]
    task = {"part": "splits", "name": asked["data"], **shared}
    task |= {"largest_training_set": settings["largest_training_set"], "cost": 15}
    return [task | {"beta": beta, "seed": seed} for beta in asked["betas"] for seed in range(asked["seeds"])]


def bounds(settings, shared):
    asked = settings["bounds"]
    task = {"part": "bounds", "seed": 0, "largest_training_set": settings["largest_training_set"], **shared}
    task |= {name: asked[name] for name in ("shares", "folds", "validation")}
    task |= {"beta": None, "seconds": asked["seconds"], "cost": 120}
    found = [task | {"name": name, "loss": loss} for name, loss in asked["trained"]]
    return found + [task | check | {"cost": 10 + check["seconds"]} for check in asked["checks"]]


def run(task):
    training, test, regression = rows_of(task)
    facts = {name: task[name] for name in ("part", "name", "seed")}
    facts |= {"samples": len(training[1]), "features": training[0].shape[1], "regression": regression}
    if task["part"] == "bounds":
        return facts | bounded(task, training, regression)
    loss = "squared" if regression else "hinge"
    options = {"loss": loss, "seed": task["seed"]}
    priced = trained(task["priced"], training, test, beta=task["beta"], **options)
    options["beta"] = priced["beta"]
    facts |= {"loss": loss, "beta": priced["beta"], "beta_max": priced["beta_max"], "asked": task["beta"]}
    facts |= {"priced": priced, "descended": descended(task["descended"], training, test, **options)}
    if task["part"] == "contest":
        facts["sampled"] = trained(task["sampled"], training, test, **options)
    return facts


def rows_of(task):
    """Training and test rows, and whether it is a regression; images as they are, others in z-scores."""
    if task["name"] == "cifar10":
        # The first images of the file are those that the issues and the tests of the project speak of.
        return images("data_batch", task["largest_training_set"], seed=None), images("test_batch"), False
    X, y, regression = load_task(task["name"])
    count = min(task["largest_training_set"], round(task["train_share"] * len(y)))
    X, y, X_test, y_test = split(X, y, task["seed"], count)
    if regression:
        y, y_test = scaled_target(y, y_test)
    return (X, y), (X_test, y_test), regression


def bounded(task, training, regression):
    """What is proven of all networks in some time, with the beta that is given or that cross-validation chooses."""
    beta, scores = task["beta"], None
    if beta is None:
        scores = validated(task, training, regression)
        beta = f"{task['shares'][scores.index(max(scores))]:g}max"
    options = task["priced"] | {"global_bound": task["seconds"]}
    found = trained(options, training, None, loss=task["loss"], beta=beta, seed=task["seed"])
    return {"loss": task["loss"], "asked": beta, "by_validation": scores, "limit": task["seconds"], "priced": found}


def validated(task, training, regression):
    """Mean score of every share on rows that were left out."""
    X, y = training
    kind = KFold if regression else StratifiedKFold
    folds = list(kind(task["folds"], shuffle=True, random_state=task["seed"]).split(X, y))
    scores = []
    for share in task["shares"]:
        model = estimator(task["validation"], loss=task["loss"], beta=f"{share:g}max", seed=task["seed"])
        scores.append(sum(model.fit(X[kept], y[kept]).score(X[out], y[out]) for kept, out in folds) / len(folds))
    return scores
