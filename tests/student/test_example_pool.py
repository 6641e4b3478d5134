"""The processes that run examples, and stay warm."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.course.course import Course
from grader.student.check import check_one
from grader.student.example_pool import ExamplePool, _compiled
from tests.student.conftest import RIGHT, solve, until


@pytest.fixture(scope="module")
def pool() -> Iterator[ExamplePool]:
    with ExamplePool(reserve=True) as found:
        yield found


@pytest.mark.parametrize(
    ("leaves", "sees"),
    [
        ("global left; left = 1", "assert 'left' not in globals()"),
        ("import sys; sys.path.append('/')", "import sys; assert '/' not in sys.path"),
        ("import os; os.environ['LEFT'] = '1'", "import os; assert 'LEFT' not in os.environ"),
        ("import os; os.chdir('/')", "import os; assert os.getcwd() != '/'"),
        ("jax.numpy.sum = len", "assert jax.numpy.sum is not len"),
        ("jax.config.update('jax_enable_x64', True)", "assert not jax.config.jax_enable_x64"),
    ],
)
def test_nothing_reaches_the_next_check(
    mine: Course, pool: ExamplePool, leaves: str, sees: str
) -> None:
    for first in (leaves, sees):
        # It fails in the function, because a failure while loading is tried again in a new child.
        solve(mine, f"import jax.numpy\n    {first}\n    {RIGHT}")
        found = check_one(mine, mine["set_row"], pool)
        assert found.passed, (first, found.findings)


def test_a_name_that_a_library_takes_once_can_be_saved_twice(
    mine: Course, pool: ExamplePool
) -> None:
    solve(mine, RIGHT)
    place = mine.stub(mine["set_row"])
    once = "import collections\njax.tree_util.register_pytree_node(collections.UserDict, id, id)\n"
    place.write_text(f"{place.read_text()}\n{once}")
    for _ in range(3):
        assert check_one(mine, mine["set_row"], pool).passed


def test_two_checks_in_a_row_meet_the_same_child(mine: Course, pool: ExamplePool) -> None:
    solve(mine, RIGHT)
    check_one(mine, mine["set_row"], pool)
    (before,) = pool._running.values()
    assert check_one(mine, mine["set_row"], pool).passed
    assert list(pool._running.values()) == [before]


@pytest.mark.slow
@pytest.mark.parametrize("usable", [True, False])
def test_a_new_child_finds_compiled_programs_where_they_can_be_kept(
    mine: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, usable: bool
) -> None:
    place = tmp_path / "kept"
    if not usable:
        place.write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(place))
    _compiled.cache_clear()
    solve(mine, RIGHT)
    with ExamplePool() as found:
        assert check_one(mine, mine["set_row"], found).passed
    _compiled.cache_clear()
    assert usable == any(path.is_file() for path in place.rglob("*"))


@pytest.mark.slow
def test_a_child_in_an_endless_loop_ends_with_whoever_asked(mine: Course, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    solve(mine, f"open({str(runs)!r}, 'w').close()\n    while True: pass")
    script = (
        "import sys; from pathlib import Path; from grader.student.check import check_one;"
        "from grader.student.example_pool import ExamplePool\n"
        "from grader.course.course import load\n"
        "course = load(Path(sys.argv[1]))\n"
        "pool = ExamplePool()\n"
        "def tell(at):\n"
        "    if at.startswith('set_row('):\n"
        "        print([c._process.pid for c in pool._running.values()][0], flush=True)\n"
        "check_one(course, course['set_row'], pool, on_place=tell)\n"
    )
    command = [sys.executable, "-c", script, str(mine.stubs / "catalog.toml")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as asking:
        assert asking.stdout is not None
        child = int(asking.stdout.readline())
        until(runs.exists)  # before that, a closed pipe ends it
        asking.kill()
    until(lambda: not _is_running(child))


def _is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
