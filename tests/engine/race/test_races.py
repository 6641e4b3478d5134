"""Races in a real judge, on the bench and live; and how a race measures."""

from __future__ import annotations

import math
import secrets
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from grader.cli import main
from grader.course.course import Course
from grader.engine.executors.client import JudgeClient
from grader.engine.race.races import WARM_UP, run
from grader.records.model import ExerciseResult, Job, Outcome, Purpose, Source, Submission, Terms
from tests.conftest import CourseMaker

EXERCISE = "02_speed/total"
SUITE = """
    import jax
    import jax.numpy as jnp
    import numpy as np
    import pytest

    from grader.suite import assert_close


    def eager(x):
        total = jnp.zeros(8)
        for row in x:
            total = total + row
        return total


    def draw(rng):
        return rng.normal(size=(60, 8)).astype(np.float32)


    def check(result, x):
        assert_close(result, x.sum(axis=0))


    @pytest.mark.hint("One operation for all rows.")
    def test_bench(submission, race):
        \"\"\"The program is three times as fast as a loop.\"\"\"
        race(submission.total, baseline=eager, args=draw, at_least=3, check=check)


    @pytest.mark.points(2)
    def test_live(submission, race):
        \"\"\"So is the function.\"\"\"
        race(submission.total, baseline=eager, args=draw, at_least=3, check=check, live=True)
"""
RIGHT = """
    import jax
    import jax.numpy as jnp

    @jax.jit
    def total(x):
        return jnp.sum(x, axis=0)
"""
# As a program and as a function, it is several times as slow as the loop: no noise hides that.
SLOW = """
    import jax
    import jax.numpy as jnp

    @jax.jit
    def total(x):
        busy = jax.lax.fori_loop(0, 600, lambda i, y: jnp.tanh(y @ y), jnp.eye(64) * x[0, 0])
        return jnp.sum(x, axis=0) + 0 * busy.sum()
"""


@pytest.fixture(scope="module")
def course(make_course: CourseMaker, tmp_path_factory: pytest.TempPathFactory) -> Course:
    return speedy(make_course, tmp_path_factory.mktemp("speedy"), SUITE)


@pytest.fixture(scope="module")
def judge(course: Course) -> Iterator[JudgeClient]:
    with JudgeClient.ready(
        course.stubs, course.select([EXERCISE]), Terms("required", "3")
    ) as client:
        yield client


def speedy(make_course: CourseMaker, folder: Path, suite: str, limits: str = "") -> Course:
    """The small course with an exercise about speed."""
    files: dict[str, str | None] = {
        "exercises/02_speed/total.py": "def total(x):\n    raise NotImplementedError\n",
        "solutions/02_speed/total.py": RIGHT,
        "tests/hidden/02_speed/test_total.py": suite,
    }
    entry = f'\n[[exercise]]\nid = "{EXERCISE}"\ntitle = "Total"\ndefines = ["total"]\n{limits}'
    return make_course(folder, files, entry)


def graded(judge: JudgeClient, text: str, *, fresh: bool = True) -> ExerciseResult:
    text = textwrap.dedent(text) + (f"\n# {secrets.token_hex(8)}\n" if fresh else "")
    source = Source(EXERCISE, "total.py", text)
    (result,) = judge.grade(Job(Submission("somebody", "d", (source,)), (EXERCISE,)))
    return result


def test_a_fast_function_passes_and_is_told_its_ratio(judge: JudgeClient) -> None:
    result = graded(judge, RIGHT)
    assert (result.outcome, result.score) == (Outcome.PASSED, 3), result
    for test, live in zip(result.tests, (False, True), strict=True):
        (race,) = test.races
        assert (race.name, race.live, race.verdict) == ("total", live, Outcome.PASSED)
        assert race.low <= race.ratio <= race.high
        assert test.message == str(race)
        assert test.message.endswith("), needed 3x")
        assert 0 < race.call < 1
        assert race.times.startswith(f"A call of the baseline takes {1e3 * race.call:.3g} ms")


