"""Records of finished runs, found again by what was asked, who answered and with which code."""

import hashlib
import json
from pathlib import Path


class Store:
    """One JSON file a record."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def get(self, contender, problem, limit=None):
        """The record, or None. With a limit, only if running again within it would tell nothing new."""
        path = self._path(contender, problem)
        if not path.exists():
            return None
        record = json.loads(path.read_text())["record"]
        return record if limit is None or _settled(record, limit) else None

    def put(self, contender, problem, record):
        path = self._path(contender, problem)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"contender": contender.name, "problem": problem, "record": record}, indent=1)
        # Whoever is interrupted while writing leaves no half of a record behind.
        unfinished = path.with_suffix(".part")
        unfinished.write_text(text)
        unfinished.replace(path)

    def _path(self, contender, problem):
        key = json.dumps([problem, contender.version], sort_keys=True)
        return self.folder / contender.name / f"{digest(key.encode(), 20)}.json"


def digest(content, length=8):
    return hashlib.sha256(content).hexdigest()[:length]


def _settled(record, limit):
    return record["status"] == "done" or (record["status"] == "limit" and record["limit"] >= limit)
