"""The inputs follow from the program: the same one gets the same ones, and any other one others."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader import cli
from grader.course.course import Course
from grader.records import inputs
from grader.records.model import ExerciseResult, Job, Outcome, Source, Submission
from tests.conftest import SharedJudge, judging, with_suite

SUITE = '''
    import pytest

    def test_told(submission, rng):
        """It says what it got."""
        assert submission.double(int(rng.integers(10**9))) == 0
'''
# The reference earns the points, and all others read in the message what the input was.
SOLUTION = "def double(x):\n    return 0\n"
EXERCISE = "01_first/double"


@pytest.fixture(scope="module")
def course(make_course: Callable[..., Course], tmp_path_factory: pytest.TempPathFactory) -> Course:
    files = {
        "tests/hidden/01_first/test_double.py": SUITE,
        "solutions/01_first/double.py": SOLUTION,
    }
    return make_course(tmp_path_factory.mktemp("inputs"), files)


def answer(number: int) -> str:
    return f"def double(x):\n    return x + {number} - {number}\n"


@pytest.fixture
def hand_in(course: Course, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Grades everybody's answers; returns for each student what the message says."""

    def grade(name: str = "double.py", **answers: str) -> dict[str, Any]:
        for student, text in answers.items():
            path = tmp_path / "class" / student / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        where = ["--class", str(tmp_path / "class"), "--out", str(tmp_path / "out")]
        options = [*where, "--course", str(course.root), "--isolation", "available"]
        with pytest.raises(SystemExit) as ended:
            cli.main(["grade", *options])
        assert not ended.value.code
        run = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
        return {g["id"]: g["exercises"][0]["tests"][0]["message"] for g in run["submissions"]}

    return grade


@pytest.mark.slow
def test_equal_programs_get_equal_inputs_and_all_others_get_others(
    hand_in: Callable[..., dict[str, Any]],
) -> None:
    first = hand_in(ada=answer(1), ben=answer(2), carl=answer(1))
    assert first["ada"] == first["carl"] != first["ben"]
    second = hand_in(ada=answer(3), ben=answer(1))
    assert second["ada"] not in first.values()
    assert second["ben"] == second["carl"] == first["ada"]
    # Comments make no other program: the worker never sees them.
    assert hand_in(ada=answer(1) + "# A comment.\n")["ada"] == first["ada"]


def test_a_seed_depends_on_all_that_a_program_can_read() -> None:
    program = Source("a/f", "f.py", "x = 1\n")
    others = [
        Source("a/f", "f.py", "x = 1 \n"),
        Source("a/g", "f.py", "x = 1\n"),
        Source("a/f", "f.ipynb", "x = 1\n"),
    ]
    seeds = {inputs.seed("secret", source) for source in (program, *others)}
    seeds |= {inputs.seed("another", program), inputs.second(inputs.seed("secret", program))}
    assert len(seeds) == 6
    # The name of a file is the same for the program, however the student calls it.
    renamed = Source("a/f", "solutions/ada/hw1.py", "x = 1\n")
    assert inputs.seed("secret", renamed) == inputs.seed("secret", program)
    assert len(inputs.secret()) == 32


def draws(
    judge: SharedJudge, make_course: Callable[..., Course], folder: Path, rule: str
) -> list[ExerciseResult]:
    """Three results of a suite that breaks where `rule` says so of its first number and a file."""
    # A suite that was proved on this machine before draws nothing for that.
    suite = f"""
        from pathlib import Path  # {uuid.uuid4()}

        FILE = Path(__file__).with_name("draws")

        def test_x(submission, rng):
            "Fails for some inputs, whatever was submitted."
            seen = str(rng.integers(10**9))
            drawn = FILE.read_text().split()
            if seen not in drawn:
                drawn.append(seen)
                FILE.write_text(" ".join(drawn))
            assert submission.double(1) == 2
            assert {rule}
    """
    course = with_suite(make_course, folder, suite)
    (exercise,) = course.exercises
    course.suite(exercise).with_name("draws").touch()
    results: list[ExerciseResult] = []
    for text in ("2 * x", "2 * x + 0", "x * 2"):
        source = Source(exercise.id, "double.py", f"def double(x):\n    return {text}\n")
        job = Job(Submission("a", "d", (source,)), (exercise.id,))
        results += judge.of(course).grade(job)
    return results


def test_an_unlucky_draw_is_drawn_again(
    shared_judge: SharedJudge, make_course: Callable[..., Course], tmp_path: Path
) -> None:
    """The first one is the proof of the suite; then each program has a bad one and a good one."""
    results = draws(shared_judge, make_course, tmp_path, "drawn.index(seen) % 2 == 0")
    assert [result.outcome for result in results] == [Outcome.PASSED] * 3
    assert all(test.detail.startswith(inputs.AGAIN) for r in results for test in r.tests)


def test_what_the_solution_fails_twice_is_broken(
    shared_judge: SharedJudge, make_course: Callable[..., Course], tmp_path: Path
) -> None:
    results = draws(shared_judge, make_course, tmp_path, "drawn.index(seen) == 0")
    assert [result.outcome for result in results] == [Outcome.BROKEN] * 3


@pytest.mark.parametrize("programs", [8, pytest.param(300, marks=pytest.mark.slow)])
def test_what_many_messages_told_is_of_no_use_to_the_next_program(
    shared_judge: SharedJudge, make_course: Callable[..., Course], tmp_path: Path, programs: int
) -> None:
    """Programs that write all that they see into their messages, and one that knows all of it."""
    suite = """
        def test_x(submission, rng):
            "It is doubled."
            x = int(rng.integers(10**9))
            assert submission.double(x) == 2 * x
    """
    solution = "def double(x):\n    return 2 * x\n"
    grade = judging(shared_judge, make_course, tmp_path, suite, solution)
    told = {}
    for number in range(programs):
        text = f"def double(x):\n    raise ValueError(f'saw {{x}}') or {number}\n"
        (seen,) = re.findall(r"ValueError: saw (\d+)", grade(text).tests[0].message)
        told[int(seen)] = 2 * int(seen)
    assert len(told) == programs
    result = grade(f"def double(x):\n    return {told}[x]\n")
    assert result.outcome is Outcome.RAISED
    assert result.score == 0
