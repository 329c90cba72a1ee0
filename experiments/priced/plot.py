"""Objectives over those of gradient descent, and a search round by round."""

import numpy as np

from conelu.plot.style import COLOURS, INK, MARKERS, tidy
from experiments.harness.figure import panels
from experiments.priced.report import of_part, ratio, share_of

LOWEST = 0.5  # of the best objective: bounds of the first rounds are below it and say nothing


def draw(settings, records):
    cases = of_part(records, "contest")
    return {"objectives": draw_objectives(settings, cases), "rounds": draw_rounds(settings, cases)}


def draw_objectives(settings, cases):
    names = list(dict.fromkeys(record["name"] for record in cases))
    figure, axes = panels(1, 2, height=1.3 + 0.24 * len(names), sharey=True)
    kinds = [*settings["shares"], None]
    for ax, of in zip(axes, ("priced", "sampled"), strict=True):
        ax.axvline(1, color=INK, linewidth=0.8)
        for k, share in enumerate(kinds):
            found = [record for record in cases if share_of(record) == share]
            at = np.array([names.index(record["name"]) for record in found])
            shift = 0 if share is None else 0.16 * (k - (len(settings["shares"]) - 1) / 2)
            label = f"{share:g} beta_max" if share else f"beta = {settings['images']['beta']:g}"
            ratios = [ratio(record, of=of) for record in found]
            ax.plot(ratios, at + shift, MARKERS[k], color=COLOURS[k], markersize=4, label=label)
        ax.set(xlabel=f"objective, {of} / descended", xscale="log")
        plain_ticks(ax)
        tidy(ax)
    axes[0].set_yticks(range(len(names)), [name.replace("_", " ") for name in names])
    axes[0].set_ylim(len(names) - 0.5, -0.5)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(kinds), frameon=False)
    return figure, "Objectives of priced and of sampled patterns over those of gradient descent; below 1 is better"


def plain_ticks(ax):
    """Numbers in full where a logarithmic axis spans less than a few powers of ten."""
    low, high = ax.get_xlim()
    wanted = [0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100]
    shown = [value for value in wanted if low <= value <= high]
    if high / low > 3:
        shown = [value for value in shown if value not in (0.3, 0.7, 0.8, 0.9, 1.2, 1.5, 3)]
    ax.set_xticks(shown, [f"{value:g}" for value in shown])
    ax.minorticks_off()


def draw_rounds(settings, cases):
    asked = settings["rounds_of"]
    found = [record for record in cases if record["name"] == asked["name"]]
    found = [record for record in found if share_of(record) in asked["shares"]]
    figure, axes = panels(1, len(found), height=2.8, squeeze=False)
    for ax, record in zip(axes[0], found, strict=True):
        draw_search(ax, record)
    axes[0, 0].set_ylabel("objective")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(handles), frameon=False)
    return figure, f"{asked['name']}: the search round by round; dashed: gradient descent, best of 3 restarts"


def draw_search(ax, record):
    facts = record["priced"]
    rounds = np.arange(1, len(facts["round_objectives"]) + 1)
    style = {"markersize": 3, "linewidth": 1.2}
    ax.axhline(record["descended"]["objective"], color=COLOURS[1], linestyle="--", linewidth=1, label="descended")
    ax.plot(rounds, facts["round_objectives"], f"{MARKERS[0]}-", color=COLOURS[0], label="objective", **style)
    estimates = facts["round_estimates"]
    ax.plot(rounds, estimates, f"{MARKERS[2]}-", color=COLOURS[2], label="bound, prices as found", **style)
    if facts["scope"] == "network":
        ax.axhline(facts["lower_bound"], color=INK, linestyle=":", linewidth=1.2, label="bound, proven")
    top = max(record["descended"]["objective"], facts["round_objectives"][0])
    low = max(min(estimates), LOWEST * facts["objective"])
    ax.set_ylim(low - 0.03 * (top - low), top + 0.06 * (top - low))
    ax.set(title=f"beta = {share_of(record):g} beta_max", xlabel="round")
    tidy(ax)
