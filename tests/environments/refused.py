"""Which system calls the sandbox refuses while right answers are judged, by `strace`.

    python -m tests.environments.refused [--seeds N] [--exercise NAME ...]

Judges the reference solutions under strace. A call counts if the kernel answered EPERM or ENOSYS
after its process had installed a filter of its own. Each has to be one of `HARMLESS`.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from grader.course import course as courses

ROOT = Path(__file__).resolve().parents[2]
HARMLESS = {
    "clone3": "the C library then uses clone, whose flags a filter can see",
    "eventfd2": "a library that JAX imports then uses a pipe",
    "mkdir": "JAX makes sure that there is a compile cache, and finds that there is",
}
_LINE = re.compile(r"^(\d+) +(?:<\.\.\. (\w+) resumed>|(\w+)\()(.*)$")
_REFUSED = re.compile(r"= -1 (EPERM|ENOSYS)\b")
# They are never refused, and are most of what a worker calls.
_FREQUENT = "gettid,mprotect,munmap,newfstatat,read,lseek,close,brk,openat,futex,rt_sigprocmask"
GRADER = "from grader.cli import main; main(prog_name='grader')"


def refused(trace: Iterable[str]) -> Counter[str]:
    """The refused calls of confined processes, from the lines of `strace -f`.

    The probe, which tries to be refused, is left out: no other process asks to trace.
    """
    confined: set[str] = set()
    found: dict[str, Counter[str]] = {}
    for line in trace:
        if match := _LINE.match(line):
            pid, resumed, name, rest = match.groups()
            if name == "prctl" and "PR_SET_SECCOMP" in rest and rest.rstrip().endswith("= 0"):
                confined.add(pid)
            elif name in ("clone", "clone3") and pid in confined and (new := _result(rest)):
                confined.add(new)
            if pid in confined and _REFUSED.search(rest):
                found.setdefault(pid, Counter())[resumed or name] += 1
    return sum((calls for calls in found.values() if "ptrace" not in calls), Counter())


def _result(rest: str) -> str:
    """The id of a new thread, "" if there is none."""
    match = re.search(r"= (\d+)$", rest.rstrip())
    return match.group(1) if match else ""


def traced(exercises: list[str], seed: str) -> tuple[Counter[str], str]:
    """What is refused while the solutions of these exercises are graded, and the run's output."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        course = courses.find(ROOT)
        for exercise in course.select(exercises):
            (folder / "right").mkdir(exist_ok=True)
            shutil.copy(course.solution(exercise), folder / "right" / f"{exercise.stem}.py")
        trace = folder / "trace"
        asked = [part for exercise in exercises for part in ("--exercise", exercise)]
        command = ["strace", "-f", "-qq", "-e", f"trace=!{_FREQUENT}", "-o", str(trace)]
        command += [sys.executable, "-c", GRADER, "grade", str(folder / "right"), *asked]
        command += ["--course", str(ROOT), "--seed", seed, "--jobs", "1"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"grading failed: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        with trace.open(errors="replace") as lines:
            return refused(lines), done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.environments.refused")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--exercise", action="append", help="default: all without races")
    asked = parser.parse_args()
    exercises = asked.exercise or [exercise.id for exercise in courses.find(ROOT).exercises]
    total: Counter[str] = Counter()
    for seed in range(asked.seeds):
        found, said = traced(exercises, str(seed))
        total += found
        print(f"seed {seed}: {said.splitlines()[0] if said else ''}; refused: {dict(found)}")
    unknown = set(total) - set(HARMLESS)
    print(f"refused in all: {dict(total)}; not known to be harmless: {sorted(unknown) or 'none'}")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
