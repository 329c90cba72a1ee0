"""Figures show what they say they show."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.patches import Ellipse, Polygon, Rectangle

from conelu import ConvexReLUClassifier, ConvexReLURegressor, datasets, plot


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.mark.parametrize(("norm", "shape"), [("inf", Rectangle), ("2", Ellipse), ("1", Polygon)])
def test_a_boundary_has_a_ball_around_each_point(plane, norm, shape, tmp_path):
    model = ConvexReLUClassifier(beta=1e-3, standardize=True).fit(plane.X, plane.y)
    ax = plot.boundary(model, plane.X, plane.y, eps=0.2, norm=norm)
    balls = [patch for patch in ax.patches if isinstance(patch, shape)]
    assert len(balls) == len(plane.y)
    if norm == "inf":
        np.testing.assert_allclose(balls[0].get_width(), 0.4 * plane.X[:, 0].std(), rtol=1e-12)
    ax.figure.savefig(tmp_path / "figure.png")


def test_a_boundary_of_several_classes_has_no_balls_without_a_radius(blobs):
    X, y = blobs
    ax = plot.boundary(ConvexReLUClassifier(pattern_count=20).fit(X, y), X, y)
    assert not ax.patches
    assert ax.get_legend_handles_labels()[1] == ["a", "b", "c"]


@pytest.mark.parametrize("regression", [False, True])
def test_intervals_hold_the_line(plane, regression):
    X = plane.X[:, :1]
    if regression:
        model = ConvexReLURegressor(eps=0.1, beta=1e-2).fit(X, np.sin(X[:, 0]))
        ax = plot.intervals(model, X, np.sin(X[:, 0]))
    else:
        model = ConvexReLUClassifier(eps=0.1, beta=1e-2).fit(X, X[:, 0] > 0)
        ax = plot.intervals(model, X, X[:, 0] > 0)
    band = ax.collections[0].get_paths()[0].vertices
    line = ax.lines[0].get_xydata()
    assert band[:, 1].min() <= line[:, 1].min() and line[:, 1].max() <= band[:, 1].max()


def test_convergence_ends_at_the_certificate(plane, blobs):
    model = ConvexReLUClassifier().fit(plane.X, plane.y)
    upper, lower = plot.convergence(model)
    assert upper.lines[0].get_ydata()[-1] == model.objective_
    assert upper.lines[1].get_ydata()[-1] == model.lower_bound_
    assert lower.lines[0].get_ydata()[-1] <= model.tolerance
    X, y = blobs
    upper, _ = plot.convergence(ConvexReLUClassifier(pattern_count=10).fit(X, y))
    assert len(upper.lines) == 6


def test_rounds_end_at_the_certificate(plane):
    random = np.random.default_rng(0)
    X = random.standard_normal((60, 3))
    model = ConvexReLUClassifier(beta="0.1max", global_bound=1, rounds=5).fit(X, X[:, 0] * X[:, 1] > 0)
    for given in (model, model.network_, model.record_):
        upper, lower = plot.rounds(given)
        curves = {line.get_label(): line.get_ydata() for line in (*upper.lines, *lower.lines)}
        assert (curves["objective"] == model.rounds_["objective"]).all()
        assert (curves["estimated bound for every network"] == model.rounds_["estimate"]).all()
        assert (curves["largest price"] == model.rounds_["largest_price"]).all()
        assert curves["proven for every network"][0] == model.lower_bound_
    with pytest.raises(ValueError, match="expected one that was trained with priced patterns"):
        plot.rounds(ConvexReLUClassifier().fit(plane.X, plane.y))


def test_robustness_never_proves_more_than_attacks_leave(plane):
    models = {
        "standard": ConvexReLUClassifier(beta=1e-3).fit(plane.X, plane.y),
        "robust": ConvexReLUClassifier(beta=1e-3, eps=0.2).fit(plane.X, plane.y),
    }
    ax = plot.robustness(models, plane.X, plane.y, [0, 0.1, 0.3])
    curves = {line.get_label(): line.get_ydata() for line in ax.lines}
    for name in models:
        assert (curves[f"{name}, certified"] <= curves[f"{name}, PGD attack"]).all()
        assert (np.diff(curves[f"{name}, certified"]) <= 0).all()
    ax = plot.robustness(models["standard"], plane.X, plane.y, [0, 0.1, 0.3], branch_limit=0)
    (unsearched,) = (line.get_ydata() for line in ax.lines if line.get_label() == "certified")
    assert unsearched[2] < curves["standard, certified"][2]


def test_neurons_are_images_of_one_scale():
    digits = datasets.load("digits").select(3, 8)
    model = ConvexReLUClassifier(
        beta=1e-4, patterns="gaussian", pattern_count=8, max_iterations=20, tolerance=0.1, min_max=True
    )
    model.fit(digits.X[:100], digits.y[:100])
    axes = plot.neurons(model, digits.image_shape, count=6, columns=3)
    images = [image for ax in axes.flat for image in ax.images]
    assert len(images) == 6
    assert len({image.get_clim() for image in images}) == 1
    with pytest.raises(ValueError, match="shape: .* expected 64"):
        plot.neurons(model, (7, 7))


def test_says_what_it_cannot_draw(plane, blobs):
    regression = ConvexReLURegressor().fit(plane.X, plane.X[:, 0])
    with pytest.raises(ValueError, match="expected a classifier of two features"):
        plot.boundary(regression, plane.X, plane.X[:, 0])
    with pytest.raises(ValueError, match="expected one feature"):
        plot.intervals(regression, plane.X, plane.y)
    with pytest.raises(ValueError, match="expected classifiers"):
        plot.robustness(regression, plane.X, plane.y, [0.1])
    with pytest.raises(ValueError, match="expected one that was fitted"):
        plot.convergence(ConvexReLUClassifier())
