"""Three checks: Theorem 2, the upper bound, and live patterns."""

import numpy as np

from experiments.harness.table import number, percent, table


def of(settings, records):
    """Records of each check: shares by count, bounds, and live shares by data set."""
    theorem2 = {count: [] for count in settings["theorem2"]["counts"]}
    bounds, live = [], {}
    for record in records:
        if "share" in record:
            theorem2[record["count"]].append(record)
        elif "data" in record:
            live.setdefault(record["data"], []).append(record["shares"])
        else:
            bounds.append(record)
    return theorem2, bounds, {name: np.mean(shares, axis=0) for name, shares in live.items()}


def report(settings, records):
    theorem2, bounds, live = of(settings, records)
    return "\n\n".join([one_more(settings, theorem2), upper_bound(bounds), survivors(settings, live)])


def one_more(settings, found):
    n = settings["theorem2"]["samples"]
    rows = []
    for count, records in found.items():
        shares = np.array([record["share"] for record in records])
        promised = (n + 1) / (count + 1)
        rows.append(
            [
                count,
                f"{np.mean([record['distinct'] for record in records]):.0f}",
                f"{shares.mean():.3f}",
                f"{shares.max():.3f}",
                f"{shares.mean() * (count + 1):.1f}",
                f"{promised:.3f}" if promised < 1 else "above 1",
            ]
        )
    heads = ["draws", "distinct", "mean chance that one more helps", "largest of the sets", "draws that matter"]
    heads.append("psi xi = (n+1)/(P_s+1)")
    return f"**Theorem 2**, n = {n}, {len(records)} sets of patterns for each count:\n\n{table(heads, rows)}"


def upper_bound(records):
    rows = []
    for name in records[0]:
        bound = np.array([record[name]["bound"] for record in records])
        exact = np.array([record[name]["exact"] for record in records])
        rows.append(
            [name, number(bound), number(exact), f"{np.max(bound - exact):+.1e}", f"{np.min(bound - exact):+.1e}"]
        )
    heads = ["", "objective", "exact worst case", "largest objective minus exact", "smallest"]
    cones = np.array([record["cones"]["bound"] for record in records])
    best = np.array([min(facts["exact"] for facts in record.values()) for record in records])
    text = (
        f"On {np.sum(best < cones - 1e-4)} of {len(records)} draws some other network is better than the optimum of "
        f"the paper's program with all patterns, on average by {100 * np.mean(1 - best / cones):.1f} %."
    )
    return (
        f"**The upper bound** (for GD-PGD the objective is what PGD finds, no bound):\n\n{table(heads, rows)}\n\n{text}"
    )


def survivors(settings, live):
    rows = []
    for name, shares in live.items():
        for eps, share in zip(settings["live"][name]["radii"], shares, strict=True):
            rows.append([name, eps, percent([share])])
    missing = [name for name in settings["live"] if name not in live]
    note = f"\n\nNot run for want of data: {', '.join(missing)}." if missing else ""
    return f"**Live patterns** of the paper's program as eps grows:\n\n{table(['data', 'eps', 'live'], rows)}{note}"
