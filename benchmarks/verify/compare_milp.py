#!/usr/bin/env python3
"""Times `conelu certify` against a mixed-integer solver on handwritten digits; verdicts are compared first.

    compare_milp.py build/conelu --shared ../shared

The digits 3 and 8 that scikit-learn ships (where it is not installed, those of MNIST in blocks of 3 x 3 pixels: as many
gray values in [0, 1]), and a network of 240 neurons trained against eps = 0.1 here or given with --model. The solver
minimises the margin over the ball, on the usual big-M encoding with interval bounds: HiGHS through scipy if that can be
imported, else CBC. Rows that it does not finish within --row-seconds count with the time that they took. Exit code 1 if
a verdict or a margin differs or if our median is above a tenth of the solver's, 77 if there is nothing to compare with.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.dont_write_bytecode = True  # the source tree stays clean
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "oracle"))
try:
    import numpy as np

    import milp
    from compare_certify import TRUSTED, Tool, ball_around
    from digits import load_digits, train_against_attacker
except ModuleNotFoundError as missing:
    if missing.name != "numpy":
        raise
    print(f"skipped: {sys.executable} has no numpy; scripts/setup.sh installs python3-numpy")
    sys.exit(77)
try:
    import scipy
    from scipy.optimize import Bounds, LinearConstraint
    from scipy.optimize import milp as highs
    from scipy.sparse import csr_array
except ImportError:
    highs = None


def minimise_with_highs(network, ball, time_limit):
    """The encoding of milp.program, for the infinity norm: the moves of the features, then r and s of each neuron."""
    low, high = (limit - ball.center for limit in ball.limits())
    center = network.hidden @ ball.center + network.hidden_bias
    ups, downs = network.hidden * high, network.hidden * low
    most, least = center + np.maximum(ups, downs).sum(1), center + np.minimum(ups, downs).sum(1)
    alive = np.flatnonzero((most > 0) & (network.output != 0))
    d, m = len(low), len(alive)
    W, t, most, least = network.hidden[alive], center[alive], most[alive], least[alive]
    unstable = least < 0
    eye, none = np.eye(m), np.zeros((m, m))
    rows = [
        (np.hstack([-W, eye, none]), t, np.where(unstable, np.inf, t)),  # r >= z, or r = z
        (np.hstack([0 * W, eye, -np.diag(most)])[unstable], -np.inf, 0),  # r <= u s
        (np.hstack([-W, eye, -np.diag(least)])[unstable], -np.inf, (t - least)[unstable]),  # r <= z - l (1 - s)
    ]
    constraints = [LinearConstraint(csr_array(A), lower, upper) for A, lower, upper in rows if len(A)]
    bounds = Bounds(np.concatenate([low, np.zeros(2 * m)]), np.concatenate([high, np.full(m, np.inf), np.ones(m)]))
    costs = np.concatenate([np.zeros(d), network.output[alive], np.zeros(m)])
    integrality = np.concatenate([np.zeros(d + m), unstable])
    start = time.perf_counter()
    answer = highs(costs, constraints=constraints, bounds=bounds, integrality=integrality,
                   options={"time_limit": time_limit, "mip_rel_gap": 0})
    seconds = time.perf_counter() - start
    point = ball.center + (answer.x[:d] if answer.x is not None else 0)
    value = network.output_bias + answer.fun if answer.x is not None else np.inf
    return milp.Answer(value, point, seconds, answer.status == 0)


def read_network(path):
    model = json.loads(path.read_text())
    if model.get("networks") or model["preprocessing"].get("center") or model["preprocessing"].get("scale"):
        sys.exit(f"{path}: expected a single network on features as they are")
    arrays = [np.array(model[name], dtype=float) for name in ("hidden", "hidden_bias", "output")]
    return milp.Network(*arrays, float(model["output_bias"]))


def compare_row(k, exact, verdict, answer, side, ball):
    """Yields what is wrong with our answers about one row, given the solver's."""
    lower, upper = float(exact["lower"]), float(exact["upper"])
    if exact["verdict"] != verdict["verdict"]:
        yield f"row {k}: {verdict['verdict']}, with --exact {exact['verdict']}"
    attained = float(side(ball.pull_in(answer.point)[None])[0])
    if lower > attained + 1e-9 * (1 + abs(attained)):
        yield f"row {k}: the solver's point has {attained!r}, below the lower bound {lower!r}"
    if not answer.solved:
        return
    if abs(upper - answer.value) > TRUSTED * (1 + abs(answer.value)):
        yield f"row {k}: the solver says {answer.value!r}, we say {lower!r} to {upper!r}"
    if abs(answer.value) > TRUSTED and verdict["verdict"] != ("robust" if answer.value > 0 else "broken"):
        yield f"row {k}: {verdict['verdict']}, and the solver's margin is {answer.value!r}"


