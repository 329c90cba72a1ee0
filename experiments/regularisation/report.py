"""Clean accuracies, and how often Alg 2 has the better one."""

import numpy as np

from experiments.harness.table import number, percent, table


def report(settings, records):
    groups = by_method(settings, records)
    first = np.array([record["test"] for record in groups["Alg 1"]])
    rows = []
    for name, found in groups.items():
        test = np.array([record["test"] for record in found])
        paper = settings["paper"].get(name)
        rows.append(
            [
                name,
                percent(test),
                f"{100 * paper:.2f} %" if paper else "",
                f"{100 * (test.mean() - paper):+.1f}" if paper else "",
                f"{100 * (test - first).mean():+.1f}",
                f"{np.sum(test > first)} of {len(test)}",
                percent([record["train"] for record in found]),
                number([record["objective"] for record in found]),
                number([record["live_patterns"] for record in found], 3, spread=False),
            ]
        )
    heads = ["", "clean, test", "paper", "difference", "above Alg 1", "splits better than Alg 1", "clean, training"]
    return table([*heads, "objective", "live patterns"], rows)


def by_method(settings, records):
    runs = settings["runs"]
    return {method["name"]: records[k * runs : (k + 1) * runs] for k, method in enumerate(settings["methods"])}
