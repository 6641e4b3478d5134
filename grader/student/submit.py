"""`grader submit`: exactly the files that belong to the course, in a zip that `grader grade` takes.

    files of the catalogue --plain, not too large--> zip + manifest.json --intake--> receipt

The zip is read back exactly as the teacher's grader will read it. The receipt holds the same digest
as the teacher's results. Only files of the catalogue get in: no cache, environment or secret. No
link is followed.
"""

import contextlib
import datetime
import json
import platform
import re
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from grader import __version__
from grader.course.course import Course
from grader.intake import archive, reader
from grader.records import digests
from grader.records.errors import SubmissionError, UsageError
from grader.records.files import write, zipped
from grader.records.model import Note, Status, Submission, to_plain
from grader.student import guidance, progress, workspace
from grader.student.progress import Standing


@dataclass(frozen=True)
class PackedSubmission:
    """The packed files, the progress, and how the grader reads the work."""

    out: Path
    course: Course
    time: str
    submission: Submission
    files: dict[str, bytes]
    standings: tuple[Standing, ...]
    strays: tuple[str, ...]  # Python files and notebooks in the folder that belong to no exercise
    notes: tuple[Note, ...]  # on files of the course that are not in the zip


@dataclass(frozen=True)
class PackedFile:
    """One file in the zip."""

    path: str  #: its name in the zip
    sha256: str  #: of its contents, in hexadecimal
    bytes: int  #: its size
    exercises: tuple[str, ...]  #: exercises that it may answer


@dataclass(frozen=True)
class Versions:
    """What the student worked with."""

    grader: str  #: the version of the grader
    jax: str  #: the version of JAX; "none" if it isn't installed
    python: str  #: the version of Python
    platform: str  #: as in `sys.platform`, such as "linux"


@dataclass(frozen=True)
class Manifest:
    """The content of `manifest.json`."""

    schema: Literal[1]  #: the version of the file's format
    course: str  #: the course's name in the catalogue
    time: str  #: when the zip was made: ISO 8601, in UTC
    digest: str  #: of the work, as in the teacher's `results.json`
    versions: Versions  #: what the student worked with
    files: tuple[PackedFile, ...]  #: all files in the zip except this one
    exercises: dict[str, str]  #: each exercise's progress, as `grader list` shows it


def submit(
    course: Course,
    out: Path | None = None,
    now: datetime.datetime | None = None,
    *,
    assignment: str | None = None,
) -> PackedSubmission:
    """Packs the course's work into `out`, or the work for one assignment.

    Raises `SubmissionError` if there is none, and `UsageError` if `out` is another file already, or
    can't be written.
    """
    whole, name = course, course.name
    if assignment is not None:
        course = whole.part(whole.assignment(assignment).exercises)
        name = f"{name}-{assignment}"
    out = out or Path(f"{re.sub(r'[^A-Za-z0-9._-]+', '-', name).strip('.-') or 'work'}.zip")
    _require_free(out)
    files, notes = _collect(course)
    if not files:
        raise SubmissionError(
            f"`{course.stubs}` contains none of the course's files, so there is nothing to submit. "
            "Go to the folder where you work, or name it with `--course DIR`."
        )
    try:
        submission = _read_back(course, out.name, files)
        packed = PackedSubmission(
            out=out,
            course=course,
            time=(now or datetime.datetime.now(datetime.UTC)).isoformat(timespec="seconds"),
            submission=submission,
            files=files,
            standings=tuple(progress.standings(course)),
            strays=_strays(whole),
            notes=tuple(dict.fromkeys([*notes, *submission.notes])),
        )
        write(out, zipped({**files, reader.MANIFEST: _manifest(packed)}))
    except OSError as error:
        raise UsageError(
            f"`{out}` can't be written: {(error.strerror or 'unknown error').lower()}. "
            "Name another place with `--out FILE`."
        ) from error
    _keep_receipt(packed)
    return packed


def started(course: Course) -> Submission:
    """The work as a grader will read it, without files that are as they were handed out."""
    files, _ = _collect(course)
    untouched = (Status.NOT_STARTED, Status.MISSING)
    begun = {one.exercise.id for one in progress.standings(course) if one.status not in untouched}
    return _read_back(course, "work.zip", files).only(begun)


def _require_free(out: Path) -> None:
    """Raises `UsageError` unless `out` ends in `.zip`, and is new or an earlier submission."""
    if out.suffix != ".zip":
        raise UsageError(f"`{out}` is not the name of a zip. Name it `{out.name}.zip`.")
    if not out.exists():
        return
    with contextlib.suppress(OSError, zipfile.BadZipFile), zipfile.ZipFile(out) as old:
        if reader.MANIFEST in old.namelist():
            return
    raise UsageError(
        f"`{out}` already exists, and `grader submit` did not write it. Name another place with "
        "`--out FILE`."
    )


def _collect(course: Course) -> tuple[dict[str, bytes], list[Note]]:
    """Every file of the catalogue that exists, by name, and a note on each that can't be packed."""
    files: dict[str, bytes] = {}
    notes: list[Note] = []
    for path in workspace.files(course):
        if not path.exists() and not path.is_symlink():
            continue
        name = path.relative_to(course.stubs).as_posix()
        member = next(archive.files(path, path.name))
        if isinstance(member, Note):
            notes.append(Note(name, member.reason))
        elif path.resolve() != course.stubs.resolve() / path.relative_to(course.stubs):
            notes.append(Note(name, "is behind a link, and links are not followed"))
        else:
            files[name] = member.data
    return files, notes


def _read_back(course: Course, name: str, files: dict[str, bytes]) -> Submission:
    """The submission as the teacher's grader will read it; the manifest changes nothing in it."""
    with tempfile.TemporaryDirectory() as folder:
        return reader.read_own(write(Path(folder) / name, zipped(files)), course)


def _manifest(packed: PackedSubmission) -> bytes:
    """The manifest. Only this file of the zip holds a time: the others depend on the work alone."""
    course = packed.course
    work_for: dict[str, list[str]] = {}
    for exercise in course.exercises:
        for path in (course.stub(exercise), workspace.notebook_path(course, exercise.topic)):
            name = path.relative_to(course.stubs).as_posix()
            work_for.setdefault(name, []).append(exercise.id)
    manifest = Manifest(
        schema=1,
        course=course.name,
        time=packed.time,
        digest=packed.submission.digest,
        versions=Versions(
            grader=__version__,
            jax=guidance.jax_version() or "none",
            python=platform.python_version(),
            platform=sys.platform,
        ),
        files=tuple(
            PackedFile(name, digests.plain(data).hex(), len(data), tuple(work_for[name]))
            for name, data in packed.files.items()
        ),
        exercises={standing.exercise.id: str(standing) for standing in packed.standings},
    )
    return (json.dumps(to_plain(manifest), indent=1) + "\n").encode()


def _strays(course: Course) -> tuple[str, ...]:
    ours = set(workspace.files(course))
    places = [course.stubs, *(course.stubs / topic for topic in workspace.topics(course))]
    beside = [path for place in places for path in sorted(place.glob("[!.]*.*"))]
    return tuple(
        path.relative_to(course.stubs).as_posix()
        for path in beside
        if path.suffix in (".py", ".ipynb") and path not in ours and path.is_file()
    )


def receipt(packed: PackedSubmission) -> str:
    """One line to keep."""
    return f"{packed.time}  {packed.course.name}  {packed.submission.digest}"


def _keep_receipt(packed: PackedSubmission) -> None:
    path = progress.folder(packed.course) / "receipts.txt"
    with contextlib.suppress(OSError):  # the screen shows it, too
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(receipt(packed) + "\n")
