"""A topic of the course as a notebook: the same exercises, each a task in words and a cell.

    stubs --> # TOPIC, then for each exercise: words, the stub without them, `!grader check STEM`

The cells of an exercise are marked with it, so that what a student adds below counts for it, and
two exercises may use one name for two things (`grader.notebook`). The same course gives the same
bytes.
"""

from __future__ import annotations

import ast
import json
from typing import Any

from grader import notebook
from grader.course import Course
from grader.model import Exercise

_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def write(course: Course, topic: str) -> bytes:
    """The notebook of a topic, in format 4.5."""
    exercises = [e for e in course.exercises if e.topic == topic]
    cells = [_markdown(topic, _opening(topic, exercises))]
    for exercise in exercises:
        cells += _cells(exercise, course.stub(exercise).read_text(encoding="utf-8"))
    book = {"cells": cells, "metadata": _METADATA, "nbformat": 4, "nbformat_minor": 5}
    return (json.dumps(book, indent=1, ensure_ascii=False) + "\n").encode()


def _opening(topic: str, exercises: list[Exercise]) -> str:
    title = topic.lstrip("0123456789_").replace("_", " ").capitalize() or topic
    listed = "\n".join(f"- `{exercise.stem}`: {exercise.title}" for exercise in exercises)
    return (
        f"# {title}\n\n{listed}\n\nIn each cell of code, replace `raise NotImplementedError` "
        "with your own. **Save the notebook**, then run the cell below it: it checks what lies "
        "on the disk."
    )


def _cells(exercise: Exercise, stub: str) -> list[dict[str, Any]]:
    words, code = _parts(stub)
    mark = notebook.marked(exercise.id)
    heading = f"## {exercise.title}\n\n{words}".rstrip()
    hint = f"Stuck? `!grader hint {exercise.stem}` gives one of three hints."
    return [
        _markdown(f"{exercise.stem}-task", f"{heading}\n\n{hint}", mark),
        _code(f"{exercise.stem}-code", code, mark),
        _code(f"{exercise.stem}-check", f"!grader check {exercise.stem}", mark),
    ]


def _parts(stub: str) -> tuple[str, str]:
    """A stub's module docstring, and what follows it."""
    tree = ast.parse(stub)
    words = ast.get_docstring(tree)
    if words is None:
        return "", stub.strip()
    lines = stub.split("\n")
    return words, "\n".join(lines[tree.body[0].end_lineno :]).strip()


def _markdown(name: str, text: str, mark: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "cell_type": "markdown",
        "id": _id(name),
        "metadata": mark or {},
        "source": _lines(text),
    }


def _code(name: str, text: str, mark: dict[str, Any]) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": _id(name),
        "metadata": mark,
        "outputs": [],
        "source": _lines(text),
    }


def _id(name: str) -> str:
    """Format 4.5 takes 1 to 64 letters, digits, `-` and `_`."""
    return name[-64:]


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
