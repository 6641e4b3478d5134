"""The work of `grader ci`: checks or grades what is started, and reports to GitHub.

    folder --check--> public examples --+--> CIReport --> log, summary, outputs
           --grade--> hidden suites ----+

`check` is for a repository that the student controls, `grade` for the course's own run. Grading
needs a course that is named with `--course`: the student could have written a course inside the
folder. The grader runs no git, because a submitted repository can name programs that git starts.
"""

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from grader.course import course as courses
from grader.course.course import Course
from grader.intake import reader
from grader.output.reports import github
from grader.output.reports.github import Annotation
from grader.output.reports.redaction import public
from grader.output.screens import grades
from grader.records import scoring
from grader.records.errors import GraderError, HostError, SubmissionError, UsageError
from grader.records.model import CheckResult, Exercise, Note, Submission
from grader.records.safe_text import clean, note
from grader.student import check as examples


@dataclass(frozen=True)
class CIReport:
    """The results, and how the command ends. `show` is for people, the rest is for GitHub."""

    show: Callable[[Console], None]
    summary: str
    outputs: Mapping[str, str]
    annotations: Sequence[Annotation] = ()
    failed: bool = False
    error: GraderError | None = None
    """Why the mark can't be known, if it can't."""

    def log(self) -> str:
        """Standard output for GitHub's runner: text whose commands are off, then annotations."""
        shown = github.guarded(grades.printed(self.show, 120))
        return shown + github.commands(self.annotations)

    def publish(self, environ: Mapping[str, str]) -> None:
        """Appends the summary and the outputs to the files that the runner names."""
        github.append(f"{self.summary}\n", self.outputs, environ)


def check(folder: Path, show: Callable[[list[CheckResult], Console], None]) -> CIReport:
    """Runs the public examples of all exercises; `show` prints the results."""
    course = courses.find(start=_existing(folder), or_installed=False)
    results = [
        dataclasses.replace(result, path=_in_repository(folder, Path(result.path).resolve()))
        for result in examples.check(course, course.exercises)
    ]

    def shown(console: Console) -> None:
        show(results, console)

    return CIReport(
        shown,
        # A letter has four bytes at most.
        github.fenced(grades.printed(shown, 120), github.SUMMARY_BYTES // 5),
        github.check_outputs(results),
        github.check_annotated(results),
        failed=any(result.is_wrong for result in results),
    )


def _existing(folder: Path) -> Path:
    if not folder.is_dir():
        raise UsageError(f"there is no folder `{folder}`. Name the folder that contains the work.")
    return folder


def _in_repository(folder: Path, path: Path) -> str:
    """The path as GitHub knows it: from the top of the repository."""
    folder = folder.resolve()
    tops = (top for top in (folder, *folder.parents) if (top / ".git").exists())
    top = next(tops, folder)
    return path.relative_to(top).as_posix() if path.is_relative_to(top) else str(path)


def grade(course: Course, folder: Path, names: Iterable[str], **terms: Any) -> CIReport:
    """Grades what is started with the course's hidden suites, by the `terms` of `autograder`."""
    # Imported here, since `check` also runs where the sandbox can't be imported.
    from grader.delivery import autograder

    submission, chosen = to_grade(course, folder, names)
    unread = [n for n in submission.notes if n.unreadable]
    if not chosen:
        return _nothing_graded(submission, unread)
    run = autograder.grade(course, chosen, submission, **terms)
    (graded,) = run.submissions

    def show(console: Console) -> None:
        grades.isolation(run.environment, console)
        grades.submission(graded, console)
        grades.undecided(run, console)
        grades.broken(run, console)

    unknown = HostError(
        "the mark can't be known, because of a fault in the course or this machine. Fix what is "
        "listed above, and run again."
    )
    shown = public(run)
    return CIReport(
        show,
        github.summary(shown),
        github.outputs(shown) | ({"passed": "false"} if unread else {}),
        github.annotated(shown, _in_repository(folder, folder.resolve())),
        failed=bool(unread) or not scoring.keeps_points(graded),
        error=unknown if scoring.is_broken(graded) else None,
    )


def error_log(error: GraderError) -> str:
    """Standard output for GitHub's runner if there is nothing but an error."""
    annotation = Annotation("error", "The grader could not do its work", str(error))
    return github.guarded(f"Error: {error}") + github.commands([annotation])


def to_grade(
    course: Course, folder: Path, names: Iterable[str] = ()
) -> tuple[Submission, tuple[Exercise, ...]]:
    """The work in `folder`, and the exercises that are started; if `names` are given, all of these.

    Raises `UsageError` for a folder that can't be read.
    """
    names = tuple(names)
    exercises = course.select(names)
    course.require_suites(exercises)
    try:
        submission = reader.read(_existing(folder), course)
    except SubmissionError as error:
        raise UsageError(str(error)) from error
    asked = {
        source.exercise
        for source in submission.sources
        if source.text.strip() != _stub(course, course[source.exercise])
    }
    return submission, tuple(e for e in exercises if names or e.id in asked)


def _nothing_graded(submission: Submission, unread: Sequence[Note]) -> CIReport:
    """Work that isn't there, or can't be read, is not passed."""
    said = "There is no work to grade: every file of the course is still the stub."
    if unread:
        said = "\n".join(map(note, unread))
    elif submission.problem is not None:
        said = submission.problem
    return CIReport(
        lambda console: console.print(clean(said), markup=False),
        github.fenced(said),
        {"passed": "false", "score": "0"},
        failed=True,
    )


def _stub(course: Course, exercise: Exercise) -> str | None:
    try:
        return course.stub(exercise).read_text(encoding="utf-8").strip()
    except OSError:
        return None
