"""The work of `grader ci`: chooses exercises, checks or grades them, and reports to GitHub.

    paths --what_changed--> Changes --to_check--> public examples --+--> CIReport --> log, summary,
                                    --to_grade--> hidden suites ----+                 outputs

`check` is for a repository that the student controls, `grade` for the course's own run. Grading
needs a course that is named with `--course`: the student could have written a course inside the
folder. The workflow says what changed. The grader runs no git, because a handed-in repository can
name programs that git starts.
"""

import dataclasses
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

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
from grader.records.safe_text import clean, counted, line, note
from grader.student import check as examples
from grader.student import workspace


@dataclass(frozen=True)
class Changes:
    """`files` of `folder` that are new or changed; None if everything counts. `why` is a sentence.

    `folder` and `files` are absolute.
    """

    folder: Path
    files: frozenset[Path] | None
    why: str

    def touch(self, path: Path) -> bool:
        """Whether the file changed, or an archive that it lies in."""
        return self.files is None or not self.files.isdisjoint((path, *path.parents))

    def touch_shown(self, name: str) -> bool:
        """The same for a file that reports show as `name`."""
        if self.files is None or self.touch(self.folder / name):
            return True
        return any(reader.shown(path.relative_to(self.folder)) == name for path in self.files)

    def shown(self, path: Path) -> str:
        """The path as GitHub knows it: from the top of the repository."""
        tops = (top for top in (self.folder, *self.folder.parents) if (top / ".git").exists())
        top = next(tops, self.folder)
        return path.relative_to(top).as_posix() if path.is_relative_to(top) else str(path)


@dataclass(frozen=True)
class CIReport:
    """The results, and how the command ends. `show` is for people, the rest is for GitHub."""

    why: str
    """What counts as changed."""
    show: Callable[[Console], None]
    summary: str
    outputs: Mapping[str, str]
    annotations: Sequence[Annotation] = ()
    failed: bool = False
    error: GraderError | None = None
    """Why the mark can't be known, if it can't."""

    def log(self) -> str:
        """Standard output for GitHub's runner: text whose commands are off, then annotations."""
        shown = github.guarded(f"{line(self.why, 1000)}\n\n{grades.printed(self.show, 120)}")
        return shown + github.commands(self.annotations)

    def publish(self, environ: Mapping[str, str]) -> None:
        """Appends the summary and the outputs to the files that the runner names."""
        github.append(f"{github.code(self.why)}\n\n{self.summary}\n", self.outputs, environ)


def what_changed(folder: Path, listed: bytes | None) -> Changes:
    """What changed in `folder`: paths below it, each with a NUL byte at its end; None for all.

    Names of files that aren't there are ignored. Raises `UsageError` for no folder, for a path
    outside of it, and for a list without NUL bytes.
    """
    if not folder.is_dir():
        raise UsageError(f"there is no folder `{folder}`. Name the folder that holds the work.")
    top = folder.resolve()
    if listed is None:
        return Changes(top, None, "Everything counts, since no list of changes was given.")
    *names, rest = listed.split(b"\0")
    if rest:
        raise UsageError(
            "the list of `--changed` must have a NUL byte after each path. Write it with "
            "`git diff --name-only -z --relative`."
        )
    paths = [_inside(top, os.fsdecode(name)) for name in names]
    files = frozenset(path for path in paths if os.path.lexists(path))
    return Changes(top, files, f"{counted(len(files), 'file')} changed.")


def _inside(top: Path, name: str) -> Path:
    path = Path(os.path.normpath(top / name))
    if path.is_relative_to(top):
        return path
    raise UsageError(
        f"the list of `--changed` names `{line(name)}`, which is not in `{top}`. Name paths below "
        "the folder of the work: `git diff --relative` in this folder writes them."
    )


def check(
    folder: Path, changes: Changes, show: Callable[[list[CheckResult], Console], None]
) -> CIReport:
    """Runs the public examples of the changed exercises; `show` prints the results."""
    course = courses.find(start=folder, or_installed=False)
    chosen = to_check(course, changes)
    if not chosen:
        return _nothing(changes, "nothing to do", {"passed": "true"})
    results = [
        dataclasses.replace(result, path=changes.shown(Path(result.path).resolve()))
        for result in examples.check(course, chosen)
    ]
    return CIReport(
        changes.why,
        lambda console: show(results, console),
        github.check_summary(results),
        github.check_outputs(results),
        github.check_annotated(results),
        failed=any(result.is_wrong for result in results),
    )


