"""A task: a folder with the questions, who is asked, and how their answers are compared and shown."""

import importlib
from pathlib import Path

from benchmarks.harness.contender import Contender

FOLDER = Path(__file__).resolve().parents[1]


class Task:
    """``benchmarks/NAME/task.py``.

    It has ``problems(quick)``, dictionaries with a ``name`` that can be written as JSON; ``CONTENDERS``, by the names
    of their files; ``compare(problem, records)``, which yields what is wrong; ``report(results)``, Markdown; and
    ``draw(results)``, figures with captions, by name. Results are pairs of a problem and its records by contender.
    ``asks(problem, contender)``, if it is there, says who is not asked what, and ``is_smaller(other, problem)`` that
    whoever cannot solve the other problem in time need not try this one.
    """

    def __init__(self, name):
        self.name = name
        self.module = importlib.import_module(f"benchmarks.{name}.task")
        self.contenders = [Contender(name) for name in self.module.CONTENDERS]

    def __getattr__(self, name):
        return getattr(self.module, name)

    def jobs(self, quick):
        """Pairs of a problem and a contender."""
        asks = getattr(self.module, "asks", lambda problem, contender: True)
        return [
            (problem, contender)
            for problem in self.problems(quick)
            for contender in self.contenders
            if asks(problem, contender.name)
        ]

    def smaller(self, problem, quick):
        """Problems of the same kind as this one, but smaller."""
        is_smaller = getattr(self.module, "is_smaller", lambda other, problem: False)
        return [other for other in self.problems(quick) if is_smaller(other, problem)]


def all_tasks():
    names = [path.parent.name for path in FOLDER.glob("*/task.py") if path.parent.name != "harness"]
    return sorted(map(Task, names), key=lambda task: task.ORDER)
