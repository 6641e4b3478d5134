"""How many programs a right answer compiles: `python -m tests.benchmarks.programs [EXERCISE ...]`.

Most of what an answer costs is compiling: 12 to 40 ms for a small program, of which an answer
without `jit` has one for each of its operations, and for each new shape. A time is noisy, and this
number is exact. It is counted for the solution and for each variant, of eight exercises by default:

    exercise    programs of a right answer, the mean and the most
        line    where a suite asks, the calls there, and the programs that they compile (the mean)

Lines are shown for named exercises. Each answer starts with an empty compile cache, without a
sandbox. JAX keeps every program that it compiles there. No races are run.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import shutil
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

from grader.course import course as courses
from grader.course.course import Course
from grader.engine.judge.judge import Judge
from grader.engine.processes.host import Host
from grader.engine.processes.seat import RemoteSeat
from grader.engine.sandbox import Plain
from grader.intake import cells
from grader.records import cache
from grader.records.model import Exercise, Job, Outcome, Purpose, Source, Submission, Terms
from tests.benchmarks.grading import EIGHT, ROOT

SHOWN = 12
"""The dearest lines of a suite that are shown."""
TERMS = Terms("none", "benchmark", Purpose.PROOF, with_races=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("exercises", nargs="*")
    parser.add_argument("--course", type=Path, default=ROOT)
    options = parser.parse_args()
    course = courses.find(options.course)
    for exercise in course.select(tuple(options.exercises) or EIGHT):
        counts, lines, calls = measured(course, exercise)
        mean, most, answers = statistics.mean(counts), max(counts), len(counts)
        print(f"{exercise.id:<32}{mean:6.1f} programs, at most {most}", flush=True)
        for line, programs in lines.most_common(SHOWN if options.exercises else 0):
            asked = f"{calls[line] / answers:5.1f} calls"
            print(f"    line {line:<5}{asked}{programs / answers:8.1f} programs")


def measured(course: Course, exercise: Exercise) -> tuple[list[int], Counter[int], Counter[int]]:
    """The programs of each right answer; by line, all programs and all calls."""
    solution, suite = course.solution(exercise).read_text(), course.suite(exercise)
    others = [cell.after(solution) for cell in cells.read(course.right(exercise)).cells]
    counts, lines, calls = [], Counter[int](), Counter[int]()

    def counted(ask: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*arguments: Any) -> Any:
            before = compiled()
            try:
                return ask(*arguments)
            finally:
                line = line_of(suite)
                calls[line] += 1
                lines[line] += compiled() - before

        return counting

    with contextlib.ExitStack() as ending:
        own = {"XDG_CACHE_HOME": ending.enter_context(tempfile.TemporaryDirectory())}
        ending.enter_context(mock.patch.dict(os.environ, own))
        ending.enter_context(contextlib.redirect_stdout(io.StringIO()))  # pytest's
        for name in ("ask", "bench"):
            ask = counted(getattr(RemoteSeat, name))
            ending.enter_context(mock.patch.object(RemoteSeat, name, ask))
        judge = Judge(course, (exercise,), Host(Plain(), cache.programs()), TERMS)
        ending.callback(judge.close)
        for text in (solution, *others):
            shutil.rmtree(cache.programs())
            cache.programs()
            source = Source(exercise.id, f"{exercise.stem}.py", text)
            submission = Submission("an answer", "", (source,))
            (result,) = judge.grade(Job(submission, (exercise.id,)))
            assert result.outcome is Outcome.PASSED, result
            counts.append(compiled())
    return counts, lines, calls


def compiled() -> int:
    """The programs in the compile cache; beside them are modules that were lowered."""
    return sum(entry.name.endswith("-cache") for entry in cache.programs().iterdir())


def line_of(suite: Path) -> int:
    """The line of the suite that asks."""
    frame = sys._getframe()
    while frame.f_back is not None and Path(frame.f_code.co_filename).name != suite.name:
        frame = frame.f_back
    return frame.f_lineno


if __name__ == "__main__":
    main()
