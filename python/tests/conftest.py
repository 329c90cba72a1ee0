import os

# Threads that wait must not spin, and figures need no screen. Both are read when the libraries are loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("MPLBACKEND", "Agg")

import numpy as np
import pytest

from conelu import datasets


@pytest.fixture
def plane():
    """24 points in the plane, two classes."""
    return datasets.plane(24, 1)


@pytest.fixture
def blobs():
    """Three classes in the plane, 10 points each, far enough apart to be told from each other."""
    random = np.random.default_rng(0)
    centers = np.array([[0, 0], [3, 0], [0, 3]])
    y = np.repeat(["a", "b", "c"], 10)
    return centers[np.repeat([0, 1, 2], 10)] + 0.5 * random.standard_normal((30, 2)), y


@pytest.fixture
def tool():
    """Path of the command line tool."""
    path = os.environ.get("CONELU_TOOL")
    if not path:
        pytest.skip("CONELU_TOOL does not name the tool")
    return path
