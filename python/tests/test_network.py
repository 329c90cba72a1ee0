"""Networks from elsewhere, and where they go."""

import pickle
import subprocess

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from conelu import ConvexReLUClassifier, ConvexReLURegressor, Network, datasets


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("classes", [2, 3])
def test_is_the_classifier_it_came_from(blobs, classes):
    X, y = blobs
    y = y if classes == 3 else np.where(y == "a", "a", "z")
    for model in (
        MLPClassifier(8, random_state=0, max_iter=300),
        make_pipeline(MinMaxScaler((-1, 2)), StandardScaler(), MLPClassifier(8, random_state=0, max_iter=300)),
    ):
        model.fit(X, y)
        network = Network.from_sklearn(model)
        assert (network.predict(X) == model.predict(X)).all()
        if classes == 2:
            np.testing.assert_allclose(network.predict_proba(X), model.predict_proba(X), atol=1e-10)
        found = network.evaluate(X, y, 0.3, eps_units="raw", radius=False)
        assert found["certified_bound"] <= found["verified_lower"] <= found["strong"] <= found["pgd"] <= found["clean"]
        assert found["clean"] == model.score(X, y)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_is_the_regression_it_came_from(plane):
    model = MLPRegressor(hidden_layer_sizes=6, random_state=0, max_iter=100).fit(plane.X, plane.X[:, 0])
    network = Network.from_sklearn(model)
    np.testing.assert_allclose(network.predict(plane.X), model.predict(plane.X), atol=1e-12)
    lowest, highest = network.output_range(plane.X, 0.1)
    assert (lowest < network.predict(plane.X)).all() and (network.predict(plane.X) < highest).all()


