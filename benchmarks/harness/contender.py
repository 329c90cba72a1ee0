"""A contender: a small file in the folder of a task, and the packages that it calls."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from functools import cached_property
from pathlib import Path

from benchmarks.harness.store import digest

ROOT = Path(__file__).resolve().parents[2]
PINS = ROOT / "benchmarks" / "requirements.txt"
# One thread each, and threads that wait must not spin.
THREADS = {
    name: "1"
    for name in (
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "RAYON_NUM_THREADS",
        "POLARS_MAX_THREADS",
    )
} | {"OMP_WAIT_POLICY": "passive"}


class Contender:
    """``benchmarks/FOLDER/FILE.py``, known as ``FOLDER.FILE``.

    The file has ``run(problem, clock, folder)``, which does the work inside ``with clock`` and returns facts for the
    record, and on its first lines ``# packages: NAME ...``. Ours run with the Python of this package, the others with
    the one that has the pinned packages.
    """

    def __init__(self, name, python=None, tool=None):
        self.name = name
        self.path = ROOT / "benchmarks" / f"{name.replace('.', '/')}.py"
        self.ours = self.path.stem.startswith("conelu")
        self.python = sys.executable if self.ours else (python or peers_python())
        self.tool = Path(tool or os.environ.get("CONELU_TOOL") or ROOT / "build" / "conelu")

    @cached_property
    def packages(self):
        """Name and pinned version of each."""
        found = re.search(r"^# packages: (.*)$", self.path.read_text(), re.MULTILINE)
        pins = dict(re.findall(r"^([\w-]+)==(\S+)$", PINS.read_text(), re.MULTILINE))
        return {name: pins[name] for name in found[1].split()} if found else {}

    @cached_property
    def version(self):
        """Of the packages and of the code that calls them; of ours, of the built tool."""
        code = b"".join(path.read_bytes() for path in [self.path, *self._shared()])
        return [digest(self.tool.read_bytes()) if self.ours else self.packages, digest(code)]

    def run(self, problem, limit):
        """The record of one run."""
        if not Path(self.python).exists():
            return {"status": "not installed", "why": f"there is no {self.python}; make bench-peers makes it"}
        folder = Path(tempfile.mkdtemp(prefix="conelu-bench-"))
        try:
            return self._run_in(folder, problem, limit)
        finally:
            shutil.rmtree(folder)

    def _run_in(self, folder, problem, limit):
        job = {"contender": f"benchmarks.{self.name}", "problem": problem, "limit": limit, "strict": not self.ours}
        (folder / "job.json").write_text(json.dumps(job))
        words = [self.python, "-m", "benchmarks.harness.worker", str(folder / "job.json")]
        environment = os.environ | THREADS | {"CONELU_TOOL": str(self.tool), "PYTHONDONTWRITEBYTECODE": "1"}
        # Whoever sleeps uses no processor time, and on a busy machine one has to wait for it.
        patience = 10 * limit + 600
        try:
            done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=patience)
        except subprocess.TimeoutExpired:
            return {"status": "limit", "limit": limit}
        written = folder / "record.json"
        if done.returncode == 0 and written.exists():
            return json.loads(written.read_text())
        if done.returncode in (-24, 152):  # SIGXCPU, by itself or through a shell
            return {"status": "limit", "limit": limit}
        return {"status": "failed", "why": done.stderr.strip().splitlines()[-1:] or [f"exit {done.returncode}"]}

    def _shared(self):
        """Other files of the folder that a contender may import: neither contenders nor what asks and reports."""
        return [path for path in sorted(self.path.parent.glob("*.py")) if "# shared by contenders" in path.read_text()]


def peers_python():
    return str(Path(os.environ.get("CONELU_PEERS") or ROOT / "build" / "benchmarks" / "venv") / "bin" / "python")
