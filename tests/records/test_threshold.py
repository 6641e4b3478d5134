"""An author learns two things about a race: its baseline is too short or too long, and its factor
is too high."""

from __future__ import annotations

import pytest

from grader.records.evidence import of_baseline, of_solution
from grader.records.model import Outcome, Race


def a_race(verdict: Outcome = Outcome.PASSED, ratio: float = 9.0, call: float = 0.005) -> Race:
    return Race("f", 20.0, False, verdict, ratio, 0.98 * ratio, ratio, (), call=call)


@pytest.mark.parametrize(
    ("seconds", "says"),
    [(0.0002, "takes 0.2 ms"), (0.001, ""), (0.03, ""), (0.05, "less work"), (0.0, "")],
)
def test_a_call_of_the_baseline_takes_1_to_30_ms(seconds: float, says: str) -> None:
    found = of_baseline(a_race(call=seconds))
    assert (says in found) if says else (found == "")


def test_where_the_solution_loses_a_third_can_be_asked_for() -> None:
    assert of_solution(a_race(Outcome.FAILED)) == (
        "The solution reaches 9x of the 20x: ask for at most 2.9x, a third of the 8.8x that are "
        "sure."
    )
    assert "test a fact" in of_solution(a_race(Outcome.FAILED, 2.0))
    assert of_solution(a_race()) == ""
