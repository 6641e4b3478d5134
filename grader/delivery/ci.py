"""The work of `grader ci`: chooses exercises, checks or grades them, and reports to GitHub.

    folder --git_changes--> Changes --to_check--> public examples --+--> CIReport --> log, summary,
                                    --to_grade--> hidden suites ----+                 outputs

`check` is for a repository that the student controls, `grade` for the course's own run. Grading
needs a course that is named with `--course`: the student could have written a course inside the
folder.
"""

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from grader import course as courses
from grader import scoring
from grader.course import Course
from grader.delivery.git_changes import Changes
from grader.errors import GraderError, HostError, SubmissionError, UsageError
from grader.intake import reader
from grader.model import CheckResult, Exercise, Note, Submission
from grader.reports import github, text
from grader.reports.github import Annotation
from grader.reports.redaction import public
from grader.reports.safe_text import clean, line, note
from grader.student import check as examples
from grader.student import workspace


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
        shown = github.guarded(f"{line(self.why, 1000)}\n\n{text.printed(self.show, 120)}")
        return shown + github.commands(self.annotations)

    def publish(self, environ: Mapping[str, str]) -> None:
        """Appends the summary and the outputs to the files that the runner names."""
        github.append(f"{github.code(self.why)}\n\n{self.summary}\n", self.outputs, environ)


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
    here = folder.resolve()
    notes = submission.notes
    unread = [n for n in notes if n.unreadable and changes.touch_shown(here, n.path)]
    if not chosen:
        return _nothing_graded(course, submission, changes, unread)
    run = autograder.grade(course, chosen, submission, isolation=isolation, seed=seed)
    (graded,) = run.submissions

    def show(console: Console) -> None:
        text.isolation(run.environment, console)
        text.submission(graded, console)
        text.undecided(run, console)
        text.broken(run, console)

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
        github.annotated(shown, changes.shown(folder.resolve())),
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
    """The work in `folder`, and the exercises whose work changed, is new or was deleted.

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
    sources = {source.exercise: source for source in submission.sources}
    chosen = []
    for exercise in exercises:
        source = sources.get(exercise.id)
        if source is None:
            is_asked = _is_deleted(exercise, changes)
        else:
            changed = changes.touch_shown(folder.resolve(), source.path)
            is_asked = changed and source.text.strip() != _stub(course, exercise)
        if is_asked or names:
            chosen.append(exercise)
    return submission, tuple(chosen)


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


def _is_deleted(exercise: Exercise, changes: Changes) -> bool:
    gone = (path for path in changes.files or () if not path.exists())
    return any(path.stem == exercise.stem and path.suffix in (".py", ".ipynb") for path in gone)


def _stub(course: Course, exercise: Exercise) -> str | None:
    try:
        return course.stub(exercise).read_text(encoding="utf-8").strip()
    except OSError:
        return None
