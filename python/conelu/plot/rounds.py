"""A search for patterns by their prices: what every round reached, and what is proven."""

import numpy as np
from matplotlib.ticker import MaxNLocator

from conelu.plot.style import COLOURS, FAINT, INK, tidy


def rounds(model, *, ax=None):
    """Objective and bounds of every round above, the largest price that it found below.

    Each round adds patterns, so the bound of its program falls, and no network with other patterns need respect it. The
    estimate would bound every network if no direction had a larger price than those found. What is proven about every
    network is the dashed line, if there is a proof. Where the largest price is `beta`, no further neuron can help.

    Parameters
    ----------
    model : fitted estimator, Network, or dict
        With priced patterns; a dict is a record, such as one of ``network_.class_records``.
    ax : pair of matplotlib axes, optional
        For the objectives and for the prices.

    Returns
    -------
    pair of matplotlib axes
    """
    record = model if isinstance(model, dict) else getattr(model, "record_", None) or getattr(model, "record", {})
    if "round_prices" not in record:
        raise ValueError(f"model: {model!r} has no rounds, expected one that was trained with priced patterns")
    upper, lower = _new_pair() if ax is None else ax
    objectives = np.array(record["round_objectives"])
    counts = np.arange(1, len(objectives) + 1)
    curves = {
        "objective": (objectives, COLOURS[1], "o"),
        "bound of the program": (np.array(record["round_bounds"]), COLOURS[5], "v"),
        "estimated bound for every network": (np.array(record["round_estimates"]), COLOURS[0], "^"),
    }
    for name, (values, colour, marker) in curves.items():
        upper.plot(counts, values, color=colour, linewidth=1.6, marker=marker, markersize=4, label=name)
    if record["scope"] == "network":
        upper.axhline(
            record["lower_bound"], color=COLOURS[2], linewidth=1.4, linestyle=(0, (4, 3)), label="proven for every network"
        )  # fmt: skip
    lower.plot(counts, record["round_prices"], color=INK, linewidth=1.4, marker="o", markersize=4, label="largest price")
    lower.axhline(1, color=COLOURS[2], linewidth=1.2, linestyle=(0, (4, 3)), label="no neuron can help")
    _finish(upper, lower, objectives)
    return upper, lower


def _new_pair():
    import matplotlib.pyplot as plt

    _, pair = plt.subplots(2, 1, figsize=(5.4, 4.8), sharex=True, layout="constrained", height_ratios=(3, 2))
    return pair


def _finish(upper, lower, objectives):
    # The first bounds may be far below all the rest, and say nothing.
    floor = objectives[-1] - 5 * max(objectives[0] - objectives[-1], 0.01 * objectives[-1])
    if upper.get_ylim()[0] < floor:
        upper.set_ylim(bottom=floor)
    if lower.get_ylim()[1] > 10:
        lower.set_yscale("log")
    upper.set_ylabel("objective", color=INK)
    lower.set_ylabel("largest price / beta", color=INK)
    lower.set_xlabel("round", color=INK)
    lower.xaxis.set_major_locator(MaxNLocator(integer=True))
    for ax in (upper, lower):
        tidy(ax).legend(frameon=True, framealpha=0.9, edgecolor=FAINT, fontsize=8)
