"""QOCO, an interior-point method in C, called directly."""
# packages: qoco numpy scipy

import numpy as np
import qoco
import scipy.sparse as sp

from benchmarks.programs.conic import Conic
from benchmarks.programs.judge import judged
from benchmarks.programs.program import load


def run(problem, clock, folder):
    program = load(problem)
    conic = Conic(program)
    split = len(conic.equal)
    A, G, h = narrow(conic.A[:split]), narrow(conic.A[split:]), conic.b[split:]
    equal = (A, conic.b[:split]) if split else (None, None)
    Q = narrow(conic.Q) if conic.Q.nnz else None
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


def narrow(matrix):
    """Its indices are int, whatever SciPy thinks of the size."""
    matrix = sp.csc_matrix(matrix)
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32)
    return matrix
