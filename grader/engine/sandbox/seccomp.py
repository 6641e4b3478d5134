"""seccomp: compiles the list of a role's system calls into a filter, and installs it.

    calls.TABLE  --compiled(role, pid)-->  a program for the kernel  --install-->  this process

The kernel runs every filter of a process at each call, and the strictest answer counts. It
remembers which calls a filter always allows, so only calls with a rule cost anything.

What isn't on the list fails with EPERM. `clone3` has its flags behind a pointer, where a filter
can't look. So it "doesn't exist" (ENOSYS), and the C library uses `clone`. A call in another
machine's manner (32 bit, x32) kills the process.
"""

import ctypes
import errno
import os
import platform
import struct

from grader.engine.sandbox.calls import OWN_PID, TABLE, Role, Rule
from grader.records.errors import HostError

_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_CLONE3, _X32 = 435, 0x40000000
_LOAD, _AND, _EQUAL, _AT_LEAST, _GIVE = 0x20, 0x54, 0x15, 0x35, 0x06
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_SET_SECCOMP, _FILTER, _NO_NEW_PRIVS = 22, 2, 38
Step = tuple[int, int, int, int]
_REFUSE: Step = (_GIVE, 0, 0, _ERRNO | errno.EPERM)


def missing() -> str:
    """What is missing if system calls can't be filtered, and how to get it; "" if they can be."""
    if platform.machine() not in _AUDIT:
        return f"Its processor is `{platform.machine()}`; a sandbox needs x86-64 or 64-bit ARM."
    libc = ctypes.CDLL(None, use_errno=True)
    # The kernel looks at the address, which is none, only if it has filters.
    libc.prctl(_SET_SECCOMP, _FILTER, None, 0, 0)
    if ctypes.get_errno() == errno.EFAULT:
        return ""
    return (
        f"Its kernel ({platform.release()}) has no seccomp filters. Start one that was built with "
        "`CONFIG_SECCOMP_FILTER`. A container must allow the call `prctl`."
    )


def compiled(role: Role, pid: int) -> list[Step]:
    """The filter for one process of a role."""
    machine = platform.machine()
    if machine not in _AUDIT:
        raise HostError(missing())
    program: list[Step] = [
        (_LOAD, 0, 0, 4),  # the architecture
        (_EQUAL, 1, 0, _AUDIT[machine]),
        (_GIVE, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),  # the number of the call
        (_AT_LEAST, 0, 1, _X32),
        (_GIVE, 0, 0, _KILL),
    ]
    for call in TABLE:
        number = getattr(call, machine)
        if role in call.who and number is not None:
            # Allowed if all its rules hold, refused otherwise.
            body = [step for rule in call.rules for step in _test(rule, pid)]
            body.append((_GIVE, 0, 0, _ALLOW))
            program += [(_EQUAL, 0, len(body), number), *body]
    return [*program, (_EQUAL, 0, 1, _CLONE3), (_GIVE, 0, 0, _ERRNO | errno.ENOSYS), _REFUSE]


def install(program: list[Step]) -> None:
    """Filters this thread's calls, and those of all that it starts, for ever."""
    code = b"".join(struct.pack("<HBBI", *step) for step in program)
    steps = ctypes.create_string_buffer(code, len(code))
    header = struct.pack("<HxxxxxxQ", len(program), ctypes.addressof(steps))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0)
    if libc.prctl(_SET_SECCOMP, _FILTER, ctypes.create_string_buffer(header), 0, 0) != 0:
        why = os.strerror(ctypes.get_errno())
        raise HostError(f"seccomp could not filter system calls ({why}). {missing()}".strip())


def _test(rule: Rule, pid: int) -> list[Step]:
    """Goes on behind its last step if the rule holds. Only the low 32 bits of an argument count:

    the kernel uses no more of any argument that has a rule.
    """
    steps: list[Step] = [(_LOAD, 0, 0, 16 + 8 * rule.argument)]
    if rule.mask != 0xFFFFFFFF:
        steps.append((_AND, 0, 0, rule.mask))
    for left, value in zip(range(len(rule.values), 0, -1), rule.values, strict=True):
        steps.append((_EQUAL, left, 0, pid if value == OWN_PID else value))
    return [*steps, _REFUSE]
