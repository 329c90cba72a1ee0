"""What Alg 2 does with points whose intervals overlap."""

import numpy as np

from experiments.harness.outputs import NEAR_ZERO, near_zero
from experiments.harness.table import number, percent, table


def report(settings, records):
    rows = []
    for method in settings["methods"]:
        found = [record["methods"][method["name"]] for record in records]
        shares = {name: [np.mean(facts[name]) for facts in found] for name in ("right", "certified", "constant")}
        rows.append(
            [
                method["name"],
                number([facts["objective"] for facts in found]),
                *(percent(shares[name]) for name in ("right", "certified", "constant")),
                number([facts["live_patterns"] for facts in found], 3),
                sum(near_zero(facts["network"], record["X"], True) for facts, record in zip(found, records)),
            ]
        )
    heads = ["", "objective", "points right", "whole interval right", "one class on the interval", "live patterns"]
    heads.append(f"outputs below {NEAR_ZERO:g}")
    return f"{table(heads, rows)}\n\n{len(records)} draws of {settings['samples']} points. {ignored(records, settings['eps'])}"


def ignored(records, eps):
    wrong = given_up(records, "Alg 2")
    spared = ~given_up(records, "Alg 2, beta = 1e-5")
    conflict = np.concatenate([record["conflicts"] for record in records])
    chained = np.concatenate([mixed(np.array(record["X"])[:, 0], np.array(record["y"]), eps) for record in records])
    alone = wrong & ~conflict
    return (
        f"{wrong.sum()} of {len(wrong)} points are given up by Alg 2; {(wrong & conflict).sum()} of these have a point "
        f"of the other label so near that the intervals overlap, {alone.sum()} have none. Of the {alone.sum()}, "
        f"{(alone & chained).sum()} share a linear piece with a point of the other label: no neuron can switch between "
        f"them. Given up without any such reason: {(alone & ~chained).sum()}, of which a tenth of the penalty puts right "
        f"{(alone & ~chained & spared).sum()}."
    )


def given_up(records, method):
    return np.concatenate([~np.array(record["methods"][method]["right"]) for record in records])


def mixed(x, y, eps):
    """Which points have one of the other label on the linear piece that they cannot leave."""
    order = np.argsort(x)
    piece = np.empty(len(x), dtype=int)
    piece[order] = np.concatenate([[0], np.cumsum(can_switch(x[order][:-1], x[order][1:], eps))])
    return ((piece[:, None] == piece) & (y[:, None] != y)).any(axis=1)


def can_switch(left, right, eps):
    """Where a neuron may switch between neighbours: at a t with t - left and right - t at least eps (1 + |t|).

    An attacker who moves x and the column of ones by eps moves a x + b by eps (|a| + |b|), and t = -b / a.
    """
    low, high = left + eps, right - eps
    return np.where(low > 0, low / (1 - eps), low / (1 + eps)) <= np.where(high > 0, high / (1 + eps), high / (1 - eps))
