"""The tests of an exercise -> each cause once, with the tests that it breaks."""

from collections.abc import Collection
from dataclasses import dataclass

from grader.records.model import Advice, ExerciseResult, Outcome, TestResult


@dataclass(frozen=True)
class Cause:
    """Why tests were not passed; `advice` is None where nothing is known about it."""

    advice: Advice | None
    tests: tuple[TestResult, ...]

    @property
    def example(self) -> TestResult:
        """The first test that shows how it happens: with its inputs, where a test shows any."""
        shows = (test for test in self.tests if "\n" in test.message)
        return self.tests[0] if self.is_named else next(shows, self.tests[0])

    @property
    def others(self) -> tuple[TestResult, ...]:
        """The tests beside the example, which say nothing new about the cause."""
        return tuple(test for test in self.tests if test is not self.example)

    def extent(self, result: ExerciseResult) -> str:
        """How many tests of its exercise it breaks."""
        number, every = len(self.tests), len(result.tests)
        verb = "fail for this reason" if self.is_lost else "end like this"
        if {test.outcome for test in self.tests} == {Outcome.RAISED}:
            verb = "raise this error"
        return f"{f'All {every}' if number == every else f'{number} of {every}'} tests {verb}."

    @property
    def is_named(self) -> bool:
        """Whether a known mistake is the cause."""
        return self.tests[0].is_named

    @property
    def hints(self) -> dict[str, None]:
        """The hints of the tests, each once; a known mistake needs none."""
        hints = (test.hint for test in self.tests if test.hint)
        return {} if self.is_named else dict.fromkeys(hints)

    @property
    def cost(self) -> float:
        """The points that these tests did not give."""
        return sum(test.max_points - test.points for test in self.tests)

    @property
    def is_lost(self) -> bool:
        """Whether points were lost by the student's own fault: the same for all these tests."""
        return self.tests[0].outcome.is_lost


def causes(result: ExerciseResult) -> tuple[Cause, ...]:
    """Tests that were not passed, by cause, in order; also undecided, broken and missing ones."""
    groups: dict[object, list[TestResult]] = {}
    for test in result.tests:
        if test.outcome is not Outcome.PASSED:
            groups.setdefault((test.outcome.is_lost, _cause(test)), []).append(test)
    return tuple(Cause(tests[0].advice, tuple(tests)) for tests in groups.values())


def one_error(tests: Collection[TestResult]) -> str:
    """The first line that one error gave all these tests; else "".

    Wrong values are no error: there each test's title says what to look for.
    """
    lines, outcomes = set(map(first_line, tests)), {test.outcome for test in tests}
    is_one = len(lines) == len(outcomes) == 1 and Outcome.FAILED not in outcomes
    return lines.pop() if is_one else ""


def _cause(test: TestResult) -> object:
    """Equal for tests that are broken by one mistake."""
    if test.advice is not None:
        return test.advice.cause, None if test.is_named else test.advice.line
    # A value can be wrong in many ways, and every race is measured by itself.
    if test.message and test.outcome is not Outcome.FAILED and not test.races:
        return (test.outcome, first_line(test))
    return test.id


def first_line(test: TestResult) -> str:
    """Below its first line, a visible test's message tells about its inputs."""
    return test.message.partition("\n")[0]
