"""A run while it runs: in a terminal a bar with what fails, elsewhere a line now and then."""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from grader.model import ExerciseResult, Outcome, Progress
from grader.reports.text import LOOKS, line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

# How often a log hears of a run, in seconds.
LINE_EVERY = 10.0
MOST_RUNNING = 3
# Judges of fewer results start in some seconds, and a log need not hear of it.
MANY_RESULTS = 100


class Live:
    """A context manager whose `show` follows a run; it leaves nothing behind but failures."""

    def __init__(self, console: Console) -> None:
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as Bar

        self._console = console
        # Names of students are no markup.
        columns = (BarColumn(24), TextColumn("{task.fields[said]}", markup=False))
        self._bar = Bar(*columns, console=console, transient=True)
        self._task = self._bar.add_task("", total=None, said="starting the judges")
        self._started = self._said = time.monotonic()

    def __enter__(self) -> Live:
        if self._console.is_terminal:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._console.is_terminal:
            self._bar.stop()

    def show(self, at: Progress) -> None:
        """The run as it is now."""
        now = time.monotonic()
        if at.done == 0:
            self._started = now
        said = sentence(at, now - self._started)
        if not self._console.is_terminal:
            if at.preparing and at.todo < MANY_RESULTS:
                return
            if at.todo and (now - self._said > LINE_EVERY or at.done == 0):
                self._said = now
                self._console.print(said, markup=False, soft_wrap=True)
            return
        self._bar.update(self._task, total=at.todo, completed=at.done, said=said)
        if failed := failures(at.student, at.results):
            self._bar.console.print(failed)


def sentence(at: Progress, seconds: float) -> str:
    """Such as "12 of 40 results, 3.1 a second, 9 s left; now ada, bob; 80 were there before"."""
    if at.preparing:
        return f"results to come: {at.todo}; judges start, and compile what many will share"
    said = [f"{at.done} of {at.todo} results"]
    if at.done and seconds > 0:
        left = (at.todo - at.done) * seconds / at.done
        said[0] += f", {at.done / seconds:.1f} a second, {_duration(left)} left"
    if at.running:
        names = [line(name, 20) for name in at.running[:MOST_RUNNING]]
        more = len(at.running) - len(names)
        said.append("now " + ", ".join(names) + (f" and {more} more" if more > 0 else ""))
    if at.kept:
        said.append(f"{at.kept} were there before")
    return "; ".join(said)


def failures(student: str, results: Sequence[ExerciseResult]) -> Text | None:
    """One line for whoever lost something; None for who lost nothing but what is missing."""
    from rich.text import Text

    fine = (Outcome.PASSED, Outcome.MISSING, Outcome.UNDECIDED)
    lost = [result for result in results if result.outcome not in fine]
    if not lost:
        return None
    shown = Text(f"{line(student, 40)}  ", style="dim")
    for result in lost:
        word, sign, style = LOOKS[result.outcome]
        shown.append(f"{sign} {result.id.split('/')[-1]} {word}  ", style=style)
    return shown


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
