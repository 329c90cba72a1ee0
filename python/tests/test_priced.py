"""Patterns found by their prices, bounds for every network, and beta as a share of beta_max."""

import pickle
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV

from conelu import (
    Certificate,
    ConvexReLUClassifier,
    ConvexReLURegressor,
    Network,
    beta_max,
    bound_prices,
    find_prices,
    train_baseline,
)


@pytest.fixture
def saddle():
    """80 points in three dimensions, two classes by the sign of a product: far more than 2000 patterns."""
    X = np.random.default_rng(0).standard_normal((80, 3))
    return X, (X[:, 0] * X[:, 1] > 0).astype(int)


def with_bias(X):
    return np.column_stack([X, np.ones(len(X))])


# ---- beta


def test_beta_is_a_number_or_a_share_of_beta_max(saddle):
    X, y = saddle
    largest = beta_max(X, y)
    for beta, share in {"0.2max": 0.2, None: 0.03, "max": 1, np.float64(0.3 * largest): 0.3}.items():
        model = ConvexReLUClassifier(beta=beta, patterns="gaussian", pattern_count=10).fit(X, y)
        np.testing.assert_allclose(model.beta_, share * largest, rtol=1e-14)
        assert model.beta_max_ == largest
    by_share = train_baseline(X, y, "gd-std", beta="0.2max", neurons=5, epochs=5).record
    by_number = train_baseline(X, y, "gd-std", beta=0.2 * largest, neurons=5, epochs=5).record
    assert by_share["beta"] == by_number["beta"]
    assert by_share["network_objective"] == by_number["network_objective"]


@pytest.mark.parametrize("beta", [0, -1e-3, np.nan, np.inf, True, "small", "0.01", "-1max", "nanmax", "0.1 min", [1e-3]])
def test_a_bad_beta_is_named(saddle, beta):
    X, y = saddle
    for train in (
        ConvexReLUClassifier(beta=beta).fit,
        ConvexReLURegressor(beta=beta).fit,
        lambda X, y: train_baseline(X, y, beta=beta),
    ):
        with pytest.raises(ValueError, match="beta: is .*, expected a number above 0, a share of beta_max such as '0.01max'"):
            train(X, y)


@pytest.mark.parametrize("loss", ["hinge", "squared-hinge", "logistic", "squared", "huber"])
def test_the_zero_network_is_optimal_from_beta_max_on(saddle, loss):
    X, y = saddle
    targets = y if loss in ("hinge", "squared-hinge", "logistic") else X[:, 0] ** 2
    largest = beta_max(X, targets, loss=loss)
    estimator = ConvexReLUClassifier if targets is y else ConvexReLURegressor
    above, below = (estimator(loss, beta=share * largest).fit(X, targets) for share in (1.01, 0.95))
    assert above.network_.n_neurons == 0
    assert below.network_.n_neurons > 0
    assert below.objective_ < above.objective_


def test_beta_max_knows_weights_classes_and_units(saddle, blobs):
    X, y = saddle
    weights = np.arange(len(y)) % 3
    np.testing.assert_allclose(beta_max(X, y, weights), beta_max(X.repeat(weights, axis=0), y.repeat(weights)), rtol=1e-9)
    X, labels = blobs
    each = [beta_max(X, labels == label) for label in "abc"]
    assert beta_max(X, labels) == max(each)
    model = ConvexReLUClassifier(patterns="gaussian", pattern_count=5).fit(X, labels)
    assert model.beta_max_ == max(each)
    scaled = beta_max(1000 * X, 5 * X[:, 0], loss="squared", standardize=True, scale_target=True)
    np.testing.assert_allclose(scaled, beta_max(X, X[:, 0], loss="squared", standardize=True, scale_target=True), rtol=1e-9)
    with pytest.raises(ValueError, match="one class"):
        beta_max(X, np.ones(len(X)))


# ---- patterns by their prices


