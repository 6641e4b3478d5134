"""`grader race` in a student's folder: the untouched program, and theirs."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from pathlib import Path

import jax.numpy as jnp
import pytest
from click.testing import CliRunner

from grader.cli import main
from grader.course.course import Course, find
from grader.course.raced import RaceTerms
from grader.student import race
from grader.student.start import start

RIGHT = """
    steps = points[None] - queries[:, None]
    return labels[jnp.argmin(jnp.sum(steps**2, axis=-1), axis=1)]
"""
Run = Callable[[str, str], tuple[int, str]]


@pytest.fixture
def raced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Races a body of `nearest_labels`, below `above`."""
    course: Course = start(tmp_path / "mine").course
    monkeypatch.chdir(course.stubs)
    monkeypatch.setattr(race, "MOST", 6)
    # A test's process keeps its own variables: JAX runs in it already.
    monkeypatch.setattr(race, "environment", lambda _: {})

    def run(body: str, above: str = "") -> tuple[int, str]:
        place = course.stub(course["nearest_labels"])
        head, _, _ = place.read_text(encoding="utf-8").partition("    found = []")
        head = re.sub(r"(?s)RACE = .*?\n}\n", above, head) if above else head
        place.write_text(f"{head}{body.lstrip(chr(10))}", encoding="utf-8")
        done = CliRunner().invoke(main, ["race", "nearest_labels"])
        return done.exit_code, done.output

    return run


def test_a_program_is_timed_against_the_one_that_was_given(raced: Run) -> None:
    code, output = raced(RIGHT, "")
    assert code == 0, output
    pattern = r"is [\d.]+x as fast as the original program \([\d.]+ to [\d.]+, 6 pairs\)"
    assert re.search(pattern, output)
    assert "The text requires 8x.\nThis is not a mark" in output
    assert "pass" not in output


def test_the_terms_are_those_of_the_original(raced: Run) -> None:
    """A student may edit them without any effect."""
    code, output = raced(RIGHT, 'RACE = {"at_least": 1}\n')
    assert (code, "The text requires 8x." in output) == (0, True), output


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (RIGHT.replace("argmin", "argmax"), "unlike the original program, the result differs"),
        ("    raise KeyError('of mine')\n", "of mine"),
    ],
)
def test_what_gives_another_result_has_no_ratio(raced: Run, body: str, why: str) -> None:
    code, output = raced(body, "")
    assert (code, "x as fast" in output) == (2, False)
    assert why in " ".join(output.split())


@pytest.mark.parametrize("compiled", [True, False])
def test_each_call_is_charged_what_the_hidden_test_charges(
    compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a clock that goes on by 8 ms at each look."""
    looks = itertools.count()
    monkeypatch.setattr("grader.student.race.time.perf_counter", lambda: next(looks) * 0.008)
    monkeypatch.setattr(race, "MOST", 2)
    terms = RaceTerms(8, compiled, (("float32", (3,)),))
    ratios = race._ratios(terms, (jnp.sum, jnp.sum))
    assert ratios == pytest.approx([8 if compiled else (8 + 1) / (1 + 1)] * 2)


def test_what_has_no_slow_program_is_not_timed(raced: Run) -> None:
    result = CliRunner().invoke(main, ["race", "set_row"])
    assert result.exit_code == 2
    assert "`set_row` can't be timed here" in result.output


def test_all_solutions_of_programs_to_make_fast_agree_with_the_stubs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = find(start=Path(__file__).parents[1])
    course = start(tmp_path / "mine").course
    monkeypatch.setattr(race, "MOST", 1)
    monkeypatch.setattr(race, "environment", lambda _: {})
    fast = [exercise for exercise in course.exercises if exercise.kind == "fast"]
    assert len(fast) == 5
    for exercise in fast:
        course.stub(exercise).write_text(ours.solution_text(exercise), encoding="utf-8")
        at_least, ratios = race.race(course, exercise)
        assert (at_least >= 3, len(ratios)) == (True, 1)
