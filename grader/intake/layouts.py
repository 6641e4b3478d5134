"""A class folder -> what each person submitted: whose it is, which files, and when.

    folder ── one entry ──> Canvas | Moodle | GitHub Classroom | plain ──┐
           ── a tree ─────> Gradescope | nbgrader ──────────────────────> HandIn, HandIn, ...

What a platform packs apart for one person (each file in Canvas, a folder for each kind in Moodle)
is one submission. What a person submits twice is two submissions with the same student. Only names
and the platforms' own tables are read here. `docs/reference/submissions.md` has every form.
"""

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path, PurePath, PurePosixPath
from typing import Any

from grader.intake import archive
from grader.intake.source import UnreadableError
from grader.records.errors import SubmissionError
from grader.records.model import Person

GRADESCOPE = "submission_metadata.yml"
NBGRADER = "timestamp.txt"
OF_PLATFORMS = (NBGRADER, "submission_secret.txt")
"""Files that a platform adds to what a student submitted."""
MAX_TABLE = 64 << 20
"""Bytes of a platform's own table."""
_SUFFIXES = {".py", ".ipynb", ".zip"}
# The number of a person, then that of the upload, which changes with each. No name holds `_123_`.
_CANVAS = re.compile(
    r"(?P<name>.+?)_(?P<late>LATE_|late_)?(?P<number>\d+)_(?:(?P<upload>\d+)_(?P<file>.+)|(?P<text>text|link)\.html)"
)
_STARTS_WITH_NUMBER = re.compile(r"\d+_")
_CANVAS_ANONYMOUS = re.compile(
    r"(?P<late>LATE_|late_)?(?P<name>anon_[A-Za-z0-9]{5})_(?:\d+_(?P<file>.+)|(?P<text>text|link)\.html)"
)
# As few characters as possible: a file's name may hold the same words again.
_MOODLE = re.compile(r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_[a-z]+_?(?P<file>.*)")
_CLONES = "-submissions"
# `jd42+hw1+2026-10-07 21:14:03.5 UTC`, as a student's own program names it.
_INBOUND = re.compile(r"[^+]+\+[^+]+\+\d{4}-\d\d-\d\d \d\d:\d\d.*")


@dataclass(frozen=True)
class HandIn:
    """What one person submitted at one time."""

    student: Person
    parts: tuple[tuple[Path, str], ...]
    """Files and folders, each with the name that the student gave it."""
    at: str = ""
    late: bool = False
    own_clock: bool = False
    """Whether a program of the student's wrote `at`."""
    is_part: bool = False
    """Whether the platform packs what a person submitted at one time into several entries."""


def of_path(path: Path, name: str) -> HandIn:
    """One entry of a class, or what was named by itself."""
    if found := _MOODLE.fullmatch(name):
        number = found["number"]
        student = Person(f"{found['name']}_{number}", found["name"], moodle=number)
        return HandIn(student, ((path, found["file"] or name),), is_part=True)
    if found := _CANVAS_ANONYMOUS.fullmatch(name):
        return _of_canvas(path, found, Person(found["name"]))
    # The student of `doe_1_2_3_x.py` may be doe or doe_1, so the file is given to neither.
    if (found := _CANVAS.fullmatch(name)) and not _STARTS_WITH_NUMBER.match(found["file"] or ""):
        number = found["number"]
        return _of_canvas(
            path, found, Person(f"{found['name']}_{number}", found["name"], canvas=number)
        )
    pure = PurePath(name)
    login = pure.stem if pure.suffix.lower() in _SUFFIXES and not os.path.isdir(path) else name
    return HandIn(Person(login), ((path, name),))


def number_and_page(name: str, page: str) -> tuple[str, str]:
    """Whose entry of Canvas or Moodle this is, by number, and what the platform calls a page for
    them, so that it can be handed back in bulk. Both are empty if the platform takes none.

    Moodle splits the name at its first four `_`. Canvas looks for the numbers of the person and of
    an upload that it knows, so it takes nothing for a text that was typed.
    """
    if found := _MOODLE.fullmatch(name):
        person = found["name"].replace("_", " ")
        return found["number"], f"{person}_{found['number']}_assignsubmission_file_{page}"
    found = _CANVAS.fullmatch(name)
    if found is None or not found["upload"] or _STARTS_WITH_NUMBER.match(found["file"]):
        return "", ""
    return found["number"], f"{name.removesuffix(found['file'])}{page}"


def _of_canvas(path: Path, found: re.Match[str], student: Person) -> HandIn:
    inner = found["file"] or f"{found['text']}.html"
    return HandIn(student, ((path, inner),), late=bool(found["late"]), is_part=True)


def of_class(
    folder: Path,
    assignment: str = "",
    tell: Callable[[str], None] = lambda _: None,
    stems: Collection[str] = (),
) -> list[HandIn]:
    """Every submission of a class, in the order of names. `tell` gets what the teacher has to know.

    Of nbgrader's tree, only the folders of the assignment are taken, if there are any of that
    name. `stems` are those of exercises, for files called `STUDENT_STEM.py`. Raises
    `SubmissionError` if the folder or a platform's table in it can't be read.
    """
    names = _entries(folder)
    # One student's name can't make a class an exchange.
    if 2 * sum(map(bool, map(_INBOUND.fullmatch, names))) > len(names):
        raise SubmissionError(
            f"`{folder}` looks like nbgrader's exchange, where every student can create a folder "
            "with any name. Run `nbgrader collect`, and grade `submitted/`."
        )
    if GRADESCOPE in names:
        return list(_gradescope(folder))
    if _is_nbgrader(folder, names):
        return [one for name in names for one in _nbgrader(folder / name, name, assignment)]
    found = [of_path(folder / name, name) for name in names]
    return _joined(_without_stem(_without_prefix(found), stems, tell))


def looks_like_a_class(path: Path) -> bool:
    """Whether a platform's download lies in a class, where one person's work should lie.

    It isn't read as a class: anybody can submit a folder that looks so, with others' names in it.
    """
    if path.suffix.lower() == ".zip" and os.path.isfile(path):
        with suppress(SubmissionError):
            return _is_download(entries(path))
    if not _is_folder(path):
        return False
    names = _entries(path)
    clones = [name for name in names if os.path.exists(path / name / ".git")]
    return _is_download(names) or len(clones) > 1 or (bool(names) and _is_nbgrader(path, names))


def is_plain(one: HandIn) -> bool:
    """Whether only the name of its entry tells whose it is: a teacher may have chosen that."""
    path = one.parts[0][0]
    is_clone = os.path.exists(path / ".git")
    return one.student == Person(one.student.id) and not is_clone


def entries(download: Path) -> list[str]:
    """The names in a platform's folder or zip, which isn't unpacked.

    Raises `SubmissionError` if it can't be read.
    """
    if download.is_dir():
        return _entries(download)
    try:
        found = [PurePosixPath(name).parts for name in archive.names(download)]
    except (OSError, UnreadableError) as error:
        raise SubmissionError(f"the zip `{download}` can't be read: {error}.") from error
    return sorted({parts[0] for parts in found if parts and not any(map(archive.skipped, parts))})


def _is_download(names: Iterable[str]) -> bool:
    """Whether Canvas or Moodle has named the work of several people so, or it is Gradescope's."""
    found = [of_path(Path(name), name) for name in names if name != GRADESCOPE]
    people = {one.student.id for one in found if one.is_part}
    return len(people) > 1 or GRADESCOPE in names


def _entries(folder: Path) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if not archive.skipped(name))
    except OSError as error:
        raise SubmissionError(
            f"the folder `{folder}` can't be read: {error.strerror}. Check its permissions."
        ) from error


