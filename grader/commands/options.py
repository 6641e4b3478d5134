"""What commands share: options, the course, the terminal."""

from __future__ import annotations

import contextlib
import io
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.records.errors import UsageError
from grader.records.model import ISOLATION_MODES, Person

if TYPE_CHECKING:
    from rich.console import Console

    from grader.course.course import Course
    from grader.records.model import Exercise, Submission
    from grader.teacher.roster import Roster

SECONDS_BETWEEN_STEPS = 60
"""Where a command doesn't write to a terminal."""

_AROUND = "The course's folder. Default: the one around this folder"
COURSE = click.option("--course", type=click.Path(path_type=Path), help=f"{_AROUND}.")
ANY_COURSE = click.option(
    "--course", type=click.Path(path_type=Path), help=f"{_AROUND}, else the installed course."
)
JUDGING_COURSE = click.option(
    "--course",
    type=click.Path(path_type=Path),
    help="The folder of the course that judges. Default: the installed course.",
)
ISOLATION = click.option(
    "--isolation",
    type=click.Choice(ISOLATION_MODES),
    default="required",
    show_default=True,
    help="If this machine lacks a layer of isolation: refuse, use the layers it has, or use none.",
)
ASSIGNMENT = click.option(
    "--assignment",
    metavar="NAME",
    help="Only the exercises of this assignment in the catalogue, or in a file such as hw1.toml.",
)
ROSTER = click.option(
    "--roster",
    type=click.Path(path_type=Path),
    metavar="CSV",
    help="The people in the class: who submitted what. Columns: "
    f"{', '.join(Person.__annotations__)}.",
)
SEED = click.option(
    "--seed", metavar="N", help="Use the same random inputs as an earlier run. Default: random."
)


def course_at(path: Path | None, *, or_installed: bool = True) -> Course:
    from grader.course import course as courses

    return courses.find(path, or_installed=or_installed)


def judging_course(path: Path | None, graded: Iterable[Path] = ()) -> Course:
    """The course whose suites may run on the work in `graded`."""
    from grader.course import course as courses

    return courses.find_judging(path, graded)


def for_assignment(course: Course, assignment: str | None) -> tuple[Course, str | None]:
    """The course with its assignments, also one that a file describes, and the one's name."""
    return (course, None) if assignment is None else course.assigned(assignment)


def chosen_exercises(
    course: Course, exercises: Iterable[str], assignment: str | None
) -> tuple[Exercise, ...]:
    """What `--exercise` or `--assignment` names, by default all of the course."""
    if assignment and exercises:
        raise UsageError("`--assignment` already names the exercises: leave `--exercise` out.")
    return course.select(course.assignment(assignment).exercises if assignment else exercises)


def handed_in(
    paths: Iterable[Path],
    classes: Iterable[Path],
    course: Course,
    assignment: str | None,
    *,
    skipped: Path | None = None,
) -> list[Submission]:
    """The submissions of these people, and of everybody in these classes.

    Two paths with one name may be of two people, so they are refused. In a class they are attempts.
    """
    from grader.intake import reader

    named: dict[str, Submission] = {}
    for path in paths:
        submission = reader.read(path, course)
        if submission.id in named:
            raise UsageError(
                f"two of the submissions are called `{submission.id}`; `{path}` is the second. "
                "Name each after its student, so that they can be told apart."
            )
        named[submission.id] = submission
        _tell_if_empty(path, [submission])
    works = list(named.values())
    for folder in classes:
        of_class = list(
            reader.read_class(
                folder, course, assignment=assignment or "", skipped=skipped, tell=_note
            )
        )
        _tell_if_empty(folder, of_class)
        works += of_class
    return works


def _tell_if_empty(path: Path, works: Iterable[Submission]) -> None:
    """A class that is taken for one person would give everybody else nothing."""
    if not path.is_file() and not any(submission.sources for submission in works):
        _note(
            f"no exercise was found in `{path}`. If it is a class, name it with `--class`; if the "
            "class is one folder deeper, name that folder."
        )


def _note(sentence: str) -> None:
    click.echo(f"note: {sentence}", err=True)


def people_of(roster: Path) -> Roster:
    """The people of a class. Says which columns of the file aren't used."""
    from grader.teacher import roster as rosters

    people = rosters.read(roster)
    for sentence in people.told:
        _note(sentence)
    return people


def say_course(course: Course, exercises: Sequence[Exercise]) -> None:
    """Says which course judges, and from where: on standard error, since results may be piped."""
    from grader.output.screens.course import judging

    judging(course, exercises, terminal(stderr=True))


def terminal(*, stderr: bool = False) -> Console:
    from rich.console import Console

    # If the terminal can't show a sign, an hour of grading must not end with an error.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    return Console(highlight=False, stderr=stderr)


class Steps:
    """Shows what a long command does: each step in a terminal, elsewhere one in a minute."""

    def __init__(
        self, console: Console | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._console, self._clock = console or terminal(stderr=True), clock
        self._shown: float | None = None

    def __call__(self, line: str) -> None:
        now = self._clock()
        is_due = self._shown is None or now - self._shown >= SECONDS_BETWEEN_STEPS
        if self._console.is_terminal or is_due:
            self._shown = now
            self._console.print(line, style="dim", markup=False, soft_wrap=True)


@contextlib.contextmanager
def interruptible(kept: str, console: Console) -> Iterator[None]:
    """Ends cleanly after Ctrl-C or SIGTERM, and says what was `kept`."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        console.print(f"Stopped. {kept}", markup=False, soft_wrap=True)
        sys.exit(128 + signal.SIGINT)
    finally:
        signal.signal(signal.SIGTERM, before)
