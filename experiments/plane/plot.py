"""Boundary, boxes and worst points of each training."""

import numpy as np

from conelu import plot
from experiments.harness.figure import panels
from experiments.harness.networks import from_lists


def draw(settings, records):
    methods = settings["methods"]
    drawn = zip(methods, records[settings["shown"] * len(methods) :], strict=False)
    drawn = [(method, facts) for method, facts in drawn if method.get("drawn", True)]
    figure, axes = panels(2, 2, height=6.2, sharex=True, sharey=True)
    for ax, (method, facts) in zip(axes.flat, drawn, strict=True):
        network = from_lists(facts["network"], [-1, 1], ones=method.get("ones", False))
        plot.boundary(network, np.array(facts["X"]), np.array(facts["y"]), eps=settings["eps"], ax=ax)
        ax.set_title(f"{method['name']}: {100 * facts['certified']:.0f} % of the boxes right", loc="left")
        if ax.get_legend():
            ax.get_legend().remove()
    handles, labels = [], []
    for ax in axes.flat:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            if label not in labels:
                handles.append(handle)
                labels.append(label)
    figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False)
    caption = (
        f"Boundaries, boxes of eps = {settings['eps']} and worst points in them, {settings['samples']} random points"
    )
    return {"boundary": (figure, caption)}
