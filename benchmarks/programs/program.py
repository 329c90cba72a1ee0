"""A convex program of training, as data.

# shared by contenders
"""

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]


def shared_folder():
    return Path(os.environ.get("CONELU_SHARED") or ROOT.parent / "shared")


@dataclass
class Program:
    """minimise sum of losses + beta sum_j |u_j|_2 under the cones of every pattern; see docs/method.md."""

    X: np.ndarray  # n x d, every column as it is
    y: np.ndarray
    patterns: np.ndarray  # P x n, 0 and 1
    loss: str  # hinge (a mean) or squared (half of the sum)
    eps: float
    norm: str
    beta: float

    def loss_weight(self):
        return 1 / len(self.y) if self.loss == "hinge" else 1.0


def load(problem):
    """The program of a problem: a stored case by its name, live patterns for one, or all made of a seed."""
    if "gaps" in problem:
        return _with_gaps(**problem["gaps"])
    return _stored(problem) if "case" in problem else _made(**problem["made"])


def _stored(problem):
    folder = shared_folder() / "cases"
    data = np.load(folder / f"{problem['case']}.npz")
    patterns = np.load(folder / f"{problem['case']}.patterns.npy")
    names = ("loss", "eps", "norm", "beta")
    return Program(data["X"], data["y"], patterns.astype(float), **{name: problem[name] for name in names})


def _made(n, d, P, seed, loss="hinge", eps=0.0, norm="inf", beta=1e-4):
    """Labels of a noisy ReLU network on normal features, and the distinct patterns of random hyperplanes."""
    random = np.random.default_rng(seed)
    X = np.column_stack([random.normal(size=(n, d - 1)), np.ones(n)])
    hidden = random.normal(size=(d, 5))
    f = np.maximum(0, X @ hidden) @ random.normal(size=5)
    y = np.sign(f - np.median(f) + 0.5 * f.std() * random.normal(size=n))
    rows = {}
    while len(rows) < P:
        row = (X @ random.normal(size=d) >= 0).astype(float)
        rows.setdefault(row.tobytes(), row)
    return Program(X, y, np.array(list(rows.values())), loss, eps, norm, beta)


def _with_gaps(case, P, seed, eps, beta=1e-4):
    """The data of a case with patterns that are all live: thresholds in gaps of sparse random projections.

    With u = (a, -t) on the features and the column of ones at the end, which is perturbed with them, a gap around t
    that is wider than 2 eps |u|_1 makes u an interior point of its pattern's cone.
    """
    data = np.load(shared_folder() / "cases" / f"{case}.npz")
    features, random, rows = data["X"][:, :-1], np.random.default_rng(seed), {}
    while len(rows) < P:
        chosen = random.choice(features.shape[1], random.integers(1, 4), replace=False)
        a = np.zeros(features.shape[1])
        a[chosen] = random.normal(size=len(chosen))
        values = np.unique(features @ a)
        middles = (values[1:] + values[:-1]) / 2
        wide = np.diff(values) > 2.001 * eps * (np.abs(a).sum() + np.abs(middles))
        for t in middles[wide]:
            for side in (1, -1):
                row = (side * (features @ a - t) > 0).astype(float)
                rows.setdefault(row.tobytes(), row)
    return Program(data["X"], data["y"], np.array(list(rows.values())[:P]), "hinge", eps, "inf", beta)


def save(program, folder):
    """As the tool reads it: data.npz and patterns.npy."""
    np.savez(folder / "data.npz", X=program.X, y=program.y)
    np.save(folder / "patterns.npy", program.patterns.astype(np.uint8))
