"""The reports of a large class: `python -m tests.benchmarks.report [--class N] [--exercises N]`.

    html    seconds to write, megabytes, seconds until Chromium has opened it, and until a student
            who was packed is shown
    text    seconds to write

No two students submit the same, and each has code for all exercises (`tests.class_for_reports`).
The default is 1,000 students with 50 exercises, and takes about two minutes.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from grader.delivery import formats
from grader.records.model import Run
from tests.browser import NONE_HERE, Shown, find_browser, started
from tests.class_for_reports import a_class

MOST_MEGABYTES, MOST_SECONDS_TO_OPEN, MOST_SECONDS_OF_TEXT = 20.0, 3.0, 5.0
TIMES = 5
_OPENED = "return performance.getEntriesByType('navigation')[0].loadEventEnd / 1000"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--class", dest="students", type=int, default=1000)
    parser.add_argument("--exercises", type=int, default=50)
    options = parser.parse_args()
    run = a_class(options.students, options.exercises)
    with tempfile.TemporaryDirectory(prefix="grader-report-") as folder:
        page = Path(folder) / "class.html"
        said("html written", written(run, "html", page), "s")
        said("html size", page.stat().st_size / 1e6, "MB", MOST_MEGABYTES)
        browse(page, options.students, Path(folder) / "profile")
        seconds = written(run, "text", Path(folder) / "class.txt")
        said("text written", seconds, "s", MOST_SECONDS_OF_TEXT)


def written(run: Run, name: str, path: Path) -> float:
    begun = time.perf_counter()
    formats.write(path, formats.FORMATS[name].render(run))
    return time.perf_counter() - begun


def browse(page: Path, students: int, profile: Path) -> None:
    """The median of several times, each in a page of its own."""
    if (found := find_browser()) is None:
        print(NONE_HERE)
        return
    with started(found, profile, "--window-size=1280,900") as browser:
        shown = Shown(browser, page)
        times = [opened(shown, students) for _ in range(TIMES)]
    first, student = (statistics.median(column) for column in zip(*times, strict=True))
    said("html opened", first, "s", MOST_SECONDS_TO_OPEN)
    said("a student shown", student, "s")


def opened(shown: Shown, students: int) -> tuple[float, float]:
    """Seconds until the page is there, and until the last student in it is."""
    shown.open()
    shown.until(f"{_OPENED.removeprefix('return ')} > 0", True)
    first = float(shown.run(_OPENED))
    begun = time.perf_counter()
    shown.run(f"location.hash = 's{students}'")
    shown.until("document.querySelector('article:target') !== null", True)
    shown.until("document.querySelector('article:target .packed')", None)
    return first, time.perf_counter() - begun


def said(what: str, value: float, unit: str, most: float | None = None) -> None:
    """A line for each number, and whether the claim holds. Noise is no defect: it never fails."""
    needed = "" if most is None else f"  needed: {most:g} {unit}: "
    verdict = "" if most is None else "holds" if value <= most else "FAILS"
    print(f"{what:<16} {value:8.2f} {unit}{needed}{verdict}", flush=True)


if __name__ == "__main__":
    main()
