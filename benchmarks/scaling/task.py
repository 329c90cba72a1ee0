"""How the time grows with samples, features and patterns."""

import numpy as np

from benchmarks.programs.report import OURS, best_bound, complaints, gap, is_good, seconds
from experiments.harness.figure import COLOURS, panels, tidy
from experiments.harness.table import table

ORDER = 3
TITLE = "Growth with samples, features and patterns"
CONTENDERS = ["programs.conelu", "programs.clarabel", "programs.ecos", "programs.qoco", "programs.scs"]
INTRO = """
Standard training, hinge, on normal features with labels of a noisy network and patterns of random hyperplanes; one
size grows and the two others stay. The exponent is that of a power law fitted to all sizes that a contender solved, in
units of the product of matrices measured next to each run. Points whose gap is above 1e-4 are left out of
it and drawn hollow. Whoever is stopped at one program is not asked about those that are no smaller in any size, and shown as
stopped there, too.
"""
SERIES = {
    "n": ({"d": 20, "P": 20}, [600, 1200, 2500, 5000, 10000]),
    "d": ({"n": 600, "P": 10}, [10, 30, 100, 300, 1000]),
    "P": ({"n": 600, "d": 10}, [10, 30, 100, 300, 1000]),
}
NAMES = {"n": "samples", "d": "features", "P": "patterns"}


def problems(quick):
    return [
        {"name": f"{series} = {size}", "series": series, "size": size, "made": {**fixed, series: size, "seed": 0}}
        for series, (fixed, sizes) in SERIES.items()
        for size in (sizes[:1] if quick else sizes)
    ]


def is_smaller(other, problem):
    """In no size larger; the series have their smallest programs in common."""
    return other["name"] != problem["name"] and all(other["made"][size] <= problem["made"][size] for size in SERIES)


def compare(problem, records):
    yield from complaints(problem, records)


def report(results):
    rows = []
    for problem, records in results:
        bound = best_bound(records)
        cells = [cell(records[name], bound) for name in CONTENDERS]
        rows.append([problem["name"], *cells, records[OURS].get("iterations", "")])
    names = [name.split(".")[-1] for name in CONTENDERS]
    fits = [
        [f"in {series}{what}", *(fitted(of, series, name) for name in CONTENDERS)]
        for what, of in (("", results), (", of an iteration", by_iteration(results)))
        for series in SERIES
    ]
    return f"{table(['CPU s', *names, 'our iterations'], rows)}\n\n{table(['exponent', *names], fits)}"


def by_iteration(results):
    """The same results with the seconds of one iteration."""
    return [(problem, {name: shared_out(record) for name, record in records.items()}) for problem, records in results]


def shared_out(record):
    return (
        record | {"seconds": record["seconds"] / max(record["iterations"], 1)} if record["status"] == "done" else record
    )


def cell(record, bound):
    if record["status"] == "limit":
        return f"> {record['limit']:g}"
    if record["status"] != "done":
        return "" if record["status"] == "not run" else record["status"]
    good = is_good(record, bound)
    return seconds(record["seconds"]) + ("" if good else f" (gap {gap(record, bound):.0e})")


def points(results, series, name):
    """Size, time and whether the answer is good."""
    found = [
        (problem["size"], records[name], best_bound(records))
        for problem, records in results
        if problem["series"] == series
    ]
    return [
        (size, record["seconds"] / record["dgemm2000"], is_good(record, bound))
        for size, record, bound in found
        if record["status"] == "done"
    ]


def exponent(results, series, name):
    good = [(size, time) for size, time, fine in points(results, series, name) if fine]
    if len(good) < 2:
        return None
    return float(np.polyfit(*np.log(np.array(good)).T, 1)[0])


def fitted(results, series, name):
    value = exponent(results, series, name)
    return "" if value is None else f"{value:.2f}"


def draw(results):
    figure, axes = panels(1, 3, height=2.6, sharey=True)
    for ax, (series, (fixed, _)) in zip(axes, SERIES.items(), strict=True):
        for name, colour in zip(CONTENDERS, COLOURS, strict=False):
            found = points(results, series, name)
            if not found:
                continue
            size, time, good = map(np.array, zip(*found, strict=True))
            ax.loglog(size, time, color=colour, linewidth=2.0 if name == OURS else 1.0, label=name.split(".")[-1])
            ax.loglog(size[good], time[good], "o", color=colour, markersize=3)
            ax.loglog(size[~good], time[~good], "o", color=colour, markersize=4, fillstyle="none")
        ax.set_xlabel(f"{NAMES[series]} ({', '.join(f'{key} = {value}' for key, value in fixed.items())})")
        tidy(ax)
    axes[0].set_ylabel("CPU time, in dgemm2000")
    # Above the panels: inside them every corner has a line in it.
    figure.legend(*axes[0].get_legend_handles_labels(), frameon=False, ncol=len(CONTENDERS), loc="outside upper center")
    return {"growth": (figure, "Time for growing programs, by contender; both axes are logarithmic.")}
