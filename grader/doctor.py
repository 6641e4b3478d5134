"""Which layers of isolation hold here: a judge tries to break each from inside a sandbox."""

import platform
import sys
from contextlib import closing
from pathlib import Path

from grader.course import Course
from grader.errors import HostError
from grader.executors.process import JudgeProcess

ADVICE = {
    "files": "a Linux kernel of 6.12 or newer with Landlock (`cat /sys/kernel/security/lsm` names "
    "it), and a course outside the interpreter's own folders",
    "network": "seccomp user notification; a container that filters it out has to be started with "
    "`--security-opt seccomp=unconfined`",
    "processes": "seccomp filters on x86_64 or aarch64, and Landlock ABI 6 (Linux 6.12)",
    "memory": "Landlock and seccomp, as for files and processes",
    "privileges": "an ordinary user instead of root",
}
_SECCOMP = Path("/proc/sys/kernel/seccomp/actions_avail")


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
    try:
        import sandlock
    except ImportError:
        return (
            f"`{sys.executable}` lacks the package `sandlock`. Install it there with "
            "`python -m pip install sandlock`."
        )
    found, needed = sandlock.landlock_abi_version(), sandlock.min_landlock_abi()
    if found < needed:
        has = "no Landlock" if found < 1 else f"Landlock ABI {found}, which is too old"
        return (
            f"Its kernel ({platform.release()}) has {has}: ABI {needed} is needed. Start Linux "
            "6.12 or newer with `landlock` among `lsm=` on its command line. In a container the "
            "host's kernel counts, and its seccomp profile must not hide Landlock."
        )
    if _SECCOMP.is_file() and "user_notif" not in _SECCOMP.read_text().split():
        return f"Its kernel ({platform.release()}) has no seccomp user notification (Linux 5.0)."
    return ""
