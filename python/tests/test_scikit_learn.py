"""The estimators among scikit-learn's tools."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from conelu import ConvexReLUClassifier, ConvexReLURegressor


# Checks that do not apply are skipped with a warning of scikit-learn's own.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning", "ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks([ConvexReLUClassifier(), ConvexReLURegressor()])
def test_keeps_scikit_learns_contract(estimator, check):
    check(estimator)


def test_fits_in_pipelines_grids_and_cross_validation(plane):
    model = make_pipeline(StandardScaler(), ConvexReLUClassifier(pattern_count=10))
    assert cross_val_score(model, plane.X, plane.y, cv=3).mean() > 0.6
    grid = GridSearchCV(model, {"convexreluclassifier__beta": np.array([1e-2, 1e-4])}, cv=3).fit(plane.X, plane.y)
    assert grid.best_params_["convexreluclassifier__beta"] in (1e-2, 1e-4)


def test_clones_without_what_was_fitted(plane):
    model = ConvexReLUClassifier(eps={"x1": 0.1}, warm_start=True).fit(pd.DataFrame(plane.X, columns=["x1", "x2"]), plane.y)
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    with pytest.raises(NotFittedError):
        copy.predict(plane.X)


def test_knows_columns_by_their_names(plane):
    frame = pd.DataFrame(plane.X, columns=["width", "height"])
    by_name = ConvexReLUClassifier(eps={"height": 0.2}).fit(frame, plane.y)
    by_place = ConvexReLUClassifier(eps=[0, 0.2]).fit(plane.X, plane.y)
    assert list(by_name.feature_names_in_) == ["width", "height"]
    assert by_name.network_.feature_names == ["width", "height"]
    assert by_name.objective_ == by_place.objective_
    with pytest.raises(ValueError, match="eps: there is no feature 'weight', expected names among width, height"):
        ConvexReLUClassifier(eps={"weight": 0.2}).fit(frame, plane.y)
    with pytest.raises(ValueError, match="feature names"):
        by_name.predict(frame[["height", "width"]])


def test_takes_labels_of_any_kind(blobs):
    X, y = blobs
    for labels in (y, np.where(y == "a", -7, 3), y == "b", pd.Series(y, dtype="category")):
        model = ConvexReLUClassifier(pattern_count=20).fit(X, labels)
        assert (model.predict(X) == np.asarray(labels)).mean() > 0.95
        assert len(model.classes_) == len(np.unique(np.asarray(labels)))


def test_has_a_score_for_each_of_several_classes(blobs):
    X, y = blobs
    model = ConvexReLUClassifier("logistic", beta=1e-3, pattern_count=20).fit(X, y)
    assert model.decision_function(X).shape == (30, 3)
    probabilities = model.predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert (model.classes_[probabilities.argmax(axis=1)] == model.predict(X)).all()
    assert not hasattr(ConvexReLUClassifier("hinge"), "predict_proba")


def test_layers_are_those_of_an_mlp(blobs):
    X, y = blobs
    for model in (ConvexReLUClassifier(standardize=True), ConvexReLUClassifier(), ConvexReLURegressor(scale_target=True)):
        model.fit(X, y if hasattr(model, "decision_function") else X[:, 0] ** 2 + 5)
        (first, second), (hidden_bias, bias) = model.coefs_, model.intercepts_
        outputs = np.maximum(X @ first + hidden_bias, 0) @ second + bias
        expected = model.network_.decision_function(X).reshape(len(X), -1)
        np.testing.assert_allclose(outputs, expected, rtol=1e-9, atol=1e-9)


def test_weights_count_rows(plane):
    weights = np.arange(len(plane.y)) % 3
    weighted = ConvexReLUClassifier().fit(plane.X, plane.y, sample_weight=weights)
    repeated = ConvexReLUClassifier().fit(plane.X.repeat(weights, axis=0), plane.y.repeat(weights))
    assert weighted.objective_ == repeated.objective_


def test_warns_of_a_gap_above_the_tolerance(plane):
    with pytest.warns(ConvergenceWarning, match=r"gap .* is above the tolerance 1e-06 \(stop: iteration_limit\)"):
        model = ConvexReLUClassifier(max_iterations=2).fit(plane.X, plane.y)
    assert model.gap_ > 1e-6
    assert not model.certificate_.is_optimal


def test_warns_of_the_widest_gap_of_several_classes(blobs):
    X, y = blobs
    with pytest.warns(ConvergenceWarning) as caught:
        model = ConvexReLUClassifier(max_iterations=12, pattern_count=10, tolerance=1e-9).fit(X, y)
    widest = max(record["relative_gap"] for record in model.network_.class_records)
    assert f"gap {widest:.2g} of a class is above the tolerance 1e-09" in str(caught[0].message)


def test_proves_what_it_says(plane):
    model = ConvexReLUClassifier(beta=1e-3).fit(plane.X, plane.y)
    loss = np.maximum(0, 1 - (2 * plane.y - 1) * model.decision_function(plane.X)).mean()
    penalty = 0.5e-3 * sum((layer**2).sum() for layer in (*model.coefs_, model.intercepts_[0]))
    np.testing.assert_allclose(loss + penalty, model.certificate_.network_objective, rtol=1e-9)
    assert model.lower_bound_ <= model.objective_
    assert model.gap_ == (model.objective_ - model.lower_bound_) / model.objective_ <= model.tolerance
    assert model.certificate_.scope == "network"


def test_starts_warm_where_the_last_fit_was(plane):
    model = ConvexReLUClassifier(beta=1e-2, warm_start=True).fit(plane.X, plane.y)
    warm = model.set_params(beta=9e-3).fit(plane.X, plane.y)
    cold = ConvexReLUClassifier(beta=9e-3).fit(plane.X, plane.y)
    assert warm.n_iter_ < cold.n_iter_
    np.testing.assert_allclose(warm.objective_, cold.objective_, rtol=2e-6)


# |x| with an error that changes its sign from point to point: whoever goes through all points is steep between them.
def test_a_robust_regression_is_worse_without_an_attacker_and_better_with():
    X = np.linspace(-2, 2, 9).reshape(-1, 1)
    y = np.abs(X[:, 0]) + 0.3 * (-1) ** np.arange(9)
    standard = ConvexReLURegressor(beta=1e-3).fit(X, y)
    robust = ConvexReLURegressor(beta=1e-3, eps=0.2).fit(X, y)
    assert standard.score(X, y) > robust.score(X, y)
    assert standard.robust_score(X, y, 0.2) < robust.robust_score(X, y, 0.2) == robust.robust_score(X, y)


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"beta": 0}, ValueError, "beta"),
        ({"beta": "small"}, ValueError, "beta: is 'small', expected a number"),
        ({"global_bound": "long"}, TypeError, "global_bound: is 'long', expected a number"),
        ({"bias": "no"}, TypeError, "bias: is 'no', expected True or False"),
        ({"pattern_count": 2.5}, TypeError, "pattern_count: is 2.5, expected a whole number"),
        ({"eps": -1}, ValueError, "eps: has the radius -1"),
        ({"eps": [0.1, 0.2, 0.3]}, ValueError, "eps: has 3 radii, expected 2"),
        ({"eps": "far"}, TypeError, "eps: expected a number"),
        ({"eps_units": "miles"}, ValueError, "eps_units: expected 'network' or 'raw'"),
        ({"norm": "3"}, ValueError, "norm"),
        ({"loss": "loud"}, ValueError, "loss"),
        ({"method": "magic"}, ValueError, "method"),
        ({"patterns": "tartan"}, ValueError, "tartan"),
        ({"validation_fraction": 1.5}, ValueError, "validation_fraction: is 1.5"),
        ({"validation_fraction": "some"}, TypeError, "validation_fraction: is 'some', expected a number"),
        ({"validation_fraction": 0.2, "eps": 0.1, "method": "cones"}, ValueError, "validation: is for the methods gated"),
        ({"tolerance": 0}, ValueError, "tolerance"),
        ({"max_iterations": -1}, ValueError, "max_iterations"),
        ({"random_state": -1}, ValueError, "random_state"),
        ({"n_jobs": 0}, ValueError, "n_jobs"),
        ({"n_jobs": "all"}, TypeError, "n_jobs"),
    ],
)
def test_names_the_parameter_that_is_wrong(plane, parameters, error, message):
    with pytest.raises(error, match=message):
        ConvexReLUClassifier(**parameters).fit(plane.X, plane.y)


def test_holds_out_rows_of_every_class_or_says_whose_are_missing(plane):
    parameters = {"eps": 0.1, "method": "hybrid", "pattern_count": 5, "validation_fraction": 0.4}
    model = ConvexReLUClassifier(**parameters).fit(plane.X, plane.y)
    assert model.record_["n"] == len(plane.y) - round(0.4 * len(plane.y))
    with pytest.raises(ValueError, match="validation_fraction leaves no row of class rare to train on"):
        ConvexReLUClassifier(**parameters | {"validation_fraction": 0.9}).fit(plane.X[:5], ["a", "a", "a", "a", "rare"])


def test_a_regressor_refuses_losses_for_labels(plane):
    with pytest.raises(ValueError, match="loss: 'hinge' is for labels"):
        ConvexReLURegressor("hinge").fit(plane.X, plane.X[:, 0])
