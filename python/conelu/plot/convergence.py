"""How training went: what was reached and what was proven, against time."""

import numpy as np
from matplotlib.ticker import NullFormatter

from conelu.plot.style import COLOURS, FAINT, INK, lighten, new_axes, tidy


def convergence(estimator, *, ax=None):
    """Objective and lower bound closing in on each other above, their relative gap below, against time.

    Both numbers are certified at every iteration, so what lies between them is what was not yet known. Of several classes
    the numbers are those of the network that was being trained. With priced patterns the bound is that of the program of
    each round; `rounds` draws those.

    Parameters
    ----------
    estimator : fitted ConvexReLUClassifier or ConvexReLURegressor
    ax : pair of matplotlib axes, optional
        For the objectives and for the gap.

    Returns
    -------
    pair of matplotlib axes
    """
    if not hasattr(estimator, "history_"):
        raise ValueError(f"estimator: {estimator!r} has no history, expected one that was fitted")
    history = estimator.history_
    upper, lower = _new_pair() if ax is None else ax
    starts = np.flatnonzero(np.diff(history["network"], prepend=-1))
    finished = 0.0
    for first, last in zip(starts, [*starts[1:], len(history["network"])], strict=True):
        seconds = finished + history["seconds"][first:last]  # each network has a clock of its own
        named = first == 0
        objective, bound = history["objective"][first:last], history["lower_bound"][first:last]
        upper.fill_between(seconds, bound, objective, color=lighten(COLOURS[5], 0.75), linewidth=0, step="post")
        upper.step(seconds, objective, where="post", color=COLOURS[1], linewidth=1.8, label="objective" if named else None)
        upper.step(seconds, bound, where="post", color=COLOURS[0], linewidth=1.8, label="proven lower bound" if named else None)  # fmt: skip
        gaps = history["gap"][first:last]
        lower.plot(seconds, gaps, color=INK, linewidth=1.4, marker="o", markersize=3, label="gap" if named else None)
        finished = seconds[-1]
    lower.axhline(estimator.tolerance, color=COLOURS[2], linewidth=1.2, linestyle=(0, (4, 3)), label="tolerance")
    _finish(upper, lower, history)
    return upper, lower


def _new_pair():
    import matplotlib.pyplot as plt

    _, pair = plt.subplots(2, 1, figsize=(5.4, 4.6), sharex=True, layout="constrained", height_ratios=(3, 2))
    return pair


def _finish(upper, lower, history):
    positive = history["lower_bound"][history["lower_bound"] > 0]
    if len(positive) and history["objective"].max() > 20 * history["objective"].min():
        upper.set_yscale("log")
        upper.yaxis.set_minor_formatter(NullFormatter())
        # Bounds start at 0, which is far below on this scale and says nothing.
        upper.set_ylim(bottom=0.3 * max(positive.min(), 1e-3 * history["objective"].min()))
    lower.set_yscale("log")
    upper.set_ylabel("objective", color=INK)
    lower.set_ylabel("relative gap", color=INK)
    lower.set_xlabel("seconds", color=INK)
    for ax in (upper, lower):
        tidy(ax).legend(frameon=True, framealpha=0.9, edgecolor=FAINT, fontsize=8)
