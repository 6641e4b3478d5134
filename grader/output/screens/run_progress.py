"""The progress of a run: a bar and the failures in a terminal, a line every 10 s in a log."""

import time
from collections.abc import Sequence
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from grader.records.model import ExerciseResult, Outcome, RunProgress
from grader.records.safe_text import counted, line, some

# Seconds between two lines of a log.
LINE_EVERY = 10.0
MOST_RUNNING = 3
# With fewer results the judges start within seconds, which is not worth a line in a log.
MANY_RESULTS = 10
FEW_RESULTS = 5


class Live:
    """A context manager whose `show` follows a run. Only failures stay on the screen."""

    def __init__(self, console: Console) -> None:
        self._console = console
        # A student's name may look like markup.
        columns = (BarColumn(24), TextColumn("{task.fields[said]}", markup=False))
        self._bar = Progress(*columns, console=console, transient=True)
        self._task = self._bar.add_task("", total=None, said="starting the judges")
        self._started = self._said = time.monotonic()

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_terminal:
            self._bar.stop()

    def show(self, at: RunProgress) -> None:
        now = time.monotonic()
        if at.done == 0:
            self._started = now
        said = sentence(at, now - self._started)
        if not self._console.is_terminal:
            is_soon = at.preparing and at.todo < MANY_RESULTS
            if at.todo and not is_soon and (now - self._said > LINE_EVERY or at.done == 0):
                self._said = now
                self._console.print(said, markup=False, soft_wrap=True)
            return
        self._bar.update(self._task, total=at.todo, completed=at.done, said=said)
        if failed := failures(at.student, at.results):
            self._bar.console.print(failed)


def sentence(at: RunProgress, seconds: float) -> str:
    """Such as "12 of 40 results, 3.1 a second, 9 s left; now ada, bob; 80 were there before"."""
    if at.preparing:
        return f"{counted(at.todo, 'result')} to come; judges are starting, and compile shared code"
    said = [f"{at.done} of {at.todo} results"]
    if at.done and seconds > 0:
        left = (at.todo - at.done) * seconds / at.done
        said[0] += f", {at.done / seconds:.1f} a second"
        # The first results wait for what all share.
        said[0] += f", {_duration(left)} left" if at.done >= FEW_RESULTS else ""
    if at.running:
        said.append("now " + some([line(name, 20) for name in at.running], MOST_RUNNING))
    if at.kept:
        said.append(f"{at.kept} were there before")
    return "; ".join(said)


def failures(student: str, results: Sequence[ExerciseResult]) -> Text | None:
    """A line on answers that lost points; None if there are none. Missing answers aren't shown."""
    lost = [r for r in results if r.outcome.is_lost or r.outcome is Outcome.BROKEN]
    if not lost:
        return None
    shown = Text(f"{line(student, 40)}  ", style="dim")
    for result in lost:
        outcome, stem = result.outcome, result.id.split("/")[-1]
        shown.append(f"{outcome.sign} {stem} {outcome.word}  ", style=outcome.style)
    return shown


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
