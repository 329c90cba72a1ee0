"""Gradient descent from Python."""

import json
import subprocess

import numpy as np
import pytest

from conelu import ConvexReLUClassifier, train_baseline


def test_descent_does_not_beat_the_proven_bound(plane):
    proof = ConvexReLUClassifier(beta=1e-2).fit(plane.X, plane.y).certificate_
    trained = train_baseline(plane.X, plane.y, "gd-std", beta=1e-2, neurons=40, epochs=1500)
    assert proof.scope == "network"
    assert proof.lower_bound <= trained.record["attacked_objective"] <= 1.1 * proof.objective
    assert np.mean(trained.network.predict(plane.X) == plane.y) > 0.9


def test_the_tool_trains_the_same_network(plane, tool, tmp_path):
    data_file, record_file = tmp_path / "plane.npz", tmp_path / "record.json"
    np.savez(data_file, X=plane.X, y=plane.y)
    options = ["--method", "gd-pgd", "--eps", "0.1", "--neurons", "20", "--epochs", "200", "--seed", "3", "--quiet"]
    subprocess.run([tool, "baseline", data_file, *options, "--record", record_file], check=True)
    ours = train_baseline(plane.X, plane.y, "gd-pgd", eps=0.1, neurons=20, epochs=200, random_state=3).record
    theirs = json.loads(record_file.read_text())
    assert ours["attacked_objective"] == theirs["attacked_objective"]
    assert ours["network_objective"] == theirs["network_objective"]


def test_values_and_several_classes(blobs):
    X, labels = blobs
    assert np.mean(train_baseline(X, labels, "gd-std", neurons=20, epochs=300).network.predict(X) == labels) > 0.9
    y = np.abs(X[:, 0])
    fitted = train_baseline(X, y, "gd-std", loss="squared", beta=1e-4, neurons=20, epochs=2000).network.predict(X)
    assert np.mean((fitted - y) ** 2) < 0.01 * np.var(y)


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"method": "gd-newton"}, ValueError, "gd-newton"),
        ({"neurons": 0}, ValueError, "neurons"),
        ({"epochs": "many"}, TypeError, "epochs"),
        ({"eps": -1}, ValueError, "eps"),
    ],
)
def test_bad_arguments_are_named(plane, changes, error, words):
    with pytest.raises(error, match=words):
        train_baseline(plane.X, plane.y, **changes)


def test_shapes_and_classes_are_checked():
    with pytest.raises(ValueError, match="shapes"):
        train_baseline(np.zeros((3, 2)), [0, 1])
    with pytest.raises(ValueError, match="one class"):
        train_baseline(np.zeros((3, 2)), [1, 1, 1])


def test_data_frames_are_taken(plane):
    import pandas

    frame = pandas.DataFrame(plane.X, columns=["a", "b"])
    assert train_baseline(frame, plane.y, "gd-std", neurons=5, epochs=20).network.n_neurons <= 5
