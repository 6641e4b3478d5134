"""System calls that a confined process must not be able to make, by their numbers, for the probe.

Each is tried with arguments that do no harm if the call goes through. It counts as closed only if
the kernel answers that it isn't permitted, or doesn't exist. Another error means that nothing
stood before the call itself.
"""

import ctypes
import errno
import platform
from collections.abc import Callable
from typing import Any, NamedTuple

_CLOSED = {errno.EPERM, errno.EACCES, errno.ENOSYS}
_NO_ADDRESS = 8
JUDGE = "judge"
"""As an argument: the judge's pid."""


class Raw(NamedTuple):
    """A call by its numbers (None: the machine lacks it), with its arguments; the rest are 0."""

    layer: str
    way: str
    x86_64: int | None
    aarch64: int | None
    arguments: tuple[int | str, ...] = ()


CALLS = (
    # Paths. Nothing is at address 8, so a call that goes through fails by EFAULT.
    Raw("files", "cut off a file by its path", 76, 45, (_NO_ADDRESS,)),
    Raw("files", "change a file's owner", 260, 54, (-100, _NO_ADDRESS)),
    Raw("files", "change a file's times", 280, 88, (-100, _NO_ADDRESS, 0, 0)),
    Raw("files", "change a file's attributes", 188, 5, (_NO_ADDRESS, _NO_ADDRESS)),
    Raw("files", "make a pipe or a device", 259, 33, (-100, _NO_ADDRESS)),
    Raw("files", "open a file by its handle", 304, 265, (-100, _NO_ADDRESS)),
    Raw("files", "open by a structure", 437, 437, (-100, _NO_ADDRESS)),
    Raw("files", "watch files", 294, 26),
    Raw("files", "lock a file", 73, 32, (-1, 0)),
    Raw("files", "change its root folder", 161, 51, (_NO_ADDRESS,)),
    Raw("files", "mount", 165, 40, (_NO_ADDRESS, _NO_ADDRESS, _NO_ADDRESS)),
    Raw("network", "make a pair of sockets", 53, 199, (1, 1, 0, _NO_ADDRESS)),
    Raw("network", "make a socket to the kernel", 41, 198, (16, 3, 0)),
    # Pids
    Raw("processes", "open a descriptor of the judge", 434, 434, (JUDGE,)),
    Raw("processes", "signal a thread of the judge", 200, 130, (JUDGE, 0)),
    Raw("processes", "signal the judge with data", 129, 138, (JUDGE, 0, _NO_ADDRESS)),
    Raw("processes", "see the judge's session", 124, 156, (JUDGE,)),
    Raw("processes", "see the judge's group", 121, 155, (JUDGE,)),
    Raw("processes", "see the judge's priority", 140, 141, (0, JUDGE)),
    Raw("processes", "set the judge's priority", 141, 140, (3, JUDGE, 19)),
    Raw("processes", "set the judge's scheduler", 144, 119, (JUDGE, -1, _NO_ADDRESS)),
    Raw("processes", "set the judge's share of the disk", 251, 30, (1, JUDGE, -1)),
    Raw("processes", "see the judge's processor time", 229, 114, ("clock",)),
    Raw("processes", "enter a namespace", 308, 268, (-1, 0)),
    Raw("processes", "make a namespace", 272, 97, (1,)),
    Raw("processes", "start a timer", 222, 107, (0, 0, _NO_ADDRESS)),
    Raw("processes", "start an alarm", 38, 103, (0, _NO_ADDRESS)),
    Raw("memory", "read the judge's memory by a call", 310, 270, (JUDGE,)),
    Raw("memory", "write the judge's memory by a call", 311, 271, (JUDGE,)),
    Raw("memory", "trace the judge", 101, 117, (0x7777, JUDGE)),
    Raw("memory", "compare itself with the judge", 312, 272, (JUDGE, JUDGE, 2)),
    Raw("memory", "move the judge's memory", 256, 238, (JUDGE, 0)),
    Raw("memory", "place its memory by a policy", 238, 237, (0, 0, 0)),
    Raw("memory", "handle its own page faults", 323, 282, (1,)),
    Raw("memory", "share memory by a number", 29, 194, (0, 0, 0)),
    Raw("memory", "make a file in memory", 319, 279, (_NO_ADDRESS,)),
    Raw("memory", "share memory by a mapping", 9, 222, (0, 4096, 3, 0x21, -1)),
    Raw("memory", "open a queue of messages", 240, 180, (_NO_ADDRESS,)),
    Raw("memory", "keep memory from being swapped", 149, 228, (0, 0)),
    Raw("privileges", "make a ring of calls", 425, 425, (0, _NO_ADDRESS)),
    Raw("privileges", "add a key", 248, 217, (_NO_ADDRESS, _NO_ADDRESS, 0, 0, -1)),
    Raw("privileges", "ask for keys", 250, 219, (0, -3, 0)),
    Raw("privileges", "load a program into the kernel", 321, 280, (0, _NO_ADDRESS, 0)),
    Raw("privileges", "measure the kernel", 298, 241, (_NO_ADDRESS,)),
    Raw("privileges", "become another user", 117, 147, (-1, -1, -1)),
    Raw("privileges", "change how programs run", 135, 92, (0xFFFFFFFF,)),
)


def ways(judge: int) -> dict[str, dict[str, Callable[[], Any]]]:
    """For each layer, its ways by name: calls that return False if they were refused."""
    found: dict[str, dict[str, Callable[[], Any]]] = {}
    for call in CALLS:
        number = getattr(call, platform.machine(), None)
        if number is not None:
            values = {JUDGE: judge, "clock": (~judge << 3) | 2}
            arguments = [a if isinstance(a, int) else values[a] for a in call.arguments]
            found.setdefault(call.layer, {})[call.way] = _passes(number, arguments)
    return found


def _passes(number: int, arguments: list[int]) -> Callable[[], bool]:
    def passes() -> bool:
        libc = ctypes.CDLL(None, use_errno=True)
        longs = [ctypes.c_long(a) for a in (number, *arguments, *[0] * (6 - len(arguments)))]
        return libc.syscall(*longs) >= 0 or ctypes.get_errno() not in _CLOSED

    return passes
