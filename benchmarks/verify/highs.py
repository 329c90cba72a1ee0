"""HiGHS through SciPy: the mixed-integer program of a row with big-M bounds from intervals."""
# packages: scipy numpy

import numpy as np

from benchmarks.verify.compare_milp import milp, minimise_with_highs
from benchmarks.verify.network import load

ROW_SECONDS = 120


def run(problem, clock, folder):
    network, X, y = load(problem)
    found = {"times": [], "lower": [], "upper": [], "solved": []}
    radii = np.full(X.shape[1], problem["eps"])
    for x, side in zip(X, y, strict=True):
        left = clock.limit - clock.seconds
        if left <= 0:
            break
        ball = milp.Ball(x, radii, "inf", np.full(len(x), -np.inf), np.full(len(x), np.inf))
        with clock:
            answer = minimise_with_highs(
                milp.Network(network.hidden, network.hidden_bias, side * network.output, side * network.output_bias),
                ball,
                min(ROW_SECONDS, left),
            )
        found["times"].append(clock.lap)
        found["upper"].append(float(answer.value))
        found["lower"].append(float(answer.value) if answer.solved else None)
        found["solved"].append(bool(answer.solved))
    return found
