"""`Network.decision_function` of this package."""

from conelu import Network

from benchmarks.harness.clock import best_of
from benchmarks.predict.network import RUNS, judged, load


def run(problem, clock, folder):
    hidden, bias, output, X = load(problem)
    network = Network.from_arrays([hidden, output[:, None]], [bias, [0.0]], classes=[-1, 1])
    seconds, outputs = best_of(RUNS, clock, lambda: network.decision_function(X))
    return {"seconds": seconds} | judged(problem, outputs)
