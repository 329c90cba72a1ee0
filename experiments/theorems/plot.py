"""Promise and experiment, side by side."""

import numpy as np

from conelu.plot.style import COLOURS, MARKERS, tidy
from experiments.harness.figure import panels
from experiments.theorems.report import of


def draw(settings, records):
    theorem2, bounds, live = of(settings, records)
    figure, (left, middle, right) = panels(1, 3, height=2.9)
    draw_theorem2(left, settings["theorem2"]["samples"], theorem2)
    draw_bounds(middle, bounds)
    for k, (name, shares) in enumerate(live.items()):
        radii = np.array(settings["live"][name]["radii"]) / settings["live"][name]["radii"][-1]
        label = name.partition("_")[0]
        right.plot(radii, 100 * shares, color=COLOURS[k], marker=MARKERS[k], markersize=4, label=label)
    right.set(xlabel="eps / largest eps", ylabel="live patterns, %", title="live patterns")
    right.set_xscale("symlog", linthresh=0.003)
    right.set_xticks([0, 0.01, 0.1, 1], ["0", "0.01", "0.1", "1"])
    right.minorticks_off()
    right.legend(frameon=False, loc="lower left", fontsize=6.5, borderaxespad=0.1)
    for ax in (left, middle, right):
        tidy(ax)
    return {"checks": (figure, "Theorem 2, the upper bound against the exact worst case, and live patterns")}


def draw_theorem2(ax, samples, found):
    counts = np.array(list(found))
    shares = [np.array([record["share"] for record in records]) for records in found.values()]
    mean = np.array([share.mean() for share in shares])
    spread = [mean - [share.min() for share in shares], [share.max() for share in shares] - mean]
    ax.errorbar(counts, mean, yerr=spread, color=COLOURS[0], marker="o", markersize=4, capsize=3, label="mean, range")
    promised = (samples + 1) / (counts + 1)
    said = promised < 1  # above it the theorem says nothing
    ax.plot(counts[said], promised[said], color=COLOURS[2], marker="s", markersize=3.5, label="psi xi")
    ax.set(xscale="log", xlabel="draws", ylabel="probability", title="Theorem 2", ylim=(0, 1.03))
    ax.set_xticks(counts, counts)
    ax.minorticks_off()
    ax.legend(frameon=False, loc="upper right", bbox_to_anchor=(1.04, 1.0), handlelength=1.4)


def draw_bounds(ax, bounds):
    for k, name in enumerate(bounds[0]):
        pairs = np.array([[record[name]["bound"], record[name]["exact"]] for record in bounds])
        ax.plot(*pairs.T, linestyle="none", marker=MARKERS[k], markersize=4, color=COLOURS[k], alpha=0.8, label=name)
    limits = [0, 1.05 * max(max(facts.values()) for record in bounds for facts in record.values())]
    ax.plot(limits, limits, color="0.6", linewidth=0.8, zorder=0)
    ax.set(xlabel="objective", ylabel="exact worst case", title="upper bound", xlim=limits, ylim=limits)
    ax.legend(frameon=False)
