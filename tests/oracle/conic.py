"""Convex programs stated row by row and solved by cvxopt.

    program = ConicProgram()
    u = program.variables(3)
    program.nonnegative(A @ u - 1.0)
    program.minimise(program.norm(u, 2))
    solution = program.solve()

Every term is an `Affine` map of the variables. Norms and positive parts are new variables with the rows that bound them
from below: exact wherever a larger one is never better.
"""

from dataclasses import dataclass

import numpy as np
from cvxopt import matrix, misc, solvers, spmatrix, umfpack

# Degenerate programs (dead cones) end short of the first; the solution says how near it came.
TOLERANCES = (1e-9, 1e-8, 1e-7)


class Affine:
    """A x + b, one row an entry. Variables made later have coefficient 0."""

    __array_priority__ = 1  # numpy leaves M @ affine and a * affine to us

    def __init__(self, A, b):
        self.A, self.b = A, b

    def __len__(self):
        return len(self.b)

    def __getitem__(self, rows):
        return Affine(self.A[rows], self.b[rows])

    def __add__(self, other):
        if not isinstance(other, Affine):
            return Affine(self.A, self.b + other)
        width = max(self.A.shape[1], other.A.shape[1])
        return Affine(padded(self.A, width) + padded(other.A, width), self.b + other.b)

    def __rmul__(self, factor):
        factor = np.asarray(factor, dtype=float)
        return Affine(factor.reshape(-1, 1) * self.A, factor * self.b)

    def __rmatmul__(self, M):
        M = np.atleast_2d(M)
        return Affine(M @ self.A, M @ self.b)

    def __neg__(self):
        return -1.0 * self

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return -self + other

    __radd__ = __add__

    def sum(self):
        return np.ones((1, len(self))) @ self

    def __call__(self, x):
        return self.A @ x[: self.A.shape[1]] + self.b


def padded(A, width):
    return np.pad(A, ((0, 0), (0, width - A.shape[1])))


def stacked(parts):
    width = max(part.A.shape[1] for part in parts)
    return Affine(np.vstack([padded(part.A, width) for part in parts]), np.concatenate([part.b for part in parts]))


@dataclass
class Solution:
    x: np.ndarray
    value: float  # at x, which satisfies the rows up to `accuracy` or so
    lower: float  # a dual bound, less what the residual of the dual equations is worth at x
    accuracy: float  # the tolerance that cvxopt reached, relative


class ConicProgram:
    def __init__(self):
        self.width = 0
        self.rows = []  # affine >= 0
        self.cones = []  # first entry >= length of the others
        self.linear = []
        self.squares = []
        self.logistic = []  # (weights, affine)

    def variables(self, count):
        A = np.hstack([np.zeros((count, self.width)), np.eye(count)])
        self.width += count
        return Affine(A, np.zeros(count))

    def constant(self, values):
        values = np.atleast_1d(np.asarray(values, dtype=float))
        return Affine(np.zeros((len(values), 0)), values)

    def nonnegative(self, affine):
        self.rows.append(affine)

    def norm(self, affine, q):
        """|affine|_q"""
        if len(affine) == 0:
            return self.constant(0.0)
        if q == 2:
            length = self.variables(1)
            self.cones.append(stacked([length, affine]))
            return length
        sizes = self.variables(len(affine) if q == 1 else 1)
        copies = np.eye(len(affine)) if q == 1 else np.ones((len(affine), 1))
        self.nonnegative(copies @ sizes - affine)
        self.nonnegative(copies @ sizes + affine)
        return sizes.sum()

    def positive(self, affine):
        """(affine)_+, entry by entry"""
        part = self.variables(len(affine))
        self.nonnegative(part)
        self.nonnegative(part - affine)
        return part

    def minimise(self, affine):
        """Adds the sum of the entries to the objective."""
        self.linear.append(affine.sum())

    def minimise_squares(self, weights, affine):
        """Adds sum_k weights_k affine_k^2 / 2 to the objective."""
        self.squares.append(np.sqrt(weights) * affine)

    def minimise_logistic(self, weights, affine):
        """Adds sum_k weights_k log(1 + exp(affine_k)) to the objective."""
        self.logistic.append((weights, affine))

    def solve(self):
        cost = stacked(self.linear).sum()
        c, offset = padded(cost.A, self.width)[0], cost.b[0]
        Q = np.zeros((self.width, self.width))
        for squares in self.squares:
            A = padded(squares.A, self.width)
            Q += A.T @ A
            c = c + A.T @ squares.b
            offset += 0.5 * squares.b @ squares.b
        every = stacked(self.rows + self.cones)
        G, h = -padded(every.A, self.width), every.b
        dims = {"l": sum(map(len, self.rows)), "q": list(map(len, self.cones)), "s": []}

        if self.logistic:
            terms = [(weights, padded(affine.A, self.width), affine.b) for weights, affine in self.logistic]
            return solve_smooth(SmoothObjective(Q, c, offset, terms), G, h, dims)
        x, z, accuracy = solve_to_best_tolerance(Q, c, G, h, dims, offset)
        residual = Q @ x + G.T @ z + c
        return Solution(
            x=x,
            value=offset + c @ x + 0.5 * x @ Q @ x,
            lower=offset - h @ z - 0.5 * x @ Q @ x - np.abs(residual) @ np.abs(x),
            accuracy=accuracy,
        )


