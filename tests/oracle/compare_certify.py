#!/usr/bin/env python3
"""Holds `conelu certify` to an independent mixed-integer solver, on random networks and on handwritten digits.

    compare_certify.py build/conelu --shared ../shared

Small random networks come with norms, radii of all kinds and limits of the features; the digits 3 and 8 with a network
of 64 inputs and 72 neurons that was trained against an attacker here. The bounds of --exact must meet at the solver's
optimum, the point where the solver finds it must not be below them, and verdicts must be on the right side of 0.
Runs more of everything if CONELU_SLOW_TESTS=1, and digits with 240 neurons; exit code 77 means skipped.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.dont_write_bytecode = True  # the source tree stays clean
try:
    import numpy as np

    import milp
    from digits import load_digits, train_against_attacker
except ModuleNotFoundError as missing:
    if missing.name != "numpy":
        raise
    print(f"skipped: {sys.executable} has no numpy; scripts/setup.sh installs python3-numpy")
    sys.exit(77)

TRUSTED = 2e-5  # of the solver, which takes a little infeasibility for none
SLOW = os.environ.get("CONELU_SLOW_TESTS") == "1"


class Tool:
    """The tool with a folder to work in."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder

    def run(self, *words):
        command = [self.path, *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout

    def write_model(self, network, task):
        """A model file with these weights: one that the tool has trained on next to nothing, changed."""
        d = network.hidden.shape[1]
        random = np.random.default_rng(1)
        np.savez(self.folder / "tiny.npz", X=random.normal(size=(6, d)), y=np.array([0, 1, 0, 1, 0, 1]))
        path = self.folder / "model.json"
        self.run("train", self.folder / "tiny.npz", "--task", task, "--model", path, "--max-iterations", 1, "--quiet")
        model = json.loads(path.read_text())
        model["hidden"], model["hidden_bias"] = network.hidden.tolist(), network.hidden_bias.tolist()
        model["output"], model["output_bias"] = network.output.tolist(), float(network.output_bias)
        path.write_text(json.dumps(model))
        return path

    def certify(self, network, X, y, radii, norm, limits, *options, task="classification"):
        """The rows of its CSV."""
        model = self.write_model(network, task)
        np.savez(self.folder / "rows.npz", X=X, y=y)
        words = ["certify", model, self.folder / "rows.npz", "--norm", norm, "--no-radius", "--quiet", "--threads", 1]
        words += ["--eps", ",".join(repr(float(radius)) for radius in radii), *options]
        if limits:
            words += [f"--clip={limits[0]!r},{limits[1]!r}"]
        return list(csv.DictReader(self.run(*words).splitlines()))


def ball_around(x, radii, norm, limits):
    low, high = limits if limits else (-np.inf, np.inf)
    return milp.Ball(x, radii, norm, np.full(len(x), low), np.full(len(x), high))


def check_optimum(lower, upper, network, ball, what):
    """Yields what is wrong with the bounds of the smallest output; returns the solver's time."""
    answer = milp.minimise(network, ball, 300)
    size = 1 + abs(answer.value)
    attained = float(network(ball.pull_in(answer.point)[None])[0])
    if lower > attained + 1e-9 * size:
        yield f"{what}: the solver's point has {attained!r}, below the lower bound {lower!r}"
    if answer.solved and abs(upper - answer.value) > TRUSTED * size:
        yield f"{what}: the solver says {answer.value!r}, upper bound {upper!r}"
    if upper - lower > 1e-8 * size:
        yield f"{what}: bounds {lower!r} and {upper!r} do not meet"
    return answer.seconds


def random_problem(seed):
    random = np.random.default_rng(seed)
    d, m = int(random.integers(1, 8)), int(random.integers(1, 25))
    hidden, hidden_bias = random.normal(size=(m, d)), 0.5 * random.normal(size=m)
    network = milp.Network(hidden, hidden_bias, random.normal(size=m), random.normal())
    radii = np.full(d, random.uniform(0.1, 0.8))
    if seed % 2:
        radii = random.uniform(0.1, 0.8, d) * (random.random(d) < 0.8)
    limits = (-0.7, round(random.uniform(0, 1), 3)) if seed % 3 == 0 else None
    return network, random.normal(size=d) * 0.7, radii, ("inf", "1")[seed // 2 % 2], limits


def check_random(tool, seed):
    """Yields what is wrong with the range of the output on a random ball."""
    network, x, radii, norm, limits = random_problem(seed)
    ball = ball_around(x, radii, norm, limits)
    for sign, label in ((1.0, 1), (-1.0, 0)):
        # Both classes have to be there.
        row = tool.certify(network, np.stack([x, x]), [label, 1 - label], radii, norm, limits, "--exact")[0]
        side = milp.Network(network.hidden, network.hidden_bias, sign * network.output, sign * network.output_bias)
        what = f"random network {seed}, sign {sign}"
        yield from check_optimum(float(row["lower"]), float(row["upper"]), side, ball, what)
        if row["verdict"] != ("robust" if float(row["lower"]) > 0 else "broken"):
            yield f"random network {seed}: {row['verdict']} with {row['lower']} to {row['upper']}"


def check_digits(tool, data, neurons, eps, seconds):
    """Yields what is wrong; takes rows for about so many seconds."""
    X, y, test_X, test_y = data
    network = train_against_attacker(X, y, neurons, eps)
    radii = np.full(X.shape[1], eps)
    labels = (test_y > 0).astype(int)
    exact = tool.certify(network, test_X, labels, radii, "inf", None, "--exact")
    verdicts = tool.certify(network, test_X, labels, radii, "inf", None)
    for k, (row, quick) in enumerate(zip(exact, verdicts)):
        if row["verdict"] == "unknown" or row["verdict"] != quick["verdict"]:
            yield f"digit {k}: {row['verdict']} with --exact, else {quick['verdict']}"
    ours, theirs = [], []
    start = time.perf_counter()
    for k, row in enumerate(exact):
        if time.perf_counter() - start > seconds:
            break
        sign = 1.0 if test_y[k] > 0 else -1.0
        side = milp.Network(network.hidden, network.hidden_bias, sign * network.output)
        ball = ball_around(test_X[k], radii, "inf", None)
        theirs.append((yield from check_optimum(float(row["lower"]), float(row["upper"]), side, ball, f"digit {k}")))
        ours.append(float(row["seconds"]))
    verdict = np.median([float(row["seconds"]) for row in verdicts])
    print(f"{neurons} neurons, {len(ours)} digits, eps {eps}: median {np.median(ours):.4f} s for --exact, "
          f"{verdict:.4f} s for a verdict, {np.median(theirs):.2f} s for CBC")
    if np.median(ours) > 0.1 * np.median(theirs):
        yield f"{neurons} neurons: a median of {np.median(ours):.4f} s a row, more than a tenth of CBC's"


def main():
    parser = argparse.ArgumentParser(description="Compare conelu certify with a mixed-integer solver.")
    parser.add_argument("tool", help="path of conelu")
    parser.add_argument("--shared", type=Path, help="folder of the real data sets")
    parser.add_argument("--problems", type=int, default=500 if SLOW else 16, help="random ones (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=600 if SLOW else 15, help="for digits (default: %(default)s)")
    arguments = parser.parse_args()
    if not milp.is_there():
        print("skipped: no cbc; scripts/setup.sh installs coinor-cbc")
        return 77
    complaints = []
    with tempfile.TemporaryDirectory(prefix="conelu-certify-") as folder:
        tool = Tool(arguments.tool, Path(folder))
        for seed in range(arguments.problems):
            complaints += check_random(tool, seed)
        data = load_digits(arguments.shared)
        if data is None:
            print("no digits: neither scikit-learn nor the shared data sets are here")
        else:
            complaints += check_digits(tool, data, 72, 0.1, arguments.seconds)
            if SLOW:
                complaints += check_digits(tool, data, 240, 0.1, arguments.seconds)
    print("\n".join(complaints) or "no complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
