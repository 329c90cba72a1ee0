"""Regret against the share of beta_max."""

import numpy as np

from conelu.plot.style import COLOURS, MARKERS, tidy
from experiments.harness.figure import panels
from experiments.penalty.report import KINDS, of_kind, regrets, scores_of

MOST = {"classification": 10, "regression": 40}  # points; what is above is told by the table
WORDS = {"classification": "accuracy", "regression": "R2"}


def draw(settings, records):
    figure, axes = panels(1, 2, height=3.0)
    for ax, kind in zip(axes, KINDS, strict=True):
        draw_kind(ax, settings, of_kind(records, kind))
        ax.set(title=kind, xlabel="beta, share of beta_max", ylabel=f"regret, points of {WORDS[kind]}")
        top = ax.dataLim.y1
        ax.set_ylim(0, min(MOST[kind], 1.05 * top) if top > 0 else 1)
    figure.legend(loc="outside lower center", ncols=len(settings["data"]), frameon=False)
    return {
        "regret": (figure, "Regret against the share of beta_max: means over data sets, and the worst of them (dotted)")
    }


def draw_kind(ax, settings, records):
    shares, losses = settings["shares"], list(settings["data"])
    scores = scores_of(settings, records)
    for loss in dict.fromkeys(loss for loss, _ in scores):
        k = losses.index(loss)
        found = regrets([values for (of, _), values in scores.items() if of == loss])
        style = {"color": COLOURS[k], "marker": MARKERS[k], "markersize": 4}
        ax.plot(found.mean(axis=0), "-", linewidth=1.6, label=loss, **style)
        ax.plot(found.max(axis=0), ":", linewidth=0.9, markerfacecolor="white", **style)
    ax.set_xticks(np.arange(len(shares)), [f"{share:g}" for share in shares])
    tidy(ax).tick_params(axis="x", labelsize=7)
