"""Takes rights from a child after the fork, before it reads anything of a student.

    enter  ->  dies with the zygote -> resource limits -> its own Landlock domain
               -> its own uid and root folder -> no capabilities
               -> its own, shorter list of system calls

The child is already in the zygote's sandbox (Landlock and seccomp). These layers also protect the
zygote and the other children: a child can neither signal nor trace its parent, nor set its limits.
In a sandbox that is none (`Plain`), `confine` is false, and only the limits apply.
"""

import ctypes
import os
import resource
import signal
import struct
from typing import Any

from grader.engine.sandbox import own_uid
from grader.engine.sandbox.calls import Role
from grader.engine.sandbox.locked import confine, confine_calls, confine_files
from grader.records.errors import HostError

_PR_SET_PDEATHSIG = 1
_PR_CAPBSET_DROP = 24
_CAPABILITY_VERSION_3 = 0x20080522
_LAST_CAPABILITY = 63


def enter_zygote(policy: dict[str, Any]) -> dict[str, Any]:
    """Confines the zygote, which may fork. Returns by what its children can be confined:

    known       the version of Landlock; 0 without
    root        the root folder of the children; None where Landlock makes it superfluous
    no_uid      why children have no uid of their own; "" if they have one
    """
    known, root, scratch = policy["known"], policy["root"], policy["scratch"]
    no_uid = own_uid.missing()
    if not no_uid:
        os.chmod(scratch, 0o711)
        if root is None and (path := own_uid.unreachable(policy["installed"], [scratch])):
            no_uid = f"other users can't read `{path}`"
    if known:
        confine(Role.ZYGOTE, policy["readable"], scratch, known)
    else:
        confine_calls(Role.ZYGOTE)
    return {"known": known, "root": root, "no_uid": no_uid}


def enter(request: dict[str, Any], means: dict[str, Any] | None) -> None:
    """Applies the layers that `request` asks for, by what `enter_zygote` found.

    Raises `OSError` or `HostError` if one can't be applied.
    """
    die_with_parent()
    _set_limits(request["limits"])
    if not request["confine"] or means is None:
        return
    role = Role.BENCH if request["role"] == "bench" else Role.WORKER
    scratch = request["scratch"]
    if means["known"]:
        if request["cache"] is not None:
            # By its descriptor, because a uid may not be let through the folders above it.
            held = os.open(request["cache"], os.O_PATH | os.O_DIRECTORY)
            request["cache"] = f"/proc/self/fd/{held}"
        confine_files(role, request["readable"], scratch, means["known"])
    else:
        request["cache"] = None
        if means["no_uid"] or means["root"] is None:
            raise HostError("without Landlock, a child needs a uid and a root folder of its own")
    for capability in range(_LAST_CAPABILITY + 1):  # no program that it starts may regain one
        ctypes.CDLL(None).prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    if not means["no_uid"]:
        own_uid.take(scratch, means["root"])
        die_with_parent()  # a change of the uid takes that back
    _drop_capabilities()
    confine_calls(role)


def configure_jax(request: dict[str, Any]) -> None:
    """Sets the device count and the compile cache, before a backend starts."""
    import jax

    from grader.engine.worker import lowered
    from grader.records import cache

    if request["devices"] > 1:
        jax.config.update("jax_num_cpu_devices", request["devices"])
    if request["cache"] is not None:
        # A confined child can't write there, so it doesn't try.
        cache.configure_jax(request["cache"], 1e9 if request["confine"] else 0.0)
    lowered.configure(request["cache"], writes=not request["confine"])


def die_with_parent() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _set_limits(limits: dict[str, Any]) -> None:
    seconds = int(limits["total_seconds"] * (os.cpu_count() or 1)) + 60
    for what, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, limits["disk_mb"] << 20),
        (resource.RLIMIT_NOFILE, 256),
        (resource.RLIMIT_CPU, seconds),
        # Far more than XLA reserves. It limits page tables, which count as no process's memory.
        (resource.RLIMIT_AS, 64 << 30),
        # The judge's own may be lower (see `grader.engine.judge.budget`), and is inherited.
        (resource.RLIMIT_DATA, 64 << 30),
    ):
        _, hard = resource.getrlimit(what)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(what, (value, value))
    # For the student's code, a file over the limit is an error, not a signal.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def _drop_capabilities() -> None:
    """Even root must not set clocks or raise limits in the sandbox."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = ctypes.create_string_buffer(struct.pack("<Ii", _CAPABILITY_VERSION_3, 0))
    nothing = ctypes.create_string_buffer(24)
    if libc.capset(header, nothing) != 0:
        raise OSError(ctypes.get_errno(), "capabilities could not be dropped")
