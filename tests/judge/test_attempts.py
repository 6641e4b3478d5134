"""Whoever hands in another answer gets new inputs; a verdict that is known stays known."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader import cli
from grader.course import Course
from grader.executors.client import JudgeClient
from grader.model import Job, Source, Submission, Terms
from grader.teacher.store import Store

SUITE = '''
    import pytest

    @pytest.mark.visible
    def test_told(submission, rng):
        """It says what it got."""
        got = submission.double(int(rng.integers(10**9)))
        assert got == 0
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
    return make_course(tmp_path_factory.mktemp("attempts"), files)


def answer(number: int) -> str:
    return f"def double(x):\n    return x + {number} - {number}\n"


@pytest.fixture
def hand_in(course: Course, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Grades everybody's answers; returns for each student the input and the attempt."""

    def grade(**answers: str) -> dict[str, Any]:
        for student, text in answers.items():
            path = tmp_path / "class" / student / "double.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        where = ["--class", str(tmp_path / "class"), "--out", str(tmp_path / "out")]
        options = [*where, "--course", str(course.root), "--isolation", "available"]
        with pytest.raises(SystemExit) as ended:
            cli.main(["grade", *options])
        assert not ended.value.code
        run = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
        found = {}
        for grade in run["submissions"]:
            (result,) = grade["exercises"]
            found[grade["id"]] = result["tests"][0]["message"], result["attempt"]
        return found

    return grade


@pytest.mark.slow
def test_another_answer_gets_other_inputs(hand_in: Callable[..., dict[str, Any]]) -> None:
    first = hand_in(ada=answer(1), ben=answer(2))
    assert first["ada"] == first["ben"]
    second = hand_in(ada=answer(3))
    assert second["ada"][1] == 1
    assert second["ada"][0] != first["ada"][0]
    assert second["ben"] == first["ben"]
    # The second attempt is the same for everybody. An old answer has its old attempt.
    third = hand_in(ada=answer(1), ben=answer(4))
    assert third["ben"] == second["ada"]
    assert third["ada"] == first["ada"]
    # Comments make no other answer.
    assert hand_in(ada=answer(1) + "# A comment.\n")["ada"] == first["ada"]


@pytest.mark.slow
def test_another_upload_of_one_student_is_another_attempt(
    hand_in: Callable[..., dict[str, Any]],
) -> None:
    """Canvas gives each upload a number of its own, and Moodle keeps the name of the file."""
    first = hand_in(doejane_1234_5678_hw=answer(1))
    second = hand_in(doejane_1234_9999_hw=answer(2))
    assert first["doejane_1234"][1] == 0
    assert second["doejane_1234"][1] == 1


@pytest.mark.slow
def test_a_solution_is_tried_with_the_inputs_of_an_attempt(
    make_course: Callable[..., Course], tmp_path: Path
) -> None:
    suite = """
        def test_x(submission, rng):
            "Fails for the inputs of the second attempt, whatever was handed in."
            seen = rng.integers(10**9)
            first = int(open(__file__.replace("test_double.py", "first")).read() or seen)
            open(__file__.replace("test_double.py", "first"), "w").write(str(first))
            assert submission.double(1) == 2
            assert seen == first
    """
    files = {"tests/hidden/01_first/test_double.py": suite, "tests/hidden/01_first/first": ""}
    course = make_course(tmp_path, files)
    text = "def double(x):\n    return 2 * x\n"
    with JudgeClient.ready(course.stubs, course.exercises, Terms("available", "3")) as client:
        outcomes = []
        for attempt in (0, 1, 0):
            source = Source(EXERCISE, "double.py", text, attempt)
            (result,) = client.grade(Job(Submission("a", "d", (source,)), (EXERCISE,)))
            outcomes.append((str(result.outcome), result.attempt))
    assert outcomes == [("passed", 0), ("broken", 1), ("passed", 0)]


def test_a_store_counts_other_answers(tmp_path: Path) -> None:
    a, b, c = (("ada", EXERCISE, digest) for digest in "abc")
    other = ("ben", EXERCISE, "b")
    with Store(tmp_path) as store:
        assert store.attempts([a, b, a]) == {a: 0, b: 1}
    with Store(tmp_path) as store:
        assert store.attempts([other, c, b]) == {a: 0, b: 1, c: 2, other: 0}
