"""Which layers of isolation this machine gives: asks a judge to try each from inside a sandbox."""

from __future__ import annotations

from grader.course import Course
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


def examine(course: Course) -> dict[str, list[str]]:
    """For each layer, the ways out of it that were open; empty lists are layers that hold.

    Raises `HostError` if no sandbox starts at all.
    """
    judge = JudgeProcess()
    try:
        ways = judge.ask("doctor", 300, course=str(course.stubs))
    finally:
        judge.close()
    return {layer: list(found) for layer, found in ways.items()}
