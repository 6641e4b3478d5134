"""A run that can be watched: in a terminal, and in a log."""

from __future__ import annotations

import io

from rich.console import Console

from grader.output.screens.run_progress import Live, failures, sentence
from grader.records.model import ExerciseResult, Outcome, RunProgress


def result(name: str, outcome: Outcome) -> ExerciseResult:
    return ExerciseResult(f"01_a/{name}", outcome, 0.0, 1.0)


def shown(*steps: RunProgress, terminal: bool) -> str:
    file = io.StringIO()
    console = Console(file=file, width=120, force_terminal=terminal, color_system=None)
    with Live(console) as live:
        for step in steps:
            live.show(step)
    return file.getvalue()


def test_it_says_what_is_done_what_runs_how_fast_and_how_long_yet() -> None:
    at = RunProgress(80, 40, 10, ("ada", "bob"))
    assert sentence(at, 5.0) == (
        "10 of 40 results, 2.0 a second, 15 s left; now ada, bob; 80 were there before"
    )


def test_long_times_are_told_as_such() -> None:
    assert "30 min left" in sentence(RunProgress(0, 2000, 200), 200.0)
    assert "5.0 h left" in sentence(RunProgress(0, 20_000, 2000), 2000.0)


def test_a_name_can_not_leave_its_line() -> None:
    assert "\n" not in sentence(RunProgress(0, 2, 1, ("a\nb\x1b[2J",)), 1.0)
    assert "\x1b" not in sentence(RunProgress(0, 2, 1, ("a\nb\x1b[2J",)), 1.0)


def test_failures_are_told_as_they_come_and_nothing_else() -> None:
    lost = (result("x", Outcome.FAILED), result("y", Outcome.PASSED), result("z", Outcome.RAISED))
    assert "ada  ✗ x failed  ! z raised" in str(failures("ada", lost))
    assert failures("ada", (result("y", Outcome.PASSED), result("m", Outcome.MISSING))) is None


def test_a_log_gets_a_line_at_the_start_and_no_bar() -> None:
    steps = [RunProgress(3, 20), *(RunProgress(3, 20, n) for n in range(1, 21))]
    assert shown(*steps, terminal=False) == "0 of 20 results; 3 were there before\n"


def test_a_log_of_a_run_with_nothing_to_do_stays_empty() -> None:
    assert shown(RunProgress(20, 0), terminal=False) == ""


def test_a_terminal_keeps_the_failures() -> None:
    lost = (result("x", Outcome.FAILED),)
    text = shown(RunProgress(0, 2), RunProgress(0, 2, 1, (), "[red]ada", lost), terminal=True)
    assert "[red]ada  ✗ x failed" in text


def test_a_log_hears_of_a_long_start_and_not_of_a_short_one() -> None:
    assert shown(RunProgress(0, 9, preparing=True), terminal=False) == ""
    said = shown(RunProgress(0, 98, preparing=True), terminal=False)
    assert said == "98 results to come; judges are starting, and compile shared code\n"
