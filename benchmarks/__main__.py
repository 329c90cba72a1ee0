"""Runs contenders, or takes their records from an earlier run, and writes docs/benchmarks.md.

python -m benchmarks [--quick] [--only TASK ...] [--contenders NAME ...] [--limit SECONDS] [--fresh]

Records of full runs are kept in the tree, beside the code that made them: they are what the page is written from, and
whoever changes our solver need not wait hours for the peers again. Ours are known by the built tool and so made anew.
"""

import argparse
import sys
from pathlib import Path

from benchmarks.harness.contender import ROOT
from benchmarks.harness.page import page
from benchmarks.harness.store import Store
from benchmarks.harness.task import all_tasks

QUICK = ROOT / "build" / "benchmarks" / "quick"


def arguments(words):
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small problems, kept and written below build")
    parser.add_argument("--fresh", action="store_true", help="run everything again, whatever there are records of")
    parser.add_argument(
        "--only", nargs="*", default=[], metavar="TASK", help="run these tasks; the others only if recorded"
    )
    parser.add_argument("--contenders", nargs="*", default=[], metavar="NAME", help="run these alone, as clarabel")
    parser.add_argument("--problems", nargs="*", default=[], metavar="NAME", help="run these alone, by their names")
    parser.add_argument("--limit", type=float, default=600, help="seconds of processor time a run (default: 600)")
    parser.add_argument("--records", type=Path, help="where records are kept (default: benchmarks/records)")
    parser.add_argument("--docs", type=Path, help="where the page goes (default: docs)")
    options = parser.parse_args(words)
    options.records = options.records or (QUICK / "records" if options.quick else ROOT / "benchmarks" / "records")
    options.docs = options.docs or (QUICK if options.quick else ROOT / "docs")
    return options


def run(task, options, store):
    """Runs what has no record yet; tells of each."""
    if options.only and task.name not in options.only:
        return
    for problem, contender in task.jobs(options.quick):
        if not options.fresh and store.get(contender, problem, options.limit) is not None:
            continue
        if options.contenders and contender.path.stem not in options.contenders:
            continue
        if options.problems and problem["name"] not in options.problems:
            continue
        record = foregone(task, problem, contender, options, store) or contender.run(problem, options.limit)
        store.put(contender, problem, record)
        told = f"{record['seconds']:.3g} s" if "seconds" in record else f"{record['status']} {record.get('why', '')}"
        print(f"benchmarks: {task.name}, {problem['name']}, {contender.name}: {told}", file=sys.stderr, flush=True)


def foregone(task, problem, contender, options, store):
    """Whoever was stopped at a smaller problem of the same kind is not asked about this one."""
    for other in task.smaller(problem, options.quick):
        record = store.get(contender, other) or {}
        if record.get("status") == "limit" and record["limit"] >= options.limit:
            return {"status": "limit", "limit": options.limit, "stopped_at": record.get("stopped_at", other["name"])}
    return None


def recorded(task, quick, store):
    """Pairs of a problem and its records."""
    found = {}
    for problem, contender in task.jobs(quick):
        record = store.get(contender, problem) or {"status": "not run"}
        found.setdefault(problem["name"], (problem, {}))[1][contender.name] = record
    # Nobody has said anything about a problem that none has seen.
    return [pair for pair in found.values() if any(record["status"] == "done" for record in pair[1].values())]


def main(words=None):
    options = arguments(words)
    store = Store(options.records)
    tasks = all_tasks()
    for task in tasks:
        run(task, options, store)
    results = {task.name: recorded(task, options.quick, store) for task in tasks}
    tasks = [task for task in tasks if results[task.name]]
    options.docs.mkdir(parents=True, exist_ok=True)
    written = options.docs / "benchmarks.md"
    written.write_text(page(tasks, results, options.limit, options.docs / "benchmarks", "benchmarks"))
    print(f"benchmarks: wrote {written}", file=sys.stderr)
    wrong = [
        text for task in tasks for problem, records in results[task.name] for text in task.compare(problem, records)
    ]
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
