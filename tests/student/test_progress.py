"""A student's saved progress, the list of exercises, and the hints."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from grader import cli
from grader.course.course import Course, find, load
from grader.output.screens.progress import by_topic, listing
from grader.records.errors import CourseError
from grader.records.model import CheckResult, Status
from grader.student import guidance, progress, workspace
from grader.student.guidance import Hint
from grader.student.start import start
from tests.conftest import notes

Maker = Callable[..., Course]
OURS = find(start=Path(__file__).parents[1])
HINTS = notes("A first\nhint.", "A second.\n\n    code\n    here", "A third.")


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Course:
    monkeypatch.chdir(tmp_path)
    return start(tmp_path).course


def run(*arguments: object) -> Result:
    return CliRunner(env={"COLUMNS": "80"}).invoke(cli.main, [str(one) for one in arguments])


def remembered(course: Course, stem: str, status: Status) -> None:
    exercise = course[stem]
    result = CheckResult(exercise.id, "", status)
    progress.remember(course, result, workspace.digest(course, exercise))


def standing(course: Course, stem: str) -> str:
    return next(str(one) for one in progress.standings(course) if one.exercise.stem == stem)


def write(course: Course, stem: str, text: str) -> None:
    course.stub(course[stem]).write_text(text)


def test_a_status_counts_for_the_work_that_it_was_found_for(mine: Course) -> None:
    assert standing(mine, "hist") == "not started"
    write(mine, "hist", "x = 1\n")
    assert standing(mine, "hist") == "not checked"
    remembered(mine, "hist", Status.PASSED)
    assert standing(mine, "hist") == "passed"
    write(mine, "hist", "x = 2\n")
    assert standing(mine, "hist") == "changed"
    write(mine, "hist", "x = 1\n")
    assert standing(mine, "hist") == "passed"
    mine.stub(mine["hist"]).unlink()
    assert standing(mine, "hist") == "missing"


def test_in_a_notebook_each_exercise_has_a_standing_of_its_own(tmp_path: Path) -> None:
    course = start(tmp_path, as_notebooks=True).course
    assert {str(one) for one in progress.standings(course)} == {"not started"}
    path = workspace.notebook_path(course, "01_arrays")
    book = json.loads(path.read_bytes())
    for cell in book["cells"]:
        if cell["id"] == "hist-code":
            cell["source"] = "x = 1"
    path.write_text(json.dumps(book))
    assert standing(course, "hist") == "not checked"
    remembered(course, "hist", Status.PASSED)
    for cell in book["cells"]:
        if cell["id"] in ("hist-check", "set_row-code"):
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "passed"}]
        if cell["id"] == "set_row-code":
            cell["source"] = "x = 2"
    path.write_text(json.dumps(book))
    assert standing(course, "hist") == "passed"
    assert standing(course, "set_row") == "not checked"
    assert standing(course, "standardize_rows") == "not started"


def test_the_next_exercise_is_the_first_that_does_not_pass(mine: Course) -> None:
    stems = [exercise.stem for exercise in mine.exercises]
    remembered(mine, stems[0], Status.PASSED)
    remembered(mine, stems[2], Status.PASSED)
    following = progress.next_exercise(mine)
    assert following is not None
    assert following.stem == stems[1]
    after = progress.next_exercise(mine, following)
    assert after is not None
    assert after.stem == stems[3]
    around = progress.next_exercise(mine, mine.exercises[-1])
    assert around is not None
    assert around.stem == stems[1]


def test_nothing_is_next_when_all_pass(make_course: Maker, tmp_path: Path) -> None:
    course = make_course(tmp_path)
    remembered(course, "double", Status.PASSED)
    assert progress.next_exercise(course) is None


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"schema": 99, "exercises": {}}',
        b'{"schema": 1}',
        b'{"schema": 1, "exercises": {"01_arrays/hist": {"status": "splendid"}}}',
        b'{"schema": 1, "exercises": {"01_arrays/hist": 3}}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_memory_is_no_drama(mine: Course, damage: bytes) -> None:
    path = mine.stubs / ".grader" / "progress.json"
    path.parent.mkdir()
    path.write_bytes(damage)
    shown = run("list")
    assert shown.exit_code == 0
    assert "could not be read, so it starts over." in " ".join(shown.output.split())
    remembered(mine, "hist", Status.PASSED)
    assert standing(mine, "hist") == "passed"
    assert path.with_suffix(".damaged").read_bytes() == damage
    assert "could not be read" not in run("list").output


def test_a_memory_that_cannot_be_written_stops_nobody(mine: Course) -> None:
    (mine.stubs / ".grader").write_text("in the way")
    remembered(mine, "hist", Status.PASSED)
    assert standing(mine, "hist") == "not started"
    assert run("hint", "hist").exit_code == 0
    assert run("list").exit_code == 0


def test_the_memory_is_numbered_and_nothing_is_left_beside_it(mine: Course) -> None:
    remembered(mine, "hist", Status.TO_FIX)
    folder = mine.stubs / ".grader"
    assert [path.name for path in folder.iterdir()] == ["progress.json"]
    said = json.loads((folder / "progress.json").read_text())
    digest = workspace.digest(mine, mine["hist"])
    assert said == {
        "schema": 1,
        "exercises": {"01_arrays/hist": {"status": "to fix", "digest": digest, "hints": 0}},
    }


def test_an_authors_stubs_are_kept_clean(make_course: Maker, tmp_path: Path) -> None:
    """What lies in `exercises/` is packaged."""
    course = make_course(tmp_path)
    remembered(course, "double", Status.PASSED)
    assert (tmp_path / ".grader" / "progress.json").is_file()
    assert not (course.stubs / ".grader").exists()


def test_check_remembers_for_the_list(mine: Course) -> None:
    assert run("check", "hist").exit_code == 1
    write(mine, "hist", mine.stub(mine["hist"]).read_text() + "\n# touched\n")
    shown = run("list").output
    assert "  changed      hist                   Count occurrences, 10 min\n" in shown
    assert "1 file changed since the last check: run `grader check`.\n" in shown


def test_the_list_says_what_is_asked_for(mine: Course) -> None:
    lines = run("list", "05_gradients").output.splitlines()
    (fix,) = (line for line in lines if "spring_energy" in line)
    assert fix.endswith("15 min, fix")


def test_the_list_counts_and_says_how(mine: Course) -> None:
    remembered(mine, "set_row", Status.PASSED)
    lines = run("list").output.splitlines()
    assert lines[:3] == [
        "01_arrays  1 of 11",
        "  passed       set_row                Replace one row",
        "  not started  to_jax                 From NumPy to JAX, 5 min, practice",
    ]
    of = len(mine.exercises)
    said = f"1 of {of} exercises pass their own examples. The hidden tests require more."
    place = lines.index(said)
    assert lines[place + 1] == "Next: `grader watch slope`"
    assert bool(lines[place + 2 :]) == bool(mine.absent)


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("colour", [True, False])
def test_the_list_fits_the_screen(mine: Course, width: int, colour: bool) -> None:
    console = Console(file=io.StringIO(), width=width, force_terminal=colour, no_color=not colour)
    listing(by_topic(progress.standings(mine)), console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert ("\x1b[33m" in text) == colour
    plain = Console(file=io.StringIO(), width=width)
    listing(by_topic(progress.standings(mine)), plain)
    assert max(map(len, plain.file.getvalue().splitlines())) <= width  # type: ignore[attr-defined]


# Hints


@pytest.fixture
def hinted(make_course: Maker, tmp_path: Path) -> Course:
    return make_course(tmp_path, {"exercises/01_first/double.md": HINTS})


def test_hints_come_one_by_one_and_the_last_stays(hinted: Course) -> None:
    found = [guidance.next_hint(hinted, hinted["double"]) for _ in range(4)]
    assert found == [
        Hint("A first hint.", 1, 3),
        Hint("A second.\n\n    code\n    here", 2, 3),
        Hint("A third.", 3, 3),
        Hint("A third.", 3, 3, again=True),
    ]


def test_the_command_says_which_hint_it_is(mine: Course) -> None:
    outputs = [run("hint", "set_row").output for _ in range(4)]
    assert [output.splitlines()[0] for output in outputs] == [
        f"01_arrays/set_row  hint {number} of 3" for number in (1, 2, 3, 3)
    ]
    assert outputs[0].endswith("`grader hint set_row` gives the next one.\n")
    said = "That was the last hint. `grader explain set_row` says how it works.\n"
    assert outputs[2].endswith(said) and outputs[3].endswith(said)
    assert "\nWhy it works\n" in run("explain", "set_row").output


def test_a_course_that_explains_nothing_early_sends_back_to_its_text(
    hinted: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(hinted.stubs)
    outputs = [run("hint", "double", "--course", str(hinted.root)).output for _ in range(3)]
    assert outputs[2].endswith("That was the last hint. Read the docstring again.\n")


def test_roads_are_walked_in_their_own_order(mine: Course) -> None:
    assignment = mine.assignment("afternoon")
    first, second = (mine[name] for name in assignment.exercises[:2])
    assert progress.next_exercise(mine, assignment=assignment) == first
    assert progress.next_exercise(mine, first, assignment) == second
    assert progress.next_exercise(mine, mine[assignment.exercises[-1]], assignment) == first
    assert progress.assignments(mine)[0] == assignment
    assert progress.assignments(mine, "afternoon") == [assignment]
    assert {one.name for one in progress.assignments(mine, "rope")} == {"transformers"}
    assert progress.assignments(mine, "xor_train") == []


def test_hints_that_were_shown_can_be_read_again(mine: Course) -> None:
    none = run("hint", "set_row", "--again")
    assert none.exit_code == 2
    assert "you have no hint for `set_row` yet" in none.output
    first, second = (run("hint", "set_row").output for _ in range(2))
    again = run("hint", "set_row", "--again").output
    assert again.index("hint 2 of 3") < again.index("hint 1 of 3")
    assert second.splitlines()[2] in again
    assert first.splitlines()[2] in again
    assert run("hint", "set_row").output.startswith("01_arrays/set_row  hint 3 of 3\n")


def test_without_a_name_the_hint_is_for_what_is_next(mine: Course) -> None:
    remembered(mine, "set_row", Status.PASSED)
    assert run("hint").output.startswith("05_gradients/slope  hint 1 of 3\n")


def test_notebooks_have_their_hints_from_the_installed_course(tmp_path: Path) -> None:
    course = start(tmp_path, as_notebooks=True).course
    assert len(guidance.hints(course, course["set_row"])) == 3


def test_an_exercise_without_hints_says_so(make_course: Maker, tmp_path: Path) -> None:
    course = make_course(tmp_path)
    with pytest.raises(CourseError, match="there are no hints for `01_first/double`"):
        guidance.next_hint(course, course["double"])


def test_every_exercise_of_the_course_has_three_hints() -> None:
    assert {e.id: len(guidance.hints(OURS, e)) for e in OURS.exercises} == dict.fromkeys(
        [e.id for e in OURS.exercises], 3
    )


def test_a_handout_is_remembered_beside_its_stubs(tmp_path: Path) -> None:
    start(tmp_path)
    course = load(tmp_path / "catalog.toml")
    assert progress.folder(course) == tmp_path / ".grader"
