"""Every format of a report by name, and its way to a file or to standard output.

    "csv=marks.csv" --target--> Target --deliver--> render(run) -> beside its place -> renamed

`targets` checks the requested reports before anything is graded.
"""

import importlib
import io
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.output.reports.redaction import public
from grader.records import files
from grader.records.errors import UsageError, listed
from grader.records.model import Run
from grader.records.safe_text import some

_GRADEBOOKS = "output.reports.gradebooks"
_NAMED = 20
"""So many people are named in one sentence."""


@dataclass(frozen=True)
class Format:
    """One way to write a run down: a function `Run -> str` of a `module`, imported when needed.

    `file` is the name of its file in a folder. A page is always a file: no terminal shows it.
    """

    name: str
    file: str
    module: str
    function: str = "render"
    is_page: bool = False
    publishes: bool = False
    """Whether the module's `publish(run)` also writes to files that the environment names."""
    for_teacher: bool = False
    """Whether it shows what no student may read, such as the line of the suite."""
    is_of_one: bool = False
    """Whether it is about one student. What is about a class is private to its owner."""
    finds_by: tuple[str, ...] = ()
    """What a platform finds a person by, if it imports the file: fields of `Person`."""

    def render(self, run: Run) -> str:
        """The run as text: without the secrets of hidden tests, unless it is `for_teacher`."""
        render = getattr(self._load(), self.function)
        return str(render(run if self.for_teacher else public(run)))

    def publish(self, run: Run) -> None:
        """Writes the part of the report that goes to other files."""
        if self.publishes:
            self._load().publish(public(run))

    def told(self, run: Run) -> list[str]:
        """What the teacher has to know about it: whom the platform can't find."""
        people = (grade.student for grade in run.submissions if self.finds_by and grade.student)
        lost = [f"`{p.id}`" for p in people if not any(getattr(p, name) for name in self.finds_by)]
        if not lost:
            return []
        return [
            f"{self.name.capitalize()} can't find {some(lost, _NAMED)} by `{self.file}`. "
            f"Give a roster that has one of these for each person: {listed(self.finds_by)}."
        ]

    def _load(self) -> Any:
        return importlib.import_module(f"grader.{self.module}")


FORMATS = {
    made.name: made
    for made in (
        Format("text", "report.txt", "output.screens.grades"),
        Format("json", "results.json", "output.reports.results"),
        Format("csv", "results.csv", _GRADEBOOKS, "csv"),
        Format("canvas", "canvas.csv", _GRADEBOOKS, "canvas", finds_by=("canvas", "sis", "login")),
        Format(
            "moodle",
            "moodle.csv",
            _GRADEBOOKS,
            "moodle",
            finds_by=("moodle", "login", "email", "sis"),
        ),
        Format("junit", "junit.xml", "output.reports.junit"),
        Format("gradescope", "results.json", "output.reports.gradescope", is_of_one=True),
        Format("github", "github.txt", "output.reports.github", publishes=True),
        Format("html", "report.html", "output.reports.html", is_page=True, for_teacher=True),
    )
}


@dataclass(frozen=True)
class Target:
    """One report that was asked for. Without a `path` it goes to standard output."""

    format: Format
    path: Path | None

    def deliver(self, run: Run) -> Path | None:
        """Writes the report; returns its file, or None for standard output."""
        text = self.format.render(run)
        if self.path is None:
            _say(text)
        else:
            write(self.path, text, secret=not self.format.is_of_one)
        self.format.publish(run)
        return self.path


def target(spec: str) -> Target:
    """`FORMAT[=PATH]`; a PATH that is a folder gets a file of the format's own name."""
    name, is_given, place = spec.partition("=")
    if name not in FORMATS:
        raise UsageError(f"`{name}` is not a report format; there are: {', '.join(FORMATS)}")
    if is_given and not place:
        raise UsageError(f"`{spec}` names no file after `=`; write `{name}=PATH`, or `{name}`")
    made = FORMATS[name]
    if not is_given:
        return Target(made, Path(made.file) if made.is_page else None)
    path = Path(place)
    is_folder = path.is_dir() or place.endswith(("/", os.sep))
    return Target(made, path / made.file if is_folder else path)


def targets(specs: Iterable[str], taken: Iterable[Path] = ()) -> list[Target]:
    """All reports that were asked for; makes their folders.

    `taken` are files that the same command writes. Raises `UsageError` if a report can't be
    written: better now than after an hour of grading.
    """
    found = [target(spec) for spec in specs]
    _require_one_on_stdout(found)
    used = {path.absolute(): "another file of this run" for path in taken}
    for made in found:
        if made.path is None:
            continue
        name, place = made.format.name, made.path.absolute()
        if place in used:
            raise UsageError(f"`{name}` and {used[place]} would both be `{made.path}`; rename one")
        used[place] = f"`{name}`"
        _prepare(made.path)
    return found


def write(path: Path, text: str | bytes, *, secret: bool = False) -> None:
    """Writes a report. Raises `UsageError` where that can't be done."""
    try:
        files.write(path, text, secret=secret)
    except OSError as error:
        raise _unwritable(path, error) from error


def write_feedback(run: Run, folder: Path) -> list[Path]:
    """Writes a student's page for each submission, in files that are named after them."""
    from grader.output.reports import html

    run = public(run)
    names = files.file_names([grade.id for grade in run.submissions])
    paths = [folder / f"{name}.html" for name in names]
    for path, grade in zip(paths, run.submissions, strict=True):
        write(path, html.page(run, grade))
    return paths


def _say(text: str) -> None:
    """Prints the text; a letter that standard output can't encode becomes `?`."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    sys.stdout.write(text)
    sys.stdout.flush()


def _require_one_on_stdout(found: Iterable[Target]) -> None:
    # Commands for GitHub's runner may share standard output with another report.
    names = [t.format.name for t in found if t.path is None and not t.format.publishes]
    if len(names) > 1:
        raise UsageError(
            f"{' and '.join(f'`{name}`' for name in names)} can't both go to standard output; "
            f"give one of them a file: `{names[-1]}=PATH`"
        )


def _prepare(path: Path) -> None:
    """Makes the file's folder; raises `UsageError` if no file can be written there."""
    if path.is_dir():
        raise UsageError(f"`{path}` is a folder; name a file in it")
    try:
        files.require_writable(path.parent)
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> UsageError:
    return UsageError(f"`{path}` can't be written: {error.strerror}. Name another file.")
