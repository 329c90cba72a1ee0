"""Training as others see it: a loss, a penalty, an attacker and networks of some width.

# shared by contenders
"""

from dataclasses import dataclass

import numpy as np

from benchmarks.programs.program import shared_folder


@dataclass
class Training:
    X: np.ndarray  # without a column of ones: networks have a bias, which nobody perturbs
    y: np.ndarray
    loss: str
    beta: float
    eps: float
    neurons: int


def load(problem):
    """Mammographic Masses, automobiles and horses in z-scores, or numbers made of a seed."""
    if problem["data"] == "made":
        random = np.random.default_rng(0)
        X = random.normal(size=(60, 3))
        y = np.sign(X[:, 0] * X[:, 1] + 0.1)
    elif problem["data"] == "cifar10":
        X, y = _images(problem["rows"])
    else:
        stored = np.load(shared_folder() / "cases" / f"{problem['data']}.npz")
        X, y = stored["X"][:, :-1], stored["y"]
    return Training(X, y, *(problem[name] for name in ("loss", "beta", "eps", "neurons")))


def _images(rows):
    """7 x 7 x 3 averages of pixels as (x - 120) / 50. CIFAR-10's rows are a label and three planes of 32 x 32."""
    content = np.fromfile(shared_folder() / "data" / "cifar10" / "data_batch_auto_horse.bin", np.uint8).reshape(
        -1, 3073
    )
    planes = content[:rows, 1:].reshape(-1, 3, 32, 32).astype(float)
    shares = _area_shares(32, 7)
    small = np.einsum("ia,ncab,jb->ncij", shares, planes, shares).reshape(len(planes), -1)
    return (small - 120) / 50, np.where(content[:rows, 0] == 7, 1.0, -1.0)


def _area_shares(size, parts):
    """parts x size: how much of each pixel lies in each part, as a mean."""
    edges = np.linspace(0, size, parts + 1)
    overlap = np.minimum(edges[1:, None], np.arange(1, size + 1)) - np.maximum(edges[:-1, None], np.arange(size))
    return np.clip(overlap, 0, None) * parts / size


def objective(training, hidden, bias, output, outputs):
    """Loss of these outputs plus the penalty with both layers of every neuron in balance; weights are d x m and m."""
    if training.loss == "hinge":
        loss = np.maximum(0, 1 - training.y * outputs).mean()
    else:
        loss = 0.5 * np.sum((outputs - training.y) ** 2)
    return float(loss + training.beta * np.sum(np.sqrt((hidden**2).sum(axis=0) + bias**2) * np.abs(output)))
