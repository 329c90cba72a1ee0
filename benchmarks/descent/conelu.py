"""This library through its tool: sampled patterns, solve and certificate."""

import json
import os
import subprocess

import numpy as np

from benchmarks.descent.judge import judge
from benchmarks.descent.problem import load


def run(problem, clock, folder):
    training = load(problem)
    np.savez(folder / "data.npz", X=training.X, y=training.y)
    words = [
        os.environ["CONELU_TOOL"],
        "train",
        folder / "data.npz",
        "--task",
        "classification",
        "--loss",
        training.loss,
    ]
    words += ["--beta", repr(training.beta), "--eps", repr(training.eps), "--pattern-count", training.neurons // 2]
    words += [
        "--threads",
        1,
        "--record",
        folder / "ours.json",
        "--model",
        folder / "model.json",
        "--quiet",
        *problem.get("options", []),
    ]
    with clock:
        subprocess.run(list(map(str, words)), check=True, capture_output=True)
    record = json.loads((folder / "ours.json").read_text())
    names = ("objective", "lower_bound", "peak_mb", "phases", "method", "pattern_source", "rounds", "train_accuracy")
    judged = judge(problem, training, folder / "model.json", folder)
    return {name: record[name] for name in names} | judged | {
        "seconds": record["cpu_seconds"],
        "trace": [[record["cpu_seconds"], record["objective"]]],
    }
