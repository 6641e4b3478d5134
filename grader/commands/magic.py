"""`%load_ext grader`, and then `%%check NAME` above the code of a cell: a check in the notebook.

    cell + the cells that ran before it --> examples in a process of their own --> words below it

The cell itself runs, too, so that later cells can use what it defines.
"""

import atexit
import html
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from grader import course as courses
from grader.errors import GraderError
from grader.intake import notebook, source
from grader.reports.safe_text import clean, markdown
from grader.screens import check as report
from grader.screens import pictures
from grader.student import guidance
from grader.student.check import check_work
from grader.student.example_pool import ExamplePool
from grader.student.guidance import Explanation
from grader.student.workspace import Work

CELL = "the cell"


def load(shell: Any) -> None:
    """Registers the magic with a shell of IPython."""
    pool = ExamplePool()
    atexit.register(pool.__exit__)

    def check(line: str, cell: str) -> None:
        console = Console(highlight=False)
        try:
            course = courses.find(None)
            exercise = course[line.strip()]
            work = Work(cell, _before(shell.history_manager.input_hist_raw))
            result = check_work(course, exercise, pool, work, Path(f"<{CELL}>"), CELL, drawn=True)
        except GraderError as error:
            console.print(Text(clean(str(error)), style="red"))
            return
        report.result(result, console)
        if drawn := pictures.svg(result.picture):
            plain = f"Its shapes: `grader show {exercise.stem}`"
            shell.display_pub.publish({"text/html": drawn, "text/plain": plain})
        if result.passed and (more := guidance.find_explanation(course, exercise, cell)):
            plain = f"Why it works: `grader explain {exercise.stem}`"
            shell.display_pub.publish({"text/html": _folded(more), "text/plain": plain})
        # If the cell can't be loaded, the check has said why. Jupyter would say it again.
        if result.examples:
            shell.run_cell(cell)

    shell.register_magic_function(check, "cell", "check")


def _folded(more: Explanation) -> str:
    """The explanation as HTML that opens with a click."""
    difference = f"<pre>{html.escape(more.difference)}</pre>" if more.difference else ""
    return f"<details><summary>Why it works</summary>{markdown(more.text)}{difference}</details>"


def _before(ran: list[str]) -> str:
    """What the cells before this one define; lines with magics are left out."""
    cells = (notebook.as_python(cell)[0] for cell in ran[:-1])
    return "\n".join(text for text in cells if not source.names(text).error)
