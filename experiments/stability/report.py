"""How many patterns are enough, and how many there are."""

import numpy as np

from experiments.harness.table import table

PAPER_ENOUGH = 128


def guarantee(samples, draws):
    """Theorem 2: the product of psi and xi that this many draws buy."""
    return (samples + 1) / (draws + 1)


def report(settings, records):
    exact, sampled = records[0], records[1:]
    n = settings["samples"]
    rows = []
    for count, record in zip(settings["counts"], sampled, strict=True):
        values = np.array(record["objectives"])
        bought = guarantee(n, count)
        rows.append(
            [
                count,
                f"{np.mean(record['found']):.0f}",
                *(f"{value:.5f}" for value in (values.mean(), values.min(), values.max())),
                f"{max(0.0, 100 * (values.mean() / exact['objectives'][0] - 1)):.2f} %",  # not below by rounding
                f"{bought:.3f}" if bought <= 1 else "above 1",
            ]
        )
    heads = ["asked for", "found", "mean optimum", "best", "worst", "mean above exact", "psi xi"]
    most = 2 * (1 + (n - 1) + (n - 1) * (n - 2) // 2)
    text = (
        f"All patterns: {exact['found'][0]} (at most {most} for {n} points in the plane with a bias); exact optimum "
        f"{exact['objectives'][0]:.6f}, and no network of any width is below {exact['bound']:.6f}."
    )
    return f"{table(heads, rows)}\n\n{text} {enough(settings, exact, sampled)}"


def enough(settings, exact, sampled):
    if PAPER_ENOUGH not in settings["counts"]:
        return ""
    found = sampled[settings["counts"].index(PAPER_ENOUGH)]
    excess = np.array(found["objectives"]) / exact["objectives"][0] - 1
    return (
        f"At the paper's {PAPER_ENOUGH} patterns runs are {100 * excess.min():.1f} to {100 * excess.max():.1f} % "
        f"above it; psi xi = {guarantee(settings['samples'], PAPER_ENOUGH):.3f} (paper: 0.318)."
    )
