"""`conelu certify --exact`: the smallest margin of each row, proven."""

import os
import sys

import numpy as np

from benchmarks.verify.network import ROOT, load

sys.path.insert(0, str(ROOT / "tests" / "oracle"))
from compare_certify import Tool  # noqa: E402


def run(problem, clock, folder):
    network, X, y = load(problem)
    tool = Tool(os.environ["CONELU_TOOL"], folder)
    with clock:
        rows = tool.certify(
            network, X, (y > 0).astype(int), np.full(X.shape[1], problem["eps"]), "inf", None, "--exact"
        )
    times = [float(row["seconds"]) for row in rows]
    # The tool measures rows by the wall clock; what it measured in all says how much of that was processor time.
    share = min(1.0, clock.seconds / max(sum(times), 1e-9))
    return {
        "times": [share * time for time in times],
        "lower": [float(row["lower"]) for row in rows],
        "upper": [float(row["upper"]) for row in rows],
        "solved": [True] * len(rows),
    }
