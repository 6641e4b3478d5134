"""What the kernel tells: of a child process its threads, memory, disk and waiting for a core, and
how many cores this process may use.
"""

import ctypes
import errno
import math
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

_CGROUP = Path("/sys/fs/cgroup")


def usable_cores() -> int:
    """Those that this process may run on, or a container's share of them: 1.5 cores count as 2."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, math.ceil(min(cores or 1, _share())))


def _share() -> float:
    """What `docker run --cpus=1.5` or a limit of Kubernetes says; infinite without one."""
    with suppress(OSError, ValueError):
        quota, period = (_CGROUP / "cpu.max").read_text().split()
        return int(quota) / int(period)  # "max" is no number: no limit
    with suppress(OSError, ValueError):
        quota_1, period_1 = (
            int((_CGROUP / "cpu" / f"cpu.cfs_{name}_us").read_text())
            for name in ("quota", "period")
        )
        return quota_1 / period_1 if quota_1 > 0 else math.inf
    return math.inf


def seconds_used(pid: int) -> float:
    """Processor seconds of all threads of a process; 0 if unknown."""
    clock = (~pid << 3) | 2  # what `clock_getcpuclockid` of the C library returns
    with suppress(OSError):
        return time.clock_gettime(clock)
    return 0.0


def seconds_waited(pid: int) -> dict[str, float]:
    """Seconds that each thread of a process was ready and had no core; empty if unknown."""
    waits = {}
    for task in tasks(pid):
        with (
            suppress(OSError, IndexError),
            open(f"/proc/{pid}/task/{task}/schedstat", "rb") as file,
        ):
            waits[task] = _waited(file.read())
    return waits


def seconds_waited_here() -> float:
    """The same for the main thread of this process. It is cheap enough to ask before each call."""
    with suppress(OSError, IndexError):
        return _waited(os.pread(_schedstat(os.getpid()), 80, 0))
    return 0.0


@cache
def _schedstat(pid: int) -> int:
    """An open file for each process: after a fork, the parent's file would tell of the parent."""
    return os.open(f"/proc/{pid}/schedstat", os.O_RDONLY | os.O_CLOEXEC)


def _waited(schedstat: bytes) -> float:
    return int(schedstat.split()[1]) / 1e9


def tasks(pid: int) -> list[str]:
    """The threads of a process; empty after it has ended."""
    with suppress(OSError):
        return os.listdir(f"/proc/{pid}/task")
    return []


def is_stopped(pid: int, task: str) -> bool:
    with suppress(OSError):
        return stat(f"/proc/{pid}/task/{task}/stat")[0] in b"TtZX"
    return True


def stat(path: str) -> list[bytes]:
    """The fields of a process or a thread after its name, which may hold anything."""
    with open(path, "rb") as file:
        return file.read().rsplit(b")", 1)[1].split()


class Usage(NamedTuple):
    """The resources of a process: resident bytes, threads, bytes ever written."""

    memory: int
    threads: int
    written: int


def usage_of(pid: int) -> Usage | None:
    """None if the process, or only its main thread, has ended."""
    try:
        fields = stat(f"/proc/{pid}/stat")
        written = _written(pid)
    except OSError:
        return None
    if fields[0] in (b"Z", b"X"):
        return None
    return Usage(int(fields[21]) * _page(), int(fields[17]), written)


def _written(pid: int) -> int:
    """Bytes that a process ever wrote. The kernel tells this only to its user, or to a tracer.

    A child may have a uid of its own, and in containers root may not trace. So this thread
    becomes that user while it looks.
    """
    owner = os.stat(f"/proc/{pid}")
    with _as_user(owner.st_uid, owner.st_gid), open(f"/proc/{pid}/io", "rb") as file:
        return int(file.read().split(b"wchar: ")[1].split()[0])


@contextmanager
def _as_user(uid: int, gid: int) -> Iterator[None]:
    """Only for what this thread does with files. Without root nothing happens."""
    if os.geteuid() != 0 or uid == 0:
        yield
        return
    _libc().setfsgid(gid)
    _libc().setfsuid(uid)
    try:
        yield
    finally:
        _libc().setfsuid(0)
        _libc().setfsgid(os.getegid())


def disk_used(folder: Path, most_entries: int = 2000) -> int:
    """Bytes below `folder`; an entry counts as at least one page, too many as a full disk."""
    total = entries = 0
    open_folders = [folder]
    while open_folders:
        try:
            with os.scandir(open_folders.pop()) as children:
                for child in children:
                    entries += 1
                    if entries > most_entries:
                        return 1 << 60
                    if child.is_dir(follow_symlinks=False):
                        open_folders.append(Path(child.path))
                    total += max(4096, child.stat(follow_symlinks=False).st_blocks * 512)
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                return 1 << 60
    return total


@cache
def _page() -> int:
    return os.sysconf("SC_PAGE_SIZE")


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None)