def test_a_slow_function_fails_and_is_told_its_ratio(judge: JudgeClient) -> None:
    result = graded(judge, SLOW)
    assert (result.outcome, result.score) == (Outcome.FAILED, 0), result
    first, second = result.tests
    assert first.message == f"Too slow: {first.races[0]}."
    assert first.hint == "One operation for all rows."
    for test in (first, second):
        (race,) = test.races
        assert race.high < 3
        # It fails only if two launches agree.
        assert len(race.launches) >= 2
        assert all(sum(ratio < 3 for ratio in launch) >= 13 for launch in race.launches[-2:])


@pytest.mark.slow
def test_a_forgotten_jit_shows_live_and_not_in_the_program(judge: JudgeClient) -> None:
    loop = """
        import jax.numpy as jnp

        def total(x):
            rows = [x[i] for i in range(60)]
            while len(rows) > 1:
                rows.append(rows.pop(0) + rows.pop(0))
            return rows[0]
    """
    bench, live = graded(judge, loop).tests
    assert (bench.outcome, live.outcome) == (Outcome.PASSED, Outcome.FAILED)


def test_a_wrong_function_is_not_raced(judge: JudgeClient) -> None:
    result = graded(judge, RIGHT.replace("axis=0", "axis=0)[::-1].at[:].add(0"))
    assert result.outcome is Outcome.FAILED
    assert all(not test.races and "wrong" in test.message for test in result.tests)


@pytest.mark.slow
def test_the_same_file_again_gets_the_verdict_that_it_had(
    judge: JudgeClient, course: Course
) -> None:
    text = textwrap.dedent(SLOW) + f"\n# {secrets.token_hex(8)}\n"
    first = graded(judge, text, fresh=False)
    with JudgeClient.ready(
        course.stubs, course.select([EXERCISE]), Terms("required", "4")
    ) as another:
        again = graded(another, text, fresh=False)
        edited = graded(another, f"{text}\n", fresh=False)
    for before, after, new in zip(first.tests, again.tests, edited.tests, strict=True):
        assert [race.remembered for race in (*before.races, *after.races, *new.races)] == [
            False,
            True,
            False,
        ]
        assert after.races[0].launches == before.races[0].launches != new.races[0].launches
        assert after.message == before.message


def test_who_is_wrong_when_timed_stays_so(judge: JudgeClient) -> None:
    """It is right for the worker that is looked at first, and wrong after a few calls."""
    text = textwrap.dedent("""
        import jax, jax.numpy as jnp

        summed = jax.jit(lambda x: jnp.sum(x, axis=0))
        calls = 0

        def total(x):
            global calls
            calls += 1
            return summed(x) if calls < 9 else jnp.zeros(8)
    """)
    text += f"\n# {secrets.token_hex(8)}\n"
    for remembered in (False, True):
        live = graded(judge, text, fresh=False).tests[1]
        (race,) = live.races
        assert (live.outcome, race.wrong, race.remembered) == (Outcome.FAILED, True, remembered)
        assert "wrong" in live.message


@pytest.mark.slow
def test_a_proof_is_a_race_of_its_own(judge: JudgeClient, course: Course) -> None:
    text = textwrap.dedent(RIGHT) + f"\n# {secrets.token_hex(8)}\n"
    graded(judge, text, fresh=False)
    with JudgeClient.ready(
        course.stubs, course.select([EXERCISE]), Terms("required", "4", Purpose.PROOF)
    ) as another:
        result = graded(another, text, fresh=False)
    assert not any(race.remembered for test in result.tests for race in test.races)


def test_what_the_stub_says_of_its_race_holds_and_not_what_a_submission_says(
    make_course: CourseMaker, tmp_path: Path
) -> None:
    suite = textwrap.dedent(SUITE).replace("args=draw, at_least=3, ", "").replace(", live=True", "")
    course = speedy(make_course, tmp_path, suite, 'kind = "fast"\n')
    terms = '{"at_least": 3, "compiled": True, "args": [("float32", (60, 8))]}'
    stub = course.stub(course[EXERCISE])
    stub.write_text(f"RACE = {terms}\n\n\n{stub.read_text()}")
    own = terms.replace("3", "0.0001").replace("60", "1")
    with JudgeClient.ready(
        course.stubs, course.select([EXERCISE]), Terms("required", "3")
    ) as another:
        result = graded(another, f"RACE = {own}\n{textwrap.dedent(SLOW)}")
    assert result.outcome is Outcome.FAILED
    assert {race.at_least for test in result.tests for race in test.races} == {3}


