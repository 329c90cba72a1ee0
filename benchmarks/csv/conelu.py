"""`conelu.datasets.read`: the columns, their kinds and the target."""

import numpy as np
from conelu import datasets

from benchmarks.csv.table import RUNS, judged, write
from benchmarks.harness.clock import best_of


def run(problem, clock, folder):
    path = write(problem, folder)
    seconds, found = best_of(RUNS, clock, lambda: datasets.read(path, task="regression"))
    return {"seconds": seconds, "bytes": path.stat().st_size} | judged(np.column_stack([found.X, found.y]))
