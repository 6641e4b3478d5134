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


def promises(course: Course, exercise: Exercise) -> Promises:
    """Both files have to be Python. Nothing of them is executed."""
    stub, suite = (
        ast.parse(path.read_text(encoding="utf-8"))
        for path in (course.stub(exercise), course.suite(exercise))
    )
    docstrings = list(_docstrings(stub))
    text = " ".join(_plain(docstring) for docstring in docstrings)
    quoted = {test.name: list(_quotations(test)) for test in _tests(suite)}
    sentences = [s for docstring in docstrings for s in _binding(docstring)]
    held = tuple(
        (s, tuple(name for name, own in quoted.items() if any(_overlap(s, q) for q in own)))
        for s in sentences
    )
    problems: list[Problem] = []
    where_suite = course.relative(course.suite(exercise))
    for name, own in quoted.items():
        where = f"{where_suite}::{name}"
        if not own:
            what = "quotes no promise of the text, as other tests of the suite do"
            todo = 'Quote what it holds, `@pytest.mark.promise("...")`, or drop the test.'
            problems.append(Problem(where, what, todo))
        for quotation in own:
            if quotation not in text:
                what = f"quotes `{quotation}`, and no docstring of the stub says so"
                problems.append(Problem(where, what, "Copy a part of a sentence."))
    for sentence, tests in held:
        if not tests:
            what = f"promises `{sentence}`, and no test quotes it"
            todo = "Quote it in the test that holds it, write that test, or drop the sentence."
            problems.append(Problem(course.relative(course.stub(exercise)), what, todo))
    uses = any(quoted.values())
    return Promises(exercise.id, held, tuple(problems) if uses else ())


def _plain(text: str) -> str:
    return " ".join(text.split())


def _docstrings(stub: ast.Module) -> Iterator[str]:
    for node in ast.walk(stub):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield ast.get_docstring(node) or ""


def _tests(suite: ast.Module) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(suite):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node


def _quotations(test: ast.FunctionDef) -> Iterator[str]:
    for mark in test.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.promise":
            yield from (_plain(ast.literal_eval(given)) for given in mark.args)


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
