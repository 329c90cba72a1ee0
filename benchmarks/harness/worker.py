"""One contender on one problem, in a process of its own: its memory is its own, and it can be stopped.

python -m benchmarks.harness.worker JOB.json

The job names the contender's module, the problem and the limit; the record goes to the path that the job gives.
"""

import importlib
import json
import sys
import time
from pathlib import Path

from benchmarks.harness.clock import Clock, peak_mb
from benchmarks.harness.unit import dgemm2000

# Before contenders are imported: this is what their problem-independent part costs.
BEGIN = time.process_time()


def main(path):
    job = json.loads(Path(path).read_text())
    try:
        contender = importlib.import_module(job["contender"])
    except ImportError as missing:
        return {"status": "not installed", "why": str(missing)}
    loading = time.process_time() - BEGIN
    clock = Clock(job["limit"], job["strict"])
    facts = contender.run(job["problem"], clock, Path(path).parent)
    memory = peak_mb()
    record = {"status": "done", "seconds": clock.seconds, "peak_mb": memory, "loading": loading}
    return record | {"dgemm2000": dgemm2000()} | facts


if __name__ == "__main__":
    Path(sys.argv[1]).with_name("record.json").write_text(json.dumps(main(sys.argv[1])))
