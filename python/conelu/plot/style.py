"""How all figures look."""

import matplotlib.pyplot as plt
from matplotlib.colors import to_rgb

# Okabe and Ito's palette; the first two stand for the two classes.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
INK = "#333333"
FAINT = "#d9d9d9"


def new_axes(ax, width=5.0, height=4.0):
    """The axes given, or those of a new figure."""
    if ax is None:
        _, ax = plt.subplots(figsize=(width, height), layout="constrained")
    return ax


def tidy(ax, grid=True):
    """No frame where there is nothing to read, and a grid that stays behind."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(INK)
    ax.tick_params(colors=INK, labelsize=9)
    if grid:
        ax.grid(color=FAINT, linewidth=0.6)
        ax.set_axisbelow(True)
    return ax


def lighten(colour, share):
    """The colour mixed with white; share 1 is white."""
    return tuple(1 - (1 - part) * (1 - share) for part in to_rgb(colour))


def network_of(model):
    """The network of a fitted estimator, or the network itself."""
    return getattr(model, "network_", model)
