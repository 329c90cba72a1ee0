"""A robust program whose patterns are all live: nothing can be dropped before it is solved."""

from benchmarks.cases.task import compare, draw, report
from benchmarks.programs.program import shared_folder

__all__ = ["CONTENDERS", "INTRO", "ORDER", "TITLE", "compare", "draw", "is_smaller", "problems", "report"]

ORDER = 2
TITLE = "A robust program whose 120 patterns are all live"
CONTENDERS = ["programs.conelu", "programs.clarabel", "programs.ecos", "programs.qoco", "programs.scs"]
INTRO = """
Mammographic Masses again (581 rows, 6 features, radius 0.12), with patterns from gaps of sparse random projections,
each with an interior direction. Where most patterns are dead, as in the reference programs, much of our lead comes
from noticing it; here all of it is the method's.
"""
CASE = "mammographic_std_hinge_P120"


def problems(quick):
    if not (shared_folder() / "cases" / f"{CASE}.npz").exists():
        return []
    return [
        {"name": f"{P} live patterns", "gaps": {"case": CASE, "P": P, "seed": 0, "eps": 0.12}}
        for P in ([5] if quick else [30, 120])
    ]


def is_smaller(other, problem):
    return other["gaps"]["P"] < problem["gaps"]["P"]
