"""The same fit from Python and from the tool has the same objective, to the last bit."""

import json
import subprocess

import numpy as np
import pytest

from conelu import ConvexReLUClassifier, ConvexReLURegressor, Network

FITS = {
    "standard": (ConvexReLUClassifier, {}),
    "robust": (ConvexReLUClassifier, {"eps": 0.1, "standardize": True, "eps_units": "raw", "random_state": 7}),
    "logistic": (ConvexReLUClassifier, {"loss": "logistic", "eps": 0.1, "norm": "2", "method": "cones"}),
    "validated": (ConvexReLUClassifier, {"eps": 0.2, "method": "hybrid", "validation_fraction": 0.3, "pattern_count": 5}),
    "several": (ConvexReLUClassifier, {"pattern_count": 10, "patterns": "gaussian", "random_state": 2}),
    "regression": (ConvexReLURegressor, {"scale_target": True, "min_max": True}),
    "huber": (ConvexReLURegressor, {"loss": "huber", "huber_delta": 0.5, "eps": [0.1, 0, 0.05], "beta": 1e-2}),
}


def arguments(parameters):
    """The options that the tool knows these parameters by."""
    for name, value in parameters.items():
        renamed = {"random_state": "--seed", "n_jobs": "--threads", "validation_fraction": "--validation"}
        option = renamed.get(name, "--" + name.replace("_", "-"))
        if value is True:
            yield option
        else:
            yield from (option, ",".join(map(repr, value)) if isinstance(value, list) else str(value))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("fit", FITS)
def test_python_and_the_tool_agree(fit, threads, tool, tmp_path):
    estimator, parameters = FITS[fit]
    parameters = {"n_jobs": threads, **parameters}
    random = np.random.default_rng(3)
    X = random.standard_normal((40, 3))
    signal = np.sin(X[:, 0]) + 0.5 * np.abs(X[:, 1])
    y = signal if estimator is ConvexReLURegressor else np.digitize(signal, [0.3] if fit != "several" else [0, 0.8])
    np.savez(tmp_path / "data.npz", X=X, y=y)

    task = "regression" if estimator is ConvexReLURegressor else "classification"
    command = [tool, "train", tmp_path / "data.npz", "--task", task, "--quiet", "--record", "-"]
    command += ["--model", tmp_path / "model.json", *arguments(parameters)]
    record = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    model = estimator(**parameters).fit(X, y)
    assert model.objective_ == record["objective"]
    assert model.lower_bound_ == record["lower_bound"]
    assert model.n_iter_ == record["iterations"]
    from_file = Network.load(tmp_path / "model.json")
    assert (from_file.decision_function(X) == model.network_.decision_function(X)).all()
