"""Workers, and how long they will still take."""

import multiprocessing
import os
import sys
import time
import traceback
import warnings
from concurrent.futures import ProcessPoolExecutor, as_completed

from experiments.harness.item import Item


class Progress:
    """A line that says what is done and when the rest will be; on a screen it is always the same one."""

    def __init__(self, jobs, stream=None, every=10.0):
        self.total = sum(cost(task) for _, task in jobs)
        self.count, self.done, self.spent = len(jobs), 0, 0.0
        self.stream = sys.stderr if stream is None else stream
        self.every, self.shown = 0.2 if self.stream.isatty() else every, 0.0
        self.start = time.monotonic()

    def tell(self, item, task):
        self.done += 1
        self.spent += cost(task)
        now = time.monotonic()
        if now - self.shown < self.every and self.done < self.count:
            return
        self.shown = now
        left = (now - self.start) * (self.total - self.spent) / max(self.spent, 1e-9)
        text = f"experiments: {self.done} of {self.count} done, last of {item.name}; "
        text += f"{minutes(now - self.start)} gone, about {minutes(left)} left"
        end = "\n" if not self.stream.isatty() or self.done == self.count else ""
        print(f"\r{text:<100}" if self.stream.isatty() else text, end=end, file=self.stream, flush=True)


def cost(task):
    """Seconds that a task is thought to take; only their ratios matter."""
    return task.get("cost", 1.0)


def minutes(seconds):
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def run_all(jobs, store, workers=2, progress=None):
    """Runs pairs of an item and a task and stores their records; returns the failures, as (item, task, text).

    The longest go first, so that no worker is left with one at the end. Each worker is a process with one thread: the
    processor time of a record is then that of the method alone. Without workers everything runs in this process.
    """
    jobs = sorted(jobs, key=lambda job: -cost(job[1]))
    progress = progress or Progress(jobs)
    failures = []
    for item, task, (record, error) in _finished(jobs, workers):
        if error is None:
            store.put(item, task, record)
        else:
            failures.append((item, task, error))
        progress.tell(item, task)
    return failures


def _finished(jobs, workers):
    """The results in the order in which they come."""
    if workers == 0:
        yield from ((item, task, execute(item.folder, task)) for item, task in jobs)
        return
    # Read when the libraries are loaded; threads that wait must not spin.
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", OMP_WAIT_POLICY="passive")
    # Spawned, not forked: OpenMP's threads do not survive a fork.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        waiting = {pool.submit(execute, item.folder, task): (item, task) for item, task in jobs}
        try:
            for future in as_completed(waiting):
                yield *waiting[future], future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def execute(folder, task):
    """The record and None, or None and what went wrong."""
    try:
        # A gap that is too wide and a zero network are in the record, and tables show them.
        with warnings.catch_warnings(action="ignore"):
            return Item(folder).run(task), None
    except Exception:
        return None, traceback.format_exc()
