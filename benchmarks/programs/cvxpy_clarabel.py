"""CVXPY with Clarabel, written the way that most users would: the formulas of the paper, whole matrices at a time."""
# packages: cvxpy clarabel numpy scipy

import cvxpy as cp
import numpy as np

from benchmarks.programs.judge import judge
from benchmarks.programs.program import load


def run(problem, clock, folder):
    p = load(problem)
    with clock:
        V, W, model = write(p)
        model.solve(solver=cp.CLARABEL)
    blocks = np.empty((p.X.shape[1], 2 * len(p.patterns)))
    blocks[:, 0::2], blocks[:, 1::2] = V.value, W.value
    facts = {"says": model.status, "value": model.value, "iterations": model.solver_stats.num_iters}
    # Multipliers come without those of the norms, so that they would prove little; others' bounds judge the point.
    return facts | judge(p, {"blocks": blocks}, folder)


def write(p):
    (n, d), P = p.X.shape, len(p.patterns)
    q = {"inf": 1, "2": 2, "1": "inf"}[p.norm]
    V, W = cp.Variable((d, P)), cp.Variable((d, P))
    signs = 2 * p.patterns.T - 1
    f = cp.sum(cp.multiply(p.patterns.T, p.X @ (V - W)), axis=1)
    attack, constraints = 0, []
    if p.eps > 0:
        attack = p.eps * cp.norm((V - W) @ p.patterns, q, axis=0)
    for U in (V, W):
        needed = p.eps * cp.reshape(cp.norm(U, q, axis=0), (1, P), order="C") if p.eps > 0 else np.zeros((1, P))
        constraints.append(cp.multiply(signs, p.X @ U) >= np.ones((n, 1)) @ needed)
    if p.loss == "hinge":
        loss = cp.sum(cp.pos(1 - cp.multiply(p.y, f) + attack)) / n
    else:
        loss = 0.5 * cp.sum_squares(cp.abs(f - p.y) + attack)
    penalty = cp.sum(cp.norm(V, 2, axis=0)) + cp.sum(cp.norm(W, 2, axis=0))
    return V, W, cp.Problem(cp.Minimize(loss + p.beta * penalty), constraints)
