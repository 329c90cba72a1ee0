"""Clarabel, an interior-point method in Rust, called directly."""
# packages: clarabel numpy scipy

import clarabel

from benchmarks.programs.conic import Conic
from benchmarks.programs.judge import judged
from benchmarks.programs.program import load


def run(problem, clock, folder):
    program = load(problem)
    conic = Conic(program)
    cones = [clarabel.ZeroConeT(len(conic.equal))] if len(conic.equal) else []
    cones += [clarabel.NonnegativeConeT(len(conic.more)), *map(clarabel.SecondOrderConeT, conic.lengths)]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    with clock:
        answer = clarabel.DefaultSolver(conic.Q, conic.q, conic.A, conic.b, cones, settings).solve()
    facts = {"says": str(answer.status), "value": answer.obj_val, "iterations": answer.iterations}
    return facts | judged(program, conic, answer.x, answer.z, folder)