def grade(
    course: Course,
    folder: Path,
    changes: Changes,
    names: Iterable[str],
    *,
    isolation: str,
    seed: str | None,
) -> CIReport:
    """Grades the changed exercises with the course's hidden suites."""
    # Imported here, since `check` also runs where the sandbox can't be imported.
    from grader.delivery import autograder

    submission, chosen = to_grade(course, folder, changes, names)
    unread = [n for n in submission.notes if n.unreadable and changes.touch_shown(n.path)]
    if not chosen:
        return _nothing_graded(course, submission, changes, unread)
    run = autograder.grade(course, chosen, submission, isolation=isolation, seed=seed)
    (graded,) = run.submissions

    def show(console: Console) -> None:
        grades.isolation(run.environment, console)
        grades.submission(graded, console)
        grades.undecided(run, console)
        grades.broken(run, console)

    unknown = HostError(
        "the mark can't be known, by a fault of the course or of this machine. Mend what is "
        "listed above, and run again."
    )
    shown = public(run)
    return CIReport(
        changes.why,
        show,
        github.summary(shown),
        github.outputs(shown) | ({"passed": "false"} if unread else {}),
        github.annotated(shown, changes.shown(changes.folder)),
        failed=bool(unread) or not scoring.keeps_points(graded),
        error=unknown if scoring.is_broken(graded) else None,
    )


def error_log(error: GraderError) -> str:
    """Standard output for GitHub's runner if there is nothing but an error."""
    annotation = Annotation("error", "The grader could not do its work", str(error))
    return github.guarded(f"Error: {error}") + github.commands([annotation])


def to_check(course: Course, changes: Changes) -> tuple[Exercise, ...]:
    """The exercises of a handout whose files changed; all of them if its catalogue changed."""
    if changes.touch(course.catalog):
        return course.exercises
    return tuple(
        exercise
        for exercise in course.exercises
        if changes.touch(course.stub(exercise))
        or changes.touch(workspace.notebook_path(course, exercise.topic))
    )


def to_grade(
    course: Course, folder: Path, changes: Changes, names: Iterable[str] = ()
) -> tuple[Submission, tuple[Exercise, ...]]:
    """The work in `folder`, and the exercises whose work changed or is new.

    If `names` are given, all of these. Raises `UsageError` for a folder that can't be read. An
    unchanged stub isn't graded, unless it is named.
    """
    names = tuple(names)
    exercises = course.select(names)
    course.require_suites(exercises)
    try:
        submission = reader.read(folder, course)
    except SubmissionError as error:
        raise UsageError(str(error)) from error
    asked = {
        source.exercise
        for source in submission.sources
        if changes.touch_shown(source.path)
        and source.text.strip() != _stub(course, course[source.exercise])
    }
    return submission, tuple(e for e in exercises if names or e.id in asked)


def _nothing_graded(
    course: Course, submission: Submission, changes: Changes, unread: Sequence[Note]
) -> CIReport:
    """Passed is what was graded. Work that isn't there, or can't be read, is not passed."""
    if unread:
        said = "\n".join(note(one) for one in unread)
    elif submission.problem is not None:
        said = submission.problem
    elif all(s.text.strip() == _stub(course, course[s.exercise]) for s in submission.sources):
        said = "There is no work to grade: every file of the course is still the stub."
    else:
        unknown = {"passed": github.UNKNOWN, "score": github.UNKNOWN}
        return _nothing(changes, "nothing was graded", unknown)
    return CIReport(
        changes.why,
        lambda console: console.print(clean(said), markup=False),
        github.fenced(said),
        {"passed": "false", "score": "0"},
        failed=True,
    )


def _nothing(changes: Changes, end: str, outputs: Mapping[str, str]) -> CIReport:
    said = f"No exercise of the course is among them: {end}."
    return CIReport(changes.why, lambda console: console.print(said), said, outputs)


def _stub(course: Course, exercise: Exercise) -> str | None:
    try:
        return course.stub(exercise).read_text(encoding="utf-8").strip()
    except OSError:
        return None