def test_rows_may_lie_in_any_order_and_be_many():
    random = np.random.default_rng(0)
    X, hidden, output = random.normal(size=(2600, 3)), random.normal(size=(3, 5)), random.normal(size=(5, 2))
    network = Network.from_arrays([hidden, output], [np.ones(5), np.zeros(2)], classes=["a", "b"])
    difference = output[:, 1] - output[:, 0]
    expected = np.maximum(X @ hidden + 1, 0) @ difference
    for rows in (X, np.asfortranarray(X), np.hstack([X, X])[:, :3], X[::-1][::-1]):
        np.testing.assert_allclose(network.decision_function(rows), expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(network.decision_function(X[::-2]), expected[::-2], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(network.decision_function(X[:, ::-1][:, ::-1]), expected, rtol=1e-12, atol=1e-12)
    assert network.decision_function(X[:0]).shape == (0,)


def test_says_what_it_cannot_take(plane):
    with pytest.raises(TypeError, match="expected a fitted MLPClassifier"):
        Network.from_sklearn(MLPClassifier())
    with pytest.warns(ConvergenceWarning):
        deep = MLPClassifier((4, 4), max_iter=2).fit(plane.X, plane.y)
    with pytest.raises(ValueError, match="2 hidden layers of 'relu', expected one"):
        Network.from_sklearn(deep)
    with pytest.raises(ValueError, match="coefs: 3 outputs do not fit 2 classes"):
        Network.from_arrays([np.ones((2, 4)), np.ones((4, 3))], [np.ones(4), np.ones(3)], classes=[0, 1])
    with pytest.raises(ValueError, match="finite"):
        Network.from_arrays([np.full((2, 4), np.nan), np.ones((4, 1))], [np.ones(4), np.ones(1)])
    network = Network.from_arrays([np.ones((2, 4)), np.ones((4, 1))], [np.ones(4), np.ones(1)])
    with pytest.raises(ValueError, match=r"X: has shape \(3, 5\), expected \(n_samples, 2\)"):
        network.predict(np.ones((3, 5)))
    with pytest.raises(AttributeError, match="not trained by conelu"):
        network.certificate  # noqa: B018


# Two outputs of which the larger wins are one output that is their difference.
def test_takes_two_outputs_for_two_classes():
    random = np.random.default_rng(0)
    coefs, intercepts = [random.normal(size=(3, 5)), random.normal(size=(5, 2))], [np.ones(5), np.array([0.1, -0.2])]
    X = random.normal(size=(20, 3))
    outputs = np.maximum(X @ coefs[0] + intercepts[0], 0) @ coefs[1] + intercepts[1]
    network = Network.from_arrays(coefs, intercepts, classes=["no", "yes"])
    assert (network.predict(X) == np.array(["no", "yes"])[outputs.argmax(axis=1)]).all()


def test_survives_pickle_and_file_bit_by_bit(blobs, tmp_path):
    X, y = blobs
    model = ConvexReLUClassifier("logistic", standardize=True, pattern_count=10, warm_start=True).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert (again.decision_function(X) == model.decision_function(X)).all()
    assert again.certificate_ == model.certificate_
    again.fit(X, y)
    model.network_.save(tmp_path / "model.json")
    loaded = Network.load(tmp_path / "model.json")
    assert (loaded.predict_proba(X) == model.predict_proba(X)).all()
    assert list(loaded.classes) == ["a", "b", "c"]


def test_gives_its_weights_back(blobs):
    X, y = blobs
    network = ConvexReLUClassifier(pattern_count=10).fit(X, y).network_
    again = Network.from_arrays(network.coefs, network.intercepts, classes=network.classes)
    assert again.n_neurons == network.n_neurons
    np.testing.assert_allclose(again.decision_function(X), network.decision_function(X), rtol=1e-12, atol=1e-12)


def test_runs_as_onnx(blobs, plane, tmp_path):
    onnxruntime = pytest.importorskip("onnxruntime")
    X, y = blobs
    models = [
        ConvexReLUClassifier(standardize=True, pattern_count=10).fit(X, y),
        ConvexReLUClassifier().fit(plane.X, plane.y),
        ConvexReLURegressor(standardize=True).fit(plane.X, plane.X.sum(axis=1)),
    ]
    for model in models:
        content = model.network_.to_onnx(tmp_path / "network.onnx")
        assert (tmp_path / "network.onnx").read_bytes() == content
        session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
        feed = session.get_inputs()[0].name
        rows = (X if model is models[0] else plane.X)[:10]
        outputs = np.vstack([session.run(None, {feed: row[None].astype(np.float32)})[0] for row in rows])
        expected = model.network_.decision_function(rows)
        np.testing.assert_allclose(outputs if expected.ndim == 2 else outputs[:, -1], expected, rtol=1e-4, atol=1e-4)
        session = onnxruntime.InferenceSession(model.network_.to_onnx(precision="mixed"))
        outputs = np.vstack([session.run(None, {feed: row[None].astype(np.float32)})[0] for row in rows])
        expected = model.network_.decision_function(rows.astype(np.float32).astype(float))
        np.testing.assert_allclose(outputs if expected.ndim == 2 else outputs[:, -1], expected, rtol=2e-7, atol=0)
        expected = model.network_.decision_function(rows)
        session = onnxruntime.InferenceSession(model.network_.to_onnx(precision="double"))
        outputs = np.vstack([session.run(None, {feed: row[None]})[0] for row in rows])
        np.testing.assert_allclose(outputs if expected.ndim == 2 else outputs[:, -1], expected, rtol=1e-10, atol=1e-10)
    with pytest.raises(ValueError, match="precision"):
        models[0].network_.to_onnx(precision="half")


def test_compiles_as_c(plane, tmp_path):
    network = ConvexReLUClassifier().fit(plane.X, plane.y).network_
    (tmp_path / "net.h").write_text(network.to_c("net"))
    program = '#include <stdio.h>\n#include "net.h"\nint main(void){double x[2]={0.5,-0.25};printf("%.17g",net_score(x));}'
    (tmp_path / "main.c").write_text(program)
    subprocess.run(["cc", "main.c", "-o", "main"], cwd=tmp_path, check=True)
    output = subprocess.run([tmp_path / "main"], capture_output=True, check=True, text=True).stdout
    np.testing.assert_allclose(float(output), network.decision_function([[0.5, -0.25]])[0], rtol=1e-12)


# A view of the library's own memory, which outlives the network it came from.
def test_weights_are_views():
    hidden = np.arange(6.0).reshape(3, 2)
    network = Network.from_arrays([hidden.T, np.ones((3, 1))], [np.zeros(3), np.zeros(1)])
    neurons = network._model.networks[0]
    weights = neurons.hidden
    assert not weights.flags.owndata
    del network, neurons
    assert (weights == hidden).all()


def test_frames_are_read_by_the_names_of_their_columns():
    pandas = pytest.importorskip("pandas")
    plane = datasets.plane(34, 1)
    frame = pandas.DataFrame(plane.X, columns=["a", "b"])
    network = ConvexReLUClassifier(beta=1e-2, pattern_count=20).fit(frame, plane.y).network_
    assert (network.predict(frame[["b", "a"]]) == network.predict(frame)).all()
    with pytest.raises(ValueError, match="no columns"):
        network.predict(frame.rename(columns={"a": "c"}))


def test_the_norm_of_the_training_is_that_of_questions_about_it():
    plane = datasets.plane(34, 1)
    model = ConvexReLUClassifier(beta=1e-2, eps=0.1, norm="2").fit(plane.X, plane.y)
    assert model.network_.robust_score(plane.X, plane.y, 0.3) == model.robust_score(plane.X, plane.y, 0.3)
