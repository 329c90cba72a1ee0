"""The paper's table, and what its differences come from."""

import numpy as np

from experiments.harness.comparison import differences, methods_table, stopped_early
from experiments.harness.table import number, percent, table


def grouped(records, kind, odd_row=True):
    """Records by method."""
    groups = {}
    for record in records:
        if record["kind"] == kind and record["odd_row"] == odd_row:
            groups.setdefault(record["method"], []).append(record)
    return groups


def report(settings, records):
    with_row, without = grouped(records, "main"), grouped(records, "main", odd_row=False)
    return "\n\n".join(
        [
            f"{settings['runs']} random splits, the same for every method, the row with BI-RADS = 55 included:",
            methods_table(with_row, settings["paper"]),
            differences(with_row, settings["paper"]),
            "Without that row:",
            methods_table(without, {}),
            "**Other splits, and what exchanging patterns does.** Means of 20 splits each: live cones with the patterns "
            "first chosen, and with those exchanged that were not used, which is the default:",
            other_splits(grouped(records, "splits")),
            "**Why Alg 2's objective differs.** By how the bias is read and by S, the patterns that Alg 2 makes of one "
            "direction (10 where nothing is said), and how many runs have a live pattern:",
            readings(grouped(records, "reading")),
            "**Why Alg 2's accuracy differs.** " + noise(settings, grouped(records, "noise")["noise"]),
            "**Why gradient descent differs.** Plain gradient steps at a constant rate, stopped early, first split:",
            stopped_early(grouped(records, "plain")),
            f"From weights that are all drawn from a normal distribution, {settings['normal_start']['runs']} splits "
            "(GD-std of the paper: objective {objective}, clean {clean:.2%}, FGSM {fgsm:.2%}, PGD {pgd:.2%}):".format(
                **settings["paper"]["GD-std"]
            ).replace("%", " %"),
            normal_start(grouped(records, "normal")),
        ]
    )


def normal_start(groups):
    rows = [
        [
            name,
            number([record["objective"] for record in records]),
            *(percent([record[column] for record in records]) for column in ("clean", "fgsm", "pgd")),
        ]
        for name, records in groups.items()
    ]
    return table(["standard deviation, rate, length", "objective", "clean", "FGSM", "PGD"], rows)


def other_splits(groups):
    columns = {"objective": "{:.4f}", "pgd": "{:.2%}", "certified": "{:.2%}", "seconds": "{:.2f}"}
    first = next(iter(groups.values()))
    families = sorted({family_of(record) for record in first})
    rows = []
    for family in [*families, None]:
        cells = [
            form.format(np.mean([record[column] for record in records if family in (None, family_of(record))]))
            for column, form in columns.items()
            for records in groups.values()
        ]
        rows.append([family_name(family), *(cell.replace("%", " %") for cell in cells)])
    return table(["splits", *(f"{column}: {name}" for column in columns for name in groups)], rows)


def family_of(record):
    return record["stratified"], record["seed"] // 20


def family_name(family):
    if family is None:
        return "all"
    stratified, twenty = family
    return f"{'stratified' if stratified else 'random'}, seeds {20 * twenty} to {20 * twenty + 19}"


def readings(groups):
    rows = []
    for name, records in groups.items():
        live = [record["live_patterns"] > 0 for record in records]
        alive = [record for record in records if record["live_patterns"] > 0]
        rows.append(
            [
                name,
                number([record["objective"] for record in records]),
                f"{sum(live)} of {len(live)}",
                percent([record["clean"] for record in alive]) if alive else "",
                percent([record["pgd"] for record in alive]) if alive else "",
            ]
        )
    return table(["Alg 2", "objective", "runs with a live pattern", "clean, those runs", "PGD, those runs"], rows)


def noise(settings, records):
    paper = settings["paper"]["Alg 2"]
    dead = [record for record in records if not record["live"]]
    count = settings["noise"]["patterns"]
    if not dead:
        return f"Each of {len(records)} splits has a live one among {count} patterns of Alg 2."
    shares = {column: percent([record[column] for record in dead]) for column in ("clean", "fgsm", "pgd")}
    gain = np.mean([record["gain"] for record in dead])
    return (
        f"Of {len(records)} splits {len(dead)} have {count} patterns of Alg 2 none of which is live. With these, and "
        f"constraints that may be violated a little, as by a solver that stops at a tolerance, the best network is tiny "
        f"and classifies by its sign: clean {shares['clean']}, FGSM {shares['fgsm']}, PGD {shares['pgd']} (the paper's "
        f"Alg 2: {100 * paper['clean']:.2f}, {100 * paper['fgsm']:.2f} and {100 * paper['pgd']:.2f} %). That is so at "
        f"any small tolerance. Its objective falls by {gain:.0f} for each unit of violation, so one of "
        f"{(1 - paper['objective']) / gain:.1g} makes the paper's {paper['objective']}."
    )
