"""What is proven holds, and what is broken breaks."""

import numpy as np
import pytest

from conelu import ConvexReLUClassifier, ConvexReLURegressor, Network


def largest_move(X, moved):
    return np.abs(moved - X).max()


@pytest.mark.parametrize("several", [False, True])
def test_attacks_break_what_is_broken_and_never_what_is_proven(plane, blobs, several):
    X, y = blobs if several else (plane.X, plane.y)
    model = ConvexReLUClassifier(pattern_count=20).fit(X, y)
    for eps in (0.1, 0.6):
        found = model.certify(X, eps, y)
        assert set(found.verdict) <= {"robust", "broken"}
        assert largest_move(X, found.worst) <= eps * (1 + 1e-12)
        assert (model.network_.predict(found.worst[found.broken]) != y[found.broken]).all()
        for method in ("fgsm", "pgd", "strong"):
            attacked = model.attack(X, y, eps, method=method)
            assert largest_move(X, attacked) <= eps * (1 + 1e-12)
            assert (model.network_.predict(attacked[found.robust]) == y[found.robust]).all()
        # The strong attack finds everything there is on problems as small as these.
        assert (model.predict(attacked) == y).mean() == found.robust.mean() == model.robust_score(X, y, eps)


def test_radii_are_where_verdicts_change(plane):
    model = ConvexReLUClassifier(beta=1e-4, standardize=True).fit(plane.X, plane.y)
    radii = model.certified_radius(plane.X, plane.y)
    assert (radii > 0).all()
    for row, label, radius in zip(plane.X[:5], plane.y[:5], radii[:5], strict=True):
        assert model.certify([row], 0.999 * radius, [label]).robust.all()
        assert model.certify([row], 1.002 * radius, [label]).broken.all()


def test_radii_are_no_larger_with_fewer_branches(plane):
    model = ConvexReLUClassifier(standardize=True).fit(plane.X, plane.y)
    one, some, any_number = (model.certified_radius(plane.X, plane.y, branch_limit=limit) for limit in (1, 300, None))
    assert (one <= some * 1.001).all()
    assert (one < 0.9 * some).any()
    assert any_number == pytest.approx(some, rel=2e-3)


# A radius is in the units of the training, whatever it was trained against.
@pytest.mark.parametrize("eps", [0.0, 0.05])
def test_radii_are_in_the_units_of_the_training(plane, eps):
    X = plane.X * [1, 100]
    model = ConvexReLUClassifier(standardize=True, eps=eps, eps_units="raw").fit(X, plane.y)
    radius = model.certified_radius(X[:1], plane.y[:1])[0]
    assert model.certify(X[:1], 0.999 * radius, plane.y[:1]).robust.all()
    assert model.certify(X[:1], 1.002 * radius, plane.y[:1]).broken.all()


def test_training_against_an_attacker_is_what_he_meets(plane):
    standard = ConvexReLUClassifier(beta=1e-3).fit(plane.X, plane.y)
    robust = ConvexReLUClassifier(beta=1e-3, eps=0.15).fit(plane.X, plane.y)
    assert robust.robust_score(plane.X, plane.y) > standard.robust_score(plane.X, plane.y, 0.15)
    # Without a radius it is the training's.
    assert (robust.certify(plane.X).verdict == robust.certify(plane.X, 0.15).verdict).all()
    found = robust.network_.evaluate(plane.X, plane.y)
    assert found["eps"] == 0.15
    assert found["objective"] <= robust.certificate_.network_objective * (1 + 1e-6)


def test_units_of_the_data_are_those_of_the_network_times_its_scale(plane):
    X = plane.X * [1, 100]
    model = ConvexReLUClassifier(standardize=True, eps=0.1).fit(X, plane.y)
    scale = X.std(axis=0)
    raw = ConvexReLUClassifier(standardize=True, eps=0.1 * scale, eps_units="raw").fit(X, plane.y)
    np.testing.assert_allclose(raw.objective_, model.objective_, rtol=1e-6)
    moved = raw.attack(X, plane.y) - X
    assert (np.abs(moved) <= 0.1 * scale * (1 + 1e-9)).all()
    assert (raw.certify(X, y=plane.y).verdict == model.certify(X, y=plane.y).verdict).all()


def test_named_features_alone_are_moved(plane):
    model = ConvexReLUClassifier().fit(plane.X, plane.y)
    moved = model.attack(plane.X, plane.y, {"x2": 0.3})
    assert (moved[:, 0] == plane.X[:, 0]).all()
    assert (moved[:, 1] != plane.X[:, 1]).any()


