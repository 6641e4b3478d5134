"""`grader start`: lays out the course that came with the grader, as files or as notebooks.

    installed course --allow-list of the handout--> DIR: missing files are added

No existing file is changed, since it may be a student's work. The exceptions are the catalogue and
the known mistakes: they are ours, and may be older than the grader.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from grader.course import course as courses
from grader.course.course import CATALOG, MISTAKES, Course
from grader.records import files
from grader.records.errors import CourseError, UsageError
from grader.student import notebooks, workspace


@dataclass(frozen=True)
class Layout:
    """What was done. `added` and `kept` are relative to `folder`."""

    folder: Path
    course: Course
    added: tuple[str, ...]
    kept: tuple[str, ...]
    renewed: tuple[str, ...]  # the catalogue or the known mistakes, if they were older


def start(
    folder: Path | None, *, as_notebooks: bool = False, assignment: str | None = None
) -> Layout:
    """Lays out the installed course in `folder`, by default here if a course is here already.

    With an assignment, only its exercises are laid out, beside those that are there. Raises
    `UsageError` if something else is in the way, and `CourseError` if none is installed.
    """
    original = workspace.installed()
    if original is None:
        raise CourseError(
            "no course came with this grader. Ask your teacher for the folder of stubs, and run "
            "`grader watch` in it."
        )
    target = folder or (Path() if Path(CATALOG).is_file() else Path(original.name))
    there = _laid_out(target)
    _require_ours(target, original, there)
    if assignment is not None:
        before = [exercise.id for exercise in there.exercises] if there else []
        original, name = original.assigned(assignment)
        original = original.part({*original.assignment(name).exercises, *before})
    as_notebooks = as_notebooks or workspace.is_in_notebooks(replace(original, stubs=target))
    added, kept, renewed = list[str](), list[str](), list[str]()
    for name, data in _files(original, as_notebooks=as_notebooks):
        path = target / name
        if name in (CATALOG, MISTAKES) and path.is_file() and path.read_bytes() != data:
            renewed.append(name)
        elif path.exists() or path.is_symlink():
            kept.append(name)
            continue
        else:
            added.append(name)
        _write(path, data)
    return Layout(target, courses.load(target / CATALOG), tuple(added), tuple(kept), tuple(renewed))


def _require_ours(target: Path, original: Course, there: Course | None) -> None:
    """Raises `UsageError` if `target` is a file, another course, or the installed course itself."""
    if target.exists() and not target.is_dir():
        raise UsageError(f"`{target}` is a file. Name a folder: `grader start DIR`.")
    if target.resolve() == original.stubs:
        raise UsageError(
            f"`{target}` is the course itself, not a folder to work in. Name another one: `grader "
            "start DIR`."
        )
    name = there and there.name
    if (target / CATALOG).is_file() and name != original.name:
        raise UsageError(
            f"`{target}` contains another course, `{name}`. Name another folder: `grader start "
            "DIR`."
        )


def _laid_out(target: Path) -> Course | None:
    try:
        return courses.load(target / CATALOG)
    except CourseError:
        return None


def _files(original: Course, *, as_notebooks: bool) -> Iterator[tuple[str, bytes]]:
    for name, data in original.handout().items():
        if as_notebooks and name == original.readme.name:
            yield name, notebooks.readme(data.decode("utf-8")).encode()
        # With notebooks, the files beside a stub are read in the installed course.
        elif name == CATALOG or not as_notebooks:
            yield name, data
    if as_notebooks:
        for topic in workspace.topics(original):
            yield f"{topic}.ipynb", notebooks.write(original, topic)


def _write(path: Path, data: bytes) -> None:
    try:
        files.write(path, data)
    except OSError as error:
        raise UsageError(
            f"`{path}` can't be written: {(error.strerror or 'unknown error').lower()}. "
            "Name a folder of your own: `grader start DIR`."
        ) from error
