"""`results.json` on its way elsewhere: the same bytes."""

from __future__ import annotations

import json

from grader.model import Run
from grader.reports import files


def render(run: Run) -> str:
    """The run as `results.json` holds it."""
    return json.dumps(files.results(run), indent=1, allow_nan=False) + "\n"
