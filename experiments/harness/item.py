"""An experiment: a folder with a configuration, what is run, what is said about it and what is drawn."""

import importlib
import json
from functools import cached_property
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1]


class Item:
    """One folder beside `harness`.

    ``run.py`` has ``tasks(settings)``, pieces of work that are dictionaries and independent of each other, and
    ``run(task)``, which turns one into a record; both can be written as JSON. ``report.py`` has ``report(settings,
    records)``, Markdown; ``plot.py`` has ``draw(settings, records)``, figures with captions, by name. Records come in
    the order of the tasks.
    """

    def __init__(self, folder, quick=False):
        self.folder = Path(folder)
        self.name = self.folder.name
        config = json.loads((self.folder / "config.json").read_text())
        self.number = config["item"]
        self.needs = config.get("needs", [])
        self.uses = config.get("uses", [])
        self.settings = merged(config["settings"], config["quick"]) if quick else config["settings"]

    @property
    def beyond(self):
        """Whether it is apart from the others, which are the paper's."""
        return self.number > 9

    @property
    def readme(self):
        return self.folder / "README.md"

    @cached_property
    def tasks(self):
        return self._module("run").tasks(self.settings)

    def run(self, task):
        return self._module("run").run(task)

    def report(self, records):
        return self._module("report").report(self.settings, records)

    def draw(self, records):
        return self._module("plot").draw(self.settings, records)

    def _module(self, name):
        return importlib.import_module(f"experiments.{self.name}.{name}")


def all_items(quick=False, folder=FOLDER):
    """In the order of their numbers."""
    found = [Item(path.parent, quick) for path in folder.glob("*/config.json")]
    return sorted(found, key=lambda item: item.number)


def chosen(items, names):
    """Those of these names or numbers."""
    picked = [item for item in items if item.name in names or str(item.number) in names]
    unknown = set(names) - {item.name for item in picked} - {str(item.number) for item in picked}
    if unknown:
        known = ", ".join(f"{item.number} {item.name}" for item in items)
        raise SystemExit(f"experiments: there is no {sorted(unknown)[0]!r}, expected some of {known}")
    return picked


def merged(settings, changes):
    """Settings with some of them replaced, at any depth."""
    result = dict(settings)
    for name, value in changes.items():
        if isinstance(value, dict) and isinstance(result.get(name), dict):
            value = merged(result[name], value)
        result[name] = value
    return result
