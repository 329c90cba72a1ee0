#!/usr/bin/env python3
"""Runs the commands of a document, in their order and in one scratch folder, and compares what they print.

    run_commands.py build/conelu README.md [--data FOLDER]

Commands are the lines of ```sh blocks, and those after `$ ` in ```console blocks, whose other lines are what the
command prints, on both streams. Words must be the same, numbers nearly (they depend on the processor and on the number
of threads); a line of three dots stands for any lines. The tool is there as `conelu` and as `build/conelu`.

Comments just above a block say what is different about it:

    <!-- not run: REASON -->       it installs or builds, or cannot be run here
    <!-- needs: FILE ... -->       files of the folder --data that are put beside it; skipped without them
    <!-- numbers vary -->          such as times: only words are compared

Exit code 77 means skipped: blocks were left out because their data are not there, and all others ran.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
SKIPPED = 77


class Block:
    def __init__(self, kind, line, markers):
        self.kind, self.line, self.markers, self.lines = kind, line, markers, []

    def marker(self, name):
        """What is said after the name, or None."""
        return next((text.removeprefix(name) for text in self.markers if text.startswith(name)), None)

    def steps(self):
        """Pairs of a command and the lines that it is said to print; None: nothing is said."""
        if self.kind == "sh":
            return [("\n".join(self.lines), None)]
        steps = []
        for line in self.lines:
            if line.startswith("$ "):
                steps.append((line[2:], []))
            elif steps and steps[-1][0].endswith("\\"):
                steps[-1] = (steps[-1][0] + "\n" + line, [])
            elif steps:
                steps[-1][1].append(line)
            else:
                raise SystemExit(f"line {self.line}: a console block begins with a command after `$ `")
        return steps


def blocks_of(text):
    blocks, markers, block = [], [], None
    for number, line in enumerate(text.splitlines(), 1):
        if block is not None:
            if line == "```":
                blocks.append(block)
                block = None
            else:
                block.lines.append(line)
        elif line.startswith("```"):
            block = Block(line[3:].strip(), number, markers)
            markers = []
        elif line.startswith("<!--"):
            markers.append(line[4:].removesuffix("-->").strip())
        else:
            markers = []
    return [block for block in blocks if block.kind in ("sh", "console")]


def same_number(said, found):
    said, found = float(said), float(found)
    return abs(said - found) <= max(1e-3 * abs(said), 1e-5)


def same_line(said, found, numbers):
    if NUMBER.sub("#", said).split() != NUMBER.sub("#", found).split():
        return False
    return not numbers or all(map(same_number, NUMBER.findall(said), NUMBER.findall(found)))


def same_text(said, found, numbers):
    if not said:
        return not found
    if said[0] == "...":
        return any(same_text(said[1:], found[k:], numbers) for k in range(len(found) + 1))
    return bool(found) and same_line(said[0], found[0], numbers) and same_text(said[1:], found[1:], numbers)


def run(command, folder, environment):
    result = subprocess.run(["bash", "-e", "-c", command], cwd=folder, env=environment, text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    return result.returncode, result.stdout.splitlines()


def run_block(block, folder, environment):
    for command, said in block.steps():
        code, found = run(command, folder, environment)
        if code != 0:
            return f"exit code {code} of\n{command}\n" + "\n".join(found)
        if said is not None and not same_text(said, found, block.marker("numbers vary") is None):
            return f"the document says that\n{command}\nprints\n" + "\n".join(said) + "\nbut it prints\n" + "\n".join(found)
    return ""


def lacks_data(block, data, folder):
    """Puts the files that a block needs into the folder; true if one is not there."""
    for name in (block.marker("needs:") or "").split():
        if data is None or not (data / name).exists():
            return True
        shutil.copy(data / name, folder)
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool", type=Path)
    parser.add_argument("document", type=Path)
    parser.add_argument("--data", type=Path)
    options = parser.parse_args()
    skipped, failed, commands = [], 0, 0
    with tempfile.TemporaryDirectory(prefix="conelu-docs-") as name:
        folder = Path(name)
        (folder / "build").mkdir()
        (folder / "build" / "conelu").symlink_to(options.tool.resolve())
        environment = {**os.environ, "PATH": f"{folder / 'build'}:{os.environ['PATH']}"}
        for block in blocks_of(options.document.read_text()):
            where = f"{options.document}, line {block.line}"
            if block.marker("not run:") is not None:
                print(f"{where}: not run:{block.marker('not run:')}")
            elif lacks_data(block, options.data, folder):
                skipped.append(where)
                print(f"{where}: skipped, needs{block.marker('needs:')}")
            else:
                problem = run_block(block, folder, environment)
                commands += len(block.steps())
                failed += bool(problem)
                if problem:
                    print(f"{where}: {problem}\n")
    print(f"{options.document}: {commands} commands and blocks run, {failed} blocks failed, {len(skipped)} skipped")
    return 1 if failed else SKIPPED if skipped else 0


if __name__ == "__main__":
    sys.exit(main())
