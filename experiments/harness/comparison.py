"""Tables of methods on one data set, with the paper's numbers beside ours."""

import numpy as np

from experiments.harness.table import number, percent, seconds, table

COLUMNS = ("clean", "fgsm", "pgd", "strong", "certified")
HEADS = ["", "clean", "FGSM", "PGD", "strong", "certified", "objective", "exact worst case", "seconds"]


def methods_table(groups, paper):
    """One row a method, of the records of its runs; under it the paper's, if it has one."""
    rows = []
    for name, records in groups.items():
        rows.append(row_of(name, records))
        if name in paper:
            rows.append(row_of_paper(paper[name]))
    empty = [i for i in range(1, len(HEADS)) if not any(row[i] for row in rows)]
    kept = [i for i in range(len(HEADS)) if i not in empty]
    return table([HEADS[i] for i in kept], [[row[i] for i in kept] for row in rows])


def row_of(name, records):
    worst = np.array([record["exact_objective"] for record in records if record.get("exact_objective")])
    return [
        name,
        *(percent([record[column] for record in records]) for column in COLUMNS),
        number([record["objective"] for record in records]),
        worst_text(worst) if len(worst) else "",
        seconds([record["seconds"] for record in records]),
    ]


def worst_text(worst):
    """One number if it is known exactly, or what was found and what is proven, if time did not suffice for more."""
    found, proven = worst.mean(axis=0)
    if not np.isfinite(proven):
        return f"at least {found:.3g}"
    return number(worst.mean(axis=1)) if proven <= 1.01 * found else f"{found:.3g} to {proven:.3g}"


def row_of_paper(facts):
    shares = [f"{100 * facts[column]:.2f} %" if column in facts else "" for column in COLUMNS]
    return ["*paper*", *shares, f"{facts['objective']:.4g}", "", facts.get("seconds", "")]


def stopped_early(groups):
    """Of gradient descent by plain steps: one run each."""
    rows = [
        [name, f"{record['objective']:.4f}", *(f"{100 * record[column]:.1f} %" for column in ("clean", "fgsm", "pgd"))]
        for name, (record,) in groups.items()
    ]
    return table(["method, rate, length", "objective", "clean", "FGSM", "PGD"], rows)


def differences(groups, paper):
    """Ours minus the paper's, in points and in the objective."""
    rows = []
    for name, facts in paper.items():
        ours = {column: np.mean([record[column] for record in groups[name]]) for column in (*COLUMNS, "objective")}
        points = [f"{100 * (ours[column] - facts[column]):+.1f}" for column in ("clean", "fgsm", "pgd")]
        rows.append([name, *points, f"{ours['objective'] - facts['objective']:+.3g}"])
    return table(["ours minus the paper's", "clean, points", "FGSM", "PGD", "objective"], rows)
