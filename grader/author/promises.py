"""What the text of an exercise promises, and which tests hold it.

    stub + suite --promises--> Promises(sentences with their tests, what is wrong)

A test quotes the text that it holds, a part of a sentence or more, from a docstring of the stub:

    @pytest.mark.promise("Numbers below 0 or above n - 1 are not counted")

Once a suite quotes anything, each of its tests quotes something, so that none asks for what the
text doesn't say. And every sentence of the sections `Args`, `Returns` and `Raises` is quoted, so
that none is there for nothing.
"""

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.course import Course
from grader.model import Exercise, Problem

_SECTION = re.compile(r"(\w+):")
_BINDING = frozenset(("Args", "Attributes", "Returns", "Raises", "Yields"))
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True)
class Promises:
    """The binding sentences of a text, each with the tests that quote it, and what is wrong."""

    exercise: str
    held: tuple[tuple[str, tuple[str, ...]], ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class MarkedTest:
    """A test of a suite, with what its markers say where they hold plain values."""

    name: str
    points: float
    promises: tuple[str, ...]


def promises(course: Course, exercise: Exercise) -> Promises:
    """Both files have to be Python. Nothing of them is executed."""
    stub, suite = course.stub(exercise), course.suite(exercise)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    nodes = ast.walk(ast.parse(course.stub_text(exercise)))
    docstrings = [ast.get_docstring(n) or "" for n in nodes if isinstance(n, documented)]
    quoted = {t.name: [_plain(promise) for promise in t.promises] for t in marked_tests(suite)}
    sentences = [s for docstring in docstrings for s in _binding(docstring)]
    held = tuple(
        (s, tuple(name for name, own in quoted.items() if any(_overlap(s, q) for q in own)))
        for s in sentences
    )
    if not any(quoted.values()):
        return Promises(exercise.id, held)
    text = " ".join(map(_plain, docstrings))
    problems = (
        *_asked_for_nothing(quoted, text, course.relative(suite)),
        *_held_by_nothing(held, course.relative(stub)),
    )
    return Promises(exercise.id, held, problems)


def _asked_for_nothing(quoted: dict[str, list[str]], text: str, suite: str) -> Iterator[Problem]:
    """Tests that quote nothing of the text."""
    for name, quotations in quoted.items():
        where = f"{suite}::{name}"
        if not quotations:
            what = "quotes no promise of the text, as other tests of the suite do"
            todo = 'Quote what it holds, `@pytest.mark.promise("...")`, or drop the test.'
            yield Problem(where, what, todo)
        for quotation in quotations:
            if quotation not in text:
                what = f"quotes `{quotation}`, and no docstring of the stub says so"
                yield Problem(where, what, "Copy a part of a sentence.")


def _held_by_nothing(held: tuple[tuple[str, tuple[str, ...]], ...], stub: str) -> Iterator[Problem]:
    """Sentences that no test quotes."""
    for sentence, tests in held:
        if not tests:
            what = f"promises `{sentence}`, and no test quotes it"
            todo = "Quote it in the test that holds it, write that test, or drop the sentence."
            yield Problem(stub, what, todo)


def _plain(text: str) -> str:
    return " ".join(text.split())


def _binding(docstring: str) -> Iterator[str]:
    """The sentences of the sections that bind. In a section, an entry begins at the indentation."""
    section, block = "", list[str]()
    for line in [*inspect.cleandoc(docstring).splitlines(), "End:"]:
        if heading := _SECTION.fullmatch(line):
            yield from _sentences(block, section)
            section, block = heading[1], []
        elif section in _BINDING:
            block.append(line)


def _sentences(block: list[str], section: str) -> Iterator[str]:
    entries: list[str] = []
    for line in block:
        goes_on = line.startswith("     ") or section == "Returns"
        if goes_on and entries:
            entries[-1] += f" {line.strip()}"
        elif line.strip():
            entries.append(line.strip())
    for entry in entries:
        yield from filter(None, _SENTENCE.split(_plain(entry)))


def _overlap(sentence: str, quotation: str) -> bool:
    """Whether one holds the other, or a quotation of several sentences ends or begins in it."""
    return (
        quotation in sentence
        or sentence in quotation
        or any(part in sentence for part in _SENTENCE.split(quotation))
    )


def marked_tests(suite: Path) -> Iterator[MarkedTest]:
    """The tests of a suite, which isn't executed. Raises `SyntaxError` if it isn't Python.

    Tests in classes are left out, since the judge can't prove that one fails.
    """
    for node in ast.parse(suite.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            points = [float(value) for value in _arguments(node, "points")]
            yield MarkedTest(node.name, (points or [1.0])[0], tuple(_arguments(node, "promise")))


def _arguments(test: ast.FunctionDef, marker: str) -> Iterator[Any]:
    calls = (node for node in test.decorator_list if isinstance(node, ast.Call))
    for call in calls:
        if ast.unparse(call.func) == f"pytest.mark.{marker}":
            yield from map(ast.literal_eval, call.args)
