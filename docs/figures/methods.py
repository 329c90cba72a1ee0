#!/usr/bin/env python3
"""Draws the figure of "Gates in rounds" in docs/method.md: what a gate bounds, and what four methods make of points.

    build/python/venv/bin/python docs/figures/methods.py docs/figures/methods.png

Needs the Python package with matplotlib (`make python`).
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

from conelu import ConvexReLUClassifier, datasets, plot  # noqa: E402
from conelu.plot.style import tidy  # noqa: E402

EPS = 0.35
REACH = 0.6  # of the attack on the neuron in the upper row
NEURON, BELOW, ABOVE = "#222222", "#0072B2", "#D55E00"


def draw_gate(ax, gate):
    """Bounds of (t + s)_+ over |s| <= REACH that a gate gives, against t at the sample itself."""
    t = np.linspace(-2, 2, 400)
    sign = 2 * gate - 1
    below = gate * (t - REACH)
    above = gate * (t + REACH) + np.maximum(0, REACH - sign * t)
    exact = np.maximum(0, t - REACH), np.maximum(0, t + REACH)
    ax.fill_between(t, *exact, color="#dddddd", label="what the attacker can make of it")
    ax.plot(t, np.maximum(0, t), color=NEURON, linewidth=1.2, label="neuron at the sample")
    ax.plot(t, below, "--", color=BELOW, label="bound from below (same side)")
    ax.plot(t, above, ":", color=ABOVE, linewidth=2, label="bound from above (opposing)")
    ax.set_title(f"gate {'open' if gate else 'closed'}", fontsize=10)
    ax.set_xlabel("pre-activation at the sample")
    ax.set_ylim(-1.4, 2.6)
    tidy(ax)


def draw_method(ax, points, method):
    model = ConvexReLUClassifier(beta=1e-4, eps=EPS, method=method, pattern_count=30).fit(points.X, points.y)
    plot.boundary(model, points.X, points.y, eps=EPS, legend=False, ax=ax)
    safe = model.robust_score(points.X, points.y, EPS)
    ax.set_title(f"{method}: {model.network_.record['network_objective']:.3f}\n{safe:.0%} of the boxes right", fontsize=10)
    ax.set_xlabel("")
    ax.set_ylabel("")


def main(path):
    figure = plt.figure(figsize=(10, 6.6), layout="constrained")
    upper, lower = figure.subfigures(2, 1, height_ratios=(1, 1.05))
    gates = upper.subplots(1, 2, sharey=True)
    for ax, gate in zip(gates, (0, 1), strict=True):
        draw_gate(ax, gate)
    upper.legend(*gates[0].get_legend_handles_labels(), loc="outside upper center", ncols=4, frameon=False, fontsize=9)
    points = datasets.plane(34, 3)
    for ax, method in zip(lower.subplots(1, 4, sharey=True), ("cones", "reduced", "separate", "hybrid"), strict=True):
        draw_method(ax, points, method)
    figure.savefig(path, dpi=130)


if __name__ == "__main__":
    main(sys.argv[1])
