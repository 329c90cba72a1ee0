"""Clean accuracy of every split and method."""

import numpy as np

from conelu.plot.style import COLOURS, INK, tidy
from experiments.harness.figure import label_methods, panels
from experiments.regularisation.report import by_method


def draw(settings, records):
    groups = by_method(settings, records)
    figure, ax = panels(height=3.2)
    scores = np.array([[100 * record["test"] for record in found] for found in groups.values()])
    ax.plot(scores, color="0.8", linewidth=0.6, zorder=1)
    for k, values in enumerate(scores):
        ax.plot(np.full(len(values), k), values, "o", markersize=3.5, color=COLOURS[0], alpha=0.7, zorder=2)
    ax.plot(scores.mean(axis=1), "_", markersize=22, markeredgewidth=2.2, color=INK, zorder=3, label="mean")
    printed = [(k, 100 * settings["paper"][name]) for k, name in enumerate(groups) if name in settings["paper"]]
    ax.plot(*np.array(printed).T, "x", color=COLOURS[1], markersize=7, markeredgewidth=1.8, zorder=4, label="paper")
    ax.set_ylabel("clean test accuracy, %")
    ax.legend(frameon=False)
    tidy(ax)
    label_methods(ax, groups)
    return {"clean": (figure, "Clean test accuracy; lines join the same split")}
