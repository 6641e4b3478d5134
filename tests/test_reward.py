"""Rewards: shares of points, and none where there is no verdict."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grader import Grader, reward
from grader.course.course import Course
from grader.engine import executors
from grader.records.errors import UsageError
from grader.records.model import ExerciseResult, Outcome, Race, TestResult
from grader.records.scoring import exercise_result
from tests.test_api import NAME, RIGHT, WRONG, Fake

RACE = Race("f", 3.0, False, Outcome.PASSED, 9.0, 8.0, 10.0, ())


def made(outcome: Outcome, points: float, *, race: bool = False) -> TestResult:
    races = (RACE,) if race else ()
    earned = points * outcome.keeps_points
    return TestResult(f"test_{outcome}_{points}", "", outcome, earned, points, races=races)


def result(*tests: TestResult) -> ExerciseResult:
    return exercise_result(NAME, tests)


def shares(found: reward.Reward) -> tuple[float | None, ...]:
    return found.total, found.compiled, found.right, found.fast


P, F, R, U, B = (
    Outcome.PASSED,
    Outcome.FAILED,
    Outcome.RAISED,
    Outcome.UNDECIDED,
    Outcome.BROKEN,
)


@pytest.mark.parametrize(
    ("tests", "expected"),
    [
        ([made(P, 1), made(P, 3, race=True)], (1.0, 1.0, 1.0, 1.0)),
        ([made(P, 1), made(F, 3, race=True)], (0.25, 1.0, 1.0, 0.0)),
        ([made(F, 1), made(P, 3)], (0.75, 1.0, 0.75, None)),
        ([made(R, 1), made(P, 1)], (0.5, 0.5, 0.5, None)),
        ([made(P, 1), made(U, 1, race=True)], (None, None, None, None)),
        ([made(P, 1), made(B, 1)], (None, None, None, None)),
    ],
)
def test_a_reward_has_parts(tests: list[TestResult], expected: tuple[float | None, ...]) -> None:
    assert shares(reward.of(result(*tests))) == expected


@pytest.mark.parametrize(
    ("completion", "found"),
    [
        (RIGHT, RIGHT),
        (f"Here it is:\n\n```python\n{RIGHT}```\n\nIt doubles.", RIGHT),
        (f"First:\n```\n{WRONG}```\nNo, better:\n```py\n{RIGHT}```", RIGHT),
        ("```python\nnever closed", "```python\nnever closed"),
    ],
)
def test_the_last_block_of_a_completion_counts(completion: str, found: str) -> None:
    assert reward.code(completion) == found


@pytest.fixture
def grader(foreign: Course, monkeypatch: pytest.MonkeyPatch) -> Iterator[Grader]:
    monkeypatch.setattr(executors, "choose", lambda *_: lambda *_: Fake())
    with Grader(foreign, jobs=2, seed="1") as made:
        yield made


def test_each_completion_gets_its_reward_in_order(grader: Grader) -> None:
    completions = [RIGHT, WRONG, f"```python\n{RIGHT}```", RIGHT + "machine = 1\n"]
    found = reward.rewards(grader, completions, "double")
    assert [one.total for one in found] == [1.0, 0.0, 1.0, None]


def test_there_is_an_exercise_for_each(grader: Grader) -> None:
    with pytest.raises(UsageError, match="2 completions"):
        reward.rewards(grader, [RIGHT, WRONG], ["double"])
