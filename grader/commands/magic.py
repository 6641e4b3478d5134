"""`%load_ext grader`, and then `%%check NAME` above the code of a cell: a check in the notebook.

    cell + the cells that ran before it --> examples in a process of their own --> words below it
                                        --> `--to URL`: the hidden tests of a server

`%%submit NAME --to URL` asks the server alone. The address may be in the variable GRADER_SERVER.
The cell itself runs, too, so that later cells can use what it defines.
"""

import atexit
import html
import os
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from grader.course import course as courses
from grader.course.course import Course
from grader.intake import notebook, source
from grader.output.screens import check as report
from grader.output.screens import grades, pictures
from grader.records.errors import GraderError, UsageError
from grader.records.model import Exercise, Source
from grader.records.safe_text import clean, markdown
from grader.records.student_code import head
from grader.student import guidance, remote, workspace
from grader.student.check import check_work
from grader.student.example_pool import ExamplePool
from grader.student.guidance import Explanation
from grader.student.workspace import Work

CELL = "the cell"


def load(shell: Any) -> None:
    """Registers the magic with a shell of IPython."""
    pool = ExamplePool()
    atexit.register(pool.__exit__)

    def submit(line: str, cell: str) -> None:
        console = Console(highlight=False)
        name, address, assignment = _arguments(line)
        ran = [*shell.history_manager.input_hist_raw[:-1], cell]
        try:
            server = remote.Server(address or os.environ.get(remote.SERVER, ""))
            exercise = courses.find(None)[name]
            place, _ = server.assignment([exercise.id], assignment or None)
            work = Source(exercise.id, f"{exercise.stem}.ipynb", _as_notebook(ran))
            for _, result in server.results(place, [work]):
                grades.exercise(result, console)
        except GraderError as error:
            console.print(Text(clean(str(error)), style="red"))

    def check(line: str, cell: str) -> None:
        console = Console(highlight=False)
        name, address, _ = _arguments(line)
        try:
            course = courses.find(None)
            exercise = _exercise(course, name, cell)
            work = Work(cell, _before(shell.history_manager.input_hist_raw))
            place = replace(workspace.place(course, exercise), file=Path(f"<{CELL}>"))
            result = check_work(place, pool, work, CELL, drawn=True)
        except GraderError as error:
            console.print(Text(clean(str(error)), style="red"))
            return
        report.result(result, console)
        pictures.show(result.picture, console)
        if result.passed and (more := guidance.find_explanation(course, exercise, cell)):
            plain = f"Why it works: `grader explain {exercise.stem}`"
            shell.display_pub.publish({"text/html": _folded(more), "text/plain": plain})
        if address:
            submit(line, cell)
        # If the cell can't be loaded, the check has said why. Jupyter would say it again.
        if result.examples:
            shell.run_cell(cell)

    shell.register_magic_function(check, "cell", "check")
    shell.register_magic_function(submit, "cell", "submit")


def _arguments(line: str) -> tuple[str, str, str]:
    """The exercise, and what `--to` and `--assignment` say. Other words are left alone."""
    words = shlex.split(line)
    said = {"--to": "", "--assignment": ""}
    for option in said:
        if option in words[:-1]:
            place = words.index(option)
            said[option] = words[place + 1]
            del words[place : place + 2]
    return (words[0] if words else ""), said["--to"], said["--assignment"]


def _exercise(course: Course, name: str, cell: str) -> Exercise:
    """The exercise of that name; without one, the one whose function the cell defines.

    Raises `UsageError` if the cell defines nothing that the exercise asks for.
    """
    found = source.names(notebook.as_python(cell)[0])
    if not name:
        alike = [e for e in course.exercises if found.own & set(e.defines)]
        if len(alike) != 1:
            raise UsageError("write the name of the exercise after `%%check`, as in `%%check selu`")
        return alike[0]
    exercise = course[name]
    if not found.error and not found.own & set(exercise.defines):
        asked, own = (
            " and ".join(f"`{n}`" for n in names) for names in (exercise.defines, sorted(found.own))
        )
        raise UsageError(
            f"this cell defines {own or 'nothing'}, but `{exercise.stem}` requires {asked}"
        )
    return exercise


def _as_notebook(cells: list[str]) -> str:
    """Cells as the text of a notebook that is submitted."""
    valid = [text for cell in cells if not source.names(text := notebook.as_python(cell)[0]).error]
    return "".join(f"{head(number)}\n{text}\n" for number, text in enumerate(valid, 1))


def _folded(more: Explanation) -> str:
    """The explanation as HTML that opens with a click."""
    difference = f"<pre>{html.escape(more.difference)}</pre>" if more.difference else ""
    return f"<details><summary>Why it works</summary>{markdown(more.text)}{difference}</details>"


def _before(ran: list[str]) -> str:
    """What the cells before this one define; lines with magics are left out."""
    cells = (notebook.as_python(cell)[0] for cell in ran[:-1])
    return "\n".join(text for text in cells if not source.names(text).error)
