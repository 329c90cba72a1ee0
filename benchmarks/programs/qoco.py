"""QOCO, an interior-point method in C, called directly."""
# packages: qoco numpy scipy

import numpy as np
import qoco

from benchmarks.programs.conic import Conic
from benchmarks.programs.judge import judged
from benchmarks.programs.program import load


def run(problem, clock, folder):
    program = load(problem)
    conic = Conic(program)
    split = len(conic.equal)
    A, G, h = conic.A[:split].tocsc(), conic.A[split:].tocsc(), conic.b[split:]
    equal = (A, conic.b[:split]) if split else (None, None)
    Q = conic.Q if conic.Q.nnz else None
    solver = qoco.QOCO()
    with clock:
        solver.setup(
            conic.width,
            len(h),
            split,
            Q,
            conic.q,
            *equal,
            G,
            h,
            len(conic.more),
            len(conic.lengths),
            np.array(conic.lengths, dtype=np.int32),
            abstol=1e-8,
            reltol=1e-8,
        )
        answer = solver.solve()
    facts = {"says": answer.status, "value": answer.obj, "iterations": answer.iters}
    z = np.concatenate([answer.y, answer.z])
    return facts | judged(program, conic, answer.x, z, folder)
