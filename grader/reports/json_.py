"""`results.json` on its way elsewhere: the same bytes."""

from __future__ import annotations

from grader.model import Run
from grader.reports import files


def render(run: Run) -> str:
    """The run as `results.json` holds it."""
    return files.as_text(files.results(run))
