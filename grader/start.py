"""`grader start`: lays out the course that came with the grader, as files or as notebooks.

    installed course --allow-list of the handout--> DIR: what is missing there is added

Nothing that lies there is touched: it may be a student's work. The one exception is the
catalogue, which is ours, and may be older than the grader.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader import course as courses
from grader import handout, notebooks, progress, work
from grader.course import Course
from grader.errors import CourseError, UsageError

CATALOG = "catalog.toml"


@dataclass(frozen=True)
class Layout:
    """What was done. `added` and `kept` are relative to `folder`."""

    folder: Path
    course: Course
    added: tuple[str, ...]
    kept: tuple[str, ...]
    renewed: bool = False
    """Whether the catalogue was an older one."""


def start(folder: Path | None, *, as_notebooks: bool = False) -> Layout:
    """Lays out the installed course in `folder`; without one, here if a course is here already.

    Raises `UsageError` if something else is in the way, and `CourseError` if none is installed.
    """
    original = work.installed()
    if original is None:
        raise CourseError(
            "no course came with this grader. Ask your teacher for the folder of stubs, and run "
            "`grader watch` in it."
        )
    target = _target(folder, original)
    _require_ours(target, original)
    there = dataclasses.replace(original, stubs=target)
    as_notebooks = as_notebooks or work.is_in_notebooks(there)
    files = dict(_files(original, as_notebooks=as_notebooks))
    added, kept, renewed = [], [], False
    for name, data in files.items():
        path = target / name
        if name == CATALOG and path.is_file() and path.read_bytes() != data:
            renewed = True
        elif path.exists() or path.is_symlink():
            kept.append(name)
            continue
        else:
            added.append(name)
        _write(path, data)
    laid = courses.load(target / CATALOG)
    return Layout(target, laid, tuple(added), tuple(kept), renewed)


def _target(folder: Path | None, original: Course) -> Path:
    if folder is not None:
        return folder
    return Path() if Path(CATALOG).is_file() else Path(original.name)


def _require_ours(target: Path, original: Course) -> None:
    """Raises `UsageError` for a file, another course, or the course that stubs come from."""
    if target.exists() and not target.is_dir():
        raise UsageError(f"`{target}` is a file. Name a folder: `grader start DIR`.")
    if target.resolve() == original.stubs:
        raise UsageError(
            f"`{target}` is the course itself, not yours to work in. Name another folder: "
            "`grader start DIR`."
        )
    if (target / CATALOG).is_file():
        there = _name(target)
        if there != original.name:
            raise UsageError(
                f"`{target}` holds another course, `{there}`. Name another folder: "
                "`grader start DIR`."
            )


def _name(target: Path) -> str | None:
    try:
        return courses.load(target / CATALOG).name
    except CourseError:
        return None


def _files(original: Course, *, as_notebooks: bool) -> Iterator[tuple[str, bytes]]:
    """Every file of the layout by its name."""
    for path in handout.allowed(original):
        if path.suffix not in (".py", ".hints") or not as_notebooks:
            yield path.relative_to(original.stubs).as_posix(), path.read_bytes()
    if as_notebooks:
        for topic in work.topics(original):
            yield f"{topic}.ipynb", notebooks.write(original, topic)


def _write(path: Path, data: bytes) -> None:
    try:
        progress.write(path, data)
    except OSError as error:
        raise UsageError(
            f"`{path}` can't be written: {(error.strerror or 'unknown error').lower()}. "
            "Name a folder of your own: `grader start DIR`."
        ) from error
