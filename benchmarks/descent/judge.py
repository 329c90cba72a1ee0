"""What our tool says about a network, whoever has trained it.

# shared by contenders
"""

import json
import os
import subprocess
from dataclasses import replace

import numpy as np

from benchmarks.descent.problem import objective


class Best:
    """The best network so far by what its maker says, and how the best objective fell with time."""

    SPACING = 1.01  # of the seconds between noted points: some contenders are judged a thousand times a second

    def __init__(self):
        self.objective, self.network, self.trace = np.inf, None, []

    def see(self, seconds, objective, network):
        """`network` are weights of the hidden layer (d x m), its biases and the weights of the output."""
        if objective < self.objective:
            self.objective, self.network = objective, [np.array(part) for part in network]
        # A point too near to the last one takes its place: what is noted ends with the end.
        if len(self.trace) > 1 and seconds < self.SPACING * self.trace[-2][0]:
            self.trace.pop()
        self.trace.append([seconds, self.objective])

    def facts(self, problem, training, folder):
        hidden, bias, output = self.network
        clean = objective(training, hidden, bias, output, np.maximum(training.X @ hidden + bias, 0) @ output)
        model = write_model(training, hidden, bias, output, folder)
        judged = judge(problem, training, model, folder)
        nobody = judge(problem, replace(training, eps=0.0), model, folder)
        facts = {"trace": self.trace, "objective": self.objective, "clean": clean, "clean_proven": nobody["proven"]}
        return facts | judged


def judge(problem, training, model, folder):
    """Bounds of the objective: attained under an attack, and proven against all of them; equal where nobody attacks."""
    np.savez(folder / "judged.npz", X=training.X, y=training.y)
    words = ["evaluate", model, folder / "judged.npz", "--eps", repr(training.eps), "--no-radius", "--json", "--quiet"]
    words += ["--branch-limit", problem["branches"], "--time-limit", 600, "--threads", 1]
    facts = json.loads(_tool(*words))
    return {"attained": facts["objective_lower"], "proven": facts["objective"]}


def write_model(training, hidden, bias, output, folder):
    """A model file: one that the tool has trained on next to nothing, with other weights, both layers in balance."""
    lengths = np.sqrt((hidden**2).sum(axis=0) + bias**2)
    scale = np.sqrt(np.abs(output) / np.maximum(lengths, 1e-300))
    used = scale > 0
    hidden, bias, output = hidden[:, used] * scale[used], bias[used] * scale[used], output[used] / scale[used]
    random = np.random.default_rng(1)
    np.savez(folder / "tiny.npz", X=random.normal(size=(6, len(hidden))), y=np.array([-1.0, 1.0] * 3))
    path = folder / "judged.json"
    words = ["train", folder / "tiny.npz", "--task", "classification", "--loss", training.loss, "--model", path]
    _tool(*words, "--beta", repr(training.beta), "--max-iterations", 1, "--quiet")
    model = json.loads(path.read_text())
    model |= {"hidden": hidden.T.tolist(), "hidden_bias": bias.tolist(), "output": output.tolist(), "output_bias": 0.0}
    path.write_text(json.dumps(model))
    return path


def _tool(*words):
    command = [os.environ["CONELU_TOOL"], *map(str, words)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