# One call of the baseline makes half a pair, so three calls of the student's make the other.
ONE_CALL = """
    import time

    import numpy as np


    def one_call(x):
        time.sleep(0.06)
        return x.sum(axis=0)


    def test_live(submission, race):
        \"\"\"The function is three times as fast.\"\"\"
        race(
            submission.total,
            baseline=one_call,
            args=lambda rng: rng.normal(size=(60, 8)).astype(np.float32),
            at_least=3,
            check=lambda result, x: np.testing.assert_allclose(result, x.sum(axis=0), 1e-4, 1e-4),
            live=True,
        )
"""


@pytest.mark.slow
def test_a_race_without_a_verdict_costs_nothing(make_course: CourseMaker, tmp_path: Path) -> None:
    """Of two pairs, one is won and one is lost, by far."""
    text = """
        import itertools, time
        import jax, jax.numpy as jnp

        summed = jax.jit(lambda x: jnp.sum(x, axis=0))
        # A half is cut short after a slow call.
        seconds = itertools.cycle([0, 0, 0, 0.3])

        def total(x):
            time.sleep(next(seconds))
            return summed(x)
    """
    course = speedy(make_course, tmp_path, ONE_CALL)
    with JudgeClient.ready(
        course.stubs, course.select([EXERCISE]), Terms("required", "3")
    ) as another:
        result = graded(another, text)
    (live,) = result.tests
    assert live.outcome is Outcome.UNDECIDED, live.message
    assert (result.outcome, result.score) == (Outcome.UNDECIDED, 1)
    assert live.message.startswith("This machine was too noisy to time your code (")
    assert live.hint == ""
    assert len(live.races[0].launches) == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("total = jnp.zeros(8)", "total = jnp.zeros(7)"), "the baseline of a race fails"),
        (("size=(60, 8)", "size=(rng.integers(3, 99), 8)"), "of the same shapes and dtypes"),
    ],
)
def test_a_race_that_cannot_be_run_is_the_suites_fault(
    change: tuple[str, str], says: str, make_course: CourseMaker, tmp_path: Path
) -> None:
    broken = speedy(make_course, tmp_path, SUITE.replace(*change))
    result = proved(broken)
    assert result.outcome is Outcome.BROKEN
    assert says in result.tests[0].detail


def proved(course: Course) -> ExerciseResult:
    with JudgeClient.ready(
        course.stubs, course.select([EXERCISE]), Terms("required", "3", Purpose.PROOF)
    ) as client:
        return graded(client, RIGHT)


# The command


@pytest.mark.slow
def test_a_race_can_be_watched(course: Course) -> None:
    done = CliRunner().invoke(main, ["race", "total", "--course", str(course.root)])
    assert done.exit_code == 0, done.output
    assert "racing    the reference solution" in done.stderr
    assert "total  as programs, on the bench" in done.output
    assert "total  live, call by call" in done.output
    assert "for passing" in done.output
    assert "3x" in done.output
    assert "✓ passed  So is the function." in done.output


@pytest.mark.slow
def test_a_file_races_in_the_place_of_the_solution(course: Course, tmp_path: Path) -> None:
    slow = tmp_path / "total.py"
    slow.write_text(textwrap.dedent(SLOW))
    arguments = ["race", "total", "--course", str(course.root), "--against", str(slow)]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    assert f"racing    {slow}" in done.stderr
    assert "✗ failed" in done.output
    assert "Too slow:" in done.output
    slow.write_text("def total(x):\n    return 1 / 0\n")
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    assert "ZeroDivisionError" in done.output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["double"], "has no race"),
        (["total", "--against", "pyproject.toml"], "pyproject.toml"),
    ],
)
def test_what_cannot_be_raced_is_said_at_once(
    arguments: list[str], says: str, course: Course
) -> None:
    done = CliRunner().invoke(main, ["race", *arguments, "--course", str(course.root)])
    assert done.exit_code == 2, done.output
    assert says in done.output


