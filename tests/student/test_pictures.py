"""What `grader show` and a notebook draw: shapes of calls, and the course's own pictures."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from click.testing import CliRunner
from rich.console import Console

from grader import cli
from grader.course import notes
from grader.course.course import find
from grader.output.screens import check as report
from grader.output.screens import pictures as drawings
from grader.output.screens.watch import screen
from grader.records.model import CheckResult, Exercise, Finding, Status
from grader.student import pictures, progress, workspace
from grader.student.check import check_work
from grader.student.example_pool import ExamplePool
from grader.student.start import start
from grader.student.watch_state import Session
from grader.student.workspace import Work

OURS = find(start=Path(__file__).parents[1])
WITH_PICTURES = [e for e in OURS.exercises if notes.read(OURS.notes(e)).picture]


def shown(found: dict[str, Any], width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width)
    drawings.show(found, console)
    return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]


def called(**arguments: Any) -> dict[str, Any]:
    result = arguments.pop("result")
    return {"calls": pictures.calls([("f", arguments, result)])}


def test_arrays_are_drawn_with_rows_down() -> None:
    rows = shown(called(x=jnp.ones((3, 2)), n=4, result=jnp.ones(3))).splitlines()
    assert rows[0] == "f"
    assert rows[1].split() == "x [3, 2] float32 n = 4 gives result [3] float32".split()
    assert [row.split() for row in rows[2:5]] == [["o"] * 5, ["o"] * 2, ["o"] * 2]


def test_what_has_no_room_is_listed_without_a_drawing() -> None:
    text = shown(called(x=jnp.ones((3, 2)), y={"a": jnp.ones(2)}, result=jnp.ones(3)), width=50)
    assert "    y['a'] [2] float32" in text
    assert "o o" not in text


def test_large_arrays_are_cut_and_tables_counted() -> None:
    text = shown(called(x=jnp.ones((3, 40, 50)), result=1.0))
    assert "o .." in text
    assert "3 such tables" in text


def test_equal_shapes_are_shown_once_and_few_calls_at_all() -> None:
    made = [("f", {"x": jnp.ones(n)}, jnp.ones(n)) for n in (2, 2, 3, 4, 5)]
    assert [call["given"][0][1] for call in pictures.calls(made)] == [[2], [3], [4]]


def test_a_shape_that_is_open_is_a_text() -> None:
    (spec,) = (jax.export.symbolic_args_specs((jnp.ones(2),), "b"),)
    found = pictures.calls([("f", {"x": spec[0]}, 1)])
    assert found[0]["given"] == [["x", None, "float32[b]"]]


@pytest.mark.parametrize("picture", [None, 3, {"title": "no x"}])
def test_a_picture_of_nothing_is_none(picture: Any) -> None:
    assert pictures.lines(picture) is None


def test_lines_are_drawn_with_their_range_and_names() -> None:
    found = pictures.lines({"title": "two", "x": [0, 1, 2], "a": [0, 5, 10], "b": [1, jnp.nan, 1]})
    rows = shown({"lines": found}).splitlines()
    assert rows[0] == "two"
    assert rows[1].split("|")[0].strip() == "10"
    assert rows[1].endswith("o")
    assert rows[-1].split() == ["o", "a", "x", "b"]
    assert sum(row.count("x") for row in rows[1:-1]) == 2


@pytest.fixture(scope="module")
def pool() -> Any:
    with ExamplePool() as made:
        yield made


@pytest.mark.slow
@pytest.mark.parametrize("exercise", WITH_PICTURES, ids=lambda e: e.id)
def test_a_picture_draws_the_reference(exercise: Exercise, pool: ExamplePool) -> None:
    text = OURS.stub(exercise).read_text("utf-8") + OURS.solution(exercise).read_text("utf-8")
    place = workspace.place(OURS, exercise)
    found = check_work(place, pool, Work(text), str(place.file), drawn=True)
    assert found.status is Status.PASSED
    assert found.picture["calls"]
    for values in found.picture["lines"]["lines"].values():
        assert len(values) == len(found.picture["lines"]["x"]) > 10
        assert None not in values


def test_there_are_pictures() -> None:
    assert {e.stem for e in WITH_PICTURES} >= {"fit_sine", "xor_train", "random_walks"}


def test_show_draws_the_students_own_shapes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    course = start(tmp_path).course
    place = course.stub(course["pairwise_sqdist"])
    place.write_text(
        place.read_text().replace("raise NotImplementedError", "return X[:, :1] * Y.T")
    )
    text = CliRunner(env={"COLUMNS": "80"}).invoke(cli.main, ["show", "pairwise_sqdist"]).output
    assert text.startswith("to fix       01_arrays/pairwise_sqdist")
    assert "Y [3, 2] float32" in text
    assert "gives result" in text


# The line that a check names


@pytest.mark.parametrize(
    ("program", "address"), [("vscode", "vscode://file{}:3"), ("", "file://{}#3")]
)
def test_a_line_is_a_link_to_the_editor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, address: str
) -> None:
    monkeypatch.setenv("TERM_PROGRAM", program)
    place = tmp_path / "a b.py"
    place.touch()
    found = CheckResult("t/e", str(place), Status.TO_FIX, 1, (Finding("Line 3 is odd.", line=3),))
    texts = []
    for terminal in (True, False):
        console = Console(file=io.StringIO(), force_terminal=terminal, width=80)
        report.result(found, console)
        texts.append(console.file.getvalue())  # type: ignore[attr-defined]
    assert f";{address.format(str(place).replace(' ', '%20'))}\x1b\\Line 3\x1b]8;;" in texts[0]
    assert "\x1b" not in texts[1]


def test_a_screen_with_a_link_is_the_same_in_each_drawing(tmp_path: Path) -> None:
    """Else `grader watch` would draw it again ten times a second."""
    course = start(tmp_path).course
    exercise = course["set_row"]
    session = Session(course, lambda exercises: 1, exercise)
    session.standings = tuple(progress.standings(course))
    finding = Finding("Line 3 is odd.", line=3)
    place = str(course.stub(exercise))
    session.result = CheckResult(exercise.id, place, Status.TO_FIX, 1, (finding,))
    drawn = screen(session, 80, 24)
    assert "set_row.py#3" in "".join(drawn)
    assert screen(session, 80, 24) == drawn