def compare(tool, arguments, solver, data):
    """Yields what is wrong; prints the medians."""
    X, y, test_X, test_y = data
    test_X, test_y = test_X[: arguments.rows], test_y[: arguments.rows]
    network = read_network(arguments.model) if arguments.model else train_against_attacker(X, y, arguments.neurons,
                                                                                          arguments.eps)
    radii = np.full(X.shape[1], arguments.eps)
    labels = (test_y > 0).astype(int)
    exact = tool.certify(network, test_X, labels, radii, "inf", None, "--exact")
    verdicts = tool.certify(network, test_X, labels, radii, "inf", None)
    right = np.mean((network(test_X) >= 0) == (test_y > 0))
    robust = np.mean([row["verdict"] == "robust" for row in verdicts])
    print(f"{len(network.output)} neurons, {len(labels)} rows: {right:.1%} right, {robust:.1%} robust at "
          f"{arguments.eps}")
    times, unfinished = [], 0
    start = time.perf_counter()
    while len(times) < len(labels) and time.perf_counter() - start < arguments.seconds:
        k = len(times)
        sign = 1.0 if test_y[k] > 0 else -1.0
        side = milp.Network(network.hidden, network.hidden_bias, sign * network.output, sign * network.output_bias)
        ball = ball_around(test_X[k], radii, "inf", None)
        answer = solver(side, ball, arguments.row_seconds)
        times.append(answer.seconds)
        unfinished += not answer.solved
        yield from compare_row(k, exact[k], verdicts[k], answer, side, ball)
    median = {name: np.median([float(row["seconds"]) for row in rows[: len(times)]])
              for name, rows in (("exact margin", exact), ("verdict", verdicts))}
    theirs = np.median(times)
    print(f"{len(times)} rows compared, {unfinished} of them not finished by the solver")
    ours = ", ".join(f"{seconds:.6f} {name} ({theirs / seconds:.0f} times faster)" for name, seconds in median.items())
    print(f"median seconds a row: {theirs:.4f} solver, {ours}")
    if median["exact margin"] > 0.1 * theirs:
        yield "our median is above a tenth of the solver's"


def main():
    parser = argparse.ArgumentParser(description="Time conelu certify against a mixed-integer solver on digits.")
    parser.add_argument("tool", help="path of conelu")
    parser.add_argument("--shared", type=Path, help="folder of the real data sets")
    parser.add_argument("--model", type=Path, help="a network for these digits (default: trained here)")
    parser.add_argument("--neurons", type=int, default=240, help="of that trained here (default: %(default)s)")
    parser.add_argument("--eps", type=float, default=0.1, help="radius, infinity norm (default: %(default)s)")
    parser.add_argument("--rows", type=int, default=15, help="to compare (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=200, help="for the solver in all (default: %(default)s)")
    parser.add_argument("--row-seconds", type=float, default=60, help="for the solver a row (default: %(default)s)")
    arguments = parser.parse_args()
    data = load_digits(arguments.shared)
    if data is None:
        print("skipped: no digits, neither from scikit-learn nor in the shared data sets")
        return 77
    if highs is None and not milp.is_there():
        print("skipped: neither scipy nor cbc; scripts/setup.sh installs coinor-cbc")
        return 77
    print(f"solver: {'CBC' if highs is None else f'HiGHS of scipy {scipy.__version__}'}")
    with tempfile.TemporaryDirectory(prefix="conelu-milp-") as folder:
        tool = Tool(arguments.tool, Path(folder))
        complaints = list(compare(tool, arguments, milp.minimise if highs is None else minimise_with_highs, data))
    print("\n".join(complaints) or "no complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
