"""The paper's figure: a decision boundary in the plane, and what an attacker can reach."""

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Ellipse, Polygon, Rectangle

from conelu.plot.style import COLOURS, INK, MARKERS, lighten, network_of, new_axes, tidy


def boundary(model, X, y, *, eps=None, norm=None, eps_units=None, worst=True, resolution=300, legend=True, ax=None):
    """Where a classifier of two features changes its mind, the samples, and how far an attacker may move them.

    Parameters
    ----------
    model : ConvexReLUClassifier or Network
        With two features.
    X : array-like of shape (n_samples, 2)
    y : array-like of shape (n_samples,)
    eps : float, array-like or dict, optional
        Radius of the attack; boxes (or balls of another norm) show it. By default that of the training.
    norm, eps_units
        As in `Network.certify`.
    worst : bool, default=True
        Mark the point of each ball that is worst, exactly; filled if it is misclassified.
    resolution : int, default=300
        Points of the grid in each direction.
    legend : bool, default=True
        Say beside the axes what the markers mean.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    network = network_of(model)
    if network.classes is None or len(network.feature_names) != 2:
        raise ValueError(f"model: is {network!r}, expected a classifier of two features")
    X, y = network._rows(X), np.asarray(y)
    if y.shape != (len(X),):
        raise ValueError(f"y: has shape {y.shape}, expected ({len(X)},), one for each row of X")
    ax = new_axes(ax)
    attacker = network._attacker(eps, norm, eps_units, None)
    radii = _raw_radii(network, attacker)
    _draw_regions(ax, network, X, radii, resolution)
    if radii.any():
        for row, label in zip(X, y, strict=True):
            colour = COLOURS[list(network.classes).index(label) % len(COLOURS)]
            ax.add_patch(_ball(row, radii, attacker.norm, fill=False, edgecolor=colour, linewidth=0.9, zorder=2))
    for number, label in enumerate(network.classes):
        rows = y == label
        ax.scatter(
            *X[rows].T, s=26, color=COLOURS[number % len(COLOURS)], marker=MARKERS[number % len(MARKERS)],
            edgecolors="white", linewidths=0.6, zorder=4, label=f"{label}",
        )  # fmt: skip
    if worst and radii.any():
        _mark_worst(ax, network, X, y, eps, norm, eps_units)
    ax.set_xlabel(network.feature_names[0], color=INK)
    ax.set_ylabel(network.feature_names[1], color=INK)
    ranges = np.ptp(X, axis=0)
    if ranges.max() <= 3 * ranges.min():  # else one axis would be a sliver
        ax.set_aspect("equal")
    if legend:
        ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize=8)
    return tidy(ax, grid=False)


def _raw_radii(network, attacker):
    radii = attacker.radii(network._model)
    if not len(radii):
        return np.zeros(2)
    scale = network._model.scale
    return radii * scale if len(scale) else radii


def _draw_regions(ax, network, X, radii, resolution):
    margin = 0.06 * np.ptp(X, axis=0) + radii
    lowest, highest = X.min(axis=0) - margin, X.max(axis=0) + margin
    grid = np.meshgrid(*(np.linspace(a, b, resolution) for a, b in zip(lowest, highest, strict=True)))
    points = np.column_stack([axis.ravel() for axis in grid])
    scores = network.decision_function(points)
    numbers = scores >= 0 if scores.ndim == 1 else scores.argmax(axis=1)
    colours = ListedColormap([lighten(COLOURS[k % len(COLOURS)], 0.82) for k in range(len(network.classes))])
    ax.pcolormesh(
        *grid, numbers.reshape(grid[0].shape).astype(float), cmap=colours, vmin=0, vmax=len(network.classes) - 1,
        shading="auto", rasterized=True, zorder=0,
    )  # fmt: skip
    surfaces = [scores] if scores.ndim == 1 else [s - np.delete(scores, k, 1).max(1) for k, s in enumerate(scores.T)]
    for surface in surfaces:
        if surface.min() < 0 < surface.max():
            ax.contour(*grid, surface.reshape(grid[0].shape), levels=[0], colors=INK, linewidths=1.3, zorder=1)
    ax.set_xlim(lowest[0], highest[0])
    ax.set_ylim(lowest[1], highest[1])


def _ball(center, radii, norm, **style):
    if norm == "2":
        return Ellipse(center, 2 * radii[0], 2 * radii[1], **style)
    if norm == "1":
        return Polygon(center + radii * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]]), **style)
    return Rectangle(center - radii, 2 * radii[0], 2 * radii[1], **style)


def _mark_worst(ax, network, X, y, eps, norm, eps_units):
    found = network.certify(X, eps, y, norm=norm, eps_units=eps_units, exact=True)
    broken = found.broken
    ax.scatter(
        *found.worst[~broken].T, s=16, marker="x", color=INK, linewidths=0.9, zorder=5, label="worst point"
    )
    if broken.any():
        ax.scatter(
            *found.worst[broken].T, s=34, marker="X", color="black", edgecolors="white", linewidths=0.5, zorder=6,
            label="worst point, misclassified",
        )  # fmt: skip
