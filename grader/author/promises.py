"""What the text of an exercise promises, and which tests hold it.

    stub + suite + test_STEM.promises --promises--> Promises(sentences with their tests, problems)
                                      --write--> test_STEM.promises

The file stands beside the suite. Each sentence of the stub that binds has a line, and below it the
tests that hold it:

    [T] float32, the measurements.
        test_values, test_any_length

The sections `Args`, `Returns`, `Raises` and `Details` bind. A test may also hold a part of any
other sentence. Where there is a file, no sentence is without a test, so that none is there for
nothing, and no test without a sentence, so that none asks for what the text doesn't say.
"""

import ast
import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.author.marked_tests import marked_tests
from grader.course.course import Course
from grader.course.docstring import entries, sections
from grader.records import files
from grader.records.model import Exercise, Problem

_BINDING = frozenset(("Args", "Attributes", "Details", "Returns", "Raises", "Yields"))
# The others have entries.
_PROSE = ("Returns", "Details")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
# A sentence that is at least so like one that went keeps its tests.
_ALIKE = 0.6
Held = Mapping[str, tuple[str, ...]]
"""Sentences, each with the names of the tests that hold it."""


@dataclass(frozen=True)
class Promises:
    """The sentences of a text, each with the tests that hold it, and what is wrong."""

    exercise: str
    held: tuple[tuple[str, tuple[str, ...]], ...] = ()
    problems: tuple[Problem, ...] = ()


def promises(course: Course, exercise: Exercise) -> Promises:
    """Stub and suite have to be Python. Nothing of them is executed."""
    stored = _read(course.promises(exercise))
    sentences, text = _text(course, exercise)
    held = {sentence: stored.get(sentence, ()) for sentence in [*sentences, *stored]}
    if not stored:
        return Promises(exercise.id, tuple(held.items()))
    tests = [test.name for test in marked_tests(course.suite(exercise))]
    where, suite = map(course.relative, (course.promises(exercise), course.suite(exercise)))
    named = {name for own in held.values() for name in own}
    write = f"`grader promises --write {exercise.stem}`, and name the tests that hold it."
    problems = [
        Problem(where, f"no test holds `{sentence}`", f"{write} Or drop the sentence.")
        for sentence, own in held.items()
        if not own and sentence in text
    ]
    problems += [
        Problem(where, f"holds `{sentence}`, and the stub doesn't say so", write)
        for sentence in stored
        if sentence not in text
    ]
    problems += [
        Problem(where, f"names `{name}`, which is no test of the suite", "Mend the name.")
        for name in sorted(named - set(tests))
    ]
    problems += [
        Problem(
            f"{suite}::{name}",
            "holds no sentence of the text",
            f"Name it in `{where}` below what it holds, or drop the test.",
        )
        for name in tests
        if name not in named
    ]
    return Promises(exercise.id, tuple(held.items()), tuple(problems))


def write(course: Course, exercise: Exercise) -> bool:
    """Writes the file for today's text; whether that changed it.

    A sentence that is new has the tests of the sentence that went and is most like it, or none.
    """
    path = course.promises(exercise)
    stored = _read(path)
    sentences, text = _text(course, exercise)
    tests = {test.name for test in marked_tests(course.suite(exercise))}
    gone = [sentence for sentence in stored if sentence not in text]
    rows = []
    for sentence in dict.fromkeys([*sentences, *(s for s in stored if s in text)]):
        like = difflib.get_close_matches(sentence, gone, 1, _ALIKE)
        former = sentence if sentence in stored else "".join(like)
        own = [name for name in stored.get(former, ()) if name in tests]
        rows += [sentence, f"    {', '.join(own)}".rstrip()]
    new = "".join(f"{row}\n" for row in rows).encode()
    if path.exists() and path.read_bytes() == new:
        return False
    files.write(path, new)
    return True


def _read(path: Path) -> dict[str, tuple[str, ...]]:
    held: dict[str, tuple[str, ...]] = {}
    sentence = ""
    for row in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        if row.startswith(" "):
            held[sentence] = (*held.get(sentence, ()), *re.split(r"[\s,]+", row.strip()))
        elif row:
            sentence = row
            held[sentence] = ()
    return held


def _text(course: Course, exercise: Exercise) -> tuple[list[str], str]:
    """The sentences that bind, and all docstrings in one line."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    nodes = ast.walk(ast.parse(course.stub_text(exercise)))
    docstrings = [ast.get_docstring(n) or "" for n in nodes if isinstance(n, documented)]
    binding = [sentence for docstring in docstrings for sentence in _binding(docstring)]
    return binding, " ".join(map(_plain, docstrings))


def _plain(text: str) -> str:
    return " ".join(text.split())


def _binding(docstring: str) -> Iterator[str]:
    """The sentences of the sections that bind."""
    for heading, text in sections(docstring):
        if heading in _BINDING:
            for entry in [text] if heading in _PROSE else entries(text):
                yield from filter(None, _SENTENCE.split(_plain(entry)))
