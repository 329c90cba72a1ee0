"""This library through its tool, reading aside: liveness, solve and certificate."""

import json
import os
import subprocess

from benchmarks.programs.program import load, save

# Seconds are those of the median run where runs are so short that one tells as much of the machine as of the program.
RUNS, SHORT = 5, 5.0


def run(problem, clock, folder):
    program = load(problem)
    save(program, folder)
    words = [
        os.environ["CONELU_TOOL"],
        "train",
        folder / "data.npz",
        "--patterns",
        folder / "patterns.npy",
        "--no-bias",
    ]
    words += ["--loss", program.loss, "--beta", repr(program.beta), "--eps", repr(program.eps), "--norm", program.norm]
    words += ["--threads", "1", "--record", folder / "ours.json", "--model", folder / "model.json", "--quiet"]
    runs = []
    while not runs or (len(runs) < RUNS and runs[0]["cpu_seconds"] < SHORT):
        with clock:
            subprocess.run(list(map(str, words)), check=True, capture_output=True)
        runs.append(json.loads((folder / "ours.json").read_text()) | {"whole": clock.lap})
    record = sorted(runs, key=lambda run: run["cpu_seconds"])[len(runs) // 2]
    names = ("objective", "lower_bound", "violation", "iterations", "live_patterns", "neurons", "peak_mb", "phases")
    facts = {name: record[name] for name in names} | {"says": record["status"], "value": record["objective"]}
    # The clock has the start of the process and the reading of files, too.
    return facts | {"seconds": record["cpu_seconds"], "whole": record["whole"], "runs": len(runs)}
