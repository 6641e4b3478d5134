"""The words of feedback: what is wrong at a line, what JAX means by it, what to change.

A lesson is a sentence whose subject is the place ("Line 7 ..."), so it begins with a verb. What
stands in braces is filled in by whoever tells it, never with anything of a hidden test.
"""

from __future__ import annotations

from typing import Any

from grader.feedback.lesson import Lesson
from grader.feedback.words_arrays import ARRAYS
from grader.feedback.words_silent import SILENT
from grader.feedback.words_traced import TRACED
from grader.model import Advice

DOCS = "https://docs.jax.dev/en/latest/"
LESSONS: dict[str, Lesson] = {**TRACED, **ARRAYS, **SILENT}


def advice(cause: str, line: int | None = None, code: str = "", **words: Any) -> Advice:
    """A lesson as told to one student."""
    lesson = LESSONS[cause]
    where = f"Line {line}" if line is not None else "Your code"
    sentence = f"{where} {lesson.says.format(**words)}. {lesson.means.format(**words)}".strip()
    page = address(lesson.page.format(**words))
    return Advice(cause, sentence, lesson.todo.format(**words), line, code[:200], page)


def address(page: str) -> str:
    """Where a page of JAX's documentation is; an address of its own as it is."""
    return page if not page or page.startswith("https://") else DOCS + page
