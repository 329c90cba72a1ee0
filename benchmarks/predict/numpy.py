"""The formula in NumPy."""
# packages: numpy

import numpy as np

from benchmarks.harness.clock import best_of
from benchmarks.predict.network import RUNS, judged, load


def run(problem, clock, folder):
    hidden, bias, output, X = load(problem)
    seconds, outputs = best_of(RUNS, clock, lambda: np.maximum(X @ hidden + bias, 0) @ output)
    return {"seconds": seconds} | judged(problem, outputs)
