"""Networks, wherever they come from."""

import json
import os

import numpy as np

from conelu import _core
from conelu.certificate import Certificate
from conelu.layers import networks_of, scaling_of
from conelu.under_attack import UnderAttack


def _as_number(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return None


def _labels(texts):
    """Labels of a model file as numbers, if all of them are."""
    numbers = [_as_number(text) for text in texts]
    return np.array(texts if None in numbers else numbers)


class Network(UnderAttack):
    r"""A network with one hidden ReLU layer, ready for raw data.

    :math:`f(x) = \sum_j a_j (w_j \cdot x + b_j)_+ + c`, one for two classes or a regression; with more than two classes
    one for each, and the largest output wins.

    Fitted estimators have one as ``network_``. Others come from `from_sklearn`, `from_arrays` or `load`.

    Attributes
    ----------
    task : {'classification', 'regression'}
    classes : ndarray, or None
        Labels of the classes, in the order of the outputs.
    feature_names : list of str
    coefs, intercepts : list of ndarray
        Weights of both layers for raw features, as in scikit-learn's ``MLPClassifier``.
    n_neurons : int
    record : dict
        What was done and proven in training, under the names of the record file.
    """

    def __init__(self, model, classes=None):
        self._model = model
        labels = classes if classes is not None or model.task == "regression" else _labels(model.classes)
        self.classes = None if labels is None else np.asarray(labels)

    # ---- where networks come from

    @classmethod
    def from_arrays(cls, coefs, intercepts, *, classes=None, feature_names=None, center=None, scale=None):
        """A network from the weights of its two layers.

        Parameters
        ----------
        coefs : sequence of two array-like, of shapes (n_features, n_neurons) and (n_neurons, n_outputs)
        intercepts : sequence of two array-like, of shapes (n_neurons,) and (n_outputs,)
        classes : array-like, optional
            Labels. Two classes have one output, positive for the second, or two, of which the larger wins; more have one
            each. Without labels the network is a regression with one output.
        feature_names : sequence of str, optional
            By default x1, x2, ...
        center, scale : array-like of shape (n_features,), optional
            The network sees ``(x - center) / scale``.

        Returns
        -------
        Network
        """
        return cls._from_arrays(coefs, intercepts, classes, feature_names, center, scale)

    @classmethod
    def _from_arrays(cls, coefs, intercepts, classes, feature_names=None, center=None, scale=None, loss=""):
        networks = networks_of(coefs, intercepts, classes)
        inputs = networks[0].hidden.shape[1]
        names = [f"x{a + 1}" for a in range(inputs)] if feature_names is None else list(map(str, feature_names))
        model = _core.Model(
            task="regression" if classes is None else "classification",
            classes=[] if classes is None else [str(label) for label in classes],
            features=names,
            networks=networks,
            center=None if center is None else np.asarray(center, dtype=float),
            scale=None if scale is None else np.asarray(scale, dtype=float),
            loss=loss,
        )
        return cls(model, classes)

    @classmethod
    def from_sklearn(cls, estimator):
        """The network of a fitted ``MLPClassifier`` or ``MLPRegressor``, or of a pipeline that scales and ends in one.

        Parameters
        ----------
        estimator : MLPClassifier, MLPRegressor or Pipeline
            With one hidden layer of ReLU. Steps of a pipeline before the last must be ``StandardScaler`` or
            ``MinMaxScaler``; then the network takes raw features.

        Returns
        -------
        Network
        """
        center, scale = None, None
        if hasattr(estimator, "steps"):
            *scalers, (_, network) = estimator.steps
            center, scale = scaling_of([scaler for _, scaler in scalers])
        else:
            network = estimator
        if not hasattr(network, "coefs_"):
            raise TypeError(f"estimator: expected a fitted MLPClassifier or MLPRegressor, got {network!r}")
        if len(network.coefs_) != 2 or network.activation != "relu":
            raise ValueError(
                f"estimator: has {len(network.coefs_) - 1} hidden layers of {network.activation!r}, expected one of 'relu'"
            )
        classes = getattr(network, "classes_", None)
        if classes is not None and network.out_activation_ == "logistic" and len(classes) > 2:
            raise ValueError("estimator: is trained for several labels at a time, expected one of several classes")
        names = getattr(estimator, "feature_names_in_", None)
        # A softmax of more than two outputs is not what `predict_proba` of this class means by probabilities.
        loss = "logistic" if classes is not None and len(classes) == 2 else ""
        return cls._from_arrays(network.coefs_, network.intercepts_, classes, names, center, scale, loss)

    @classmethod
    def load(cls, path):
        """Read a model file, such as ``conelu train --model`` writes."""
        return cls(_core.Model.load(os.fspath(path)))

    # ---- what they are

    @property
    def task(self):
        return self._model.task

    @property
    def feature_names(self):
        return self._model.features

    @property
    def n_neurons(self):
        return sum(len(network.output) for network in self._model.networks)

    @property
    def record(self):
        return json.loads(self._model.record)

    @property
    def class_records(self):
        """Records of each class against the rest, if there are more than two; else empty."""
        return [json.loads(record) for record in self._model.class_records]

    @property
    def rounds(self):
        """What a search for patterns by their prices saw: arrays with an entry for each round; None without a search.

        ``objective`` is that of the best network so far, ``bound`` that of the round's program, ``estimate`` what would
        bound every network if no price were larger than those found, ``largest_price`` the largest found over beta.
        Several classes have their own in `class_records`.
        """
        record = self.record
        if "round_prices" not in record:
            return None
        names = {"objective": "objectives", "bound": "bounds", "estimate": "estimates", "largest_price": "prices"}
        return {name: np.array(record[f"round_{field}"]) for name, field in names.items()}

    @property
    def certificate(self):
        """What training proved: a `Certificate`. Networks from elsewhere have none."""
        record = self.record
        if not record["status"]:
            raise AttributeError("certificate: this network was not trained by conelu")
        return Certificate.from_record(record)

    @property
    def coefs(self):
        networks = self._model.folded().networks
        second = np.zeros((self.n_neurons, len(networks)))
        first_row = 0
        for k, network in enumerate(networks):
            second[first_row : first_row + len(network.output), k] = network.output
            first_row += len(network.output)
        return [np.hstack([network.hidden.T for network in networks]), second]

    @property
    def intercepts(self):
        networks = self._model.folded().networks
        return [
            np.concatenate([network.hidden_bias for network in networks]),
            np.array([network.output_bias for network in networks]),
        ]

    def __repr__(self):
        what = "regression" if self.classes is None else f"{len(self.classes)} classes"
        return f"<Network: {len(self.feature_names)} features, {self.n_neurons} neurons, {what}>"

    def __getstate__(self):
        return {"model": self._model, "classes": self.classes}

    def __setstate__(self, state):
        self.__init__(state["model"], state["classes"])

    # ---- what they say

    def decision_function(self, X):
        """Outputs of the network.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,), or (n_samples, n_classes) for more than two classes
        """
        scores = self._model.scores(self._rows(X))
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X):
        """Labels, or values of a regression."""
        scores = self._model.scores(self._rows(X))
        if self.classes is None:
            return scores[:, 0]
        return self.classes[self._model.predicted_classes(scores)]

    def predict_proba(self, X):
        """Probabilities of the classes; networks of the logistic loss only."""
        if not self._model.has_probabilities:
            raise ValueError("loss: only networks of the logistic loss have probabilities")
        return self._model.probabilities(self._model.scores(self._rows(X)))

    # ---- where they go

    def save(self, path):
        """Write a model file, which the ``conelu`` tool reads."""
        self._model.save(os.fspath(path))

    def to_onnx(self, path=None, precision="float32"):
        """The network for other programs, as ONNX: raw features in, one output for each class out.

        Parameters
        ----------
        path : path-like, optional
            Where to write it.
        precision : {"float32", "mixed", "double"}, default="float32"
            Of inputs, weights and outputs. Verifiers read float32; ``mixed`` takes and gives float32 and computes in
            double; a runtime gives all digits of the network in double.

        Returns
        -------
        bytes
            The content of the file.
        """
        if precision not in ("float32", "mixed", "double"):
            raise ValueError(f"precision is {precision!r}; expected 'float32', 'mixed' or 'double'")
        content = self._model.onnx(precision)
        if path is not None:
            with open(path, "wb") as file:
                file.write(content)
        return content

    def to_c(self, name="network"):
        """One C99 function without dependencies, ``name_score`` or ``name_scores``, as text."""
        return self._model.c_header(name)

    # ---- arguments

    def _rows(self, X):
        columns = list(getattr(X, "columns", []))
        unnamed = list(self.feature_names) == [f"x{k + 1}" for k in range(len(self.feature_names))]
        # Columns of a frame are found by name, unless the network was made from arrays, which have none.
        if columns and not unnamed and all(isinstance(column, str) for column in columns):
            missing = [name for name in self.feature_names if name not in columns]
            if missing:
                raise ValueError(f"X: has no columns {missing}, expected {list(self.feature_names)}")
            X = X[list(self.feature_names)]
        rows = np.asarray(X, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != len(self.feature_names):
            raise ValueError(f"X: has shape {rows.shape}, expected (n_samples, {len(self.feature_names)})")
        if not np.isfinite(rows).all():
            raise ValueError("X: contains NaN or infinity, expected finite numbers")
        return rows

    def _targets(self, rows, y):
        """Numbers of classes, or values."""
        if y is None:
            scores = self._model.scores(rows)
            return scores[:, 0] if self.classes is None else np.asarray(self._model.predicted_classes(scores), float)
        y = np.asarray(y)
        if y.shape != (len(rows),):
            raise ValueError(f"y: has shape {y.shape}, expected ({len(rows)},), one for each row of X")
        if self.classes is None:
            return y.astype(float)
        matches = y[:, None] == self.classes[None, :]
        if not matches.any(axis=1).all():
            stranger = y[~matches.any(axis=1)][0]
            raise ValueError(f"y: has the label {stranger}, expected labels among {self.classes.tolist()}")
        return matches.argmax(axis=1).astype(float)
