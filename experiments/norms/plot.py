"""Boundaries with balls of the three norms."""

from conelu import datasets, plot
from experiments.harness.figure import panels
from experiments.harness.networks import from_lists


def draw(settings, records):
    data = datasets.plane(settings["samples"], settings["seed"])
    figure, axes = panels(1, len(records), height=3.0, sharey=True)
    for ax, norm, record in zip(axes, settings["norms"], records, strict=True):
        network = from_lists(record["network"], [0, 1])
        plot.boundary(network, data.X, data.y, eps=settings["eps"], norm=norm, legend=False, ax=ax)
        ax.set_title(f"l_{norm}: objective {record['objective']:.4f}")
    for ax in axes[1:]:
        ax.set_ylabel("")
    handles, labels = axes[-1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False)
    return {"boundary": (figure, f"The same points against attackers of radius {settings['eps']} in three norms")}
