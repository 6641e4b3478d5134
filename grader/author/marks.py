"""The marks of a suite's tests, read from its text. Nothing of it is executed."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class MarkedTest:
    """A test function of a suite, with what its marks say where they hold plain values."""

    name: str
    points: float
    promises: tuple[str, ...]


def marked_tests(suite: Path) -> Iterator[MarkedTest]:
    """The tests of a suite, in classes too. Raises `SyntaxError` if it isn't Python."""
    for node in ast.walk(ast.parse(suite.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            points = [float(given) for given in _arguments(node, "points")]
            yield MarkedTest(node.name, (points or [1.0])[0], tuple(_arguments(node, "promise")))


def _arguments(test: ast.FunctionDef, mark: str) -> Iterator[Any]:
    for given in test.decorator_list:
        if isinstance(given, ast.Call) and ast.unparse(given.func) == f"pytest.mark.{mark}":
            yield from map(ast.literal_eval, given.args)
