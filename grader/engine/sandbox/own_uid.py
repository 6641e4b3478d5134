"""A user id for each child that nobody else has, where the grader runs as root.

    zygote: missing, unreachable  ->  child: take(scratch, root)

The kernel then refuses what belongs to others: files, signals, limits, memory. So a folder that
only its owner may enter (mode 0700) hides even the names in it, which Landlock doesn't. The id is
made of the process's own id, so that no two processes on a machine have the same.
"""

import ctypes
import gc
import importlib.util
import os
from collections.abc import Iterable
from contextlib import suppress

FIRST = 0x70000000
_HIGHEST_PID = 1 << 22
# What root must not have lost: to change to the uid, to enter the root folder, and, for judge and
# zygote, to read, end and clean up what belongs to the uid.
_RIGHTS = {
    "CHOWN": 0, "DAC_OVERRIDE": 1, "FOWNER": 3, "KILL": 5,
    "SETGID": 6, "SETUID": 7, "SYS_CHROOT": 18,
}  # fmt: skip
# Packages whose files tell whether others may read an installation.
_SAMPLES = ("json", "numpy", "jaxlib", "jax", "grader")
_SET_DUMPABLE = 4


def missing() -> str:
    """Why this process can't give uids to its children; "" if it can."""
    if os.geteuid() != 0:
        return "the grader doesn't run as root"
    with open("/proc/self/status", encoding="ascii") as file:
        held = next(int(line.split()[1], 16) for line in file if line.startswith("CapEff"))
    lost = [name for name, bit in _RIGHTS.items() if not held >> bit & 1]
    if lost:
        return f"this container takes {', '.join(f'CAP_{name}' for name in lost)} from root"
    if not any(start <= FIRST and end >= FIRST + _HIGHEST_PID for start, end in _mapped()):
        return "this container maps too few user ids (it is rootless, or remaps them)"
    return ""


def unreachable(paths: Iterable[str], entered: Iterable[str] = ()) -> str:
    """The first path that such a uid can't read, tried in a child process; "" if there is none.

    A path may be a file or a folder. Of an installed package one file is tried. The folders
    `entered` have to let it through, no more.
    """
    wanted = [*paths, *filter(None, map(_file_of, _SAMPLES))]
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        gc.disable()  # to free what JAX holds takes threads, and a forked child has none
        try:
            _become(FIRST)
            closed = [p for p in wanted if not _readable(p)]
            closed += [p for p in entered if not os.access(p, os.X_OK)]
            os.write(theirs, "".join(closed[:1]).encode())
        finally:
            os._exit(0)
    os.close(theirs)
    with open(ours, "rb") as file:
        closed_path = file.read().decode()
    os.waitpid(pid, 0)
    return closed_path


def take(scratch: str, root: str | None) -> None:
    """Gives this process a uid of its own, and `scratch` to it; in the folder `root`, if given.

    `scratch` has the same path inside `root` as outside.
    """
    uid = FIRST + os.getpid()
    os.chown(scratch, uid, uid)
    if root is not None:
        os.chroot(root)
        os.chdir(scratch)
    _become(uid)
    # Otherwise its `/proc` files belong to root, and the judge can't count what it writes.
    ctypes.CDLL(None).prctl(_SET_DUMPABLE, 1, 0, 0, 0)


def _become(uid: int) -> None:
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def _mapped() -> list[tuple[int, int]]:
    """The ranges of user ids that exist here."""
    with open("/proc/self/uid_map", encoding="ascii") as file:
        rows = [[int(number) for number in line.split()] for line in file]
    return [(inside, inside + count) for inside, _, count in rows]


def _file_of(package: str) -> str | None:
    with suppress(ImportError, ValueError):
        spec = importlib.util.find_spec(package)
        return spec.origin if spec is not None else None
    return None


def _readable(path: str) -> bool:
    return os.access(path, os.R_OK | os.X_OK if os.path.isdir(path) else os.R_OK)
