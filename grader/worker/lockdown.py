"""Takes rights from a child after the fork, before it reads anything of a student.

    enter  ->  dies with the zygote -> resource limits -> no capabilities
               -> its own Landlock domain -> no new processes, no shared memory, no leases

The child is already in the zygote's sandbox (Landlock and seccomp). These layers also protect the
zygote and the other children: in its own Landlock domain, a child can neither signal nor trace its
parent. On a host without Landlock, `confine` is false, and only the limits apply.
"""

import ctypes
import os
import platform
import resource
import signal
import struct
from typing import Any, NamedTuple

_PR_SET_PDEATHSIG = 1
_PR_SET_SECCOMP = 22
_PR_CAPBSET_DROP = 24
_PR_SET_NO_NEW_PRIVS = 38
_CAPABILITY_VERSION_3 = 0x20080522
_LAST_CAPABILITY = 63


def enter(request: dict[str, Any]) -> None:
    """Applies the layers that `request` asks for. Raises `OSError` if one can't be applied."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    _set_limits(request["limits"])
    if not request["confine"]:
        return
    _drop_capabilities(libc)
    import sandlock

    sandlock.confine(
        sandlock.Sandbox(
            fs_readable=request["readable"], fs_writable=[request["scratch"], os.devnull]
        )
    )
    _filter_calls(libc, processes=request["limits"]["processes"] > 0)


def configure_jax(request: dict[str, Any]) -> None:
    """Sets the device count and the compile cache, before a backend starts."""
    import jax

    if request["devices"] > 1:
        jax.config.update("jax_num_cpu_devices", request["devices"])
    if request["cache"] is not None:
        jax.config.update("jax_compilation_cache_dir", request["cache"])
        # A confined child can't write there, so it doesn't try.
        least = 1e9 if request["confine"] else 0.0
        jax.config.update("jax_persistent_cache_min_compile_time_secs", least)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
        jax.config.update("jax_persistent_cache_enable_xla_caches", "none")


def _set_limits(limits: dict[str, Any]) -> None:
    seconds = int(limits["total_seconds"] * (os.cpu_count() or 1)) + 60
    for what, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, limits["disk_mb"] << 20),
        (resource.RLIMIT_NOFILE, 256),
        (resource.RLIMIT_CPU, seconds),
        # Far more than XLA reserves. It limits page tables, which count as no process's memory.
        (resource.RLIMIT_AS, 64 << 30),
    ):
        _, hard = resource.getrlimit(what)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(what, (value, value))
    # For the student's code, a file over the limit is an error, not a signal.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def _drop_capabilities(libc: Any) -> None:
    """Even root must not set clocks or raise limits in the sandbox."""
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    for capability in range(_LAST_CAPABILITY + 1):
        libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    header = ctypes.create_string_buffer(struct.pack("<Ii", _CAPABILITY_VERSION_3, 0))
    nothing = ctypes.create_string_buffer(24)
    if libc.capset(header, nothing) != 0:
        raise OSError(ctypes.get_errno(), "capabilities could not be dropped")


class _Calls(NamedTuple):
    """System call numbers of one architecture."""

    audit: int
    clone: int
    mmap: int
    fcntl: int
    socket: int
    prctl: int
    timer_create: int
    refused: tuple[int, ...]
    """fork, vfork, execve, execveat, setpgid, setsid."""


_CALLS = {
    "x86_64": _Calls(0xC000003E, 56, 9, 72, 41, 157, 222, (57, 58, 59, 322, 109, 112)),
    "aarch64": _Calls(0xC00000B7, 220, 222, 25, 198, 167, 107, (221, 281, 154, 157)),
}
_CLONE3 = 435
_CLONE_THREAD, _MAP_SHARED, _AF_UNIX = 0x00010000, 0x01, 1
# These are refused. A lease makes other readers of a file wait. F_NOTIFY and larger pipes use up
# kernel memory. A signal from a descriptor or a timer could continue a stopped process.
_F_SETSIG, _F_SETLEASE, _F_NOTIFY, _F_SETPIPE_SZ = 10, 1024, 1026, 1031
_REFUSED_FCNTL = (_F_SETSIG, _F_SETLEASE, _F_NOTIFY, _F_SETPIPE_SZ)
_EPERM, _ENOSYS = 1, 38
_LOAD, _EQUAL, _GREATER, _ANY_SET, _GIVE = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_REFUSE = (_GIVE, 0, 0, _ERRNO | _EPERM)


def _filter_calls(libc: Any, *, processes: bool) -> None:
    """Adds a seccomp filter (BPF) for calls that sandlock's allows, since the zygote needs them.

    Threads are allowed, processes are not. The filter refuses memory that isn't counted as this
    process's own, leases, network sockets (Landlock covers plain TCP, not MPTCP, Fast Open or
    netlink), ways to continue a stopped process, and a new parent-death signal: a child has to die
    with its parent. A filter can't read the flags of clone3, which are behind a pointer. So clone3
    returns ENOSYS, and glibc then uses clone.
    """
    calls = _CALLS[platform.machine()]
    program = [
        (_LOAD, 0, 0, 4),  # the architecture
        (_EQUAL, 1, 0, calls.audit),
        (_GIVE, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),  # the number of the call
        (_GREATER, 0, 1, 0x40000000),  # the x32 variant of every call
        _REFUSE,
        *_refuse_if(calls.mmap, 3, (_ANY_SET, _MAP_SHARED)),
        *_refuse_if(calls.prctl, 0, (_EQUAL, _PR_SET_PDEATHSIG)),
        *_refuse_unless(calls.socket, 0, _AF_UNIX),
        *_refuse_if(calls.fcntl, 1, *((_EQUAL, command) for command in _REFUSED_FCNTL)),
        (_EQUAL, 0, 1, calls.timer_create),
        _REFUSE,
    ]
    if not processes:
        program += [(_EQUAL, 0, 1, _CLONE3), (_GIVE, 0, 0, _ERRNO | _ENOSYS)]
        for number in calls.refused:
            program += [(_EQUAL, 0, 1, number), _REFUSE]
        program += [
            (_EQUAL, 0, 4, calls.clone),
            (_LOAD, 0, 0, 16),  # the flags: the first argument
            (_ANY_SET, 1, 0, _CLONE_THREAD),
            _REFUSE,
            (_GIVE, 0, 0, _ALLOW),
        ]
    program.append((_GIVE, 0, 0, _ALLOW))
    code = b"".join(struct.pack("<HBBI", *line) for line in program)
    filters = ctypes.create_string_buffer(code, len(code))
    header = struct.pack("<HxxxxxxQ", len(program), ctypes.addressof(filters))
    pointer = ctypes.create_string_buffer(header, len(header))
    if libc.prctl(_PR_SET_SECCOMP, 2, pointer, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the filter of system calls could not be installed")


def _refuse_if(
    number: int, argument: int, *tests: tuple[int, int]
) -> list[tuple[int, int, int, int]]:
    """Refuses the call `number` if a test holds for the low half of one of its arguments."""
    block = [(_LOAD, 0, 0, 16 + 8 * argument)]
    for test, value in tests:
        block += [(test, 0, 1, value), _REFUSE]
    block.append((_LOAD, 0, 0, 0))
    return [(_EQUAL, 0, len(block), number), *block]


def _refuse_unless(number: int, argument: int, value: int) -> list[tuple[int, int, int, int]]:
    """Refuses the call `number` unless one of its arguments has this value."""
    return [
        (_EQUAL, 0, 4, number),
        (_LOAD, 0, 0, 16 + 8 * argument),
        (_EQUAL, 1, 0, value),
        _REFUSE,
        (_LOAD, 0, 0, 0),
    ]