def _entries_or_none(folder: Path) -> list[str]:
    """Of one person's folder: if it can't be read, others' can. `Path.exists` would raise there."""
    with suppress(SubmissionError):
        return _entries(folder)
    return []


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path) and not os.path.islink(path)


def _joined(found: Iterable[HandIn]) -> list[HandIn]:
    """With the parts that a platform packed apart for one person in one submission.

    Of two with the same name, from an older and a newer download, the last upload counts.
    """
    joined: dict[object, HandIn] = {}
    for number, one in enumerate(found):
        key = one.student.id if one.is_part else number
        if (first := joined.get(key)) is not None:
            parts = sorted((*first.parts, *one.parts), key=_upload)
            last = tuple({name: (path, name) for path, name in parts}.values())
            one = replace(first, parts=last, late=first.late or one.late)
        joined[key] = one
    return list(joined.values())


def _upload(part: tuple[Path, str]) -> int:
    """Canvas's number of an upload: later ones are larger."""
    found = re.search(r"_(\d+)_$", part[0].name.removesuffix(part[1]))
    return int(found[1]) if found else 0


def _without_prefix(found: list[HandIn]) -> list[HandIn]:
    """GitHub Classroom's clones are called `hw1-LOGIN`: their common beginning is left out."""
    clones = [one for one in found if os.path.exists(one.parts[0][0] / ".git")]
    prefix = os.path.commonprefix([one.student.id for one in clones])  # noqa: RUF071  (of text)
    prefix = prefix[: prefix.rfind("-") + 1] if len(clones) > 1 else ""
    if clones and (above := clones[0].parts[0][0].parent.name).endswith(_CLONES):
        prefix = above.removesuffix(_CLONES) + "-"  # as `gh classroom clone` calls the folder
    if not prefix:
        return found
    return [_of_github(one, prefix) if one in clones else one for one in found]