class SmoothObjective:
    """offset + c'x + x'Qx/2 + sum of weights log(1 + exp(A x + b)), the way cvxopt.solvers.cp asks for it"""

    def __init__(self, Q, c, offset, terms):
        self.Q, self.c, self.offset, self.terms = Q, c, offset, terms

    def value(self, x):
        logistic = sum(weights @ np.logaddexp(0, A @ x + b) for weights, A, b in self.terms)
        return self.offset + self.c @ x + 0.5 * x @ self.Q @ x + logistic

    def gradient(self, x):
        return self.c + self.Q @ x + sum(A.T @ (weights * sigmoid(A @ x + b)) for weights, A, b in self.terms)

    def hessian(self, x):
        H = self.Q.copy()
        for weights, A, b in self.terms:
            p = sigmoid(A @ x + b)
            H += A.T @ ((weights * p * (1 - p))[:, None] * A)
        return H

    def __call__(self, x=None, z=None):
        if x is None:
            return 0, matrix(0.0, (len(self.c), 1))
        point = np.array(x).ravel()
        value, gradient = matrix(self.value(point)), matrix(self.gradient(point)).T
        return (value, gradient) if z is None else (value, gradient, z[0] * matrix(self.hessian(point)))


def sigmoid(r):
    return np.exp(-np.logaddexp(0, -r))


def solve_smooth(objective, G, h, dims):
    for tolerance in TOLERANCES:
        options = {"show_progress": False, "maxiters": 100, "refinement": 2}
        options |= {"abstol": 1e-3 * tolerance, "reltol": tolerance, "feastol": tolerance}
        try:
            result = solvers.cp(objective, matrix(G), matrix(h), dims, options=options)
        except (ArithmeticError, ValueError):
            continue
        if result["status"] == "optimal":
            break
    else:
        raise ArithmeticError("cvxopt did not solve the program")
    x, z = np.array(result["x"]).ravel(), np.array(result["zl"]).ravel()
    residual = objective.gradient(x) + G.T @ z
    value = objective.value(x)
    # Convex: at the optimum the Lagrangian is at least what its tangent at x says.
    lower = value + z @ (G @ x - h) - np.abs(residual) @ np.abs(x)
    return Solution(x=x, value=value, lower=lower, accuracy=tolerance)


def solve_to_best_tolerance(Q, c, G, h, dims, offset):
    """x and multipliers z of min x'Qx/2 + c'x subject to h - G x in the cones, and the tolerance that was met."""
    for tolerance in TOLERANCES:
        options = {"show_progress": False, "maxiters": 60, "refinement": 2}
        options |= {"abstol": 1e-3 * tolerance, "reltol": tolerance, "feastol": tolerance}
        try:
            newton = SparseNewton(Q, G, dims)
            result = solvers.coneqp(sparse(Q), matrix(c), sparse(G), matrix(h), dims, kktsolver=newton, options=options)
        except (ArithmeticError, ValueError):  # a singular system, a point that left its cone by rounding
            continue
        if result["status"] == "optimal":
            return np.array(result["x"]).ravel(), np.array(result["z"]).ravel(), tolerance
    raise ArithmeticError("cvxopt did not solve the program")


def sparse(M):
    rows, columns = M.nonzero()
    return spmatrix(matrix(M[rows, columns]), matrix(rows), matrix(columns), M.shape)


class SparseNewton:
    """Solves [Q G'; G -W'W] [x; z] = right side for cvxopt, whose own factors are dense where there are second-order
    cones. As in its `ldl`, which reaches the same accuracy, the rows are scaled first:

        [ Q         G'W^-1 ]
        [ W^-T G    -I     ]
    """

    def __init__(self, Q, G, dims):
        self.Q, self.G = Q, G
        self.linear = dims["l"]
        ends = self.linear + np.cumsum([0] + dims["q"])
        self.cones = [slice(first, last) for first, last in zip(ends, ends[1:])]
        used = G != 0
        for cone in self.cones:  # scaling mixes the rows of a cone
            used[cone] = used[cone].any(axis=0)
        self.g = used.nonzero()
        self.q = Q.nonzero()
        N, m = len(Q), len(G)
        diagonal = np.arange(N, N + m)
        self.rows = matrix(np.concatenate([self.q[0], self.g[0] + N, self.g[1], diagonal]))
        self.columns = matrix(np.concatenate([self.q[1], self.g[1], self.g[0] + N, diagonal]))
        self.symbolic = None

    def __call__(self, W):
        N, m = len(self.Q), len(self.G)
        g = self.scaled_rows(W)[self.g]
        values = np.concatenate([self.Q[self.q], g, g, -np.ones(m)])
        K = spmatrix(matrix(values), self.rows, self.columns, (N + m, N + m))
        if self.symbolic is None:
            self.symbolic = umfpack.symbolic(K)
        factor = umfpack.numeric(K, self.symbolic)

        def solve(x, y, z):
            """Overwrites x by x and z by W z, as cvxopt wants it; there are no equations, hence no y."""
            misc.scale(z, W, trans="T", inverse="I")
            both = matrix([x, z])
            umfpack.solve(K, factor, both)
            x[:] = both[:N]
            z[:] = both[N:]

        return solve

    def scaled_rows(self, W):
        """W^-T G with W^-1 = (2 J v v'J - J) / beta for a second-order cone, J = diag(1, -1, .., -1)."""
        scaled = np.empty_like(self.G)
        scaled[: self.linear] = np.array(W["di"]) * self.G[: self.linear]
        for cone, beta, v in zip(self.cones, W["beta"], W["v"]):
            signs = np.r_[1.0, -np.ones(len(v) - 1)]
            Jv = signs * np.array(v).ravel()
            scaled[cone] = (2 * np.outer(Jv, Jv @ self.G[cone]) - signs[:, None] * self.G[cone]) / beta
        return scaled
