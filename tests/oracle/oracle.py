#!/usr/bin/env python3
"""The convex programs of robust training, stated as they stand on paper and solved by cvxopt.

Shares nothing with the library: no code, no solver, no notion of live or dead patterns. For a program by hand:

    oracle.py DATA.npz --patterns P.npy --loss hinge --beta 0.01 --eps 0.1,0.2 --norm inf --method reduced --bias 0

n samples x_k with targets y_k and weights, patterns d_ik in {0, 1}, blocks v_i (sign +1) and w_i (sign -1):

    minimise   sum_k c_k phi(r_k) + beta sum_i (|v_i|_2 + |w_i|_2)

    s_k = sum_i d_ik (v_i - w_i),    q dual to the norm p of the perturbation
    up_k   =  x_k's_k + |eps o s_k|_q + sum over freed v_i of (|eps o v_i|_q - (2 d_ik - 1) x_k'v_i)_+
    down_k = -x_k's_k + |eps o s_k|_q + sum over freed w_i of (|eps o w_i|_q - (2 d_ik - 1) x_k'w_i)_+

    margin losses     r_k = down_k if y_k = +1, up_k if y_k = -1
    residual losses   r_k >= up_k - y_k,  r_k >= down_k + y_k
    kept pairs        (2 d_ik - 1) x_k'u >= |eps o u|_q

`cones` keeps all pairs (block, sample) and frees none. `reduced` looks at the pairs that enter the bound on sample k
against it (margin losses: w_i if y_k = +1, v_i if y_k = -1; residual losses: both): active ones are kept, inactive ones
freed. `hybrid` frees all of these; `gated` does, too, and has d_ik = 0 for them with margin losses. `separate` has an
attack for every neuron instead of s_k:

    up_k   = sum_i (x_k'v_i + |eps o v_i|_q)_+ - sum_i d_ik (x_k'w_i - |eps o w_i|_q),    down_k with v and w exchanged
"""

import argparse
import json
from dataclasses import dataclass, replace

import numpy as np
from conic import ConicProgram, stacked

DUAL_EXPONENT = {"inf": 1, "2": 2, "1": np.inf}
METHODS = ("cones", "reduced", "gated", "hybrid", "separate")


class Hinge:
    """(1 - m)_+ averaged, with r = -m"""

    margin = True

    def coefficients(self, weights):
        return weights / weights.sum()

    def value(self, r):
        return np.maximum(1 + r, 0)

    def minimise(self, program, c, r):
        program.minimise(c * program.positive(1.0 + r))


class SquaredHinge(Hinge):
    """(1 - m)_+^2 averaged"""

    def value(self, r):
        return np.maximum(1 + r, 0) ** 2

    def minimise(self, program, c, r):
        program.minimise_squares(2 * c, program.positive(1.0 + r))


class Logistic(Hinge):
    """log(1 + exp(-m)) averaged"""

    def value(self, r):
        return np.logaddexp(0, r)

    def minimise(self, program, c, r):
        program.minimise_logistic(c, r)


class Squared:
    """r^2 / 2 summed"""

    margin = False

    def coefficients(self, weights):
        return weights

    def value(self, r):
        return r**2 / 2

    def minimise(self, program, c, r):
        program.minimise_squares(c, r)


class Absolute(Squared):
    """|r| summed"""

    def value(self, r):
        return np.abs(r)

    def minimise(self, program, c, r):
        program.minimise(c * r)


class Huber(Squared):
    """a^2 / 2 + delta b summed, with |r| = a + b in the cheapest way"""

    def __init__(self, delta=1.0):
        self.delta = delta

    def value(self, r):
        return np.where(np.abs(r) <= self.delta, r**2 / 2, self.delta * (np.abs(r) - self.delta / 2))

    def minimise(self, program, c, r):
        excess = program.variables(len(r))
        program.nonnegative(excess)
        program.minimise_squares(c, program.positive(r - excess))
        program.minimise(self.delta * c * excess)


LOSSES = {
    "hinge": Hinge(),
    "squared": Squared(),
    "squared-hinge": SquaredHinge(),
    "absolute": Absolute(),
    "logistic": Logistic(),
    "huber": Huber(),
    "huber 0.05": Huber(0.05),
    "huber 4": Huber(4.0),
}


