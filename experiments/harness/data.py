"""Where data come from: made on the spot, or public sets in a folder beside the project."""

import os
from pathlib import Path

import numpy as np
from sklearn.model_selection import train_test_split

from conelu import datasets

ROOT = Path(__file__).resolve().parents[2]


def data_folder():
    """Where the public data sets are, one folder each."""
    return Path(os.environ.get("CONELU_DATA") or ROOT.parent / "shared" / "data")


def missing(names):
    """Those of the data sets that are not there."""
    there = datasets.names(data_folder())
    return [name for name in names if name not in there]


def load(name):
    return datasets.load(name, data_folder())


def load_task(name):
    """Features, a target, 0 and 1 or a number, and whether it is a regression."""
    data = load(name)
    if data.is_regression:
        return data.X, data.y, True
    labels = np.unique(data.y)
    # Heart disease is graded from 0, none, to 4; the usual question is whether there is any.
    return data.X, (data.y != labels[0]).astype(int), False


def images(part, count=None, seed=0):
    """Automobiles and horses of CIFAR-10, 7 x 7 x 3 area averages in [0, 1]: all of them, or some by seed.

    The paper says neither which 600 images it took nor how they were made smaller; drawing `count` of the training
    images by seed shows how much the first matters. Without a seed they are the first of the file.
    """
    return _read_images(part, count, seed, downsample=(7, 7))


def raw_images(part, count=None, seed=0):
    """The same rows as `images` in full size: 3 planes of 32 x 32 pixels."""
    X, y = _read_images(part, count, seed)
    return X.reshape(len(y), 3, 32, 32), y


def _read_images(part, count, seed, **options):
    data = datasets.read(data_folder() / "cifar10" / f"{part}_auto_horse.bin", classes=["1", "7"], **options)
    in_order = count is None or seed is None
    rows = np.arange(len(data.y)) if in_order else np.random.default_rng(seed).permutation(len(data.y))
    rows = rows[:count]
    return data.X[rows] / 255, data.y[rows]


def split(X, y, seed, train_count, standardize=True, stratified=False):
    """Random rows to train on and the others to test on, in z-scores of the first; stratified: of each class its share."""
    if stratified:
        train, test = train_test_split(np.arange(len(y)), train_size=train_count, stratify=y, random_state=seed)
    else:
        order = np.random.default_rng(seed).permutation(len(y))
        train, test = order[:train_count], order[train_count:]
    if standardize:
        spread = X[train].std(axis=0)
        X = (X - X[train].mean(axis=0)) / np.where(spread > 0, spread, 1)
    return X[train], y[train], X[test], y[test]


def scaled_target(y, *others):
    """All in z-scores of the first."""
    center, spread = y.mean(), y.std()
    return [(values - center) / spread for values in (y, *others)]


def with_ones(X):
    """The paper's bias: one more feature, which is perturbed with the others."""
    return np.column_stack([X, np.ones(len(X))])
