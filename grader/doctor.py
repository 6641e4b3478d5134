"""Which layers of isolation hold here: a judge tries to break each from inside a sandbox."""

import platform
import sys
from contextlib import closing

from grader.course import Course
from grader.errors import HostError
from grader.executors.process import JudgeProcess
from grader.sandbox import landlock, seccomp

ADVICE = {
    "files": "a Linux kernel of 5.13 or newer with Landlock (`cat /sys/kernel/security/lsm` names "
    "it), and a course outside the interpreter's own folders",
    "network": "seccomp filters (`CONFIG_SECCOMP_FILTER`) on x86-64 or 64-bit ARM",
    "processes": "seccomp filters (`CONFIG_SECCOMP_FILTER`) on x86-64 or 64-bit ARM",
    "memory": "Landlock and seccomp, as for files and processes",
    "privileges": "seccomp filters, as for processes",
}


def examine(course: Course) -> dict[str, list[str]]:
    """The open ways out of each layer; none if it holds. `HostError` if no sandbox starts."""
    with closing(JudgeProcess()) as judge:
        try:
            ways = judge.ask("doctor", 300, course=str(course.stubs))
        except HostError as error:
            raise HostError(
                "no sandbox starts on this machine, so it can't grade what others wrote. "
                f"{_why() or error}"
            ) from error
    return {layer: list(found) for layer, found in ways.items()}


def _why() -> str:
    """What this machine lacks for a sandbox, if that can be seen, and how to get it."""
    if sys.platform != "linux":
        return f"It runs {platform.system()}; graders run Linux. `grader check` works here, too."
    return landlock.missing() or seccomp.missing()