def words_for(loss):
    """What the tool is told: its name for the loss, and the number behind it, if there is one."""
    name, _, delta = loss.partition(" ")
    return ["--loss", name, *(["--huber-delta", delta] if delta else [])]


@dataclass
class Problem:
    X: np.ndarray  # n x d
    y: np.ndarray
    patterns: np.ndarray  # P x n, entries 0 and 1
    weights: np.ndarray  # rows of weight 0 are left out
    loss: str
    beta: float
    eps: np.ndarray  # one radius a column of X
    norm: str = "inf"
    method: str = "cones"

    def with_bias(self, radius=0.0):
        """The same with a last column of ones."""
        return replace(self, X=np.column_stack([self.X, np.ones(len(self.X))]), eps=np.append(self.eps, radius))

    def without_zero_weights(self):
        rows = self.weights > 0
        return replace(
            self, X=self.X[rows], y=self.y[rows], patterns=self.patterns[:, rows], weights=self.weights[rows]
        )

    def opposing(self, sign, k):
        """Does a block of this sign enter the bound on sample k against it?"""
        return not LOSSES[self.loss].margin or sign == -self.y[k]

    def kept(self, sign, i, k):
        if self.method == "reduced":
            return self.opposing(sign, k) and self.patterns[i, k] == 1
        return self.method == "cones"

    def freed(self, sign, i, k):
        if self.method == "reduced":
            return self.opposing(sign, k) and self.patterns[i, k] == 0
        return self.method in ("gated", "hybrid", "separate") and self.opposing(sign, k)

    def gate(self, sign, i, k):
        closed = self.method in ("gated", "separate") and LOSSES[self.loss].margin and self.opposing(sign, k)
        return 0 if closed else self.patterns[i, k]


@dataclass
class Optimum:
    lower: float  # the optimum lies between these two, up to rounding
    upper: float
    violation: float  # of the kept rows, by the point that has the upper value
    accuracy: float  # the relative tolerance that cvxopt met
    blocks: dict  # (sign, i) -> u


def solve(problem):
    problem = problem.without_zero_weights()
    loss = LOSSES[problem.loss]
    X, y, d = problem.X, problem.y, problem.patterns
    n, P = len(X), len(d)
    program = ConicProgram()
    q = DUAL_EXPONENT[problem.norm]
    perturbed = problem.eps > 0

    def reach(u):
        return program.norm(problem.eps[perturbed] * u[perturbed], q)

    blocks = {(sign, i): program.variables(X.shape[1]) for i in range(P) for sign in (1, -1)}
    reaches = {block: reach(u) for block, u in blocks.items()}
    for (sign, i), u in blocks.items():
        for k in range(n):
            if problem.kept(sign, i, k):
                program.nonnegative((2 * d[i, k] - 1) * X[k] @ u - reaches[sign, i])

    def worst_cases(k):
        """What the attacker makes of sample k at most, upwards (+1) and downwards (-1)."""
        if problem.method == "separate":
            return separate_worst_cases(k)
        s = program.constant(np.zeros(X.shape[1]))
        for (sign, i), u in blocks.items():
            if problem.gate(sign, i, k) == 1:
                s = s + float(sign) * u
        rho = reach(s)
        worst = {}
        for sign in (1, -1):
            worst[sign] = float(sign) * (X[k] @ s) + rho
            freed = [
                reaches[sign, i] - float(2 * problem.gate(sign, i, k) - 1) * (X[k] @ blocks[sign, i])
                for i in range(P)
                if problem.freed(sign, i, k)
            ]
            if freed:
                worst[sign] += program.positive(stacked(freed)).sum()
        return worst

    def separate_worst_cases(k):
        worst = {}
        for sign in (1, -1):
            worst[sign] = program.constant(0.0)
            for i in range(P):
                if problem.gate(-sign, i, k) == 1:
                    worst[sign] = worst[sign] - X[k] @ blocks[-sign, i] + reaches[-sign, i]
            freed = [X[k] @ blocks[sign, i] + reaches[sign, i] for i in range(P) if problem.freed(sign, i, k)]
            if freed:
                worst[sign] = worst[sign] + program.positive(stacked(freed)).sum()
        return worst

    r = []
    for k in range(n):
        worst = worst_cases(k)
        if loss.margin:
            r.append(worst[-int(y[k])])
        else:
            r.append(program.variables(1))
            program.nonnegative(r[k] - (worst[1] - y[k]))
            program.nonnegative(r[k] - (worst[-1] + y[k]))
    loss.minimise(program, loss.coefficients(problem.weights), stacked(r))
    for u in blocks.values():
        program.minimise(problem.beta * program.norm(u, 2))

    solution = program.solve()
    found = {block: u(solution.x) for block, u in blocks.items()}
    value, violation = evaluate(problem, found)
    return Optimum(solution.lower, max(value, solution.value), violation, solution.accuracy, found)


