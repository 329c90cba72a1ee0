"""What is proven of networks on all images, run by run and in the mean."""

import numpy as np

from experiments.harness.table import number, percent, seconds, table

SHARES = ("clean", "pgd", "strong", "certified", "bound")


def grouped(records):
    """Records by method."""
    groups = {}
    for record in records:
        groups.setdefault(record["method"], []).append(record)
    return groups


def report(settings, records):
    rows = []
    for name, runs in grouped(records).items():
        shares = [percent([run[share] for run in runs]) for share in SHARES]
        objective = number([run["objective"] for run in runs])
        rows.append([name, str(len(runs)), *shares, objective, seconds([run["seconds"] for run in runs])])
    heads = ["", "runs", "clean", "PGD", "strong", "certified", "closed form", "objective", "seconds"]
    first, runs = next(iter(grouped(records).items()))
    pairs = [f"{100 * run['pgd']:.2f} / {100 * run['certified']:.2f}" for run in runs]
    means = [100 * np.mean([run[share] for run in runs]) for share in ("pgd", "certified")]
    each = f"*{first}*, PGD / certified of each run: {', '.join(pairs)}; in the mean {means[0]:.2f} / {means[1]:.2f} %."
    return table(heads, rows) + "\n\n" + each
