"""A reward for code that a model has written, for those who train or evaluate models.

    completions --code--> texts --Grader--> results --> Reward, Reward, ...

The code runs in the grader's sandbox and can't reach its verdict. Where there is no verdict, there
is no reward, rather than 0: the machine failed, or it was too noisy to measure speed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from grader.api import Grader, Item
from grader.records.errors import UsageError
from grader.records.model import ExerciseResult, Outcome, TestResult

_FENCED = re.compile(r"^```(?:python|py)?[ \t]*\n(.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)
# In these, the code itself ended the test before a value could be compared.
_ENDED = (Outcome.RAISED, Outcome.CRASHED, Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY)


@dataclass(frozen=True, slots=True)
class Reward:
    """Shares from 0 to 1. None where there is no verdict."""

    total: float | None  #: of all points
    compiled: float | None  #: of the tests in which the code ran, without an exception or a limit
    right: float | None  #: of the points of tests without a race
    fast: float | None  #: of the points of tests with a race; None, too, if there is none
    result: ExerciseResult  #: holds hidden inputs, but its `repr` does not


def code(completion: str) -> str:
    """The last block of Python in Markdown, or everything if there is no block."""
    blocks = _FENCED.findall(completion)
    return blocks[-1] if blocks else completion


def of(result: ExerciseResult) -> Reward:
    """The reward for one result."""
    tests = result.tests
    if result.score is None or any(test.outcome is Outcome.UNDECIDED for test in tests):
        return Reward(None, None, None, None, result)
    ran = [test for test in tests if test.outcome not in _ENDED]
    return Reward(
        result.score / result.max_score if result.max_score else None,
        len(ran) / len(tests) if tests else 0.0,
        _share([test for test in tests if not test.races]),
        _share([test for test in tests if test.races]),
        result,
    )


def rewards(
    grader: Grader, completions: Sequence[str], exercises: str | Sequence[str]
) -> list[Reward]:
    """A reward for each completion, in their order.

    Args:
        grader: its `seed` decides the inputs. With a fixed one, equal code gets equal rewards in
            every process and at every load.
        completions: what a model has written: Python, or Markdown with a block of it.
        exercises: the exercise of each completion, or one for all of them.

    Raises:
        UsageError: there are not as many exercises as completions, or one is unknown.
        BrokenSuiteError: a suite fails its own solution.
        HostError: no judge can start here.
    """
    names = [exercises] * len(completions) if isinstance(exercises, str) else list(exercises)
    if len(names) != len(completions):
        raise UsageError(
            f"{len(completions)} completions came with {len(names)} exercises; give one for each, "
            "or one for all"
        )
    # Equal items are one key, so each item also has its number.
    numbers: dict[Item, list[int]] = {}
    for number, pair in enumerate(zip(map(code, completions), names, strict=True)):
        numbers.setdefault(pair, []).append(number)
    earned: dict[int, Reward] = {}
    for item, result in grader.grade_many(numbers):
        assert isinstance(result, ExerciseResult)
        earned |= dict.fromkeys(numbers[item], of(result))
    return [earned[number] for number in range(len(completions))]


def _share(tests: Sequence[TestResult]) -> float | None:
    most = sum(test.max_points for test in tests)
    return sum(test.points for test in tests) / most if most else None
