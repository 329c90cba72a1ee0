"""Accuracies of every method, ours and the paper's."""

from experiments.cifar10.report import grouped
from experiments.harness.figure import accuracy_bars, panels


def draw(settings, records):
    everything = grouped(records, "all")
    figure, axes = panels(2 if everything else 1, 1, height=5.4 if everything else 3.2, squeeze=False)
    accuracy_bars(axes[0, 0], grouped(records, "main"), settings["paper"])
    axes[0, 0].set_title(f"{settings['images']} training images", loc="left")
    if everything:
        accuracy_bars(axes[1, 0], everything, {})
        axes[1, 0].set_title("10,000 training images", loc="left")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False)
    return {"accuracy": (figure, "Automobiles against horses, eps = 10/255: accuracies on the test images")}
