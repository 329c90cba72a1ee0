#!/usr/bin/env python3
"""Holds `conelu train` to the optima of an independent solver, on random small problems.

    compare.py build/conelu --method cones --problems 100

Each problem is solved by the tool and by oracle.py. The tool's bounds must enclose the optimum and meet, and no attack
on the network that it saved may find a larger training objective than the record certifies. Failing problems are kept
in a folder with the commands to repeat them. Runs 1000 problems if CONELU_SLOW_TESTS=1; exit code 77 means skipped.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.dont_write_bytecode = True  # the source tree stays clean
try:
    import numpy as np
    import oracle
    from attack import Network, worst_loss
    from random_problems import make_task
except ModuleNotFoundError as missing:
    if missing.name not in ("numpy", "cvxopt"):
        raise
    print(f"skipped: {sys.executable} has no {missing.name}; scripts/setup.sh installs python3-numpy and -cvxopt")
    sys.exit(77)

TOLERANCE = 1e-7  # asked of the tool
ORACLE = 1e-7  # allowed to the oracle, whose own interval is mostly narrower than 1e-8


def write_task(task, folder):
    """The files of a problem; returns the command line that solves it."""
    arrays = {"X": task.X, "y": task.y}
    if task.weights is not None:
        arrays["weights"] = task.weights
    np.savez(folder / "data.npz", **arrays)
    np.save(folder / "patterns.npy", task.program.patterns.astype(np.uint8))
    words = ["train", folder / "data.npz", *task.arguments, "--patterns", folder / "patterns.npy"]
    words += ["--record", folder / "record.json", "--model", folder / "model.json"]
    return [str(word) for word in [*words, "--tolerance", TOLERANCE, "--threads", 1, "--quiet"]]


def write_oracle_task(program, folder):
    """The program as the oracle sees it; returns its command line."""
    np.savez(folder / "program.npz", X=program.X, y=program.y, weights=program.weights)
    radii = ",".join(repr(float(radius)) for radius in program.eps)
    words = [Path(oracle.__file__), folder / "program.npz", "--patterns", folder / "patterns.npy"]
    words += ["--method", program.method, "--loss", program.loss, "--beta", repr(float(program.beta))]
    return [sys.executable, *map(str, words), "--norm", program.norm, "--eps", radii]


def check_bounds(task, record, optimum):
    """Yields what is wrong."""
    objective, lower_bound = record["objective"], record["lower_bound"]
    # Without its dropped patterns the tool's program is a smaller one, whose optimum may only be larger.
    whole = task.whole and record["thin_patterns"] == 0
    if objective < optimum.lower * (1 - ORACLE) - 1e-9:
        yield f"objective {objective!r} is below the optimum {optimum.lower!r}"
    if whole and lower_bound > optimum.upper * (1 + ORACLE) + 1e-9:
        yield f"lower_bound {lower_bound!r} is above the optimum {optimum.upper!r}"
    if whole and objective > optimum.upper * (1 + 1e-6) + 1e-9:
        yield f"objective {objective!r} is above the optimum {optimum.upper!r}"


def check_record(task, record):
    """Yields what is wrong."""
    objective, lower_bound, gap = record["objective"], record["lower_bound"], record["relative_gap"]
    if lower_bound > objective:
        yield f"lower_bound {lower_bound!r} is above objective {objective!r}"
    if gap > 1e-6:
        yield f"relative_gap is {gap:.2g} (stop: {record['stop']}, {record['iterations']} iterations)"
    if abs(gap - (objective - lower_bound) / max(abs(objective), 1e-12)) > 1e-12:
        yield f"relative_gap {gap!r} is not that of objective and lower_bound"
    if (record["status"] == "optimal") != (gap <= TOLERANCE):
        yield f"status {record['status']} with relative_gap {gap:.2g}"
    if task.generic and record["thin_patterns"] > 0:
        yield f"{record['thin_patterns']} patterns are called thin, which has probability 0"
    if record["live_patterns"] < task.surely_live:
        yield f"{record['live_patterns']} live patterns, at least {task.surely_live} have a direction inside"
    if (record["method"], record["loss"]) != (task.program.method, oracle.words_for(task.program.loss)[1]):
        yield f"the record is of method {record['method']} and loss {record['loss']}"
    if record["scope"] != "program":
        yield f"scope {record['scope']} with patterns from a file"


def check_network(task, record, model, random):
    """Yields what is wrong."""
    program = task.program
    network = Network(model, task.X.shape[1])
    certified = record["network_objective"]
    attacked = worst_loss(network, program, task.inputs, task.radii, random) + network.penalty(program.beta)
    if certified > record["objective"] * (1 + 1e-12):
        yield f"network_objective {certified!r} is above objective {record['objective']!r}"
    if attacked > certified * (1 + 1e-9) + 1e-12:
        yield f"an attack finds {attacked!r}, above network_objective {certified!r}"
    # The paper's cones leave nothing between program, certificate and the best attack, which is one step away.
    if program.method == "cones" and certified < record["objective"] * (1 - 1e-9):
        yield f"network_objective {certified!r} is below objective {record['objective']!r}"
    if (program.method == "cones" or not task.radii.any()) and attacked < certified * (1 - 1e-7) - 1e-12:
        yield f"no attack finds more than {attacked!r}, network_objective is {certified!r}"


class OracleFailure(str):
    """Says nothing about the tool, unless it is frequent and nothing gets compared."""


def check_task(tool, task, folder, random):
    """Yields what is wrong."""
    command = [tool, *write_task(task, folder)]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        yield "the tool did not end within 60 seconds"
        return
    if run.returncode != 0:
        yield f"exit code {run.returncode}: {run.stderr.strip()}"
        return
    record = json.loads((folder / "record.json").read_text())
    model = json.loads((folder / "model.json").read_text())
    yield from check_record(task, record)
    yield from check_network(task, record, model, random)
    try:
        yield from check_bounds(task, record, oracle.solve(task.program))
    except ArithmeticError as problem:
        if task.generic:  # else a cone of zero width is beyond it
            yield OracleFailure(f"the oracle failed: {problem}")


def main():
    parser = argparse.ArgumentParser(description="Compare the tool with an independent solver on random problems.")
    parser.add_argument("tool", help="path of conelu")
    parser.add_argument("--method", choices=oracle.METHODS, required=True)
    slow = os.environ.get("CONELU_SLOW_TESTS") == "1"
    parser.add_argument("--problems", type=int, default=1000 if slow else 30, help="how many (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the problems (default: %(default)s)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="for failing problems (default: a temporary one)")
    arguments = parser.parse_args()

    keep = arguments.keep or Path(tempfile.gettempdir()) / f"conelu-oracle-{arguments.method}-{os.getpid()}"
    failed = undecided = 0
    numbers = range(arguments.first, arguments.first + arguments.problems)
    for number in numbers:
        task = make_task(arguments.seed, number, arguments.method)
        with tempfile.TemporaryDirectory(prefix="conelu-oracle-") as folder:
            complaints = list(check_task(arguments.tool, task, Path(folder), np.random.default_rng(number)))
        if complaints and all(isinstance(complaint, OracleFailure) for complaint in complaints):
            undecided += 1
            continue
        if not complaints:
            continue
        failed += 1
        folder = keep / str(number)
        folder.mkdir(parents=True, exist_ok=True)
        commands = [[arguments.tool, *write_task(task, folder)], write_oracle_task(task.program, folder)]
        lines = [f"problem {number} of seed {arguments.seed}:", *complaints, *map(shlex.join, commands)]
        (folder / "README").write_text("\n".join(lines) + "\n")
        print("\n  ".join(lines), flush=True)
    print(f"{failed} of {arguments.problems} problems failed" + (f"; they are in {keep}" if failed else ""))
    print(f"{undecided} could not be solved by the oracle")
    return 1 if failed or undecided > arguments.problems // 10 else 0


if __name__ == "__main__":
    sys.exit(main())