def test_clipped_features_stay_in_their_range(plane):
    X = np.clip(plane.X, -1, 1)
    model = ConvexReLUClassifier().fit(X, plane.y)
    assert np.abs(model.attack(X, plane.y, 0.5, clip=(-1, 1))).max() <= 1
    assert np.abs(model.certify(X, 0.5, plane.y, clip=(-1, 1)).worst).max() <= 1


def test_regressions_have_bounds_without_verdicts(plane):
    y = plane.X[:, 0] * plane.X[:, 1]
    model = ConvexReLURegressor(beta=1e-2).fit(plane.X, y)
    found = model.certify(plane.X, 0.2, y)
    assert found.verdict is None
    with pytest.raises(ValueError, match="max_error"):
        found.robust  # noqa: B018
    errors = np.abs(model.predict(model.attack(plane.X, y, 0.2, method="strong")) - y)
    assert (errors <= found.upper * (1 + 1e-9)).all()
    np.testing.assert_allclose(found.lower, found.upper, rtol=1e-6, atol=1e-9)
    limit = float(np.median(found.upper))
    assert (model.certify(plane.X, 0.2, y, max_error=limit).robust == (found.upper <= limit)).all()
    assert model.robust_score(plane.X, y, 0.2) < model.score(plane.X, y)
    assert model.certified_radius(plane.X, y, max_error=10.0).min() > 0


@pytest.fixture
def hard():
    """No neuron stays on its side, and the worst output around 0 is near 0: rows that take some hundred branches."""
    random = np.random.default_rng(1)
    d, neurons, eps = 4, 40, 0.5
    weights = [random.standard_normal((d, neurons)), random.standard_normal((neurons, 1))]
    offsets = [0.1 * random.standard_normal(neurons), np.zeros(1)]
    centred = Network.from_arrays(weights, offsets, classes=["a", "b"])
    offsets[1] = -centred.certify(np.zeros((1, d)), eps, ["b"], exact=True).lower
    X = 0.05 * random.standard_normal((20, d))
    return Network.from_arrays(weights, offsets, classes=["a", "b"]), X, ["b"] * len(X), eps


def test_a_limit_of_branches_leads_to_the_same_again(hard):
    network, X, y, eps = hard
    found = [
        network.evaluate(X, y, eps, branch_limit=30, time_limit=600, n_jobs=threads) | {"seconds": None}
        for threads in (1, 1, 2)
    ]
    assert found[0] == found[1] == found[2]
    assert found[0]["unknown"] > 0
    once, again = (network.certify(X, eps, y, branch_limit=30, n_jobs=threads) for threads in (1, 2))
    assert (once.verdict == again.verdict).all() and (once.verdict == "unknown").any()
    assert (once.lower == again.lower).all() and (once.upper == again.upper).all()


def test_more_branches_decide_more_rows_and_attacks_break_none_of_the_proven(hard):
    network, X, y, eps = hard
    held = network.predict(network.attack(X, y, eps, method="strong")) == y
    unknown, proven = [], []
    for limit in (0, 1, 100, None):
        rows = network.certify(X, eps, y, branch_limit=limit)
        assert held[rows.robust].all()
        assert network.robust_score(X, y, eps, branch_limit=limit) == rows.robust.mean()
        found = network.evaluate(X, y, eps, radius=False, objective=False, branch_limit=limit)
        assert found["certified_bound"] <= found["verified_lower"] <= found["verified_upper"] <= found["strong"]
        assert found["verified_lower"] >= rows.robust.mean()
        unknown.append(found["unknown"])
        proven.append(found["verified_lower"])
    assert unknown == sorted(unknown, reverse=True) and unknown[1] > unknown[2] > unknown[3] == 0
    assert proven == sorted(proven) and proven[0] < proven[-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"eps": {"x9": 1}}, "eps: there is no feature 'x9'"),
        ({"eps": 0.1, "norm": "7"}, "norm"),
        ({"eps": 0.1, "y": ["strange"] * 24}, "y: has the label"),
        ({"eps": 0.1, "y": [0]}, r"y: has shape \(1,\), expected \(24,\)"),
        ({"eps": 0.1, "clip": (1, 0)}, "clip"),
        ({"eps": 0.1, "branch_limit": -1}, "branch_limit"),
    ],
)
def test_names_the_argument_that_is_wrong(plane, arguments, message):
    model = ConvexReLUClassifier().fit(plane.X, plane.y)
    with pytest.raises(ValueError, match=message):
        model.certify(plane.X, **arguments)
