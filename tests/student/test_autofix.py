"""Cures that are tried on a copy of a student's file before they are told."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.course.course import Course
from grader.records.model import Finding
from grader.student.autofix import cured
from grader.student.check import _tried, check
from grader.student.facts import Uncaught

Maker = Callable[..., Course]
STUB = '''
    """Set the first element to 7."""
    import jax
    IMPORT

    def first(x):
        """Return a copy.

        >>> first(jax.numpy.array([1, 2])).tolist()
        [7, 2]
        """
        BODY
        return x
'''


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x[i] = v", "x = x.at[i].set(v)"),
        ("x[i, :] += 2 * v", "x = x.at[i, :].add(2 * v)"),
        ("x[i] -= v + 1", "x = x.at[i].add(-(v + 1))"),
        ("x[i] **= 2", "x = x.at[i].power(2)"),
    ],
)
def test_an_assignment_becomes_an_update(line: str, expected: str) -> None:
    text = f"def f(x, i, v):\n    {line}\n    return x\n"
    assert cured(text, "item-assignment", 2) == text.replace(line, expected)


def test_lines_stay_where_they_are() -> None:
    text = "def f(x):\n    x[0] = (\n        1\n    )\n    return x\n"
    changed = cured(text, "item-assignment", 2)
    assert changed is not None
    assert changed.split("\n")[4] == "    return x"


@pytest.mark.parametrize(
    "line", ["x.y[0] = 1", "x[0][1] = 1", "x[0] //= 2", "x[0], x[1] = 1, 2", "return x"]
)
def test_what_has_no_simple_cure_has_none(line: str) -> None:
    found = cured(f"def f(x):\n    {line}\n", "item-assignment", 2)
    assert found is None or "x.at[0]" not in found


def test_a_module_is_imported_without_moving_a_line() -> None:
    text = '"""A task."""\nfrom __future__ import annotations\nimport jax\n\ny = jnp.ones(2)\n'
    changed = cured(text, "missing-import", 5)
    assert changed == text.replace("import jax\n", "import jax.numpy as jnp; import jax\n")
    assert cured("y = spam(1)\n", "missing-import", 1) is None


def test_numpy_becomes_jax() -> None:
    text = "import numpy as np\nimport jax\ny = np.sum(x) + jnp.sum(x)\n"
    changed = cured(text, "numpy-on-tracer", 3)
    assert changed == text.replace("= np.sum", "= jax.numpy.sum")
    assert cured(text, "numpy-on-tracer", 2) is None


@pytest.mark.parametrize("cause", ["tracer-bool", "item-assignment", "missing-import"])
def test_a_file_that_is_not_python_has_no_cure(cause: str) -> None:
    assert cured("def f(:\n", cause, 1) is None


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("x[0] = 7", "Tried on a copy of your file: with this change, its examples pass."),
        ("x[0] = 8", "Tried on a copy of your file: with this change, the line works."),
        ("x = [x, x]\n    y = x[0]\n    y[0] = 7", "with this change, the line works."),
        ("x = jnp.add(x, jnp.array([6, 0]))", "with this change, its examples pass."),
    ],
)
def test_advice_says_what_came_of_it(
    make_course: Maker, tmp_path: Path, body: str, said: str
) -> None:
    stub = textwrap.dedent(STUB).replace("IMPORT", "").replace("BODY", body)
    catalog = 'schema = 1\n[[exercise]]\nid = "01_first/first"\n'
    files = {"exercises/01_first/first.py": stub, "exercises/catalog.toml": catalog}
    course = make_course(tmp_path, files)
    (found,) = check(course, course.exercises)
    assert said in found.findings[0].todo


def test_a_cure_that_does_not_help_is_told_as_a_guess() -> None:
    before = Uncaught(line=3, classes=("TypeError",), text="", spots=())
    finding = Finding("Line 3 assigns.", "Make a new array.")
    assert _tried(finding, before, [before]).todo == (
        "Perhaps: Make a new array. On a copy of your file, this alone did not help."
    )
    assert "the line works" in _tried(finding, before, [replace(before, line=4)]).todo
