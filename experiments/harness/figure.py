"""Figures for a printed page: one or two columns wide, letters of 8 points, the colours of `conelu.plot`."""

import textwrap

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

from conelu.plot.style import COLOURS, tidy  # noqa: E402

WIDTH = 6.4
SHARES = {"clean": COLOURS[5], "pgd": COLOURS[0], "certified": COLOURS[2]}
WORDS = {"pgd": "PGD"}
plt.rcParams.update(
    {"font.size": 8, "axes.titlesize": 9, "axes.labelsize": 8.5, "legend.fontsize": 7.5, "savefig.facecolor": "white"}
)


def panels(rows=1, columns=1, height=3.0, **options):
    """A figure as wide as the page and its axes."""
    return plt.subplots(rows, columns, figsize=(WIDTH, height), layout="constrained", **options)


def accuracy_bars(ax, groups, paper):
    """A group of bars a method; crosses are the paper's."""
    places = np.arange(len(groups))
    width = 0.8 / len(SHARES)
    for k, (column, colour) in enumerate(SHARES.items()):
        values = np.array([[100 * record[column] for record in records] for records in groups.values()], dtype=float)
        at = places + (k - (len(SHARES) - 1) / 2) * width
        spread = values.std(axis=1, ddof=1) if values.shape[1] > 1 else None
        ax.bar(
            at, values.mean(axis=1), width * 0.92, yerr=spread, color=colour, error_kw={"elinewidth": 0.8},
            label=WORDS.get(column, column),
        )  # fmt: skip
        printed = [
            (x, 100 * paper[name][column]) for x, name in zip(at, groups, strict=True) if column in paper.get(name, {})
        ]
        ax.plot(*np.array(printed).reshape(-1, 2).T, "kx", markersize=5, label="paper" if k == 0 else None)
    ax.set_ylabel("test rows, %")
    ax.set_ylim(0, 100)
    tidy(ax).grid(axis="x", visible=False)
    label_methods(ax, groups)


def label_methods(ax, names):
    """Names under a column each, in short lines."""
    words = [name.replace(" = ", "\u00a0=\u00a0") for name in names]  # equations stay whole
    ax.set_xticks(range(len(words)), [textwrap.fill(name, 9, break_long_words=False) for name in words])
    ax.tick_params(axis="x", labelsize=6.5)


def save(figure, path):
    """Without the date and the version of what drew it, so that the same records give the same file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=200, metadata={"Software": None})
    plt.close(figure)