def _without_stem(
    found: list[HandIn], stems: Collection[str], tell: Callable[[str], None]
) -> list[HandIn]:
    """Where most entries are called `STUDENT_STEM`, those of one student belong together."""
    # Of `attention` and `flash_attention`, the longer one is meant.
    named = re.compile(f"(.+?)_(?:{'|'.join(map(re.escape, stems))})" + r"(?: \(\d+\)|-\d+)?")
    plain = {one.student.id for one in found if is_plain(one)}
    parts = {id: match[1] for id in plain if (match := named.fullmatch(id))}
    if not stems or 2 * len(parts) <= len({one.student.id for one in found}):
        return found
    example = min(parts)
    tell(
        f"most entries are named STUDENT_EXERCISE, such as `{example}`: they are combined into "
        f"{len(set(parts.values()))} students, such as `{parts[example]}`. If that is wrong, make "
        "a folder for each student."
    )
    return [_part(one, parts[one.student.id]) if one.student.id in parts else one for one in found]


def _part(one: HandIn, student: str) -> HandIn:
    ((path, name),) = one.parts
    name = name.removeprefix(f"{student}_")
    return replace(one, student=Person(student), parts=((path, name),), is_part=True)


def _of_github(one: HandIn, prefix: str) -> HandIn:
    login = one.student.id.removeprefix(prefix)
    return replace(one, student=Person(login, github=login))


def _is_nbgrader(folder: Path, names: Sequence[str]) -> bool:
    """Whether each entry is a folder of folders, and most of them have a time from nbgrader."""
    timed = 0
    for name in names:
        if not _is_folder(folder / name) or os.path.exists(folder / name / ".git"):
            return False
        inner = [folder / name / each for each in _entries_or_none(folder / name)]
        if not all(map(_is_folder, inner)):
            return False
        timed += any(os.path.isfile(each / NBGRADER) for each in inner)
    # One student's file can't make a class another platform's.
    return 2 * timed > len(names)


def _nbgrader(folder: Path, login: str, assignment: str) -> Iterator[HandIn]:
    """One student of `submitted/`: a folder for each assignment."""
    names = _entries_or_none(folder)
    chosen = [name for name in names if name == assignment] or names
    times = [_time_in(folder / name / NBGRADER) for name in chosen]
    parts = tuple((folder / name, name) for name in chosen) or ((folder, login),)
    yield HandIn(Person(login, login=login), parts, max(times, default=""), own_clock=True)


def _gradescope(folder: Path) -> Iterator[HandIn]:
    """Everyone in Gradescope's table: a group has one submission for each of its members."""
    table = _yaml(folder / GRADESCOPE)
    for name in sorted(table):
        entry = table[name]
        # The names come from a file that is handed on: they must not lead out of the folder.
        if not isinstance(entry, dict) or not re.fullmatch(r"\w[\w.-]*", name, re.ASCII):
            continue
        at = time_of(str(entry.get(":created_at", "")))
        members = entry.get(":submitters")
        for member in members if isinstance(members, list) else [{}]:
            yield HandIn(_gradescope_student(member, name), ((folder / name, name),), at)


def _gradescope_student(member: Any, folder: str) -> Person:
    given = member if isinstance(member, dict) else {}
    name, email, sis = (str(given.get(f":{key}") or "") for key in ("name", "email", "sid"))
    return Person(email or sis or name or folder, name, email=email, sis=sis)


def _yaml(path: Path) -> dict[str, Any]:
    import yaml  # only Gradescope's folders need it

    try:
        with open(path, encoding="utf-8") as file:
            # Some exports have a bare line `...` between two entries, which ends a document.
            text = re.sub(r"(?m)^\.\.\.\n", "", file.read(MAX_TABLE))
        table = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise SubmissionError(
            f"`{path}` can't be read: {str(error).splitlines()[0]}. Export the submissions from "
            "Gradescope again."
        ) from error
    if not isinstance(table, dict):
        raise SubmissionError(f"`{path}` is not a Gradescope table. Export it again.")
    return {str(name): entry for name, entry in table.items()}


def _time_in(path: Path) -> str:
    try:
        return time_of(archive.start_of(path, 80).decode(errors="replace"))
    except (OSError, UnreadableError):
        return ""


def time_of(text: str) -> str:
    """A platform's time in ISO 8601 with an offset, or "". Without an offset it is in UTC."""
    # Gradescope writes `2025-10-01 17:43:40.111111111 Z`, nbgrader `2025-10-01 17:43:40.1 UTC`.
    found = re.match(
        r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)(?:\.\d+)? ?([+-]\d\d:?\d\d)?", text.strip()
    )
    try:
        at = datetime.fromisoformat("".join((found[1], "T", found[2], found[3] or "")))  # type: ignore[index]
    except (TypeError, ValueError):
        return ""
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).isoformat(timespec="seconds")
