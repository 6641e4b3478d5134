"""Verdicts on speed, kept on this machine: the same file again gets the same verdict.

    (source, suite, solution, test, race, machine, grader) --digest--> FOLDER/DIGEST.json

Each race errs with a small probability, so whoever may hand in the same slow file a hundred times
would pass once. Only what is decided is kept. Delete the folder to forget.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import platform
from collections.abc import Iterable
from pathlib import Path

from grader import __version__
from grader.model import Race
from grader.records import race_from_json, to_json


class Verdicts:
    """The races of one test of one submission."""

    def __init__(self, folder: Path, parts: Iterable[str]) -> None:
        self._folder = folder
        self._parts = (*parts, machine(), __version__)

    def recall(self, name: str) -> Race | None:
        """A verdict that was kept, marked as such. A file that can't be read counts as none."""
        try:
            kept = race_from_json(json.loads(self._path(name).read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return dataclasses.replace(kept, remembered=True)

    def keep(self, name: str, race: Race) -> None:
        """Writes it beside its place and renames it: other judges may read meanwhile."""
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(f".{os.getpid()}")
        beside.write_text(json.dumps(to_json(race)), encoding="utf-8")
        beside.replace(path)

    def _path(self, name: str) -> Path:
        digest = hashlib.sha256()
        for part in (*self._parts, name):
            digest.update(hashlib.sha256(part.encode("utf-8", "surrogatepass")).digest())
        return self._folder / f"{digest.hexdigest()}.json"


def machine() -> str:
    """What a ratio of two times depends on, besides the programs."""
    model = ""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next((line for line in file if line.startswith("model name")), "")
    except OSError:
        pass
    return f"{platform.node()} {platform.machine()} {os.cpu_count()} {model.strip()}"