# How it measures, with simulated processes whose times are exact


class Machine:
    """A launch with a simulated clock. `waits` slows the student's first calls down."""

    live = False
    most_inputs = 4096

    def __init__(self, baseline: float, student: float, waits: float = 0.0) -> None:
        self.one = {"baseline": baseline, "student": student}
        self.waits = waits
        self.asked: list[tuple[str, int]] = []

    @contextmanager
    def launch(self) -> Iterator[Machine]:
        self.calls = 0
        yield self

    def share_a_core(self) -> None:
        self.asked.append(("core", 0))

    def deal(self, baseline: int, student: int) -> None:
        self.dealt = (baseline, student)

    @contextmanager
    def alone(self) -> Iterator[None]:
        self.asked.append(("alone", 0))
        yield
        self.asked.append(("no longer alone", 0))

    def baseline(self, calls: int) -> float:
        self.asked.append(("baseline", calls))
        return calls * self.one["baseline"]

    def student(self, calls: int, seconds: float) -> tuple[float, int]:
        self.asked.append(("student", calls))
        one = self.one["student"] + (self.waits if self.calls < WARM_UP else 0)
        done = min(calls, max(1, math.ceil(seconds / one) if seconds < math.inf else calls))
        self.calls += done
        return done * one, done

    def witness(self) -> tuple[tuple[Any, ...], Any]:
        return (), None

    def samples(self, side: str) -> set[int]:
        return {calls for asked, calls in self.asked if asked == side}


def test_the_size_of_a_sample_comes_from_the_baseline_alone() -> None:
    quick, slow_at_first = Machine(1e-3, 1e-4), Machine(1e-3, 1e-4, waits=3.0)
    for machine in (quick, slow_at_first):
        assert run(machine, 5).verdict is Outcome.PASSED
    assert quick.asked[-1:] and quick.samples("student") == slow_at_first.samples("student")
    # Ten milliseconds of the baseline, and as many calls of the student's as fit between the lines.
    assert max(quick.samples("baseline")) in range(10, 14)
    (calls,) = quick.samples("student") - {1, WARM_UP}
    assert calls / max(quick.samples("baseline")) == pytest.approx(5 * 0.922, rel=0.02)


@pytest.mark.parametrize("baseline", [3e-4, 0.02, 0.3])
def test_a_sample_is_long_enough_whatever_a_call_takes(baseline: float) -> None:
    machine = Machine(baseline, baseline / 40)
    assert run(machine, 20).verdict is Outcome.PASSED
    assert max(machine.samples("baseline")) * baseline >= 5e-3


def test_no_sample_takes_more_inputs_than_can_be_drawn_for_it() -> None:
    machine = Machine(2e-6, 2e-6 / 40)
    assert run(machine, 20).verdict is Outcome.PASSED
    assert 2000 < max(machine.samples("student")) <= machine.most_inputs


def test_a_half_that_is_lost_is_cut_short() -> None:
    machine = Machine(0.01, 1.0)
    tally = run(machine, 100)
    assert tally.verdict is Outcome.FAILED
    taken = sum(calls for side, calls in machine.asked if side == "student")
    assert taken > 500
    assert machine.calls <= 1 + WARM_UP + 13 + 1
    assert all(ratio == pytest.approx(0.01) for ratio in tally.launches[0])


def test_only_the_first_call_of_each_side_is_made_beside_other_judges() -> None:
    machine = Machine(1e-3, 1e-4)
    assert run(machine, 5, alone=machine.alone).verdict is Outcome.PASSED
    asked = [name for name, _ in machine.asked]
    # No core is shared meanwhile, so that both are compiled on whatever core is free.
    assert asked[:4] == ["student", "baseline", "alone", "core"]
    assert asked.count("alone") == 1
    assert asked[-1] == "no longer alone"


def test_the_ratio_is_that_of_single_calls() -> None:
    tally = run(Machine(1e-3, 1e-3 / 7), 5)
    assert tally.interval() == pytest.approx((7, 7, 7))
