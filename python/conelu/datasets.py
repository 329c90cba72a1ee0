"""Data to try things on: files in a directory that you name, and the sets that come with scikit-learn."""

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from conelu import _core
from conelu.network import _labels


@dataclass(frozen=True)
class Data:
    """Samples and what they are called.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features)
    y : ndarray of shape (n_samples,)
        Labels, or the target of a regression.
    feature_names : list of str
    name : str
    image_shape : tuple of int, or None
        Height and width, if the features are pixels; of coloured images the number of planes first.
    """

    X: np.ndarray
    y: np.ndarray
    feature_names: list
    name: str
    image_shape: tuple | None = None

    @property
    def is_regression(self):
        """Whether y is a number and not a label."""
        return self.y.dtype.kind == "f"

    def select(self, *labels):
        """The rows of these classes only."""
        missing = [label for label in labels if label not in self.y]
        if missing:
            raise ValueError(f"labels: there is no class {missing[0]!r} in {self.name}")
        rows = np.isin(self.y, labels)
        return Data(self.X[rows], self.y[rows], self.feature_names, self.name, self.image_shape)


# What docs/formats.md tells the tool about these files, by the folder they are in.
_MISSING = {"missing": ["?"], "missing_policy": "drop"}
_FILES = {
    "adult": ("a1a", {"feature_count": 123}),
    "airfoil": ("airfoil_self_noise.dat", {"task": "regression"}),
    "auto_mpg": ("auto-mpg.data", {"target": "0", "drop": ["8"], "task": "regression", **_MISSING}),
    "boston_housing": ("housing.data", {"task": "regression"}),
    "california_housing": ("cal_housing.data", {"task": "regression"}),
    "cifar10": ("data_batch_auto_horse.bin", {"classes": ["1", "7"], "downsample": (7, 7)}),
    "concrete": ("Concrete_Data.csv", {"task": "regression"}),
    "energy_efficiency": (
        "ENB2012_data.csv",
        {"target": "Y1", "drop": ["Y2"], "categorical": ["X6", "X8"], "task": "regression"},
    ),
    "german_credit": ("german.data-numeric", {}),
    "heart_cleveland": ("processed.cleveland.data", {"missing": ["?"], "missing_policy": "mean"}),
    "mammographic_masses": ("mammographic_masses.data", _MISSING),
    "mnist38": ("train-3v8-images-idx3-ubyte", {}),
    "parkinsons": ("parkinsons.data", {"target": "status", "drop": ["name"]}),
    "pima": ("pima-indians-diabetes.data", {}),
    "spambase": ("spambase.data", {}),
    "wdbc": ("wdbc.data", {"target": "1", "drop": ["0"]}),
    "winequality_red": ("winequality-red.csv", {"task": "regression"}),
}
_IMAGE_SHAPES = {"cifar10": (3, 7, 7), "mnist38": (28, 28)}
_BUNDLED = ("breast_cancer", "diabetes", "digits", "iris", "wine")


def names(directory=None):
    """Names that `load` takes.

    Parameters
    ----------
    directory : path-like, optional
        Where public data sets are, one folder each. Without it, names of those that come with scikit-learn.

    Returns
    -------
    list of str
    """
    if directory is None:
        return list(_BUNDLED)
    return [name for name, (file, _) in _FILES.items() if (Path(directory) / name / file).is_file()]


def load(name, directory=None):
    """Load a data set by its name.

    Parameters
    ----------
    name : str
        See `names`.
    directory : path-like, optional
        Where public data sets are, one folder each, with the files as they are published. Without it, the sets that come
        with scikit-learn.

    Returns
    -------
    Data
    """
    if directory is None:
        return _bundled(name)
    if name not in _FILES:
        raise ValueError(f"name: there is no data set {name!r}, expected one of {', '.join(_FILES)}")
    file, options = _FILES[name]
    data = read(Path(directory) / name / file, **options)
    return Data(data.X, data.y, data.feature_names, name, _IMAGE_SHAPES.get(name))


def read(path, **options):
    """Read a data file of any format that the tool reads.

    Parameters
    ----------
    path : path-like
    **options
        ``target``, ``task`` ('classification' or 'regression'), ``classes``, ``drop``, ``categorical``, ``missing``,
        ``missing_policy`` ('error', 'drop' or 'mean'), ``feature_count`` and ``downsample`` (height, width), with the
        meaning of the tool's options.

    Returns
    -------
    Data
    """
    data = _core.read_dataset(os.fspath(path), **options)
    y = _labels(data.classes)[data.y.astype(int)] if data.classes else data.y
    return Data(data.X, y, data.features, Path(path).name)


def plane(n_samples=34, random_state=0):
    """Two classes in the plane that no line separates: the points of ``conelu demo``.

    Parameters
    ----------
    n_samples : int, default=34
    random_state : int, default=0

    Returns
    -------
    Data
    """
    data = _core.plane_dataset(n_samples, random_state)
    return Data(data.X, data.y.astype(int), data.features, "plane")


def _bundled(name):
    import sklearn.datasets

    if name not in _BUNDLED:
        raise ValueError(
            f"name: scikit-learn has no data set {name!r} among {', '.join(_BUNDLED)}; others need a directory"
        )
    bunch = getattr(sklearn.datasets, f"load_{name}")()
    shape = (8, 8) if name == "digits" else None
    feature_names = [str(feature) for feature in bunch.feature_names]
    return Data(bunch.data, bunch.target, feature_names, name, shape)
