"""Runs experiments, or takes their records from an earlier run, and writes docs/results.md.

python -m experiments [--quick] [--only NAME] [--beyond]
"""

import argparse
import os
import sys
from pathlib import Path

from experiments.harness.data import ROOT, data_folder, missing
from experiments.harness.item import all_items, chosen
from experiments.harness.page import block_of, fill, page
from experiments.harness.pool import cost, minutes, run_all
from experiments.harness.store import Store


def arguments(words):
    parser = argparse.ArgumentParser(prog="experiments", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few runs, written to RECORDS/quick, not to docs")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="these experiments, by name or number")
    parser.add_argument("--beyond", action="store_true", help="what is not in the paper, and nothing else")
    parser.add_argument("--records", type=Path, default=ROOT / "build" / "experiments", help="where records are kept")
    parser.add_argument("--workers", type=int, default=2, help="processes; 0: none but this one")
    return parser.parse_args(words)


def runnable(items):
    """Those whose data are there; says what the others need, and what these could use."""
    found = []
    for item in items:
        absent = missing(item.needs)
        if absent:
            print(
                f"experiments: {item.name} is left out, it needs {', '.join(absent)} in {data_folder()}",
                file=sys.stderr,
            )
            continue
        found.append(item)
        if without := missing(item.uses):
            print(
                f"experiments: {item.name} goes without {', '.join(without)}, which is not in {data_folder()}",
                file=sys.stderr,
            )
    return found


def run_missing(items, store, workers):
    """True if there is a record for every task now."""
    jobs = [(item, task) for item in items for task in item.tasks if store.get(item, task) is None]
    total = sum(len(item.tasks) for item in items)
    if jobs:
        about = minutes(sum(cost(task) for _, task in jobs) / max(1, workers))
        print(f"experiments: {len(jobs)} of {total} tasks to run, about {about}", file=sys.stderr)
    failures = run_all(jobs, store, workers) if jobs else []
    for item, task, text in failures:
        print(f"experiments: {item.name} failed at {task}:\n{text}", file=sys.stderr)
    return not failures


def write(items, store, folder, quick):
    """READMEs, figures and the page; a quick run leaves those of the project alone."""
    pictures = folder / "results"
    texts = {item.name: item.readme.read_text() for item in all_items()}
    for item in items:
        records = [store.get(item, task) for task in item.tasks]
        if None in records:
            continue
        to_pictures = "../../docs/results"
        texts[item.name] = fill(texts[item.name], block_of(item, records, pictures, to_pictures))
        if not quick:
            item.readme.write_text(texts[item.name])
    path = folder / "results.md"
    to_root = os.path.relpath(ROOT, folder)
    # Tables of a full run would pass for those of a quick one.
    path.write_text(page(items if quick else all_items(), texts, to_root=to_root))
    print(f"experiments: wrote {path}", file=sys.stderr)


def main(words=None):
    options = arguments(words)
    items = all_items(options.quick)
    items = chosen(items, options.only) if options.only else [item for item in items if item.beyond == options.beyond]
    items = runnable(items)
    store = Store(options.records / "records")
    complete = run_missing(items, store, options.workers)
    folder = options.records / "quick" if options.quick else ROOT / "docs"
    folder.mkdir(parents=True, exist_ok=True)
    write(items, store, folder, options.quick)
    return 0 if complete else 1


if __name__ == "__main__":
    sys.exit(main())
