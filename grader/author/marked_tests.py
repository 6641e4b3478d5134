"""The tests of a suite, read from its text. Nothing is executed.

suite.py --marked_tests--> MarkedTest(name, points, checks)
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.records.model import FACTS


@dataclass(frozen=True)
class MarkedTest:
    """A test, with its points where they are a plain number."""

    name: str
    points: float
    checks: int
    """What it checks without words of its own: an `assert`, or a call of a function that checks.

    Not counted is an `assert` with a message, one about a fact of a program, which has words, and
    what stands in a `case`.
    """


def marked_tests(suite: Path) -> Iterator[MarkedTest]:
    """The tests of a suite. Raises `SyntaxError` if it isn't Python.

    Tests in classes are left out, since the judge can't prove that one fails.
    """
    tree = ast.parse(suite.read_text(encoding="utf-8"))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    for name, node in functions.items():
        if name.startswith("test_"):
            points = [float(value) for value in _arguments(node, "points")]
            checks = sum(_checks(statement, functions) for statement in node.body)
            yield MarkedTest(name, (points or [1.0])[0], checks)


def asked_names(suite: Path) -> set[str]:
    """What a suite asks of a submission, as `f` in `submission.f`."""
    nodes = ast.walk(ast.parse(suite.read_text(encoding="utf-8")))
    return {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "submission"
    }


def _arguments(test: ast.FunctionDef, marker: str) -> Iterator[Any]:
    calls = (node for node in test.decorator_list if isinstance(node, ast.Call))
    for call in calls:
        if ast.unparse(call.func) == f"pytest.mark.{marker}":
            yield from map(ast.literal_eval, call.args)


def _checks(node: ast.AST, functions: Mapping[str, ast.FunctionDef]) -> int:
    """The checks in a statement that have no words of their own."""
    if isinstance(node, ast.FunctionDef | ast.Lambda):
        return 0
    if isinstance(node, ast.With) and any(_called(i.context_expr) == "case" for i in node.items):
        return 0
    own = _is_silent(node) or _is_checking(_called(node), functions, frozenset())
    return own + sum(_checks(child, functions) for child in ast.iter_child_nodes(node))


def _is_checking(
    name: str, functions: Mapping[str, ast.FunctionDef], above: frozenset[str]
) -> bool:
    """Whether a function of this name checks: `assert_close`, or one of the suite that asserts."""
    if name.startswith("assert_"):
        return True
    if name not in functions or name in above:
        return False
    inside = list(ast.walk(functions[name]))
    return any(map(_is_silent, inside)) or any(
        _is_checking(_called(node), functions, above | {name}) for node in inside
    )


def _is_silent(node: ast.AST) -> bool:
    """Whether it is an `assert` of which a student reads only that it doesn't hold."""
    if not isinstance(node, ast.Assert) or node.msg is not None:
        return False
    inside = ast.walk(node.test)
    return not any(isinstance(part, ast.Attribute) and part.attr in FACTS for part in inside)


def _called(node: ast.AST) -> str:
    is_plain = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return node.func.id if is_plain else ""  # type: ignore[attr-defined]
