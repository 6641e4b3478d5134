"""The sentences of a text that an answer can break, and the known mistakes that break them.

    stub + wrong answers (`# Breaks: Returns 2`) + suite --problems--> what nothing holds

The sections `Returns`, `Yields`, `Raises`, `Attributes` and `Details` bind an answer. `Returns 2`
is the second sentence of its section; the docstrings of a file count as one. As soon as a wrong
answer says what it breaks, some wrong answer breaks every sentence, and each test is lost by one of
these. So no sentence is there for nothing, and no test asks for what the text doesn't say.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator

from grader.author.marked_tests import marked_tests
from grader.course.course import Course
from grader.course.docstring import entries, sections
from grader.intake import cells
from grader.records.model import Exercise, Problem

_PROSE = ("Returns", "Yields", "Details")
_BINDING = (*_PROSE, "Raises", "Attributes")  # the last two have entries
_END = re.compile(r"(?<=[.!?])\s+")


def sentences(stub: str) -> dict[str, str]:
    """Each sentence that binds by its name, such as `Returns 2`."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    nodes = ast.walk(ast.parse(stub))
    docstrings = [ast.get_docstring(node) or "" for node in nodes if isinstance(node, documented)]
    found, numbers = {}, Counter[str]()
    parts = (part for docstring in docstrings for part in sections(docstring))
    for heading, text in (part for part in parts if part[0] in _BINDING):
        for entry in [text] if heading in _PROSE else entries(text):
            for sentence in filter(None, _END.split(" ".join(entry.split()))):
                numbers[heading] += 1
                found[f"{heading} {numbers[heading]}"] = sentence
    return found


def problems(course: Course, exercise: Exercise) -> Iterator[Problem]:
    """Stub and suite have to be Python. Nothing of them is executed."""
    breaking = [cell for cell in cells.read(course.wrong(exercise)).cells if cell.breaks]
    if not breaking:
        return
    known = sentences(course.stub_text(exercise))
    stub, wrong, suite = map(
        course.relative, (course.stub(exercise), course.wrong(exercise), course.suite(exercise))
    )
    for cell in breaking:
        for name in cell.breaks - known.keys():
            what = f"`{cell.name}` breaks `{name}`, but the stub has no such sentence"
            yield Problem(f"{wrong}:{cell.line}", what, f"It has {', '.join(known)}.")
    broken = {name for cell in breaking for name in cell.breaks}
    for name, sentence in known.items():
        if name not in broken:
            todo = f"Add `# Breaks: {name}` to one that does, write one, or drop the sentence."
            yield Problem(stub, f"no wrong answer breaks `{name}`: {sentence}", todo)
    lost = {test for cell in breaking for test in cell.fails}
    for test in marked_tests(course.suite(exercise)):
        if test.name not in lost:
            what = "is lost by no wrong answer that breaks a sentence of the text"
            todo = "Say what such an answer breaks, write the sentence, or drop the test."
            yield Problem(f"{suite}::{test.name}", what, todo)
