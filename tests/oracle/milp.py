"""The smallest output of a one-hidden-layer network over a ball, by CBC on the usual big-M encoding.

    minimise  c + sum_j a_j r_j      r_j = (z_j)_+,  z_j = w_j.x + b_j,  |(x - x0) / radii|_p <= 1,  lower <= x <= upper

with r_j >= 0, r_j >= z_j, r_j <= u_j s_j, r_j <= z_j - l_j (1 - s_j) and s_j in {0, 1} for every neuron that can change
sides; p is infinity or 1. CBC takes a little infeasibility for none, so its answer is good to about 1e-5.
"""

import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass
class Network:
    hidden: np.ndarray
    hidden_bias: np.ndarray
    output: np.ndarray
    output_bias: float = 0.0

    def __call__(self, X):
        return np.maximum(X @ self.hidden.T + self.hidden_bias, 0) @ self.output + self.output_bias


@dataclass
class Ball:
    center: np.ndarray
    radii: np.ndarray
    norm: str  # "inf" or "1"
    lower: np.ndarray
    upper: np.ndarray

    def limits(self):
        """Of every feature by itself. One that is outside of what it can be stays where it is."""
        low = np.maximum(self.center - self.radii, self.lower)
        high = np.minimum(self.center + self.radii, self.upper)
        outside = (self.center < self.lower) | (self.center > self.upper)
        return np.where(outside, self.center, low), np.where(outside, self.center, high)

    def pull_in(self, x):
        """x, or the nearest point on the way to the center that is surely inside."""
        delta = np.clip(x, *self.limits()) - self.center
        if self.norm == "1":
            moved = self.radii > 0
            delta[~moved] = 0
            delta /= max(1.0, np.abs(delta[moved] / self.radii[moved]).sum() * (1 + 1e-12))
        return self.center + delta


def is_there():
    return shutil.which("cbc") is not None


def linear(terms):
    # One term a line: CBC's reader splits long lines wherever its buffer ends.
    return "\n  ".join(f"{value:+.17g} {name}" for value, name in terms if value != 0)


def program(network, ball):
    """The text of an LP file and the constant that it leaves out."""
    low, high = ball.limits()
    center = network.hidden @ ball.center + network.hidden_bias
    ups, downs = network.hidden * (high - ball.center), network.hidden * (low - ball.center)
    most, least = center + np.maximum(ups, downs).sum(1), center + np.minimum(ups, downs).sum(1)
    moved = np.flatnonzero(high > low)
    objective, rows, bounds, binaries = [], [], [], []
    constant = network.output_bias
    for j in range(len(network.output)):
        if most[j] <= 0 or network.output[j] == 0:
            continue
        minus_z = [(-network.hidden[j, i], f"d{i}") for i in moved]
        objective.append((network.output[j], f"r{j}"))
        if least[j] >= 0:
            rows.append(f"{linear([(1, f'r{j}')] + minus_z)} = {center[j]:.17g}")
            continue
        rows.append(f"{linear([(1, f'r{j}')] + minus_z)} >= {center[j]:.17g}")
        rows.append(f"{linear([(1, f'r{j}'), (-most[j], f's{j}')])} <= 0")
        rows.append(f"{linear([(1, f'r{j}'), (-least[j], f's{j}')] + minus_z)} <= {center[j] - least[j]:.17g}")
        binaries.append(f"s{j}")
    for i in moved:
        bounds.append(f"{low[i] - ball.center[i]:.17g} <= d{i} <= {high[i] - ball.center[i]:.17g}")
    if ball.norm == "1":
        for i in moved:
            rows.append(f"{linear([(1, f'm{i}'), (-1 / ball.radii[i], f'd{i}')])} >= 0")
            rows.append(f"{linear([(1, f'm{i}'), (1 / ball.radii[i], f'd{i}')])} >= 0")
        if len(moved):
            rows.append(f"{linear([(1, f'm{i}') for i in moved])} <= 1")
    # A free term of the objective is not understood by every version: it is added afterwards.
    text = "Minimize\n obj: " + (linear(objective) or "0 nothing") + "\nSubject To\n"
    text += "".join(f" c{i}: {row}\n" for i, row in enumerate(rows)) or " c0: nothing >= 0\n"
    text += "Bounds\n" + "".join(f" {bound}\n" for bound in bounds)
    if binaries:
        text += "Binaries\n " + " ".join(binaries) + "\n"
    return text + "End\n", constant


@dataclass
class Answer:
    value: float  # what CBC says
    point: np.ndarray  # where
    seconds: float
    solved: bool


def minimise(network, ball, time_limit=60):
    text, constant = program(network, ball)
    with tempfile.TemporaryDirectory() as folder:
        model, solution = Path(folder) / "model.lp", Path(folder) / "solution.txt"
        model.write_text(text)
        start = time.perf_counter()
        options = ["sec", str(time_limit), "ratio", "0", "allow", "0", "solve", "solution", str(solution)]
        subprocess.run(["cbc", str(model), *options], capture_output=True, check=True)
        seconds = time.perf_counter() - start
        lines = solution.read_text().splitlines()
    point = ball.center.copy()
    for line in lines[1:]:
        _, name, value, *_ = line.replace("**", " ").split()
        if name[0] == "d":
            point[int(name[1:])] += float(value)
    return Answer(constant + float(lines[0].split()[-1]), point, seconds, lines[0].startswith("Optimal"))
