"""What our certificate says about a point that somebody else found.

# shared by contenders
"""

import json
import os
import subprocess
from pathlib import Path

import numpy as np

from benchmarks.programs.program import ROOT, save


def judged(program, conic, x, z, folder):
    """Objective after repair, their own lower bound, and by how much the point missed the constraints."""
    return judge(program, conic.arrays(np.asarray(x), np.asarray(z)), folder)


def judge(program, arrays, folder):
    """Of any blocks (d x 2P); multipliers are welcome and not needed."""
    save(program, folder)
    for name, array in arrays.items():
        np.asfortranarray(array, dtype=float).ravel(order="F").tofile(folder / f"{name}.bin")
    question = {
        "folder": str(folder),
        "loss": program.loss,
        "beta": program.beta,
        "eps": program.eps,
        "norm": program.norm,
    }
    tool = Path(os.environ.get("CONELU_JUDGE") or ROOT / "build" / "bench_judge")
    done = subprocess.run([tool, json.dumps(question)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)
