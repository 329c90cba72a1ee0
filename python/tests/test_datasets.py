"""Data sets by name."""

import os
from pathlib import Path

import numpy as np
import pytest

from conelu import datasets


def test_reads_a_file_as_the_tool_does(tmp_path):
    (tmp_path / "pima").mkdir()
    (tmp_path / "pima" / "pima-indians-diabetes.data").write_text("1,2,0\n3,4,1\n5,6,1\n")
    assert datasets.names(tmp_path) == ["pima"]
    data = datasets.load("pima", tmp_path)
    assert (data.X == [[1, 2], [3, 4], [5, 6]]).all()
    assert data.y.tolist() == [0, 1, 1]
    assert data.feature_names == ["x1", "x2"]
    assert not data.is_regression


def test_reads_labels_of_text_and_drops_what_is_missing(tmp_path):
    (tmp_path / "pets.csv").write_text("weight,pet\n4,cat\n?,cat\n30,dog\n2,bird\n")
    data = datasets.read(tmp_path / "pets.csv", missing=["?"], missing_policy="drop")
    assert data.y.tolist() == ["cat", "dog", "bird"]
    assert data.select("cat", "dog").X[:, 0].tolist() == [4, 30]
    with pytest.raises(ValueError, match="missing_policy"):
        datasets.read(tmp_path / "pets.csv", missing_policy="ignore")
    with pytest.raises(ValueError, match="nothing.csv"):
        datasets.read(tmp_path / "nothing.csv")


@pytest.mark.parametrize("name", datasets.names())
def test_has_what_comes_with_scikit_learn(name):
    data = datasets.load(name)
    assert len(data.X) == len(data.y)
    assert len(data.feature_names) == data.X.shape[1]
    assert data.is_regression == (name == "diabetes")


def test_names_what_there_is():
    with pytest.raises(ValueError, match="breast_cancer, diabetes"):
        datasets.load("pets")
    with pytest.raises(ValueError, match="mammographic_masses"):
        datasets.load("pets", ".")


# Shapes as published; see docs/formats.md for where the files come from.
def test_reads_public_data_sets():
    directory = os.environ.get("CONELU_DATA", "")
    if not Path(directory).is_dir() or not directory:
        pytest.skip("CONELU_DATA does not name a directory")
    shapes = {
        "mammographic_masses": (830, 5), "wdbc": (569, 30), "pima": (768, 8), "airfoil": (1503, 5),
        "auto_mpg": (392, 7), "energy_efficiency": (768, 16), "cifar10": (10000, 147),
    }  # fmt: skip
    for name in set(shapes) & set(datasets.names(directory)):
        data = datasets.load(name, directory)
        assert data.X.shape == shapes[name], name
        assert np.isfinite(data.X).all()