def test_priced_patterns_beat_drawn_ones(saddle):
    X, y = saddle
    drawn = ConvexReLUClassifier(patterns="gaussian").fit(X, y)
    priced = ConvexReLUClassifier(global_bound=0).fit(X, y)
    assert priced.record_["pattern_source"] == "priced"
    assert priced.objective_ < 0.95 * drawn.objective_


def test_rounds_tell_how_the_search_went(saddle):
    X, y = saddle
    model = ConvexReLUClassifier(rounds=6, global_bound=0).fit(X, y)
    rounds = model.rounds_
    assert set(rounds) == {"objective", "bound", "estimate", "largest_price"}
    assert {len(values) for values in rounds.values()} == {model.record_["rounds"]} == {6}
    assert (np.diff(rounds["objective"]) <= 0).all()
    assert (rounds["estimate"] <= rounds["objective"]).all()
    # Patterns that were dropped may make a program a little worse than the best before it.
    assert (rounds["bound"] <= (1 + 1e-4) * rounds["objective"]).all()
    assert (rounds["largest_price"] > 0.999).all()
    assert model.lower_bound_ <= model.objective_ <= (1 + model.tolerance) * rounds["objective"][-1]
    assert model.certificate_.scope == "program"
    assert model.certificate_.program_bound is None
    drawn = ConvexReLUClassifier(patterns="gaussian", pattern_count=5).fit(X, y)
    assert drawn.rounds_ is None
    assert drawn.certificate_.largest_price is None


def test_several_classes_have_rounds_of_their_own():
    X = np.random.default_rng(1).standard_normal((60, 4))
    model = ConvexReLUClassifier(rounds=2, global_bound=0).fit(X, np.digitize(X[:, 0] * X[:, 1], [-0.3, 0.3]))
    assert model.rounds_ is None
    assert [len(record["round_prices"]) for record in model.network_.class_records] == [2, 2, 2]
    assert {record["beta"] for record in model.network_.class_records} == {model.beta_}


def test_rounds_do_not_depend_on_threads(saddle):
    X, y = saddle
    one, two = (ConvexReLUClassifier(rounds=4, global_bound=0, n_jobs=jobs).fit(X, y) for jobs in (1, 2))
    for name, values in one.rounds_.items():
        np.testing.assert_array_equal(values, two.rounds_[name])
    np.testing.assert_allclose(one.objective_, two.objective_, rtol=1e-6)


# ---- every network


def test_the_global_bound_holds_for_networks_of_gradient_descent(saddle):
    X, y = saddle
    settings = {"loss": "logistic", "beta": "0.05max"}
    model = ConvexReLUClassifier(**settings, global_bound=2).fit(X, y)
    proof = model.certificate_
    assert proof.scope == "network"
    assert proof.lower_bound <= proof.program_bound <= proof.objective
    assert proof.gap < 0.05
    assert 0.999 <= proof.largest_price <= proof.price_bound
    assert model.lower_bound_ == proof.lower_bound
    descended = train_baseline(X, y, "gd-std", **settings, neurons=40, epochs=500).record["network_objective"]
    assert proof.lower_bound <= descended
    assert proof.objective <= descended


# Warnings are errors in these tests.
def test_a_global_bound_that_leaves_a_gap_is_no_failure(saddle):
    X, y = saddle
    model = ConvexReLUClassifier(beta="0.05max", global_bound=1).fit(X, y)
    assert model.certificate_.scope == "network"
    assert not model.certificate_.is_optimal
    assert model.gap_ > model.tolerance >= model.certificate_.program_gap


def test_warns_of_the_gap_of_the_program(saddle):
    X, y = saddle
    with pytest.warns(ConvergenceWarning, match=r"gap .* is above the tolerance 1e-06 \(stop: iteration_limit\)") as caught:
        model = ConvexReLUClassifier(beta="0.05max", max_iterations=4, rounds=2, global_bound=1).fit(X, y)
    assert f"gap {model.certificate_.program_gap:.2g} " in str(caught[0].message)


