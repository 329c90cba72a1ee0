"""The reference programs, solved by us and by general conic solvers."""

import json

from benchmarks.programs.program import shared_folder
from benchmarks.programs.report import OURS, answers, best_bound, complaints, factor, gap, ratio, seconds, units
from experiments.harness.table import table

ORDER = 1
TITLE = "Reference programs"
CONTENDERS = [
    "programs.conelu",
    "programs.clarabel",
    "programs.ecos",
    "programs.qoco",
    "programs.scs",
    "programs.cvxpy_clarabel",
    "programs.scnn",
]
INTRO = """
The programs of `shared/cases` with known optima: standard and robust training on CIFAR-10 (600 images, 147 features,
36 patterns) and Mammographic Masses (581 rows, 6 features, 120 patterns), and small ones. `gap` is that of the point
as our certificate repairs it, against the best lower bound that anybody's multipliers prove; `own gap` takes their own
multipliers. `says` is the solver's opinion of itself. The ratio is the time of the fastest peer over ours; peers count
up to a gap of 1e-4, because repair costs a point digits that its solver was sure of, ours has 1e-6 or better. CVXPY's
time has its translation in it, that of the others is the solver's alone. Whoever is stopped is not asked about a larger
program of the same kind.
"""

BY_SIZE = ("line", "plane", "mammographic", "cifar")


def problems(quick):
    path = shared_folder() / "cases" / "index.json"
    if not path.exists():
        return []
    kept = ("loss", "eps", "norm", "beta", "objective", "proven_lower_bound")
    found = [
        {"name": case["name"], "case": case["name"]} | {name: case[name] for name in kept}
        for case in json.loads(path.read_text())
    ]
    return [problem for problem in found if problem["name"].startswith(("line", "plane"))] if quick else found


def asks(problem, contender):
    """pyscnn knows standard training with the squared loss and nothing else."""
    return contender != "programs.scnn" or (problem["loss"] == "squared" and problem["eps"] == 0)


def is_smaller(other, problem):
    """Of the same kind of program on fewer samples and features."""
    kinds = [(each["loss"], each["eps"] > 0) for each in (other, problem)]
    sizes = [next(i for i, start in enumerate(BY_SIZE) if each["name"].startswith(start)) for each in (other, problem)]
    return kinds[0] == kinds[1] and sizes[0] < sizes[1]


def compare(problem, records):
    yield from complaints(problem, records)


def report(results):
    return "\n\n".join(
        [summary(results), *(f"**{problem['name']}**\n\n{answers(records)}" for problem, records in results)]
    )


def summary(results):
    rows = []
    for problem, records in results:
        ours = records[OURS]
        if ours["status"] != "done":
            rows.append([problem["name"], ours["status"]])
            continue
        times, peer, more = ratio(records)
        rows.append(
            [
                problem["name"],
                seconds(ours["seconds"]),
                seconds(units(ours)),
                f"{gap(ours, best_bound(records)):.1e}",
                peer.split(".")[-1],
                factor(times, more),
                *profile(ours),
            ]
        )
    return table(["", "ours, CPU s", "dgemm2000", "gap", "best peer", "ratio", *PHASES], rows)


PHASES = ("patterns", "residuals", "block_factors", "coupling_factor", "solves", "certificate", "other")


def profile(record):
    """Shares of the whole, in percent; the other part is steps, start, preparation and the network."""
    shares = {name: seconds / max(record["seconds"], 1e-9) for name, seconds in record["phases"].items()}
    shares["other"] = 1 - sum(shares.values())
    return [f"{100 * shares[name]:.0f} %" for name in PHASES]


def draw(results):
    return {}
