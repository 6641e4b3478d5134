"""Verdicts on speed, kept on this machine: the same file again gets the same verdict.

    (source, suite, solution, test, race, machine, grader) --digest--> FOLDER/DIGEST.json

Each race errs with a small probability: the same slow file, handed in a hundred times, would pass
once. So verdicts are stored, except for undecided ones. Delete the folder to race again.
"""

import dataclasses
import hashlib
import os
import platform
from collections.abc import Callable, Iterable
from pathlib import Path

from grader import __version__, files
from grader.model import Race, pack, unpack


class Verdicts:
    """The races of one test of one submission."""

    def __init__(
        self, folder: Path, parts: Iterable[str], counts: Callable[[], bool] = lambda: True
    ) -> None:
        """`counts` says whether a new verdict may be stored."""
        self._folder = folder
        self._counts = counts
        self._parts = (*parts, machine(), __version__)

    def recall(self, name: str) -> Race | None:
        """A stored verdict, marked as such; None if its file is missing or can't be read."""
        try:
            kept = unpack(self._path(name).read_bytes(), Race)
        except (OSError, ValueError):
            return None
        return dataclasses.replace(kept, remembered=True)

    def keep(self, name: str, race: Race) -> None:
        """Stores a verdict, if it counts; other judges may read at the same time."""
        if self._counts():
            files.write(self._path(name), pack(race), secret=True)

    def _path(self, name: str) -> Path:
        digest = hashlib.sha256()
        for part in (*self._parts, name):
            digest.update(hashlib.sha256(part.encode("utf-8", "surrogatepass")).digest())
        return self._folder / f"{digest.hexdigest()}.json"


def machine() -> str:
    """The properties of this machine on which a ratio of two times depends."""
    model = ""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next((line for line in file if line.startswith("model name")), "")
    except OSError:
        pass
    return f"{platform.node()} {platform.machine()} {os.cpu_count()} {model.strip()}"
