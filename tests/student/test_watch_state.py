"""What `grader watch` decides."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from grader.course.course import Course
from grader.output.screens.watch import screen
from grader.records.model import Assignment, Status
from grader.student import progress, workspace
from grader.student.start import start
from grader.student.watch_state import PATIENCE, Session, reset
from tests.student.conftest import STEMS, WRONG, Recorder, Sitting, solve


@pytest.fixture
def sitting(mine: Course) -> Sitting:
    return Sitting(mine)


def test_a_save_of_another_file_turns_to_that_exercise(sitting: Sitting) -> None:
    sitting.answer("set_row", Status.TO_FIX)
    sitting.save("pairwise_sqdist")
    assert sitting.session.exercise.stem == "pairwise_sqdist"
    assert sitting.asked == [["set_row"], ["pairwise_sqdist"]]


def test_what_passes_is_praised_and_the_next_comes_by_itself(sitting: Sitting) -> None:
    sitting.answer("set_row", Status.PASSED)
    assert sitting.session.said == (
        "The examples of `set_row` pass. The tests require more. On to `hist`.",
    )
    assert sitting.session.exercise.stem == "hist"
    assert sitting.asked[-1] == ["hist"]
    assert progress.load(sitting.course).entries["01_arrays/set_row"].status is Status.PASSED


def test_an_exercise_with_a_known_mistake_is_neither_left_nor_counted(sitting: Sitting) -> None:
    sitting.answer("set_row", Status.FLAWED)
    assert sitting.session.exercise.stem == "set_row"
    assert sitting.session.count() == (0, 3)
    assert sitting.asked == [["set_row"]]
    sitting.save()
    sitting.answer("set_row", Status.PASSED)
    assert sitting.session.exercise.stem == "hist"


def test_predictions_that_nothing_here_can_judge_are_left_and_not_counted(
    sitting: Sitting,
) -> None:
    sitting.answer("set_row", Status.UNJUDGED)
    assert sitting.session.said == (
        "The examples of `set_row` pass. The list is judged when you submit. On to `hist`.",
    )
    assert sitting.session.count() == (0, 3)


def test_when_all_pass_the_way_to_hand_in_is_shown(sitting: Sitting) -> None:
    for stem in STEMS:
        sitting.answer(stem, Status.PASSED)
    assert sitting.session.said[-1] == (
        "The examples of `pairwise_sqdist` pass. Now the examples of all 3 exercises pass. The "
        "tests require more. `grader submit` packs your work."
    )
    assert len(sitting.asked) == len(STEMS)


def test_a_road_is_walked_to_its_end_and_another_is_offered(mine: Course) -> None:
    assignment = Assignment("short", "Short", (mine["hist"].id, mine["set_row"].id))
    long = Assignment("long", "Long", tuple(exercise.id for exercise in mine.exercises))
    sitting = Sitting(replace(mine, assignments=(assignment, long)), assignment=assignment)
    header = "\n".join(screen(sitting.session, 80, 30, colour=False)[:3])
    assert "  short " in header and "0 of 2 pass" in header and "(1 of 2)" in header
    sitting.answer("hist", Status.PASSED)
    assert sitting.session.exercise.stem == "set_row"
    sitting.answer("set_row", Status.PASSED)
    assert sitting.session.said[-1] == (
        "The examples of `set_row` pass. Now the examples of all 2 exercises of `short` pass. "
        "Continue with `grader watch long`."
    )
    # Any other file of the course is checked, too.
    sitting.save("pairwise_sqdist")
    assert sitting.session.exercise.stem == "pairwise_sqdist"
    assert "2 of 2 pass" in screen(sitting.session, 80, 30, colour=False)[0]


def test_only_what_can_be_explained_is_offered(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "[e] why" not in screen(sitting.session, 80, 30, colour=False)[-1]
    monkeypatch.setattr(
        sitting.session, "course", replace(sitting.course, explanations="after_hints")
    )
    for _ in range(3):
        sitting.session.key("h")
    lines = screen(sitting.session, 80, 40, colour=False)
    assert "[e] why" in lines[-1]
    assert "That was the last hint. Press e to read how it works." in "\n".join(lines)
    sitting.session.key("e")
    assert "Why it works" in screen(sitting.session, 80, 40, colour=False)


def test_a_newer_save_waits_a_moment_and_then_ends_the_older_check(sitting: Sitting) -> None:
    sitting.save()
    sitting.session.tick()
    assert len(sitting.asked) == 1
    sitting.time = PATIENCE + 0.1
    sitting.session.tick()
    assert sitting.asked == [["set_row"], ["set_row"]]


def test_a_pass_is_not_praised_when_a_newer_save_waits(sitting: Sitting) -> None:
    sitting.save()
    sitting.answer("set_row", Status.PASSED)
    sitting.session.tick()
    assert sitting.session.exercise.stem == "set_row"
    assert sitting.asked == [["set_row"], ["set_row"]]


def test_an_answer_to_an_older_request_is_not_shown(sitting: Sitting) -> None:
    sitting.answer("set_row", Status.TO_FIX)
    sitting.save()
    sitting.answer("set_row", Status.PASSED, ticket=1)
    assert sitting.session.exercise.stem == "set_row"
    assert sitting.session.said == ()


def test_hints_come_one_after_another(sitting: Sitting) -> None:
    numbers = []
    for _ in range(4):
        sitting.session.key("h")
        newest = sitting.session.hints[0]
        numbers.append((newest.number, newest.again))
    assert numbers == [(1, False), (2, False), (3, False), (3, True)]
    assert [hint.number for hint in sitting.session.hints] == [3, 2, 1]


def test_a_reset_is_asked_twice_and_keeps_a_backup(sitting: Sitting) -> None:
    solve(sitting.course, WRONG)
    stub = sitting.course.stub(sitting.course["set_row"])
    own = stub.read_bytes()
    sitting.session.key("r")
    assert stub.read_bytes() == own
    sitting.session.key("x")
    assert sitting.session.said == ("Nothing was reset.",)
    sitting.session.key("r")
    sitting.session.key("r")
    original = workspace.pristine(sitting.course, sitting.course["set_row"])
    assert original is not None
    assert stub.read_bytes() == original.read_bytes()
    (backup,) = (sitting.course.stubs / ".grader" / "backups").iterdir()
    assert backup.read_bytes() == own
    assert f"Your version is kept in `.grader/backups/{backup.name}`." in sitting.session.said[0]
    sitting.save()  # our own write must not clear the message
    assert "is a stub again" in sitting.session.said[0]


def test_a_reset_that_cannot_be_written_says_so(mine: Course) -> None:
    (mine.stubs / ".grader").write_text("in the way")
    solve(mine, WRONG)
    place, stub = mine.stub(mine["set_row"]), workspace.pristine(mine, mine["set_row"])
    assert stub is not None
    assert "was not reset" in reset(place, stub, progress.folder(mine))
    assert WRONG in place.read_text()


def test_skipping_goes_around_and_leaves_out_what_passes(sitting: Sitting) -> None:
    sitting.answer("set_row", Status.PASSED)
    for expected in ("pairwise_sqdist", "hist", "pairwise_sqdist"):
        sitting.session.key("s")
        assert sitting.session.exercise.stem == expected


def test_of_a_course_that_nothing_remembers_no_exercise_comes_twice(mine: Course) -> None:
    (mine.stubs / ".grader").write_text("in the way")
    sitting = Sitting(mine)
    for stem in STEMS:
        sitting.answer(stem, Status.PASSED)
    assert "`grader submit` packs your work." in sitting.session.said[-1]
    assert len(sitting.asked) == len(STEMS)


def test_in_a_notebook_the_cell_that_was_changed_is_checked(tmp_path: Path) -> None:
    course = start(tmp_path, as_notebooks=True).course
    sitting = Sitting(course)
    book = workspace.notebook_path(course, "01_arrays")
    sitting.session.saved(book)
    assert sitting.session.exercise.stem == "set_row"
    cells = json.loads(book.read_text(encoding="utf-8"))
    for cell in cells["cells"]:
        if cell["id"] == "pairwise_sqdist-code":
            cell["source"].append("\nx = 1\n")
    book.write_text(json.dumps(cells), encoding="utf-8")
    sitting.session.saved(book)
    assert sitting.session.exercise.stem == "pairwise_sqdist"


def test_a_notebook_that_is_saved_is_checked_at_what_does_not_pass_yet(tmp_path: Path) -> None:
    course = start(tmp_path, as_notebooks=True).course
    sitting = Sitting(course)
    sitting.session.saved(workspace.notebook_path(course, "02_random"))
    assert sitting.session.exercise.stem == "split_many"
    sitting.answer("split_many", Status.TO_FIX)
    sitting.session.saved(workspace.notebook_path(course, "01_arrays"))
    assert sitting.session.exercise.stem == "set_row"


def test_a_note_on_this_machine_is_shown_at_first(mine: Course) -> None:
    recorder = Recorder()
    session = Session(mine, recorder.ask, mine.exercises[0])
    session.begin("This is JAX 9.")
    assert session.said == ("This is JAX 9.",)


def test_run_all_shows_the_list_and_the_first_to_do(sitting: Sitting) -> None:
    sitting.session.key("a")
    assert sitting.asked[-1] == list(STEMS)
    ticket = len(sitting.asked)
    for stem, status in zip(STEMS, (Status.PASSED, Status.TO_FIX, Status.PASSED), strict=True):
        sitting.answer(stem, status, ticket)
    assert sitting.session.said == ("All were checked: 2 of 3 pass.",)
    assert sitting.session.lists
    assert sitting.session.exercise.stem == "hist"


def test_a_save_ends_a_run_of_all_and_is_not_forgotten_at_its_end(sitting: Sitting) -> None:
    sitting.session.key("a")
    ticket = len(sitting.asked)
    sitting.save("hist")
    for number, stem in enumerate(STEMS[:2]):
        sitting.time = 0.4 * (number + 1)
        sitting.answer(stem, Status.TO_FIX, ticket)
        sitting.session.tick()
    assert sitting.asked[-1] == ["hist"]
    assert sitting.session.exercise.stem == "hist"
    sitting.session.key("a")
    ticket = len(sitting.asked)
    sitting.save("set_row")
    for stem in STEMS:
        sitting.answer(stem, Status.TO_FIX, ticket)
    sitting.session.tick()
    assert sitting.asked[-1] == ["set_row"]
    assert sitting.session.exercise.stem == "set_row"
