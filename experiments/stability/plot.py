"""The optimum against the number of patterns, with the exact one and Theorem 2's guarantee."""

import numpy as np

from conelu.plot.style import COLOURS, INK, tidy
from experiments.harness.figure import panels
from experiments.stability.report import guarantee


def draw(settings, records):
    exact, sampled = records[0]["objectives"][0], records[1:]
    counts = np.array([np.mean(record["found"]) for record in sampled])
    values = np.array([record["objectives"] for record in sampled])
    mean = values.mean(axis=1)
    figure, ax = panels(height=3.4)
    spread = np.array([mean - values.min(axis=1), values.max(axis=1) - mean])
    ax.errorbar(counts, mean, yerr=spread, color=COLOURS[0], marker="o", markersize=4, capsize=3, linewidth=1.6,
                label="mean, best and worst run")  # fmt: skip
    ax.axhline(exact, color=COLOURS[1], linestyle=(0, (4, 3)), label="exact optimum, all patterns")
    ax.set(xscale="log", yscale="log", xlabel="distinct patterns found (Theorem 2: draws)", ylabel="optimum")
    ax.set_xticks(settings["counts"][:-1], settings["counts"][:-1])
    ticks = [tick for tick in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5) if tick > 0.8 * exact]
    ax.set_yticks(ticks, ticks)
    ax.minorticks_off()
    tidy(ax)
    other = ax.twinx()
    draws = np.geomspace(settings["samples"], max(settings["counts"]), 60)
    other.plot(draws, guarantee(settings["samples"], draws), color=COLOURS[2], linewidth=1.4, label="Theorem 2")
    other.set_ylabel("psi xi", color=COLOURS[2])
    other.set_ylim(0, 1.02)
    other.spines[["top", "left"]].set_visible(False)
    other.tick_params(colors=INK)
    handles = [*ax.get_legend_handles_labels()[0], *other.get_legend_handles_labels()[0]]
    ax.legend(handles, [handle.get_label() for handle in handles], loc="upper right", frameon=False)
    caption = f"{settings['samples']} points in the plane: the optimum of Alg 1 against the number of its patterns"
    return {"optimum": (figure, caption)}
