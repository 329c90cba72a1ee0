"""What a solver that stops at a tolerance makes of a program whose only feasible point is zero.

If no pattern is live (`live_count`), the paper's constraints leave u = 0. A solver that accepts violations up to t returns the best
point of the relaxed program instead. Margins are then far below 1, every hinge loss is on its slope, and the relaxed
program is linear but for its tiny penalty; its solution is t times that of

    maximise  1/n sum_k (y_k x_k' s_k - eps |s_k|_1)    subject to    e_ik x_k' u_j - eps |u_j|_1 >= -1.

So the sign of such a network does not depend on t, and its objective is 1 - t times the maximum.
"""

import numpy as np
import scipy.sparse as sparse
from scipy.optimize import linprog

from conelu import Network


def perturbed_patterns(X, eps, count, seed, perturbations=10):
    """The draws of Alg 2."""
    random = np.random.default_rng(seed)
    patterns = []
    while len(patterns) < count:
        direction = random.standard_normal(X.shape[1])
        patterns.append(X @ direction >= 0)
        for _ in range(perturbations - 1):
            patterns.append((X + eps * np.sign(random.standard_normal(X.shape))) @ direction >= 0)
    return np.array(patterns[:count], dtype=float)


def live_count(X, eps, patterns):
    """How many patterns have a u in the inner of all their cones: one whose least slack is positive."""
    n, d = X.shape
    bounds = [(0, 1)] * (2 * d) + [(None, None)]
    found = 0
    for pattern in patterns:
        rows = (2 * pattern - 1)[:, None] * X
        cones = np.hstack([eps - rows, eps + rows, np.ones((n, 1))])
        slack = linprog([*[0.0] * (2 * d), -1.0], A_ub=cones, b_ub=np.zeros(n), bounds=bounds, method="highs")
        found += -slack.fun > 1e-9
    return int(found)


def relaxed_network(X, y, eps, patterns, classes):
    """The network, and how much the objective falls for each unit of violation. y is -1 or +1, no pattern is live."""
    n, d = X.shape
    count = len(patterns)
    signs = np.tile([1.0, -1.0], count)
    # Unknowns: u = u+ - u- of every block, both halves >= 0, and bounds tau on |s_k|.
    cones = [
        sparse.csr_matrix(np.hstack([eps - rows, eps + rows]))
        for pattern in patterns
        for rows in [(2 * pattern - 1)[:, None] * X] * 2
    ]
    halves = sparse.hstack([sparse.identity(d), -sparse.identity(d)])
    slopes = sparse.hstack(
        [sparse.kron(sign * np.repeat(patterns, 2, axis=0)[j][:, None], halves) for j, sign in enumerate(signs)]
    ).tocsr()
    constraints = sparse.block_array(
        [
            [sparse.block_diag(cones), None],
            [slopes, -sparse.identity(n * d)],
            [-slopes, -sparse.identity(n * d)],
        ]
    )
    limits = np.concatenate([np.ones(len(cones) * n), np.zeros(2 * n * d)])
    # A trace of a penalty, or both halves of an unknown could grow together.
    gain = -slopes.T @ (y[:, None] * X).ravel() / n + 1e-9
    cost = np.concatenate([gain, np.full(n * d, eps / n)])
    found = linprog(cost, A_ub=constraints.tocsr(), b_ub=limits, bounds=(0, None), method="highs-ipm")
    blocks = found.x[: 2 * d * len(signs)].reshape(len(signs), 2, d)
    hidden = blocks[:, 0] - blocks[:, 1]
    network = Network.from_arrays([hidden.T, signs[:, None]], [np.zeros(len(signs)), np.zeros(1)], classes=classes)
    return network, -float(found.fun)
