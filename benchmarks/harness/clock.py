"""Processor time, and an end to it."""

import resource
import time


class Clock:
    """Measures what happens inside ``with clock``: seconds of processor time of this process and of its children.

    On a busy machine the wall clock would measure the neighbours. `seconds` are those of all laps, `lap` those of the
    last one. If it is `strict`, whoever uses more than `limit` in a lap is killed by SIGXCPU. The kernel then counts
    time in ticks of some milliseconds, too coarse for those who take no longer.
    """

    def __init__(self, limit, strict=True):
        self.limit, self.strict = limit, strict
        self.seconds = self.lap = 0.0

    def __enter__(self):
        if self.strict:
            used = resource.getrusage(resource.RUSAGE_SELF)
            _set_limit(int(used.ru_utime + used.ru_stime + self.limit) + 1)
        self._start = _used()
        return self

    def __exit__(self, *_):
        self.lap = _used() - self._start
        self.seconds += self.lap
        if self.strict:
            _set_limit(resource.RLIM_INFINITY)


def _set_limit(seconds):
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (hard if seconds == resource.RLIM_INFINITY else seconds, hard))


def best_of(runs, clock, work):
    """The least seconds of several runs, and what the last of them returned; for work of milliseconds."""
    laps, result = [], None
    fine = Clock(clock.limit, strict=False)
    for _ in range(runs):
        with fine:
            result = work()
        laps.append(fine.lap)
    return min(laps), result


def _used():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def peak_mb():
    """The largest this process or a child of it has been."""
    return max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024
