"""The handwritten digits 3 and 8 and a network of them that was trained against an attacker, as a file.

# shared by contenders
"""

import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "oracle"))
from milp import Network  # noqa: E402


def load(problem):
    """The network, rows, and labels -1 and 1."""
    data = np.load(ROOT / problem["file"])
    network = Network(data["hidden"], data["hidden_bias"], data["output"], float(data["output_bias"]))
    return network, data["X"][: problem["rows"]], data["y"][: problem["rows"]]


def write(path, neurons, eps):
    """Trains and writes; training is the same everywhere only up to rounding, so that it is done once for everybody."""
    from digits import load_digits, train_against_attacker

    X, y, test_X, test_y = load_digits(ROOT.parent / "shared")
    network = train_against_attacker(X, y, neurons, eps)
    path.parent.mkdir(parents=True, exist_ok=True)
    parts = {name: getattr(network, name) for name in ("hidden", "hidden_bias", "output", "output_bias")}
    np.savez(path, X=test_X, y=test_y, **parts)
