"""Projected gradient steps in NumPy, the worst iterate kept."""
# packages: numpy

import numpy as np

from benchmarks.attacks.network import RUNS, judged, load
from benchmarks.harness.clock import best_of


def run(problem, clock, folder):
    arrays = load(problem)
    seconds, points = best_of(RUNS, clock, lambda: attack(*arrays, problem["eps"], problem["steps"]))
    return {"seconds": seconds} | judged(problem, points)


def attack(hidden, bias, output, X, y, eps, steps):
    points, worst, lowest = X.copy(), X.copy(), np.full(len(X), np.inf)
    low, high = X - eps, X + eps
    for step in range(steps + 1):
        active = points @ hidden + bias
        margins = y * (np.maximum(active, 0) @ output)
        better = margins < lowest
        worst[better], lowest[better] = points[better], margins[better]
        if step < steps:
            slopes = ((active > 0) * output) @ hidden.T * y[:, None]
            points = np.clip(points - eps / 30 * np.sign(slopes), low, high)
    return worst
