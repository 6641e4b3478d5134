"""The tests of an exercise -> each cause once, with the tests that it breaks."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model import Advice, ExerciseResult, Outcome, TestResult


@dataclass(frozen=True)
class Told:
    """One cause, and every test that has it; `advice` is None where none is known."""

    advice: Advice | None
    tests: tuple[TestResult, ...]

    @property
    def message(self) -> str:
        """What all these tests say, if they say the same."""
        first = self.tests[0].message
        return first if all(test.message == first for test in self.tests) else ""


def causes(result: ExerciseResult) -> tuple[Told, ...]:
    """The tests that were not passed by what they were lost by, in their order.

    The same mistake at the same line is one cause. A test without advice stands for itself.
    """
    groups: dict[object, list[TestResult]] = {}
    for test in result.tests:
        if test.outcome is not Outcome.PASSED:
            advice = test.advice
            same = test.id if advice is None else (advice.cause, advice.line)
            groups.setdefault(same, []).append(test)
    return tuple(Told(tests[0].advice, tuple(tests)) for tests in groups.values())
