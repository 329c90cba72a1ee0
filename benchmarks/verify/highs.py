"""HiGHS through SciPy: the mixed-integer program of a row with big-M bounds from intervals."""
# packages: scipy numpy

import multiprocessing
import resource

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
        if left < 1:
            break
        ball = milp.Ball(x, radii, "inf", np.full(len(x), -np.inf), np.full(len(x), np.inf))
        signed = milp.Network(network.hidden, network.hidden_bias, side * network.output, side * network.output_bias)
        with clock:
            value = smallest_margin(signed, ball, min(ROW_SECONDS, left))
        found["times"].append(clock.lap)
        found["upper"].append(value)
        found["lower"].append(value)
        found["solved"].append(value is not None)
    return found


def smallest_margin(network, ball, seconds):
    """None if it takes longer. HiGHS counts by the wall clock, so that it is a process of its own that is stopped."""
    context = multiprocessing.get_context("fork")
    near, far = context.Pipe(duplex=False)
    child = context.Process(target=answer, args=(network, ball, int(np.ceil(seconds)), far))
    child.start()
    far.close()
    try:
        value = near.recv()
    except EOFError:
        value = None
    child.join()
    return value


def answer(network, ball, seconds, pipe):
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    pipe.send(float(minimise_with_highs(network, ball, 1e6).value))
