"""Pages for students, packed so that Canvas and Moodle take them in bulk.

    run, pages, a download that was graded ── names of its entries ──> a zip for its platform

Both platforms find a student by the name of a file, which has to be the name of a download.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.delivery import formats
from grader.intake import layouts
from grader.records import files
from grader.records.errors import UsageError
from grader.records.model import Person, Run

PAGE = "feedback.html"


@dataclass(frozen=True)
class HandedBack:
    """A zip for one platform."""

    path: Path
    pages: int
    left_out: tuple[str, ...]
    """The ids of people whom this platform knows, and who have no upload in the download."""


def pack(
    run: Run, pages: Sequence[Path], downloads: Sequence[Path], folder: Path
) -> list[HandedBack]:
    """Writes a zip for each download, called after it. It may be a folder, or still packed.

    `pages` are in the order of `run.submissions`. Raises `UsageError` if no student of the run has
    an entry in a download, and `SubmissionError` if it can't be read.
    """
    own = [path.resolve() for path in downloads]
    names = files.file_names([p.stem if p.suffix.lower() == ".zip" else p.name for p in own])
    given = {
        grade.id: (grade.student or Person(grade.id), page)
        for grade, page in zip(run.submissions, pages, strict=True)
    }
    return [
        _packed(given, download, folder / f"upload-{name}.zip")
        for download, name in zip(downloads, names, strict=True)
    ]


def _packed(given: Mapping[str, tuple[Person, Path]], download: Path, target: Path) -> HandedBack:
    names = dict(map(_person_and_page, layouts.entries(download)))
    platforms = {platform for platform, number in names if number}
    packed, left_out = {}, []
    for id, (person, page) in given.items():
        numbers = {key: number for key in platforms if (number := getattr(person, key))}
        if found := [names[one] for one in numbers.items() if one in names]:
            packed[found[0]] = page.read_bytes()
        elif numbers:
            left_out.append(id)
    if not packed:
        raise UsageError(
            f"`{download}` has no upload from these students under Canvas or Moodle names. Give "
            "the download that was graded."
        )
    formats.write(target, files.zipped(packed))
    return HandedBack(target, len(packed), tuple(left_out))


def _person_and_page(entry: str) -> tuple[tuple[str, str], str]:
    """A platform and the number of a person there, and the name of their page."""
    number, page = layouts.number_and_page(entry, PAGE)
    person = layouts.of_path(Path(entry), entry).student
    return ("moodle" if person.moodle else "canvas", number), page
