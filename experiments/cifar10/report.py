"""The paper's table, and what its differences come from."""

import numpy as np

from experiments.harness.comparison import differences, methods_table
from experiments.harness.table import table


def grouped(records, kind):
    """Records by method."""
    groups = {}
    for record in records:
        if record["kind"] == kind:
            groups.setdefault(record["method"], []).append(record)
    return groups


def report(settings, records):
    main, everything = grouped(records, "main"), grouped(records, "all")
    parts = [
        f"{settings['runs']} draws of {settings['images']} training images, the same for every method; "
        f"{settings['test_images']} test images:",
        methods_table(main, settings["paper"]),
        differences(main, settings["paper"]),
        solved(main),
    ]
    if everything:
        parts += ["All 10,000 training images, one run:", methods_table(everything, {}), solved(everything)]
    return "\n\n".join([*parts, why_alg2(settings, records), why_descent(grouped(records, "plain"))])


def solved(groups):
    """Live patterns, and how far from their optimum the programs were left."""
    rows = []
    for name, records in groups.items():
        if "relative_gap" in records[0]:
            live = [record["live_patterns"] for record in records]
            gap = max(record["relative_gap"] for record in records)
            certified = np.mean([record["certified_objective"] for record in records])
            rows.append(
                [name, f"{min(live)} to {max(live)} of {records[0]['patterns']}", f"{gap:.1e}", f"{certified:.4g}"]
            )
    return table(["", "live patterns", "widest gap", "certified objective of the network"], rows)


def why_alg2(settings, records):
    paper = settings["paper"]["Alg 2"]["objective"]
    rows = []
    for shrinking in settings["linear"]["shrinking"]:
        values = np.array([record["objective"] for record in grouped(records, f"linear, {shrinking}")["linear"]])
        cells = [f"{value:.4f}" for value in (values.mean(), values.min(), values.max())]
        rows.append([f"{len(values)} draws of images, {shrinking}", *cells])
    radius_rows = [
        [
            f"{radius} / 255",
            f"{record['objective']:.4f}",
            f"{100 * record['clean']:.1f} %",
            f"{100 * record['pgd']:.1f} %",
        ]
        for radius, (record,) in grouped(records, "radius").items()
    ]
    return "\n\n".join(
        [
            f"**Why Alg 2 differs** (paper: {paper}). With a live pattern it is the robust linear classifier. Its "
            "objective, by images and by how they are made smaller:",
            table(["", "mean", "lowest", "highest"], rows),
            "and by the radius, which PGD uses, too:",
            table(["eps", "objective", "clean", "PGD"], radius_rows),
        ]
    )


def why_descent(groups):
    rows = [
        [name, f"{record['objective']:.4f}", f"{100 * record['clean']:.1f} %", f"{100 * record['pgd']:.1f} %"]
        for name, (record,) in groups.items()
    ]
    words = "**Why gradient descent differs.** Plain gradient steps (constant rate), stopped early:"
    return words + "\n\n" + table(["rate, length", "objective by PGD", "clean", "PGD"], rows)
