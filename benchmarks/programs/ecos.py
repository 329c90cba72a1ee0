"""ECOS, an interior-point method in C, called directly."""
# packages: ecos numpy scipy

import ecos
import numpy as np
import scipy.sparse as sp

from benchmarks.programs.conic import Conic, without_squares
from benchmarks.programs.judge import judged
from benchmarks.programs.program import load


def run(problem, clock, folder):
    program = load(problem)
    conic = Conic(program)
    q, A, b, lengths = without_squares(conic)
    A, split = sp.csc_matrix(A), len(conic.equal)  # it knows no arrays
    cones = {"l": len(conic.more), "q": lengths}
    equal = {"A": A[:split], "b": b[:split]} if split else {}
    with clock:
        answer = ecos.solve(q, A[split:], b[split:], cones, verbose=False, **equal)
    info = answer["info"]
    facts = {"says": info["infostring"], "value": info["pcost"], "iterations": info["iter"]}
    z = np.concatenate([answer["y"], answer["z"]])
    return facts | judged(program, conic, answer["x"], z, folder)
