"""Records of finished work, found again by what was asked for and by what answered."""

import hashlib
import json
from functools import cache
from pathlib import Path

import sklearn

import conelu
from conelu import _core


@cache
def package_version():
    """The package's version and a digest of what computes: a rebuilt library is another one, and so is scikit-learn."""
    folder = Path(conelu.__file__).parent
    python = [path for path in sorted(folder.rglob("*.py")) if "plot" not in path.relative_to(folder).parts]
    code = b"".join(path.read_bytes() for path in [*python, Path(_core.__file__)])
    return f"{conelu.__version__}-{_digest(code + sklearn.__version__.encode())}"


def code_version(item):
    """A digest of what runs the tasks; what draws and describes the records may change without running them again."""
    own = [path for path in sorted(item.folder.glob("*.py")) if path.stem not in ("report", "plot")]
    shared = [path for path in sorted(Path(__file__).parent.glob("*.py")) if path.stem in ("data", "networks")]
    return _digest(b"".join(path.read_bytes() for path in [*own, *shared]))


class Store:
    """One JSON file a record, in a folder for each experiment."""

    def __init__(self, folder, version=None):
        self.folder = Path(folder)
        self.version = package_version() if version is None else version

    def get(self, item, task):
        """The record, or None."""
        path = self._path(item, task)
        return json.loads(path.read_text())["record"] if path.exists() else None

    def put(self, item, task, record):
        path = self._path(item, task)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"task": task, "version": self.version, "record": record}, indent=1)
        # Whoever is interrupted while writing leaves no half of a record behind.
        unfinished = path.with_suffix(".part")
        unfinished.write_text(text)
        unfinished.replace(path)

    def _path(self, item, task):
        asked = {name: value for name, value in task.items() if name != "cost"}
        key = json.dumps([item.name, asked, self.version, code_version(item)], sort_keys=True)
        return self.folder / item.name / f"{_digest(key.encode(), 20)}.json"


def _digest(content, length=8):
    return hashlib.sha256(content).hexdigest()[:length]
