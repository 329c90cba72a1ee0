"""Automobiles against horses, 7 x 7 x 3 pixels in [0, 1]."""

import numpy as np

from experiments.harness.data import images, raw_images
from experiments.harness.networks import attacked, exact_objective, measured, plain_descents, train

# The all-active pattern alone: the robust linear classifier, which is what one live pattern amounts to here.
LINEAR = {
    "name": "linear",
    "convex": {"patterns": "perturbed", "pattern_count": 1, "all_active": True, "method": "cones"},
}


def tasks(settings):
    shared = {name: settings[name] for name in ("eps", "beta", "images", "test_images", "verify_branches")}
    found = [
        {"kind": "main", "method": plain(method), "seed": seed, **shared, "cost": method["cost"]}
        for method in settings["methods"]
        for seed in range(settings["runs"])
    ]
    found += [
        {"kind": "all", "method": plain(method), "seed": 0, **shared | {"images": None}, "cost": method["cost"]}
        for method in settings["all_images"]
    ]
    for method in plain_descents(settings["plain_descents"], neurons=72):
        cost = 1 + 0.02 * method["descent"]["epochs"]
        found.append({"kind": "plain", "method": method, "seed": 0, **shared, "cost": cost})
    return found + linear_tasks(settings, shared) + same_images_tasks(settings, shared)


def linear_tasks(settings, shared):
    """One thing changed at a time: the images, and how they were made smaller."""
    linear = settings["linear"]
    return [
        {"kind": f"linear, {shrinking}", "method": LINEAR, "seed": seed, "shrinking": shrinking, **shared, "cost": 2}
        for shrinking in linear["shrinking"]
        for seed in range(linear["subsets"])
    ]


def same_images_tasks(settings, shared):
    """What the paper leaves open, on the same images in every run: the radius, and S of Alg 2."""
    same = settings["same_images"]
    methods = [({"name": "Alg 1", **same["alg1"]}, same["radii"], 7)]
    for perturbations, radii in same["alg2_radii"].items():
        options = {"patterns": "perturbed", "perturbations": int(perturbations), "pattern_count": 36, "bias": False}
        methods += [({"name": f"S = {perturbations}", "convex": options}, [radius], 3) for radius in radii]
    return [
        {"kind": "same images", "method": method, "radii": radii, "seed": seed, **shared, "cost": cost}
        for method, radii, cost in methods
        for seed in range(same["runs"])
    ]


def plain(method):
    """Without what a clock wants to know."""
    return {name: value for name, value in method.items() if name != "cost"}


def run(task):
    if task["kind"] == "same images":
        return run_same_images(task)
    kind = {"kind": task["kind"], "method": task["method"]["name"]}
    if "shrinking" in task:
        X, y = shrunk(task["shrinking"], task["images"], task["seed"])
        _, facts = train(task["method"], X, y, beta=task["beta"], eps=task["eps"], seed=task["seed"])
        return kind | facts
    X, y = images("data_batch", task["images"], task["seed"])
    X_test, y_test = images("test_batch", task["test_images"])
    network, facts = train(task["method"], X, y, beta=task["beta"], eps=task["eps"], seed=task["seed"])
    worst = {}
    if task["kind"] == "main":
        options = task["method"].get("convex") or task["method"]["descent"]
        beta = options.get("beta", task["beta"])
        worst["exact_objective"] = exact_objective(network, X, y, task["eps"], beta, task["verify_branches"])
    return kind | facts | measured(network, X_test, y_test, task["eps"], task["verify_branches"]) | worst


def run_same_images(task):
    """The first images of the file; radii are of 255, and the first of them is the one that is trained for."""
    X, y = images("data_batch", task["images"], seed=None)
    X_test, y_test = images("test_batch", task["test_images"])
    network, facts = train(task["method"], X, y, beta=task["beta"], eps=task["radii"][0] / 255, seed=task["seed"])
    shares = {str(radius): attacked(network, X_test, y_test, radius / 255) for radius in task["radii"]}
    return {"kind": task["kind"], "method": task["method"]["name"]} | facts | {"attacked": shares}


def shrunk(shrinking, count, seed):
    """Some training images, made smaller in another way."""
    if shrinking == "area":
        return images("data_batch", count, seed)
    pixels, y = raw_images("data_batch", count, seed)
    center = (np.arange(7) + 0.5) * 32 / 7 - 0.5
    low = np.floor(center).astype(int)
    share = np.round(center - low) if shrinking == "nearest" else center - low
    for axis in (2, 3):
        shape = [1, 1, 1, 1]
        shape[axis] = 7
        weight = share.reshape(shape)
        pixels = np.take(pixels, low, axis) * (1 - weight) + np.take(pixels, low + 1, axis) * weight
    return pixels.reshape(len(y), -1), y
