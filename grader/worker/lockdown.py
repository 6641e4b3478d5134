"""What a child gives up after the fork, before it sees a byte of a student.

    enter  ->  dies with the zygote -> resource limits -> no capabilities
               -> its own Landlock domain -> no new processes

The zygote's sandbox (Landlock and seccomp from outside) already holds. These layers protect
the zygote and the other children from this one: a process in a Landlock domain of its own
can neither signal nor trace its parent. Where the host gives no Landlock, `confine` is false
and only the limits hold.
"""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import signal
import struct
from typing import Any

_PR_SET_PDEATHSIG = 1
_PR_SET_SECCOMP = 22
_PR_CAPBSET_DROP = 24
_PR_SET_NO_NEW_PRIVS = 38
_CAPABILITY_VERSION_3 = 0x20080522
_LAST_CAPABILITY = 63


def enter(request: dict[str, Any]) -> None:
    """Applies every layer that `request` asks for. Raises `OSError` if one can't be applied."""
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
    if request["limits"]["processes"] == 0:
        _forbid_processes(libc)


def configure_jax(request: dict[str, Any]) -> None:
    """The device count and the compile cache, before a backend starts."""
    import jax

    if request["devices"] > 1:
        jax.config.update("jax_num_cpu_devices", request["devices"])
    if request["cache"] is not None:
        jax.config.update("jax_compilation_cache_dir", request["cache"])
        # A confined child could not write there anyway: it does not even try.
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
    ):
        _, hard = resource.getrlimit(what)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(what, (value, value))
    # A file over the limit is an error to the student's code, not a signal.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def _drop_capabilities(libc: Any) -> None:
    """Root in a sandbox must not set clocks or raise its limits."""
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    for capability in range(_LAST_CAPABILITY + 1):
        libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    header = ctypes.create_string_buffer(struct.pack("<Ii", _CAPABILITY_VERSION_3, 0))
    nothing = ctypes.create_string_buffer(24)
    if libc.capset(header, nothing) != 0:
        raise OSError(ctypes.get_errno(), "capabilities could not be dropped")


# Linux system call numbers: AUDIT_ARCH, clone, clone3, and those that are refused outright:
# fork, vfork, execve, execveat, setpgid, setsid.
_SYSTEM_CALLS = {
    "x86_64": (0xC000003E, 56, 435, (57, 58, 59, 322, 109, 112)),
    "aarch64": (0xC00000B7, 220, 435, (221, 281, 154, 157)),
}
_CLONE_THREAD = 0x00010000
_EPERM, _ENOSYS = 1, 38


def _forbid_processes(libc: Any) -> None:
    """A seccomp filter (BPF): threads yes, processes no, and no new session or group.

    sandlock limits how many processes a sandbox holds, but the zygote must fork; so this one
    rule is the child's own. clone3 hides its flags behind a pointer: it is answered "no such
    call", and glibc falls back to clone.
    """
    arch, clone, clone3, refused = _SYSTEM_CALLS[platform.machine()]
    load, equal, greater, any_set, give = 0x20, 0x15, 0x35, 0x45, 0x06
    allow, errno, kill = 0x7FFF0000, 0x00050000, 0x80000000
    program = [
        (load, 0, 0, 4),  # the architecture
        (equal, 1, 0, arch),
        (give, 0, 0, kill),
        (load, 0, 0, 0),  # the number of the call
        (greater, 0, 1, 0x40000000),  # the x32 twin of every call
        (give, 0, 0, errno | _EPERM),
        (equal, 0, 1, clone3),
        (give, 0, 0, errno | _ENOSYS),
    ]
    for number in refused:
        program += [(equal, 0, 1, number), (give, 0, 0, errno | _EPERM)]
    program += [
        (equal, 1, 0, clone),
        (give, 0, 0, allow),
        (load, 0, 0, 16),  # the flags, low half of the first argument
        (any_set, 1, 0, _CLONE_THREAD),
        (give, 0, 0, errno | _EPERM),
        (give, 0, 0, allow),
    ]
    code = b"".join(struct.pack("<HBBI", *line) for line in program)
    filters = ctypes.create_string_buffer(code, len(code))
    header = struct.pack("<HxxxxxxQ", len(program), ctypes.addressof(filters))
    pointer = ctypes.create_string_buffer(header, len(header))
    if libc.prctl(_PR_SET_SECCOMP, 2, pointer, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the process filter could not be installed")
