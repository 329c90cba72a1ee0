"""The outputs of the networks of Alg 1 and Alg 2, with the interval of each point."""

import numpy as np

from conelu import plot
from experiments.harness.figure import panels
from experiments.harness.networks import from_lists


def draw(settings, records):
    record = records[settings["shown"]]
    figure, axes = panels(2, 1, height=4.4, sharex=True)
    for ax, method in zip(axes, settings["methods"][:2], strict=True):
        facts = record["methods"][method["name"]]
        network = from_lists(facts["network"], [-1, 1], ones=True)
        plot.intervals(network, record["X"], record["y"], eps=settings["eps"], ax=ax)
        ax.set_title(f"{method['name']}: objective {facts['objective']:.3f}", loc="left")
        wrong = ~np.array(facts["right"])
        X, y = np.array(record["X"])[wrong, 0], np.array(record["y"])[wrong]
        ax.plot(X, y, "o", markersize=11, markerfacecolor="none", markeredgecolor="black", label="given up")
        ax.set_ylim(-3, 3)
        ax.get_legend().remove()
    axes[0].set_xlabel("")
    axes[1].set_xlabel("x")
    handles, labels = axes[1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=6, frameon=False)
    caption = f"{settings['samples']} points with random labels, eps = {settings['eps']}: points fitted, and intervals"
    return {"boundary": (figure, caption)}
