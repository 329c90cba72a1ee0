"""Certified and clean scores side by side."""

import numpy as np

from conelu.plot.style import COLOURS, tidy
from experiments.beyond.contenders import CONTENDERS
from experiments.beyond.report import contest, means
from experiments.harness.figure import panels

SHAPES = "os^Dv<"  # hollow or filled, each can be told from the others


def draw(settings, records):
    records = contest(records)
    found = means(records)
    kinds = {
        words: names
        for words, regression in (("right, %", False), ("mean squared error", True))
        if (names := list(dict.fromkeys(record["name"] for record in records if record["regression"] == regression)))
    }
    figure, axes = panels(len(kinds), 2, height=3.1 * len(kinds), squeeze=False)
    for row, (words, names) in zip(axes, kinds.items(), strict=True):
        for ax, eps in zip(row, settings["radii"], strict=True):
            draw_scores(ax, found, names, eps, 100 if words == "right, %" else 1)
            ax.set(title=f"eps = {eps}", xlabel=words)
            if words != "right, %":
                ax.set_xscale("log")
                ax.set_xticks([0.1, 0.2, 0.5, 1, 2, 5], ["0.1", "0.2", "0.5", "1", "2", "5"])
                ax.minorticks_off()
        row[1].set_yticklabels([])
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(CONTENDERS), frameon=False)
    return {"scores": (figure, "Certified scores (filled) and clean ones (hollow) of every contender")}


def draw_scores(ax, found, names, eps, factor):
    for k, contender in enumerate(CONTENDERS):
        values = np.array([found[name, eps, contender] for name in names]) * factor
        at = np.arange(len(names)) + 0.13 * (k - (len(CONTENDERS) - 1) / 2)
        ax.plot(values[:, [0, 2]].T, np.tile(at, (2, 1)), color=COLOURS[k], linewidth=0.8)
        ax.plot(values[:, 0], at, SHAPES[k], markersize=4, color=COLOURS[k], markerfacecolor="white")
        ax.plot(values[:, 2], at, SHAPES[k], markersize=4.5, color=COLOURS[k], label=contender)
    ax.set_yticks(range(len(names)), [name.replace("_", " ") for name in names])
    ax.invert_yaxis()
    tidy(ax)
