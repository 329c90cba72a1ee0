"""`polars.read_csv`, one thread like the others."""
# packages: polars numpy

import polars as pl

from benchmarks.csv.table import RUNS, judged, write
from benchmarks.harness.clock import best_of


def run(problem, clock, folder):
    path = write(problem, folder)
    seconds, found = best_of(RUNS, clock, lambda: pl.read_csv(path))
    return {"seconds": seconds, "bytes": path.stat().st_size} | judged(found.to_numpy())
