"""Clean, attacked and proven shares of every run."""

from conelu.plot.style import COLOURS, tidy
from experiments.gates.report import grouped
from experiments.harness.figure import SHARES, panels

MARKS = {"clean": "o", "pgd": "s", "certified": "D", "bound": "|"}
LIFTS = {"clean": 0.0, "pgd": 0.22, "certified": 0.0, "bound": -0.22}  # they would hide each other
COLOUR = SHARES | {"bound": COLOURS[1]}
WORDS = {"clean": "clean", "pgd": "PGD", "certified": "certified", "bound": "certified by the closed form"}


def draw(settings, records):
    groups = grouped(records)
    figure, axes = panels(1, 1, height=0.9 + 0.45 * len(groups), squeeze=False)
    axis = axes[0, 0]
    for share, mark in MARKS.items():
        places = [(100 * run[share], LIFTS[share] - row) for row, runs in enumerate(groups.values()) for run in runs]
        look = {"color": COLOUR[share], "markersize": 9 if mark == "|" else 5, "alpha": 0.7, "label": WORDS[share]}
        tidy(axis).plot(*zip(*places, strict=True), mark, **look)
    axis.set_yticks([-row for row in range(len(groups))], list(groups))
    axis.set_ylim(0.6 - len(groups), 0.5)
    axis.set_xlabel("test images right, %")
    figure.legend(*axis.get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    return {"shares": (figure, "Automobiles against horses, radius 10 of 255: each mark is a run")}
