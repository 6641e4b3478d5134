"""Notebooks of students: a topic written as one, and lines as Jupyter counts them.

    stubs --> # TOPIC, then for each exercise: docstring, the stub without it, `!grader check STEM`

Each cell is marked with its exercise. So cells that a student adds count for the right exercise,
and two exercises may use one name for two things (`grader.intake.notebook`). The same course
gives the same bytes.

    "Line 12 raises ..."  --the lines before each cell-->  "Line 2 of cell 3 raises ..."
"""

import ast
import bisect
import dataclasses
import json
import re
from typing import Any, TypeVar

from grader.course.course import Course
from grader.intake import notebook
from grader.records.model import Advice, CheckResult, Exercise, Finding

_LINE = re.compile(r"\b(line) (\d+)\b", re.IGNORECASE)
_Advice = TypeVar("_Advice", Advice, Finding)
_WORK = "## How to work"
_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def write(course: Course, topic: str) -> bytes:
    """The notebook of a topic, in format 4.5."""
    exercises = [e for e in course.exercises if e.topic == topic]
    cells = [_markdown(topic, _opening(topic, exercises))]
    for exercise in exercises:
        cells += _cells(exercise, course.stub_text(exercise))
    book = {"cells": cells, "metadata": _METADATA, "nbformat": 4, "nbformat_minor": 5}
    return (json.dumps(book, indent=1, ensure_ascii=False) + "\n").encode()


def readme(text: str) -> str:
    """A course's README for those who work in notebooks.

    If it has a section `## How to work in notebooks`, that takes the place of `## How to work`.
    """
    own, heading, rest = text.partition(f"{_WORK} in notebooks\n")
    before, is_there, _ = own.partition(f"{_WORK}\n")
    return f"{before}{_WORK}\n{rest}" if heading and is_there else text


def _opening(topic: str, exercises: list[Exercise]) -> str:
    title = topic.lstrip("0123456789_").replace("_", " ").capitalize() or topic
    listed = "\n".join(f"- `{exercise.stem}`: {exercise.title}" for exercise in exercises)
    return (
        f"# {title}\n\n{listed}\n\nIn each code cell, replace `raise NotImplementedError` with "
        "your own code, or change the program that is there. **Save the notebook**, then run the "
        "cell below: it checks the file on disk."
    )


def _cells(exercise: Exercise, stub: str) -> list[dict[str, Any]]:
    docstring, code = _parts(stub)
    mark = notebook.marked(exercise.id)
    heading = f"## {exercise.title}\n\n{docstring}".rstrip()
    hint = f"Stuck? `!grader hint {exercise.stem}` gives one of three hints."
    return [
        _markdown(f"{exercise.stem}-task", f"{heading}\n\n{hint}", mark),
        _code(f"{exercise.stem}-code", code, mark),
        _code(f"{exercise.stem}-check", f"!grader check {exercise.stem}", mark),
    ]


def _parts(stub: str) -> tuple[str, str]:
    """A stub's module docstring, and the code after it."""
    tree = ast.parse(stub)
    docstring = ast.get_docstring(tree)
    if docstring is None:
        return "", stub.strip()
    return docstring, "\n".join(stub.split("\n")[tree.body[0].end_lineno :]).strip()


def _markdown(name: str, text: str, mark: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"cell_type": "markdown"} | _cell(name, text, mark or {})


def _code(name: str, text: str, mark: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": None, "outputs": []} | _cell(name, text, mark)


def _cell(name: str, text: str, metadata: dict[str, Any]) -> dict[str, Any]:
    # An id has 1 to 64 letters, digits, `-` and `_`.
    return {"id": name[-64:], "metadata": metadata, "source": text.splitlines(keepends=True)}


def in_cells(result: CheckResult, cells: tuple[int, ...]) -> CheckResult:
    """The result with each line as a line of its cell. `cells` are the lines before each cell."""
    every: tuple[Advice | Finding, ...] = (*result.findings, *result.hints)
    lines = [advice.line for advice in every if advice.line is not None]
    if len(cells) < 2 or all(line <= cells[1] for line in lines):
        return result
    findings = tuple(_in_cell(advice, cells) for advice in result.findings)
    hints = tuple(_in_cell(advice, cells) for advice in result.hints)
    return dataclasses.replace(result, findings=findings, hints=hints)


def _in_cell(advice: _Advice, cells: tuple[int, ...]) -> _Advice:
    # What follows a colon may be the words of an exception.
    ours, colon, rest = advice.sentence.partition(":")
    named = _LINE.sub(lambda found: f"{found[1]} {_named(int(found[2]), cells)}", ours)
    line = None if advice.line is None else _place(advice.line, cells)[0]
    return dataclasses.replace(advice, sentence=f"{named}{colon}{rest}", line=line)


def _named(line: int, cells: tuple[int, ...]) -> str:
    return "{} of cell {}".format(*_place(line, cells))


def _place(line: int, cells: tuple[int, ...]) -> tuple[int, int]:
    """The line in its cell, and the number of the cell, from 1."""
    cell = bisect.bisect_left(cells, line)
    return line - cells[max(0, cell - 1)], max(1, cell)