def test_certificates_of_older_records_are_read(plane):
    record = ConvexReLUClassifier().fit(plane.X, plane.y).record_
    record.pop("beta_max")
    proof = Certificate.from_record(record)
    assert (proof.program_bound, proof.largest_price, proof.price_bound) == (None, None, None)
    assert proof.program_gap == proof.gap


# ---- prices


def test_found_prices_are_what_they_say_and_below_the_bound():
    random = np.random.default_rng(2)
    X, nu = with_bias(random.standard_normal((40, 2))), random.standard_normal(40)
    directions, prices = find_prices(X, nu)
    np.testing.assert_allclose(np.linalg.norm(directions, axis=1), 1, rtol=1e-12)
    np.testing.assert_allclose(nu @ np.maximum(X @ directions.T, 0), prices, rtol=1e-9, atol=1e-9)
    assert (np.diff(np.abs(prices)) <= 0).all()
    angles = random.standard_normal((20_000, 3))
    values = np.abs(nu @ np.maximum(X @ (angles / np.linalg.norm(angles, axis=1, keepdims=True)).T, 0))
    assert values.max() <= np.abs(prices[0])
    proof = bound_prices(X, nu, worth=0.9 * abs(prices[0]))
    assert proof.stop == "converged" and proof.rank == 3
    assert np.abs(prices[0]) <= proof.upper <= 1.001 * proof.lower
    assert proof.directions.shape == (len(proof.prices), 3)
    assert (np.abs(proof.prices) > 0.9 * np.abs(prices[0])).all()
    limited = bound_prices(X, nu, node_limit=20)
    assert limited.stop == "iteration_limit" and limited.upper >= proof.lower
    climbed, _ = find_prices(X, nu, first=directions[:1], starts=0)
    np.testing.assert_allclose(climbed, directions[:1], atol=1e-6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: find_prices(np.ones((3, 2)), np.ones(2)), "X, nu: have shapes"),
        (lambda: bound_prices(np.ones(3), np.ones(3)), "X, nu: have shapes"),
        (lambda: find_prices(np.full((3, 2), np.nan), np.ones(3)), "X: has an entry that is not finite"),
        (lambda: find_prices(np.ones((3, 2)), np.ones(3), steps=-1), "steps"),
        (lambda: find_prices(np.ones((3, 2)), np.ones(3), first=np.ones((1, 3))), "first"),
        (lambda: bound_prices(np.ones((3, 2)), np.ones(3), tolerance=0), "tolerance"),
        (lambda: bound_prices(np.ones((3, 2)), np.ones(3), worth=-1), "worth"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# ---- among scikit-learn's tools


def test_is_cloned_and_pickled(saddle, tmp_path):
    X, y = saddle
    model = ConvexReLUClassifier(beta="0.1max", rounds=2, global_bound=0).fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    assert (copy.decision_function(X) == model.decision_function(X)).all()
    assert copy.certificate_ == model.certificate_
    assert (copy.rounds_["objective"] == model.rounds_["objective"]).all()
    assert clone(model).get_params() == model.get_params()
    assert clone(model).fit(X, y).objective_ == model.objective_
    model.network_.save(tmp_path / "model.json")
    assert (Network.load(tmp_path / "model.json").rounds["estimate"] == model.rounds_["estimate"]).all()


def test_a_grid_of_shares(saddle):
    X, y = saddle
    grid = {"beta": ["0.3max", "0.03max"]}
    search = GridSearchCV(ConvexReLUClassifier(patterns="gaussian", pattern_count=20), grid, cv=3).fit(X, y)
    assert search.best_params_["beta"] in grid["beta"]
    assert search.best_estimator_.beta_ < search.best_estimator_.beta_max_


def test_shows_rounds(saddle, capfd, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    X, y = saddle
    model = ConvexReLUClassifier(rounds=3, global_bound=0, verbose=True).fit(X, y)
    shown = capfd.readouterr().err
    assert "round 3, " in shown and " patterns, largest price " in shown and " beta, iteration" in shown
    assert (model.history_["lower_bound"][-3:] > 0).all()
