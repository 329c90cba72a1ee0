"""Networks of one feature, with the interval that an attacker can reach around each sample."""

import numpy as np

from conelu.plot.style import COLOURS, FAINT, INK, MARKERS, lighten, network_of, new_axes, tidy


def intervals(model, X, y, *, eps=None, norm=None, eps_units=None, resolution=600, ax=None):
    """The output of a network of one feature, its samples, and what is proven in between.

    The line is the output; the band is the exact range of the outputs within reach of each point. Samples stand at
    -1 and +1 (two classes) or at their value, and a bar shows how far they can be moved.

    Parameters
    ----------
    model : ConvexReLUClassifier, ConvexReLURegressor or Network
        With one feature, and at most two classes.
    X : array-like of shape (n_samples, 1)
    y : array-like of shape (n_samples,)
    eps : float, optional
        Radius of the attack. By default that of the training.
    norm, eps_units
        As in `Network.certify`.
    resolution : int, default=600
        Points on the line.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    network = network_of(model)
    classes = network.classes
    if len(network.feature_names) != 1 or (classes is not None and len(classes) > 2):
        raise ValueError(f"model: is {network!r}, expected one feature and at most two classes")
    X, y = np.asarray(X, dtype=float), np.asarray(y)
    ax = new_axes(ax, 6.0, 3.6)
    radii = network._attacker(eps, norm, eps_units, None).radii(network._model)
    scale = network._model.scale
    radius = float(radii[0] * (scale[0] if len(scale) else 1)) if len(radii) else 0.0
    margin = 0.06 * np.ptp(X) + radius
    line = np.linspace(X.min() - margin, X.max() + margin, resolution).reshape(-1, 1)
    if radius > 0:
        lowest, highest = network.output_range(line, eps, norm=norm, eps_units=eps_units, exact=True)
        band = lighten(COLOURS[2], 0.7)
        ax.fill_between(line[:, 0], lowest, highest, color=band, linewidth=0, zorder=1, label="certified range")
    ax.plot(line[:, 0], network.decision_function(line), color=INK, linewidth=1.6, zorder=3, label="output")
    if classes is None:
        groups = [("samples", np.ones(len(y), dtype=bool), y.astype(float))]
    else:
        ax.axhline(0, color=INK, linewidth=0.8, linestyle=(0, (4, 3)), zorder=2)
        groups = [(f"{label}", y == label, np.full(len(y), 2.0 * k - 1)) for k, label in enumerate(classes)]
    for k, (name, rows, heights) in enumerate(groups):
        ax.errorbar(
            X[rows, 0], heights[rows], xerr=radius or None, fmt=MARKERS[k], markersize=5, color=COLOURS[k],
            markeredgecolor="white", markeredgewidth=0.5, elinewidth=1.2, capsize=2.5, zorder=4, label=name,
        )  # fmt: skip
    ax.set_xlim(line[0, 0], line[-1, 0])
    ax.set_xlabel(network.feature_names[0], color=INK)
    ax.set_ylabel("output", color=INK)
    ax.legend(frameon=True, framealpha=0.9, edgecolor=FAINT, fontsize=8)
    return tidy(ax)
