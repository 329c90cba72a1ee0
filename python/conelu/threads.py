"""Numbers of threads as scikit-learn gives them."""

import os

import numpy as np


def to_threads(n_jobs):
    """The library's number, where 0 leaves it to OpenMP: None does that, -1 means one for each core."""
    if n_jobs is None:
        return 0
    if not isinstance(n_jobs, (int, np.integer)) or isinstance(n_jobs, bool):
        raise TypeError(f"n_jobs: is {n_jobs!r}, expected None or a whole number")
    if n_jobs == 0 or n_jobs < -(os.cpu_count() or 1):
        raise ValueError(f"n_jobs: is {n_jobs}, expected a number of threads, or -1 for one for each core")
    return int(n_jobs) if n_jobs > 0 else (os.cpu_count() or 1) + 1 + int(n_jobs)
