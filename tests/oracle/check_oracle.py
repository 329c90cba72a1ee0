#!/usr/bin/env python3
"""Checks the oracle alone: against reference optima, against its own formulas, and `reduced` against `cones`.

    check_oracle.py ../shared/cases

With CONELU_SLOW_TESTS=1 also the larger reference cases. Exit code 77 means skipped.
"""

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.dont_write_bytecode = True  # the source tree stays clean
try:
    import numpy as np
    import oracle
    from random_problems import make_task
except ModuleNotFoundError as missing:
    if missing.name not in ("numpy", "cvxopt"):
        raise
    print(f"skipped: {sys.executable} has no {missing.name}; scripts/setup.sh installs python3-numpy and -cvxopt")
    sys.exit(77)

SLOW = os.environ.get("CONELU_SLOW_TESTS") == "1"


def reference_cases(folder):
    """Those that a general solver does in seconds, or in a quarter of a minute."""
    index = folder / "index.json"
    if not index.exists():
        print(f"no reference cases in {folder}")
        return
    for case in json.loads(index.read_text()):
        if case["name"].startswith(("line", "plane") if SLOW else "line"):
            data = np.load(folder / f"{case['name']}.npz")
            patterns = np.load(folder / f"{case['name']}.patterns.npy").astype(float)
            X, y = data["X"].astype(float), data["y"].astype(float)
            eps = np.full(X.shape[1], case["eps"])
            weights = np.ones(len(y))
            yield case, oracle.Problem(X, y, patterns, weights, case["loss"], case["beta"], eps, case["norm"])


def check_case(case, problem):
    """Yields what is wrong."""
    optimum = oracle.solve(problem)
    for side in (optimum.lower, optimum.upper):
        if abs(side - case["objective"]) > 1e-8 * case["objective"]:
            yield f"{case['name']}: {side!r}, reference {case['objective']!r}"


def check_optimum(problem, optimum, random):
    """Yields what is wrong: an interval of nothing, a violated row, or a point nearby that is better."""
    if optimum.lower > optimum.upper * (1 + 1e-9):
        yield f"the interval is {optimum.lower!r} to {optimum.upper!r}"
    size = max(np.linalg.norm(u) for u in optimum.blocks.values())
    if optimum.violation > 1e-8 * max(size, 1.0):
        yield f"a row is violated by {optimum.violation:.2g}"
    value, _ = oracle.evaluate(problem, optimum.blocks)
    if abs(value - optimum.upper) > 1e-7 * optimum.upper:
        yield f"the formulas give {value!r}, the conic program {optimum.upper!r}"
    for _ in range(20):
        step = size * 10.0 ** random.uniform(-4, 0)
        moved = {block: u + step * random.normal(size=len(u)) for block, u in optimum.blocks.items()}
        value, violation = oracle.evaluate(problem, moved)
        if violation <= 0 and value < optimum.lower:
            yield f"a point has {value!r}, below the optimum {optimum.lower!r}"


class Undecided(str):
    """CVXOPT has no answer, or not to all digits: nothing is wrong unless that is usual."""


def check_random(number):
    """Yields what is wrong."""
    random = np.random.default_rng(number)
    reduced = make_task(2, number, "reduced").program
    cones = replace(reduced, method="cones")
    try:
        optima = [oracle.solve(problem) for problem in (cones, reduced)]
    except ArithmeticError as problem:
        yield Undecided(f"problem {number}: {problem}")
        return
    if any(optimum.upper - optimum.lower > 1e-7 * optimum.upper for optimum in optima):
        yield Undecided(f"problem {number}: an interval is wider than 1e-7")
    for problem, optimum in zip((cones, reduced), optima):
        for complaint in check_optimum(problem, optimum, random):
            yield f"problem {number}, {problem.method}: {complaint}"
    if optima[1].lower > optima[0].upper * (1 + 1e-8):
        yield f"problem {number}: reduced {optima[1].lower!r} is above cones {optima[0].upper!r}"


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/cases")
    complaints = [complaint for case, problem in reference_cases(folder) for complaint in check_case(case, problem)]
    numbers = range(300 if SLOW else 12)
    for number in numbers:
        complaints += check_random(number)
    undecided = [complaint for complaint in complaints if isinstance(complaint, Undecided)]
    print("\n".join(complaints) or "the oracle agrees with the references and with itself")
    return 1 if len(complaints) > len(undecided) or len(undecided) > len(numbers) // 20 else 0


if __name__ == "__main__":
    sys.exit(main())
