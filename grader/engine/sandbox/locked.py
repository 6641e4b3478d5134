"""The zygote under Landlock and seccomp, which it takes upon itself before it serves anybody.

    Locked --policy--> zygote --confine--> its children --confine, more tightly--> ...

The zygote can read the interpreter, its packages, this package, the compile cache and a few device
files. It can write only to its scratch folder. `/proc` is left out, but for two files.

Where the grader runs as root, each child has a uid of its own, if that can read the packages.
Without Landlock the zygote, which runs only our code, keeps its files. Its children then need both
a uid of their own and a root folder.
"""

import os
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from grader import IN_PACKAGE
from grader.engine.sandbox import landlock, own_uid, root_folder, seccomp
from grader.engine.sandbox.calls import Role
from grader.records.errors import HostError

SYSTEM = (
    "/usr",
    "/lib",
    "/lib64",
    "/bin",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/dev/null",
    "/dev/zero",
    "/dev/urandom",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system/cpu",
)


# The stubs, hints and explanations of the course that a wheel holds.
_COURSE = Path(__file__).resolve().parents[2] / IN_PACKAGE


class Locked:
    """A policy of this machine. The zygote may read the folder `cache`.

    `known` makes it use an older version of Landlock than the kernel's, for tests.
    """

    confined = True

    def __init__(self, cache: Path | None = None, known: int = landlock.NEWEST) -> None:
        self._cache = cache
        self._known = min(known, landlock.version())
        self._root: Path | None = None

    @property
    def place(self) -> str | None:
        """Raises `HostError` without Landlock and root."""
        if self._known == 0 and self._root is None:
            if lacking := own_uid.missing():
                raise HostError(
                    f"{landlock.missing() or 'Landlock is switched off.'} Without Landlock, a "
                    f"sandbox needs root, for its own uids and root folders, but {lacking}."
                )
            where = Path(tempfile.gettempdir()) if self._cache is None else self._cache.parent
            self._root = root_folder.prepare(where)
        return None if self._root is None else str(self._root / "scratch")

    def policy(self, scratch: Path) -> dict[str, Any]:
        return {
            "readable": readable(self._cache),
            # The cache isn't among them: children hold its descriptor.
            "installed": _installed(),
            "scratch": str(scratch),
            "known": self._known,
            "root": None if self._root is None else str(self._root),
        }


def readable(cache: Path | None) -> dict[str, int]:
    """Every existing path that a confined process may read, with its rights.

    Not the course that came with the package: it holds explanations. Landlock allows a folder
    with all that is below it, so the folders above the course are only listed.
    """
    folders = _installed() if cache is None else [*_installed(), str(cache)]
    found: dict[str, int] = {}
    for folder in folders:
        _allow(Path(folder), _COURSE.resolve(), found)
    return found


def _allow(path: Path, hidden: Path, found: dict[str, int]) -> None:
    """Adds a path to `found`; for a folder above `hidden`, what is in it."""
    real = path.resolve()
    if real == hidden or str(real) in found or not real.exists():
        return
    is_above = hidden.is_relative_to(real) and hidden.is_dir()
    found[str(real)] = landlock.LIST if is_above else landlock.READABLE
    for child in real.iterdir() if is_above else ():
        _allow(child, hidden, found)


def _installed() -> list[str]:
    paths = [*SYSTEM, sys.prefix, sys.base_prefix, sys.exec_prefix, str(_COURSE.parent)]
    return [path for path in dict.fromkeys(paths) if os.path.exists(path)]


def confine(role: Role, readable: Mapping[str, int], scratch: str, known: int) -> None:
    """Confines this process, which must have one thread, for ever; `known` is Landlock's version.

    Raises `HostError` if a layer is missing.
    """
    confine_files(role, readable, scratch, known)
    confine_calls(role)


def confine_files(role: Role, readable: Mapping[str, int], scratch: str, known: int) -> None:
    starts_programs = landlock.EXECUTE if role is Role.ZYGOTE else 0
    ruleset = landlock.Ruleset(known)
    for path, rights in readable.items():
        with suppress(FileNotFoundError):  # somebody installs a package meanwhile
            ruleset.allow(path, rights | (starts_programs if rights & landlock.READ else 0))
    ruleset.allow(os.devnull, landlock.WRITABLE)
    ruleset.allow(scratch, landlock.WRITABLE | starts_programs)
    ruleset.enforce()


def confine_calls(role: Role) -> None:
    seccomp.install(seccomp.compiled(role, os.getpid()))