def evaluate(problem, blocks):
    """Objective at given blocks and the largest violation of a kept row, by the formulas alone."""
    problem = problem.without_zero_weights()
    loss = LOSSES[problem.loss]
    q = DUAL_EXPONENT[problem.norm]
    d = problem.patterns

    def reach(u):
        return np.linalg.norm(problem.eps * u, q)

    r = np.empty(len(problem.X))
    violation = 0.0
    for k, (x, y) in enumerate(zip(problem.X, problem.y)):
        separate = problem.method == "separate"
        s = sum(sign * problem.gate(sign, i, k) * u for (sign, i), u in blocks.items())
        worst = {sign: 0.0 if separate else sign * x @ s + reach(s) for sign in (1, -1)}
        for (sign, i), u in blocks.items():
            if separate:
                worst[-sign] -= problem.gate(sign, i, k) * (x @ u - reach(u))
                if problem.freed(sign, i, k):
                    worst[sign] += max(x @ u + reach(u), 0.0)
                continue
            if problem.freed(sign, i, k):
                worst[sign] += max(reach(u) - (2 * problem.gate(sign, i, k) - 1) * x @ u, 0.0)
            if problem.kept(sign, i, k):
                violation = max(violation, reach(u) - (2 * d[i, k] - 1) * x @ u)
        r[k] = worst[-int(y)] if loss.margin else max(worst[1] - y, worst[-1] + y)
    penalty = problem.beta * sum(np.linalg.norm(u) for u in blocks.values())
    return loss.coefficients(problem.weights) @ loss.value(r) + penalty, violation


def main():
    parser = argparse.ArgumentParser(description="The optimum of one convex training program.")
    parser.add_argument("data", help=".npz with X, y and optionally weights")
    parser.add_argument("--patterns", required=True, help=".npy, a row for each pattern")
    parser.add_argument("--loss", choices=LOSSES, default="hinge")
    parser.add_argument("--beta", type=float, default=1e-4)
    parser.add_argument("--eps", default="0", help="one radius, or one for each feature: R1,R2,...")
    parser.add_argument("--norm", choices=DUAL_EXPONENT, default="inf")
    parser.add_argument("--method", choices=METHODS, default="cones")
    parser.add_argument("--bias", type=float, metavar="RADIUS", help="append a column of ones with this radius")
    arguments = parser.parse_args()

    data = np.load(arguments.data)
    X, y = data["X"].astype(float), data["y"].astype(float)
    radii = [float(radius) for radius in arguments.eps.split(",")]
    problem = Problem(
        X=X,
        y=y,
        patterns=np.load(arguments.patterns).astype(float),
        weights=data["weights"].astype(float) if "weights" in data else np.ones(len(y)),
        loss=arguments.loss,
        beta=arguments.beta,
        eps=np.full(X.shape[1], radii[0]) if len(radii) == 1 else np.array(radii),
        norm=arguments.norm,
        method=arguments.method,
    )
    optimum = solve(problem if arguments.bias is None else problem.with_bias(arguments.bias))
    print(json.dumps({name: getattr(optimum, name) for name in ("lower", "upper", "violation", "accuracy")}, indent=1))


if __name__ == "__main__":
    main()
