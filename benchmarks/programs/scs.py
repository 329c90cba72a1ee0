"""SCS, a first-order method in C, called directly."""
# packages: scs numpy scipy

import scs

from benchmarks.programs.conic import Conic
from benchmarks.programs.judge import judged
from benchmarks.programs.program import load


def run(problem, clock, folder):
    program = load(problem)
    conic = Conic(program)
    data = {"P": conic.Q, "A": conic.A, "b": conic.b, "c": conic.q}
    cones = {"z": len(conic.equal), "l": len(conic.more), "q": conic.lengths}
    with clock:
        # As many iterations as the limit allows for: its usual 100,000 are not enough for seven digits.
        solver = scs.SCS(data, cones, eps_abs=1e-7, eps_rel=1e-7, max_iters=100_000_000, verbose=False)
        answer = solver.solve()
    info = answer["info"]
    facts = {"says": info["status"], "value": info["pobj"], "iterations": info["iter"]}
    return facts | judged(program, conic, answer["x"], answer["y"], folder)
