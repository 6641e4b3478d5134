"""Files of right and wrong answers: a cell is an answer, and its name is enough to judge it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.course.course import Course, find
from grader.intake import cells
from grader.records.errors import CourseError, UsageError

ROOT = Path(__file__).resolve().parents[2]
TEXT = '''"""Wrong answers."""

import math


# %% halves
# Half of it.
# Do: Multiply by 2,
# not by 1/2.
# Fails: test_a, test_b,
# test_c
def f(x):
    return x / 2


#%% adds
# Fails: nothing, since this is no comment at the top.

# Fails: test_a
def f(x):
    return x + math.pi


# %% equivalent
{"a -> b": "They are the same."}
'''


def read(folder: Path, text: str) -> cells.CellFile:
    path = folder / "double.py"
    path.write_text(text, encoding="utf-8")
    return cells.read(path, "double.py")


def test_a_cell_is_what_all_share_and_its_own_lines(tmp_path: Path) -> None:
    halves, adds = read(tmp_path, TEXT).cells
    assert (halves.name, halves.line, adds.name, adds.line) == ("halves", 6, "adds", 16)
    whole = halves.after("def f(x):\n    return x\n")
    assert whole.startswith("def f(x):\n    return x\n\n\n\nimport math\n")
    assert whole.endswith("# test_c\ndef f(x):\n    return x / 2\n")
    assert "Wrong answers" not in whole


def test_the_comment_at_the_top_names_the_tests(tmp_path: Path) -> None:
    halves, adds = read(tmp_path, TEXT).cells
    assert halves.fails == {"test_a", "test_b", "test_c"}
    assert "test_a" not in adds.fails
    assert (halves.says, halves.todo) == ("Half of it.", "Multiply by 2, not by 1/2.")
    assert adds.todo == ""


DIVIDED = """
import math

# %% halves
# Fails: test_a
def f(x):
    return x / 2

# %% once missed
# What the answers below have in common.
from jax import lax

# %% negated
# It is negated.
# Its examples depend on the machine.
# Fails: test_a
def f(x):
    return lax.neg(x)

# %% equivalent
{"a -> b": "They are the same."}
"""


def test_answers_below_the_divider_share_what_stands_there(tmp_path: Path) -> None:
    found = read(tmp_path, DIVIDED)
    halves, negated = found.cells
    assert found.problems == ()
    assert found.common == (halves,)
    assert (halves.once_missed, negated.once_missed) == (False, True)
    assert (halves.is_unsteady, negated.is_unsteady) == (False, True)
    assert negated.says == "It is negated."
    assert "lax" not in halves.suffix
    assert "import math\n" in negated.suffix and "from jax import lax\n" in negated.suffix
    assert found.declared["equivalent"] == {"a -> b": "They are the same."}


def test_a_fault_below_the_divider_is_told_once(tmp_path: Path) -> None:
    found = read(tmp_path, DIVIDED.replace("from jax import lax", "from jax import"))
    (problem,) = found.problems
    assert problem.where == "double.py:11"
    assert "below the divider" in problem.todo
    assert [cell.name for cell in found.cells] == ["halves"]


def test_the_names_of_lost_tests_are_written(tmp_path: Path) -> None:
    """The next cell keeps its own, and one without any gets some."""
    path = read(tmp_path, TEXT).path
    many = [f"test_number_{number}" for number in range(12)]
    cells.write_fails(path, {"halves": many, "adds": ["test_b"]})
    halves, adds = cells.read(path).cells
    assert halves.fails == set(many)
    assert adds.fails == {"test_b"}
    assert (halves.says, halves.todo) == ("Half of it.", "Multiply by 2, not by 1/2.")
    assert max(map(len, path.read_text().splitlines())) <= 100
    cells.write_fails(path, {"halves": ["test_a", "test_b", "test_c"]})
    assert cells.read(path).cells[0].fails == {"test_a", "test_b", "test_c"}


def test_changes_that_are_equivalent_are_no_answer(tmp_path: Path) -> None:
    found = read(tmp_path, TEXT)
    assert found.declared["equivalent"] == {"a -> b": "They are the same."}
    assert found.problems == ()


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("x = (\n\n# %% a\nx = 1\n", "double.py:1", "is not Python: '(' was never closed"),
        ("# %% a\nx = 1\n# %% b\n\nx = = 1\n", "double.py:5", "is not Python: invalid syntax"),
        ("\n# %%\nx = 1\n", "double.py:2", "a cell has no name"),
        ("# %% [markdown]\n", "double.py:1", "`[markdown]` is not a name for a cell"),
        ("# %% a\n# %% a\n", "double.py:2", "two cells are called `a`"),
        ("# %% equivalent\n{'a': ''}\n", "double.py:1", "the cell `equivalent` can't be read"),
    ],
)
def test_what_is_wrong_is_named_by_its_line(
    text: str, where: str, what: str, tmp_path: Path
) -> None:
    (problem,) = read(tmp_path, text).problems
    assert (problem.where, problem.what) == (where, what)
    assert problem.todo.endswith(".")


def test_a_faulty_cell_leaves_the_others_usable(tmp_path: Path) -> None:
    found = read(tmp_path, "# %% a\nx = = 1\n# %% b\nx = 1\n")
    assert [cell.name for cell in found.cells] == ["b"]
    with pytest.raises(CourseError, match=r"`double\.py:2`: is not Python"):
        found["a"]


def test_a_fault_before_the_first_cell_spoils_all_and_hides_no_other(tmp_path: Path) -> None:
    found = read(tmp_path, "x = (\n# %% a\nx = 1\n# %% b\nx = = 1\n")
    assert found.cells == ()
    assert [problem.where for problem in found.problems] == ["double.py:1", "double.py:5"]


def test_an_unknown_name_is_answered_with_those_that_there_are(tmp_path: Path) -> None:
    found = read(tmp_path, TEXT)
    with pytest.raises(UsageError) as caught:
        found["thirds"]
    assert str(caught.value) == f"`{found.path}` has no cell `thirds`; it has: `halves`, `adds`"


def test_a_file_that_is_not_there_has_no_cells(tmp_path: Path) -> None:
    assert cells.read(tmp_path / "none.py") == cells.CellFile(tmp_path / "none.py")


def test_every_file_of_the_course_can_be_read() -> None:
    course = find(ROOT)
    for exercise in course.exercises:
        for path in (course.wrong(exercise), course.right(exercise)):
            found = cells.read(path)
            assert found.cells, path
            assert found.problems == (), path


def judged(course: Course, submission: str) -> tuple[int, str]:
    """Runs the small course's suite under pytest alone."""
    suite = course.suite(course["double"])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull]
    done = subprocess.run(
        [*command, f"--rootdir={suite.parent}", str(suite), "--submission", submission],
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
def test_one_cell_can_be_judged_by_its_name(foreign: Course) -> None:
    code, output = judged(foreign, f"{foreign.wrong(foreign['double'])}::first_only")
    assert code == 1, output
    assert "FAILED" in output
    assert "test_arrays" in output
    assert "1 failed, 2 passed" in output


@pytest.mark.slow
def test_pytest_says_which_cells_there_are(foreign: Course) -> None:
    path = foreign.wrong(foreign["double"])
    code, output = judged(foreign, f"{path}::thirds")
    assert code != 0
    assert f"`{path}` has no cell `thirds`; it has: `adds_two`, `first_only`" in output
