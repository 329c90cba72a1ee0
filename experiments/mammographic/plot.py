"""Accuracies of every method, ours and the paper's."""

from experiments.harness.figure import accuracy_bars, panels
from experiments.mammographic.report import grouped


def draw(settings, records):
    figure, ax = panels(height=3.3)
    accuracy_bars(ax, grouped(records, "main"), settings["paper"])
    figure.legend(loc="outside lower center", ncols=4, frameon=False)
    return {"accuracy": (figure, f"Mammographic Masses, eps = {settings['eps']}: accuracies on the test rows")}
