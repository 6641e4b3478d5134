"""`grader submit`: exactly the files that belong to the course, in a zip that `grader grade` takes.

    files of the catalogue --plain, not too large--> zip + manifest.json --intake--> receipt

The zip is read back as the teacher's grader will read it, and the receipt is the digest that this
computes: the one in the teacher's results. Nothing but the catalogue decides what gets in, so no
cache, environment or secret does; a link is not followed.
"""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import importlib.metadata
import io
import json
import platform
import re
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader import __version__, archive, intake, progress, work
from grader.course import Course
from grader.errors import SubmissionError, UsageError
from grader.model import Note, Submission
from grader.progress import Standing

SCHEMA = 1
_EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Packed:
    """One file of the course; `exercises` are those that it is work for."""

    path: str
    data: bytes
    exercises: tuple[str, ...]

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True)
class HandIn:
    """What was packed, how far it is, and how the grader reads it.

    `strays` are Python files and notebooks in the folder that belong to no exercise.
    """

    out: Path
    course: Course
    time: str
    submission: Submission
    files: tuple[Packed, ...]
    standings: tuple[Standing, ...]
    strays: tuple[str, ...]
    notes: tuple[Note, ...]


def submit(course: Course, out: Path | None = None, now: datetime.datetime | None = None) -> HandIn:
    """Packs the course's work into `out`. Raises `SubmissionError` if there is none.

    Raises `UsageError` if `out` is in the way or can't be written.
    """
    out = out or Path(f"{re.sub(r'[^A-Za-z0-9._-]+', '-', course.name).strip('.-') or 'work'}.zip")
    _require_free(out)
    files, notes = _collect(course)
    if not files:
        raise SubmissionError(
            f"`{course.stubs}` holds none of the course's files, so there is nothing to hand in. "
            "Go to the folder where you work, or name it with `--course DIR`."
        )
    time = (now or datetime.datetime.now(datetime.UTC)).isoformat(timespec="seconds")
    standings = tuple(progress.standings(course))
    draft = out.with_name(f".draft-{out.name}")
    try:
        progress.write(draft, _zip(files))
        submission = intake.read(draft, course)
        manifest = _manifest(course, files, standings, submission, time)
        progress.write(out, _zip(files, manifest))
    except OSError as error:
        raise UsageError(
            f"`{out}` can't be written: {(error.strerror or 'unknown error').lower()}. "
            "Name another place with `--out FILE`."
        ) from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink()
    notes += [note for note in submission.notes if note not in notes]
    packed = HandIn(
        out, course, time, submission, tuple(files), standings, _strays(course), tuple(notes)
    )
    _keep_receipt(packed)
    return packed


def _require_free(out: Path) -> None:
    """Raises `UsageError` unless `out` is a zip's name, and new or an earlier hand-in."""
    if out.suffix != ".zip":
        raise UsageError(f"`{out}` is not the name of a zip. Name it `{out.name}.zip`.")
    if not out.exists():
        return
    try:
        with zipfile.ZipFile(out) as old:
            if intake.MANIFEST in old.namelist():
                return
    except (OSError, zipfile.BadZipFile):
        pass
    raise UsageError(
        f"`{out}` is there already, and nothing that you handed in. Name another place with "
        "`--out FILE`."
    )


def _collect(course: Course) -> tuple[list[Packed], list[Note]]:
    """Every file of the catalogue that is there, and a note on each that can't be packed."""
    files: list[Packed] = []
    notes: list[Note] = []
    places = {e.id: (course.stub(e), _book(course, e.topic)) for e in course.exercises}
    for path in work.files(course):
        if not path.exists() and not path.is_symlink():
            continue
        name = path.relative_to(course.stubs).as_posix()
        ids = tuple(name for name, place in places.items() if path in place)
        found = next(archive.files(path, path.name))
        if isinstance(found, Note):
            notes.append(Note(name, found.reason))
        elif path.resolve() != course.stubs.resolve() / path.relative_to(course.stubs):
            notes.append(Note(name, "lies behind a link, and links are not followed"))
        else:
            files.append(Packed(name, found.data, ids))
    return files, notes


def _book(course: Course, topic: str) -> Path:
    return work.notebook_path(course, topic)


def _zip(files: list[Packed], manifest: bytes | None = None) -> bytes:
    """The same files give the same bytes; only the manifest holds a time."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        for name, data in _members(files, manifest):
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3
            info.external_attr = 0o644 << 16
            packed.writestr(info, data)
    return buffer.getvalue()


def _members(files: list[Packed], manifest: bytes | None) -> Iterator[tuple[str, bytes]]:
    yield from ((file.path, file.data) for file in files)
    if manifest is not None:
        yield intake.MANIFEST, manifest


def _manifest(
    course: Course,
    files: list[Packed],
    standings: tuple[Standing, ...],
    submission: Submission,
    time: str,
) -> bytes:
    said: dict[str, Any] = {
        "schema": SCHEMA,
        "course": course.name,
        "time": time,
        "digest": submission.digest,
        "versions": versions(),
        "files": [
            {"path": f.path, "sha256": f.sha256, "bytes": len(f.data), "exercises": f.exercises}
            for f in files
        ],
        "exercises": {one.exercise.id: str(one) for one in standings},
    }
    return (json.dumps(said, indent=1) + "\n").encode()


def versions() -> dict[str, str]:
    """Of what the work was done with."""
    try:
        jax = importlib.metadata.version("jax")
    except importlib.metadata.PackageNotFoundError:
        jax = "none"
    return {
        "grader": __version__,
        "jax": jax,
        "python": platform.python_version(),
        "platform": sys.platform,
    }


def _strays(course: Course) -> tuple[str, ...]:
    """Python files and notebooks beside the stubs that belong to no exercise."""
    ours = set(work.files(course))
    places = [course.stubs, *(course.stubs / topic for topic in work.topics(course))]
    beside = [path for place in places if place.is_dir() for path in sorted(place.iterdir())]
    return tuple(
        path.relative_to(course.stubs).as_posix()
        for path in beside
        if path.suffix in (".py", ".ipynb")
        and path not in ours
        and path.is_file()
        and not path.name.startswith(".")
    )


def receipt(handed: HandIn) -> str:
    """One line to keep."""
    return f"{handed.time}  {handed.course.name}  {handed.submission.digest}"


def _keep_receipt(handed: HandIn) -> None:
    path = progress.folder(handed.course) / "receipts.txt"
    with contextlib.suppress(OSError):  # it stands on the screen, too
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(receipt(handed) + "\n")
