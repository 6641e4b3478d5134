"""Every format of a report by name, and its way to a file or to standard output.

    "csv=marks.csv" --target--> Target --deliver--> render(run) -> beside its place -> renamed

`targets` finds everything that is wrong with what was asked for, before anything is graded. A
format sees the run as `results.json` does: without what a hidden test must keep to itself.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import io
import os
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.errors import UsageError
from grader.model import ExerciseResult, Grade, Outcome, Run
from grader.reports.files import UNKNOWN


@dataclass(frozen=True)
class Format:
    """One way to write a run down.

    Its `module` in this package has `render(run: Run) -> str`, a pure function. Where `delivers`,
    the module has `deliver(run: Run, path: Path | None) -> None` too, which takes the place of
    writing that text to `path`, or to standard output.
    """

    name: str
    file: str
    """What a file is called where a folder is named."""
    module: str
    is_page: bool = False
    """Whether nobody wants it in a terminal: without a path it becomes `file`, here."""
    delivers: bool = False

    def render(self, run: Run) -> str:
        """The run as text, without anything that a hidden test must keep to itself."""
        return str(self._load().render(public(run)))

    def deliver(self, run: Run, path: Path | None) -> None:
        """The text where it belongs: at `path`, or on standard output."""
        if self.delivers:
            self._load().deliver(public(run), path)
        elif path is None:
            say(self.render(run))
        else:
            write(path, self.render(run))

    def _load(self) -> Any:
        return importlib.import_module(f"grader.reports.{self.module}")


FORMATS = {
    made.name: made
    for made in (
        Format("text", "report.txt", "plain"),
        Format("json", "results.json", "json_"),
        Format("csv", "results.csv", "csv_"),
        Format("canvas", "canvas.csv", "canvas"),
        Format("moodle", "moodle.csv", "moodle"),
        Format("junit", "junit.xml", "junit"),
        Format("gradescope", "results.json", "gradescope"),
        Format("github", "github.txt", "github", delivers=True),
        Format("html", "report.html", "html", is_page=True),
    )
}


@dataclass(frozen=True)
class Target:
    """One report that was asked for. Without a `path` it goes to standard output."""

    format: Format
    path: Path | None

    def deliver(self, run: Run) -> Path | None:
        """Writes it; where to, if that is a file."""
        self.format.deliver(run, self.path)
        return self.path


def target(spec: str) -> Target:
    """`FORMAT[=PATH]`; a PATH that is a folder gets a file of the format's own name."""
    name, is_given, place = spec.partition("=")
    if name not in FORMATS:
        raise UsageError(f"`{name}` is no format of a report; there are: {', '.join(FORMATS)}")
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

    `taken` are files that the same command writes. Raises `UsageError` for what can't be done:
    better now than after an hour of grading.
    """
    found = [target(spec) for spec in specs]
    used = {path.absolute(): "another file of this run" for path in taken}
    printed = [made.format.name for made in found if made.path is None and not made.format.delivers]
    if len(printed) > 1:
        raise UsageError(
            f"{' and '.join(f'`{name}`' for name in printed)} can't both go to standard output; "
            f"give one of them a file: `{printed[-1]}=PATH`"
        )
    for made in found:
        if made.path is None:
            continue
        name, place = made.format.name, made.path.absolute()
        if place in used:
            raise UsageError(f"`{name}` and {used[place]} would both be `{made.path}`; name two")
        used[place] = f"`{name}`"
        _prepare(made.path)
    return found


def deliver(run: Run, spec: str) -> Path | None:
    """One report; where it lies, if that is a file."""
    (only,) = targets([spec])
    return only.deliver(run)


def public(run: Run) -> Run:
    """The run without anything that a hidden test must keep to itself, as in `results.json`."""
    return dataclasses.replace(run, submissions=tuple(map(_public_grade, run.submissions)))


def say(text: str) -> None:
    """Text to standard output, whatever letters it knows."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    sys.stdout.write(text)
    sys.stdout.flush()


def write(path: Path, text: str) -> None:
    """Writes beside its place and renames, so that a reader never sees half a file."""
    beside = path.with_name(f".{path.name[:200]}.part")
    try:
        with open(beside, "w", encoding="utf-8", errors="replace", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise UsageError(
            f"`{path}` can't be written: {error.strerror}. Name another file."
        ) from error


def _prepare(path: Path) -> None:
    """Makes the file's folder; raises `UsageError` if no file can be written there."""
    if path.is_dir():
        raise UsageError(f"`{path}` is a folder; name a file in it")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise UsageError(
            f"`{path}` can't be written: {error.strerror}. Name another file."
        ) from error


def _public_grade(grade: Grade) -> Grade:
    return dataclasses.replace(grade, exercises=tuple(map(_public_exercise, grade.exercises)))


def _public_exercise(result: ExerciseResult) -> ExerciseResult:
    is_broken = result.outcome is Outcome.BROKEN
    if not is_broken and not any(test.detail for test in result.tests):
        return result
    tests = tuple(dataclasses.replace(test, detail="") for test in result.tests)
    message = UNKNOWN if is_broken else result.message
    return dataclasses.replace(result, tests=tests, message=message)
