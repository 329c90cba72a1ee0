#!/usr/bin/env python3
"""Runs the commands of the table "Real files, one command each" in docs/formats.md and compares what they read.

    read_data_sets.py build/conelu docs/formats.md FOLDER

A line of the table is `file`, `options` of `conelu train`, and how many rows, features and classes are read (of a
regression `-`). A handful of patterns and steps is all that is trained: this is about reading. Every folder of data that
is there must be in the table. Exit code 77 means skipped, because files are not there.
"""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

LINE = re.compile(r"\| `([^`]+)` \| `([^`]*)` \| ([\d,]+) \| ([\d,]+) \| (\d+|-) \|")
QUICK = ["--patterns", "gaussian", "--pattern-count", "2", "--max-iterations", "1", "--quiet", "--record", "-"]
SKIPPED = 77


def counted(tool, file, options):
    result = subprocess.run([tool, "train", file, *shlex.split(options), *QUICK], capture_output=True, text=True)
    if result.returncode != 0:
        return result.stderr.strip()
    record = json.loads(result.stdout)
    classes = "-" if "train_mse" in record else str(record.get("networks") or 2)
    return record["n"], record["d"], classes


def main():
    tool, document, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    lines = LINE.findall(document.read_text())
    if not lines:
        sys.exit(f"{document} has no table of data sets")
    wrong, absent = [], []
    for file, options, rows, features, classes in lines:
        if not (folder / file).exists():
            absent.append(file)
            continue
        expected = int(rows.replace(",", "")), int(features.replace(",", "")), classes
        found = counted(tool, folder / file, options)
        print(f"{file} {options}: {found}", flush=True)
        if found != expected:
            wrong.append(f"{file} {options}: expected {expected}, found {found}")
    described = {file.split("/")[0] for file, *_ in lines}
    there = {path.name for path in folder.iterdir() if path.is_dir()} if folder.exists() else set()
    wrong += [f"{name}: not in the table of {document}" for name in sorted(there - described)]
    if wrong:
        sys.exit("\n".join(wrong))
    if absent:
        print(f"skipped: {', '.join(absent)} not in {folder}")
        sys.exit(SKIPPED)


if __name__ == "__main__":
    main()
