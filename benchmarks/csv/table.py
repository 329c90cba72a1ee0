"""A file of numbers, the last column being the target.

# shared by contenders
"""

import hashlib

import numpy as np

RUNS = 3


def write(problem, folder):
    random = np.random.default_rng(problem["seed"])
    numbers = np.round(random.normal(size=(problem["rows"], problem["columns"])), 6)
    path = folder / "numbers.csv"
    names = ",".join(f"x{i}" for i in range(numbers.shape[1]))
    np.savetxt(path, numbers, fmt="%.6f", delimiter=",", header=names, comments="")
    return path


def judged(numbers):
    """Every digit counts: readers that round differently give another digest."""
    numbers = np.ascontiguousarray(numbers, dtype=float)
    return {"digest": hashlib.sha256(numbers.tobytes()).hexdigest()[:12], "shape": list(numbers.shape)}
