"""Pages for students, packed so that Canvas and Moodle take them in bulk.

    run, pages, the download that was graded ── names of its entries ──> one zip

Both platforms find a student by the name of a file, which has to be the name of a download.
"""

from collections.abc import Sequence
from pathlib import Path

from grader import files
from grader.delivery import formats
from grader.errors import UsageError
from grader.intake import layouts
from grader.model import Run

PAGE = "feedback.html"


def pack(run: Run, pages: Sequence[Path], download: Path, target: Path) -> list[str]:
    """Writes the zip; returns the ids of the students for whom the platform takes no page.

    `pages` are in the order of `run.submissions`. Raises `UsageError` if no student of the run has
    an entry in the download, and `SubmissionError` if it can't be read.
    """
    entries = [path.name for one in layouts.of_class(download) for path, _ in one.parts]
    names = dict(layouts.number_and_page(entry, PAGE) for entry in entries)
    packed, left_out = {}, []
    for grade, page in zip(run.submissions, pages, strict=True):
        number = (grade.student.canvas or grade.student.moodle) if grade.student else ""
        if name := names.get(number):
            packed[name] = page.read_bytes()
        else:
            left_out.append(grade.id)
    if not packed:
        raise UsageError(
            f"`{download}` has no upload of these students under the names of Canvas or Moodle. "
            "Give the unpacked download that was graded."
        )
    formats.write(target, files.zipped(packed))
    return left_out
