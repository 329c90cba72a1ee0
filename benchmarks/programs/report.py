"""Answers and times of those who solved the same program, side by side."""

from experiments.harness.table import table

TOLERANCE = 1e-6  # of ours
ALLOWED = 1e-4  # of others: repairing a point costs it digits that its solver would be proud of
OURS = "programs.conelu"
HEADS = ["", "CPU s", "dgemm2000", "MB", "objective", "gap", "own gap", "violation", "says"]


def best_bound(records):
    """The largest lower bound that anybody proved, by our certificate."""
    return max((record["lower_bound"] for record in records.values() if "lower_bound" in record), default=0.0)


def gap(record, bound):
    """How far the repaired point is above what is proven, relative."""
    return (record["objective"] - bound) / max(abs(record["objective"]), 1e-12)


def is_good(record, bound):
    return record["status"] == "done" and gap(record, bound) <= ALLOWED


def was_stopped(record):
    """By the limit, after having tried."""
    return record["status"] == "limit" and "stopped_at" not in record


def ratio(records):
    """The best peer's time over ours, its name, and whether the ratio is a lower bound of it.

    Both in units of the product of matrices measured next to them: they may have run on different days.
    Peers whose point is too far from the optimum do not count; if all are, nobody got there within the limit, and the
    ratio is that of seconds.
    """
    ours, bound = records[OURS], best_bound(records)
    others = {
        name: record for name, record in records.items() if name != OURS and record["status"] in ("done", "limit")
    }
    good = {name: record for name, record in others.items() if is_good(record, bound)}
    if not others:
        return None, "not asked", False
    stopped = [record["limit"] for record in others.values() if was_stopped(record)]
    if good:
        name = min(good, key=lambda name: units(good[name]))
        return units(good[name]) / units(ours), name, False
    return (min(stopped) / ours["seconds"], "nobody", True) if stopped else (None, "nobody", False)


def complaints(problem, records):
    """Answers that contradict each other; times mean nothing before there are none of them."""
    bound = best_bound(records)
    for name, record in records.items():
        if record["status"] == "done" and record["objective"] < bound * (1 - 1e-9) - 1e-12:
            yield f"{problem['name']}: {name} has {record['objective']!r}, below the proven bound {bound!r}"
    if problem.get("objective") is not None and OURS in records and records[OURS]["status"] == "done":
        ours = records[OURS]["objective"]
        if not problem["proven_lower_bound"] * (1 - TOLERANCE) <= ours <= problem["objective"] * (1 + TOLERANCE):
            yield f"{problem['name']}: ours is {ours!r}, the reference {problem['objective']!r}"


def answers(records):
    """A table, the fastest good answer first; those that are not good last."""
    bound = best_bound(records)
    records = {name: record for name, record in records.items() if record["status"] != "not run"}
    order = sorted(
        records,
        key=lambda name: (
            not is_good(records[name], bound) if records[name]["status"] == "done" else 2,
            records[name].get("seconds", 0.0),
        ),
    )
    return table(HEADS, [row(name, records[name], bound) for name in order])


def row(name, record, bound):
    name = name.split(".")[-1].replace("_", " + ")
    if record["status"] == "limit":
        says = f"not asked: stopped at {record['stopped_at']}" if "stopped_at" in record else ""
        return [name, f"> {record['limit']:g}", *[""] * 6, says]
    if record["status"] != "done":
        return [name, record["status"], *[""] * 7]
    own = (record["objective"] - record["lower_bound"]) / max(abs(record["objective"]), 1e-12)
    return [
        name,
        seconds(record["seconds"]),
        seconds(units(record)),
        f"{record['peak_mb']:.0f}",
        f"{record['objective']:.8g}",
        f"{max(gap(record, bound), 0):.1e}",
        f"{own:.1e}" if record["lower_bound"] > 0 else "",
        f"{record['violation']:.1e}",
        record["says"],
    ]


def units(record):
    return record["seconds"] / record["dgemm2000"]


def seconds(value):
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def factor(value, more):
    return f"{'> ' if more else ''}{value:.0f}" if value is not None else ""
