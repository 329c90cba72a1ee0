"""The smallest margin of a row under attack, exactly."""

from pathlib import Path

import numpy as np

from benchmarks.harness.contender import ROOT
from benchmarks.harness.store import digest
from benchmarks.verify.network import write
from experiments.harness.table import table

ORDER = 6
TITLE = "Exact verification"
CONTENDERS = ["verify.conelu", "verify.highs"]
INTRO = """
The smallest margin that any point within 0.1 of a row has, proven: rows of the handwritten digits 3 and 8 (64 gray
values in [0, 1]) and networks trained against an attacker. The mixed-integer program has big-M bounds from intervals;
a row gets 120 s, and all of them together the usual limit.
"""
TRUSTED = 2e-5  # of a solver that takes a little infeasibility for none


def problems(quick):
    found = []
    for neurons, rows in [(12, 2)] if quick else [(72, 12), (240, 12)]:
        path = Path("build") / "benchmarks" / "inputs" / f"digits-{neurons}.npz"
        if not (ROOT / path).exists():
            write(ROOT / path, neurons, 0.1)
        found.append(
            {
                "name": f"{neurons} neurons",
                "file": str(path),
                "rows": rows,
                "eps": 0.1,
                "content": digest((ROOT / path).read_bytes()),
            }
        )
    return found


def compare(problem, records):
    ours, theirs = (records[name] for name in CONTENDERS)
    if ours["status"] != "done" or theirs["status"] != "done":
        return
    for k, value in enumerate(theirs["upper"]):
        if value is None:
            continue
        size = 1 + abs(value)
        if ours["lower"][k] > value + TRUSTED * size:
            yield f"{problem['name']}, row {k}: HiGHS found {value!r}, below our lower bound {ours['lower'][k]!r}"
        if abs(ours["upper"][k] - value) > TRUSTED * size:
            yield f"{problem['name']}, row {k}: HiGHS says {value!r}, we say {ours['upper'][k]!r}"


def report(results):
    rows = []
    for problem, records in results:
        ours, theirs = (records[name] for name in CONTENDERS)
        if ours["status"] != "done":
            rows.append([problem["name"], "", ours["status"]])
            continue
        if theirs["status"] != "done":
            mine = np.array(ours["times"])
            rows.append([problem["name"], len(mine), f"{np.median(mine):.3g}", theirs["status"], "", f"{mine.sum():.3g}"])
            continue
        count = len(theirs["times"])
        mine, his = np.array(ours["times"][:count]), np.array(theirs["times"])
        unsolved = count - sum(theirs["solved"])
        more, middle = "> " if unsolved else "", "> " if 2 * unsolved >= count else ""
        rows.append(
            [
                problem["name"],
                count,
                f"{np.median(mine):.3g}",
                f"{middle}{np.median(his):.3g}",
                f"{middle}{np.median(his) / np.median(mine):.0f}",
                f"{mine.sum():.3g}",
                f"{more}{his.sum():.3g}",
                f"{more}{his.sum() / mine.sum():.0f}",
                unsolved,
            ]
        )
    heads = [
        "",
        "rows",
        "ours, median CPU s",
        "HiGHS",
        "ratio",
        "ours, all rows",
        "HiGHS",
        "ratio",
        "rows that HiGHS did not finish",
    ]
    return table(heads, rows)


def draw(results):
    return {}
