"""Landlock: which files a process can reach, as far as this kernel's version of it goes.

    version()  ->  Ruleset(version)  ->  allow(path, rights)  ->  enforce()

Whatever a version lacks is refused by the list of system calls, too (see `calls`), so files need
Landlock 1 (Linux 5.13), and nothing needs more. From version 4 on it refuses TCP, from version 6 on
signals and abstract sockets beyond the process's own domain. Each call of `enforce` adds a domain
inside the one before, for this thread and what it starts.
"""

import ctypes
import errno
import functools
import os
import platform
import stat
import struct

from grader.records.errors import HostError

# What may be done with a file; the rest of the rights is for folders.
EXECUTE, WRITE, READ, LIST = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE, _MAKE_FOLDER, _MAKE_FILE, _MOVE = 3 << 4, 1 << 7, 1 << 8, 1 << 13
_TRUNCATE, _IOCTL = 1 << 14, 1 << 15
_OF_FILES = EXECUTE | WRITE | READ | _TRUNCATE | _IOCTL
# Neither links, devices, pipes nor sockets.
READABLE = READ | LIST
WRITABLE = READABLE | WRITE | _REMOVE | _MAKE_FOLDER | _MAKE_FILE | _MOVE | _TRUNCATE

# The highest right that each version knows; versions after the last are used like the last.
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16, 6: 16}
NEWEST = max(_RIGHTS)
_TCP, _TCP_SINCE = 0b11, 4
_SCOPES, _SCOPES_SINCE = 0b11, 6
_CREATE, _ADD, _RESTRICT = 444, 445, 446
_VERSION_QUERY, _BENEATH, _NO_NEW_PRIVS = 1, 1, 38


def version() -> int:
    """The kernel's version of Landlock (its ABI); 0 without one."""
    return max(0, _call(_CREATE, None, 0, _VERSION_QUERY))


def missing() -> str:
    """What is missing if there is no Landlock; "" if there is one."""
    if version() > 0:
        return ""
    built_in = ctypes.get_errno() == errno.EOPNOTSUPP
    has = "Landlock, but it is switched off" if built_in else "no Landlock, or a container hides it"
    return f"Its kernel ({platform.release()}) has {has}."


class Ruleset:
    """What a process may still reach: nothing, but for what is allowed here.

    `known` is the version whose rights are used. Raises `HostError` if there is no Landlock.
    """

    def __init__(self, known: int) -> None:
        self._known = min(known, NEWEST)
        if self._known < 1:
            raise HostError(missing())
        self._handled = (1 << _RIGHTS[self._known]) - 1
        tcp = _TCP if self._known >= _TCP_SINCE else 0
        scopes = _SCOPES if self._known >= _SCOPES_SINCE else 0
        # A kernel refuses a struct that is longer than it knows, if the rest isn't zero.
        size = 8 if self._known < _TCP_SINCE else 16 if self._known < _SCOPES_SINCE else 24
        attributes = struct.pack("<QQQ", self._handled, tcp, scopes)[:size]
        self._descriptor = _checked("create a ruleset", _CREATE, attributes, size, 0)

    def allow(self, path: str, rights: int) -> None:
        """Allows rights on a file, or on a folder with everything below it."""
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
            rights &= self._handled & (-1 if is_folder else _OF_FILES)
            rule = struct.pack("<Qi", rights, descriptor)
            _checked(f"allow `{path}`", _ADD, self._descriptor, _BENEATH, rule, 0)
        finally:
            os.close(descriptor)

    def enforce(self) -> None:
        """Confines this thread, for ever. No program that it starts can gain a right."""
        if _libc().prctl(_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
            raise HostError("Landlock could not be enforced: `no_new_privs` was refused")
        _checked("enforce the ruleset", _RESTRICT, self._descriptor, 0)
        os.close(self._descriptor)


@functools.cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _call(number: int, *arguments: int | bytes | None) -> int:
    as_long = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return int(_libc().syscall(ctypes.c_long(number), *as_long))


def _checked(what: str, number: int, *arguments: int | bytes | None) -> int:
    result = _call(number, *arguments)
    if result < 0:
        why = os.strerror(ctypes.get_errno())
        raise HostError(f"Landlock could not {what} ({why}). {missing()}".strip())
    return result
