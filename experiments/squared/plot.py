"""The truths, and errors against the radius."""

import numpy as np

from conelu.plot.style import COLOURS, tidy
from experiments.harness.figure import panels
from experiments.squared.report import by_truth, standard_error


def draw(settings, records):
    found = by_truth(settings, records)
    truths = settings["truths"]
    figure, axes = panels(2, len(truths), height=4.8, height_ratios=(2, 3))
    for (top, bottom), (name, truth) in zip(axes.T, truths.items(), strict=True):
        top.plot(truth["x"], truth["y"], color=COLOURS[7], linewidth=1.6)
        top.set(title=name, xlabel="x", ylabel="y")
        draw_errors(bottom, settings, {reading: found[name, reading] for reading in settings["readings"]})
        tidy(top)
        tidy(bottom)
    handles, labels = axes[1, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
    caption = "Two truths, and the test error after training on 8 points against the radius; bars: standard errors"
    return {"error": (figure, caption)}


def draw_errors(ax, settings, readings):
    standard = next(iter(readings.values()))[0]["errors"]
    mean, error = standard.mean(), standard_error(standard)
    ax.axhspan(max(mean - error, 0.02), mean + error, color=COLOURS[1], alpha=0.15, linewidth=0)
    ax.axhline(mean, color=COLOURS[1], linewidth=1.6, label="standard, mean")
    ax.axhline(np.median(standard), color=COLOURS[1], linewidth=1.2, linestyle=(0, (4, 3)), label="standard, median")
    for reading, colour, marker in zip(readings, (COLOURS[0], COLOURS[2]), "os", strict=True):
        errors = np.array([found["errors"] for found in readings[reading][1:]])
        words = settings["readings"][reading]
        ax.errorbar(
            settings["radii"], errors.mean(axis=1), yerr=[standard_error(one) for one in errors], fmt=f"{marker}-",
            color=colour, markersize=4, capsize=2, elinewidth=0.8, label=f"{words}, mean",
        )  # fmt: skip
        ax.plot(
            settings["radii"], np.median(errors, axis=1), f"{marker}--", color=colour, markersize=3.5, linewidth=1.1,
            markerfacecolor="white", label=f"{words}, median",
        )  # fmt: skip
    ax.set(xlabel="eps", ylabel="test MSE", yscale="log")
    ticks = [0.03, 0.05, 0.1, 0.2, 0.5]
    ax.set_yticks(ticks, ticks)
    ax.minorticks_off()
