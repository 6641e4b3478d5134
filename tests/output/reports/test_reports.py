"""What programs and people read about a run: files with a schema, and text without commands."""

from __future__ import annotations

import dataclasses
import io
import itertools
import json
import math
from collections.abc import Callable
from pathlib import Path

import lxml.html
import pytest
from rich.console import Console

from grader.engine.executors.doctor import Examination, LayerFound
from grader.feedback.causes import causes
from grader.output.reports import github, html, redaction, sentences
from grader.output.reports import results as result_files
from grader.output.screens import course, grades
from grader.output.screens import race as picture
from grader.records import safe_text, scoring
from grader.records.errors import UsageError
from grader.records.evidence import Tally
from grader.records.model import (
    LAYERS,
    Advice,
    Basis,
    Environment,
    ExerciseResult,
    Grade,
    Note,
    Outcome,
    Problem,
    Race,
    Run,
    Submission,
    TestResult,
    from_plain,
)

STEMS = (
    "set_row split_many init_mlp masked_mean fib_like apply_batch sgd pmap_train conv_same scan"
).split()
# Cursor up, a title, a bell, a colour, carriage return, and right to left.
HOSTILE = "\x1b[2A\x1b]0;owned\x07\x1b[32m[bold]ok[/bold]\r\u202e\x9b31m\ud800\x00"
SECRET = "SECRET inputs and expected values"
ENVIRONMENT = Environment("0.10", "3.11", "Linux x86_64", LAYERS, "7")


def a_test(
    outcome: Outcome,
    name: str = "test_x",
    message: str = "",
    hint: str = "",
    title: str = "X holds.",
) -> TestResult:
    points = 2.0 if outcome is Outcome.PASSED else 0.0
    detail = "" if outcome is Outcome.PASSED else SECRET
    return TestResult(name, title, outcome, points, 2.0, 0.25, message, hint, detail)


def an_exercise(*tests: TestResult, name: str = "01_first/double") -> ExerciseResult:
    return scoring.exercise_result(name, tests)


def a_grade(*exercises: ExerciseResult, name: str = "ada", notes: tuple[Note, ...] = ()) -> Grade:
    return scoring.grade(Submission(name, "d1", notes=notes), exercises)


def a_run(*grades: Grade) -> Run:
    return Run("foreign", "0.1.0", ENVIRONMENT, grades)


def a_class(*names: str, exercises: int = 8) -> Run:
    """One submission for each name, with something different at every exercise."""
    ids = [f"{place:02d}_topic/{stem}" for place, stem in enumerate(STEMS[:exercises], 1)]
    outcomes = [Outcome.PASSED, Outcome.FAILED, Outcome.PASSED, Outcome.MISSING, Outcome.RAISED]
    return a_run(
        *(
            a_grade(
                *(
                    an_exercise(a_test(outcomes[(row + place) % 5]), name=ids[place])
                    for place in range(len(ids))
                ),
                name=name,
            )
            for row, name in enumerate(names)
        )
    )


def printed(show: Callable[[Console], None], width: int = 80) -> str:
    """What a terminal of that width shows, without blanks at the end of a line."""
    console = Console(file=io.StringIO(), width=width, highlight=False, color_system=None)
    show(console)
    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    assert all(c.isprintable() or c == "\n" for c in shown)
    lines = [line.rstrip() for line in shown.splitlines()]
    assert max(map(len, lines), default=0) <= width
    return "\n".join(lines)


def table(run: Run, width: int = 80) -> str:
    return printed(lambda console: grades.class_table(run, console), width)


def report(grade: Grade, width: int = 80) -> str:
    return printed(lambda console: grades.submission(grade, console), width)


# Files


def test_results_have_exactly_this_schema() -> None:
    run = a_run(
        a_grade(
            an_exercise(a_test(Outcome.PASSED), a_test(Outcome.FAILED, "test_y", "Wrong.", "Try.")),
            notes=(Note("a.txt", "is not Python"),),
        )
    )
    expected = """{
 "schema": 1,
 "course": "foreign",
 "grader": "0.1.0",
 "environment": {
  "jax": "0.10",
  "python": "3.11",
  "platform": "Linux x86_64",
  "isolation": [
   "files",
   "network",
   "processes",
   "memory",
   "privileges"
  ],
  "seed": ""
 },
 "submissions": [
  {
   "id": "ada",
   "digest": "d1",
   "score": 2.0,
   "max_score": 4.0,
   "exercises": [
    {
     "id": "01_first/double",
     "outcome": "failed",
     "score": 2.0,
     "max_score": 4.0,
     "tests": [
      {
       "id": "test_x",
       "title": "X holds.",
       "outcome": "passed",
       "points": 2.0,
       "max_points": 2.0,
       "seconds": 0.5,
       "message": "",
       "hint": "",
       "races": [],
       "advice": null,
       "basis": null
      },
      {
       "id": "test_y",
       "title": "X holds.",
       "outcome": "failed",
       "points": 0.0,
       "max_points": 2.0,
       "seconds": 0.5,
       "message": "Wrong.",
       "hint": "Try.",
       "races": [],
       "advice": null,
       "basis": null
      }
     ],
     "message": "Wrong.",
     "findings": [],
     "path": "",
     "counts": true
    }
   ],
   "notes": [
    {
     "path": "a.txt",
     "reason": "is not Python",
     "unreadable": false
    }
   ],
   "problem": null,
   "student": null,
   "at": "",
   "late": false,
   "own_clock": false,
   "attempt": 1,
   "attempt_of": {},
   "attempts": 1,
   "adjustments": []
  }
 ],
 "assignment": "",
 "due": "",
 "explanations": {},
 "show": "examples",
 "mistakes": false
}"""
    assert json.dumps(result_files.results(run), indent=1) == expected


def test_results_read_back_are_the_same_run() -> None:
    advice = Advice("transposed", "Its axes are swapped.", "Swap them.", 3, "x.T", "a page")
    told = dataclasses.replace(a_test(Outcome.FAILED), advice=advice, detail="")
    graded = dataclasses.replace(an_exercise(told), findings=(advice,))
    run = a_run(a_grade(graded, notes=(Note("a.txt", "is not Python"),)))
    read = from_plain(json.loads(json.dumps(result_files.results(run))), Run)
    assert read == redaction.public(run) == redaction.public(read)


def test_what_a_hidden_test_saw_is_in_the_details_alone(tmp_path: Path) -> None:
    run = a_run(a_grade(an_exercise(a_test(Outcome.PASSED), a_test(Outcome.FAILED, "test_y"))))
    results, details = result_files.write(run, tmp_path)
    assert (results.name, details.name) == ("results.json", "details.json")
    assert "SECRET" not in results.read_text()
    assert json.loads(details.read_text()) == {
        "schema": 1,
        "course": "foreign",
        "seed": "7",
        "submissions": [
            {
                "id": "ada",
                "digest": "d1",
                "tests": [
                    {
                        "exercise": "01_first/double",
                        "test": "test_y",
                        "outcome": "failed",
                        "detail": SECRET,
                    }
                ],
            }
        ],
    }


def test_what_a_judge_said_when_it_failed_is_in_the_details_alone() -> None:
    lost = ExerciseResult("01_first/double", Outcome.BROKEN, None, 0.0, message=SECRET)
    run = a_run(a_grade(lost))
    (exercise,) = result_files.results(run)["submissions"][0]["exercises"]
    assert exercise["message"] == (
        "This can't be scored. The fault is not yours, and your teacher can see it."
    )
    assert "SECRET" not in json.dumps(result_files.results(run))
    assert result_files.details(run).submissions[0].tests == (
        result_files.TestDetail("01_first/double", "", Outcome.BROKEN, SECRET),
    )


def test_an_unknown_mark_is_null_and_no_zero() -> None:
    run = a_run(a_grade(an_exercise(a_test(Outcome.BROKEN))))
    (submission,) = result_files.results(run)["submissions"]
    assert (submission["score"], submission["exercises"][0]["score"]) == (None, None)


def test_whatever_a_student_writes_can_be_written_and_read(tmp_path: Path) -> None:
    grade = a_grade(an_exercise(a_test(Outcome.FAILED, message=HOSTILE)), name=HOSTILE)
    results, details = result_files.write(a_run(grade), tmp_path / "new" / "folder")
    assert json.loads(results.read_bytes())["submissions"][0]["id"] == HOSTILE
    for path in (results, details):
        assert all(byte in range(32, 127) or byte == 10 for byte in path.read_bytes())


@pytest.mark.parametrize("points", [math.nan, math.inf])
def test_what_is_no_json_leaves_what_was_there(tmp_path: Path, points: float) -> None:
    good = a_grade(an_exercise(a_test(Outcome.PASSED)))
    result_files.write(a_run(good), tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    odd = dataclasses.replace(a_test(Outcome.PASSED), points=points)
    with pytest.raises(ValueError, match="JSON"):
        result_files.write(a_run(a_grade(an_exercise(odd))), tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_run_replaces_the_one_before(tmp_path: Path) -> None:
    for name in ("ada", "ben"):
        result_files.write(a_run(a_grade(an_exercise(a_test(Outcome.PASSED)), name=name)), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["details.json", "results.json"]
    assert json.loads((tmp_path / "results.json").read_text())["submissions"][0]["id"] == "ben"


def test_a_place_that_can_not_be_written_to_is_known_before_grading(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError) as caught:
        result_files.prepare(tmp_path / "file")
    assert str(caught.value) == (
        f"results can't be written to `{tmp_path}/file`: File exists. Name another folder."
    )
    result_files.prepare(tmp_path / "a" / "b")
    assert list((tmp_path / "a" / "b").iterdir()) == []


# A class


def test_a_class_is_a_table_that_fits_into_80_columns() -> None:
    names = ("ada", "ben.zip", "lastname_firstname_matriculation_12345.ipynb")
    shown = table(a_class(*names))
    assert (
        shown
        == """\
                      set  split  init  masked   fib  apply        pmap   mark
submission            row   many   mlp    mean  like  batch  sgd  train  of 16
───────────────────────────────────────────────────────────────────────────────
ada                   ✓ 2    ✗ 0   ✓ 2       ·   ! 0    ✓ 2  ✗ 0    ✓ 2      8
ben.zip               ✗ 0    ✓ 2     ·     ! 0   ✓ 2    ✗ 0  ✓ 2      ·      6
lastname_firstname_…  ✓ 2      ·   ! 0     ✓ 2   ✗ 0    ✓ 2    ·    ! 0      6

passed                  2      1     1       1     1      2    1      1   of 3
✓ passed   · missing   ✗ failed   ! raised"""
    )


def test_with_more_columns_than_fit_headings_are_numbers() -> None:
    shown = table(a_class("ada", exercises=10))
    assert (
        shown
        == """\
                                                           mark
submission    1    2    3  4    5    6    7    8  9   10  of 20
────────────────────────────────────────────────────────────────
ada         ✓ 2  ✗ 0  ✓ 2  ·  ! 0  ✓ 2  ✗ 0  ✓ 2  ·  ! 0      8

passed        1    0    1  0    0    1    0    1  0    0   of 1

1=set_row  2=split_many  3=init_mlp  4=masked_mean  5=fib_like  6=apply_batch
7=sgd  8=pmap_train  9=conv_same  10=scan
✓ passed   · missing   ✗ failed   ! raised"""
    )


def test_with_120_columns_nothing_is_cut() -> None:
    wide = table(a_class("lastname_firstname_matriculation_12345.ipynb", exercises=10), 120)
    assert "lastname_firstname_matriculation_12345.ipynb  ✓ 2" in wide
    assert "masked" in wide
    assert "1=set_row" not in wide


def test_many_exercises_are_shown_by_topic() -> None:
    passed, failed = a_test(Outcome.PASSED), a_test(Outcome.FAILED)
    first = [an_exercise(passed, name=f"01_arrays/e{n}") for n in range(10)]
    second = [an_exercise(passed, name="02_random/f"), an_exercise(failed, name="02_random/g")]
    shown = table(a_run(a_grade(*first, *second), a_grade(*first, *second[:1], second[0])))
    assert (
        shown
        == """\
                01      02   mark
submission  arrays  random  of 24
──────────────────────────────────
ada           ✓ 20     ✗ 2     22
ada           ✓ 20     ✓ 4     24

passed           2       1   of 2
✓ passed   ✗ failed"""
    )


def test_the_table_says_practice_and_which_points_rest_on_a_students_word() -> None:
    told = dataclasses.replace(a_test(Outcome.PASSED), basis=Basis.REPORT)
    counts = an_exercise(told, a_test(Outcome.PASSED, "test_y"))
    practice = dataclasses.replace(an_exercise(told, name="01_first/half"), counts=False)
    shown = table(a_run(a_grade(counts, practice), a_grade(counts, practice, name="ben")))
    assert ["ada", "✓", "4", "✓", "practice", "4"] in map(str.split, shown.splitlines())
    said = "points that rest on the student's word: 01_first/double 2 of 4, 01_first/half 2 of 2"
    assert said in shown.replace("\n", " ")
    assert "word" not in table(a_class("ada", "ben"))


def test_a_mark_that_is_not_known_is_a_question() -> None:
    unknown = a_grade(an_exercise(a_test(Outcome.BROKEN), name="a/x"), name="ben")
    known = a_grade(an_exercise(a_test(Outcome.PASSED), name="a/x"))
    assert "ben         # ?     ?\n" in table(a_run(known, unknown))


@pytest.mark.parametrize("width", [80, 120])
def test_a_name_from_outside_is_text_on_one_line(width: int) -> None:
    shown = table(a_class(HOSTILE, "[red]x[/red]", "two\nlines", "⌨" * 80), width)
    assert shown.count("\n") == table(a_class("a", "b", "c", "d"), width).count("\n")
    assert "�[2A�]0;owned�" in shown
    assert "[red]x[/red]" in shown
    assert "two�lines" in shown


# One submission


def test_a_submission_is_a_list_of_what_is_wrong() -> None:
    long = "A title that says in so many words what holds, so that it takes a second line."
    grade = a_grade(
        an_exercise(a_test(Outcome.PASSED), name="01_arrays/set_row"),
        an_exercise(
            a_test(Outcome.PASSED),
            a_test(Outcome.FAILED, "test_y", "12 of 12 values are wrong.", "Try.", title=long),
            a_test(Outcome.UNDECIDED, "test_z", "It was too noisy here."),
            name="02_random/split_many",
        ),
        an_exercise(a_test(Outcome.MISSING, message="Not submitted."), name="03_jit/f"),
        an_exercise(a_test(Outcome.MISSING, message="Not submitted."), name="03_jit/g"),
        notes=(Note("a.txt", "is not Python"),),
    )
    shown = report(grade)
    assert (
        shown
        == """\
ada  6 of 12
  ✓ 01_arrays/set_row     passed   2 of 2
  ✗ 02_random/split_many  failed   4 of 6
      ✗ A title that says in so many words what holds, so that it takes a second
        line. (-2)
          12 of 12 values are wrong.
          Hint: Try.
      ? X holds.
          It was too noisy here.
  · missing: 03_jit/f, 03_jit/g
  note a.txt: is not Python"""
    )


def test_where_most_of_a_course_is_missing_its_names_are_left_out() -> None:
    def with_missing(count: int) -> Grade:
        lost = [an_exercise(a_test(Outcome.MISSING), name=f"02_more/e{n}") for n in range(count)]
        return a_grade(an_exercise(a_test(Outcome.PASSED)), *lost)

    few, many = with_missing(12), with_missing(13)
    assert "02_more/e11" in report(few)
    assert report(many).endswith("\n  · missing: 13 of 14 exercises")
    assert printed(lambda console: grades.only_some(few, console)) == ""
    assert "`--exercise`" in printed(lambda console: grades.only_some(many, console))


def test_a_fault_that_loses_every_test_is_told_once() -> None:
    said = "Your code raised SyntaxError at line 1."
    seen = a_test(Outcome.RAISED, "test_seen", f"{said}\nIt called double(3)", "Hint one.")
    lost = [a_test(Outcome.RAISED, f"test_{n}", said, "Hint.") for n in range(3)]
    shown = report(a_grade(an_exercise(seen, *lost)))
    assert (
        shown
        == """\
ada  0 of 8
  ! 01_first/double  raised   0 of 8
      All 4 tests raise this error.
      Your code raised SyntaxError at line 1.
      It called double(3)"""
    )


def test_values_that_are_wrong_are_told_test_by_test() -> None:
    wrong = [a_test(Outcome.FAILED, f"test_{n}", "Wrong.", f"Hint {n}.") for n in range(2)]
    shown = report(a_grade(an_exercise(*wrong)))
    assert (shown.count("Wrong."), shown.count("Hint ")) == (2, 2)


def test_what_could_not_be_read_says_why_and_nothing_else() -> None:
    missing = an_exercise(a_test(Outcome.MISSING))
    grade = scoring.grade(Submission("fred", "d", problem="`fred` is an empty folder."), [missing])
    assert report(grade) == "fred  0 of 2\n  `fred` is an empty folder."


@pytest.mark.parametrize("width", [80, 120])
def test_nothing_in_a_submission_moves_a_cursor_or_is_markup(width: int) -> None:
    hostile = a_test(Outcome.RAISED, message=HOSTILE, hint=HOSTILE, title=HOSTILE)
    fine = a_test(Outcome.PASSED, "test_y")
    shown = report(
        a_grade(an_exercise(hostile, fine), name=HOSTILE, notes=(Note(HOSTILE, HOSTILE),)), width
    )
    assert shown.count("�[32m[bold]ok[/bold]�") == 6


def test_a_line_of_a_student_can_not_pass_for_one_of_ours() -> None:
    forged = "x\n  ✓ 02_random/split_many  passed   9 of 9"
    grade = a_grade(an_exercise(a_test(Outcome.FAILED), a_test(Outcome.PASSED, "test_y")))
    ours = report(grade).count("\n")
    forged_title = a_test(Outcome.FAILED, title=forged)
    again = a_grade(an_exercise(forged_title, a_test(Outcome.PASSED, "test_y")), name=forged)
    assert report(again, 120).count("\n") == ours
    message = a_test(Outcome.FAILED, message=forged)
    shown = report(a_grade(an_exercise(message, a_test(Outcome.PASSED, "test_y"))))
    assert "\n            ✓ 02_random" in shown


def test_a_flood_is_cut() -> None:
    flood = a_grade(an_exercise(a_test(Outcome.FAILED, message="x" * 10**6)), name="y" * 10**6)
    shown = report(flood)
    assert len(shown) < 6000
    assert "…" in shown


def test_a_tab_is_blanks() -> None:
    assert safe_text.clean("if x:\n\treturn") == "if x:\n    return"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, "?"), (0.0, "0"), (2.0, "2"), (0.5, "0.5"), (1 / 3, "0.33"), (1234567.0, "1234567")],
)
def test_points_are_short(value: float | None, shown: str) -> None:
    assert safe_text.number(value) == shown


# One run in every report


def test_every_report_counts_the_same_losses() -> None:
    def lost(outcome: Outcome, message: str, advice: Advice | None = None) -> TestResult:
        name = f"test_{next(numbers)}"
        return dataclasses.replace(a_test(outcome, name, message), detail="", advice=advice)

    numbers = itertools.count()
    here, there = (Advice("tracer-bool", f"Line {n} asks.", line=n) for n in (2, 9))
    exercise = an_exercise(
        a_test(Outcome.PASSED),
        lost(Outcome.RAISED, "One error."),
        lost(Outcome.RAISED, "One error.\nWith its input."),
        lost(Outcome.TIMED_OUT, "Two error."),
        lost(Outcome.FAILED, "Values are wrong."),
        lost(Outcome.FAILED, "Values are wrong."),
        lost(Outcome.RAISED, "It raised.", here),
        lost(Outcome.FAILED, "It is wrong.", here),
        lost(Outcome.RAISED, "It raised.", there),
    )
    run = a_run(a_grade(exercise))
    page = lxml.html.fromstring(html.page(run, run.submissions[0]))
    shown = report(run.submissions[0])
    said = ["One error.", "Two error.", "Values are wrong.", "Line 2 asks.", "Line 9 asks."]
    assert {
        "causes": len(causes(exercise)),
        "html": len(page.xpath("//section[@class='loss']")),
        "github": github.render(run).count("::error "),
        "sentences": sentences.submission(run.submissions[0]).count("\n"),
        "text": sum(shown.count(words) for words in said),
    } == dict.fromkeys(("causes", "html", "github", "sentences", "text"), 6)


# Other messages


def test_what_was_not_graded_is_a_line_for_each() -> None:
    grade = a_grade(name="ada", notes=(Note("a.txt", "is not Python"), Note("b\n.py", HOSTILE)))
    shown = printed(lambda console: grades.notes([grade], console), 120)
    first, second = shown.splitlines()
    assert first == "ada: a.txt: is not Python"
    assert second.startswith("ada: b�.py: �[2A�]0;owned�")
    unreadable = scoring.grade(Submission("fred", "d", problem="`fred` is an empty folder."), [])
    assert printed(lambda console: grades.notes([unreadable], console)) == (
        "fred: `fred` is an empty folder."
    )
    assert printed(lambda console: grades.notes([a_grade()], console)) == ""


def test_a_sentence_about_many_is_told_once() -> None:
    names = [f"p{number}" for number in range(8)]
    same = [a_grade(name=name, notes=(Note(name, "is not on the roster"),)) for name in names]
    assert printed(lambda console: grades.notes(same, console)) == (
        "p0, p1, p2, p3, p4, p5 and 2 more: is not on the roster"
    )


def test_a_fault_of_ours_is_told_once_however_many_it_hits() -> None:
    def hit(name: str) -> Grade:
        dead = ExerciseResult("02_more/dead", Outcome.BROKEN, None, 0.0, message="judge ended\x1b")
        return a_grade(an_exercise(a_test(Outcome.BROKEN)), dead, name=name)

    run = a_run(hit("ada"), hit("ben"))
    assert printed(lambda console: grades.broken(run, console)) == (
        f"BROKEN 01_first/double test_x\n  {SECRET}\nBROKEN 02_more/dead\n  judge ended�"
    )


@pytest.mark.parametrize(
    ("layers", "said"),
    [
        (LAYERS, "files, network, processes, memory, privileges"),
        (("files", "memory"), "files, memory; MISSING: network, processes, privileges"),
        ((), "NONE: submissions could do anything"),
    ],
)
def test_a_run_ends_with_what_isolated_it_and_how_to_repeat_it(
    layers: tuple[str, ...], said: str
) -> None:
    run = Run("foreign", "0", dataclasses.replace(ENVIRONMENT, isolation=layers), (a_grade(),))
    assert printed(lambda console: grades.footer(run, 41.4, console)) == (
        f"\nisolation {said}\n"
        "graded    1 submission in 41 s\n"
        "seed      7 (the same inputs again with `--seed`)"
    )


def test_a_problem_says_where_what_and_what_to_do() -> None:
    found = [Problem("tests/x.py:3", "holds [bold]\x1b[2J\nand more", "Take it out.")]
    assert printed(lambda console: course.problems(found, console)) == (
        "tests/x.py:3\n    holds [bold]�[2J\n    and more\n    Take it out."
    )


def examination(
    *layers: LayerFound,
    place: str = "machine",
    error: str = "",
    advice: str = "",
    named: tuple[str, ...] = (),
) -> Examination:
    where = ("Linux 5.10", "x86_64", place, "user")
    return Examination(*where, 0, "", error, advice, layers, named)


def test_a_layer_that_does_not_hold_says_what_got_through_and_what_to_do() -> None:
    found = examination(
        LayerFound("files", (), ("Landlock 7",), ""),
        LayerFound("network", ("open a port", "connect over TCP"), (), "Allow seccomp."),
        named=("tests/hidden/x.py",),
    )
    assert printed(lambda console: course.isolation(found, console)) == (
        "✓ files        holds\n"
        "✗ network      does not hold\n"
        "    A worker could open a port, connect over TCP.\n"
        "    Allow seccomp.\n"
        "Linux 5.10, x86_64, as user on a machine.\n"
        "Carried by Landlock 7.\n"
        "A worker can't read `tests/hidden/x.py`, but can see that it exists."
    )


def test_where_no_sandbox_starts_it_says_why_and_what_to_do() -> None:
    found = examination(error="There is no Landlock.", advice="Start Linux 5.13.", place="docker")
    assert printed(lambda console: course.isolation(found, console)) == (
        "✗ no sandbox starts\n"
        "    There is no Landlock.\n"
        "    Start Linux 5.13.\n"
        "Linux 5.10, x86_64, as user in docker."
    )


# Races


def a_race(verdict: Outcome, *launches: tuple[float, ...]) -> Race:
    tally = Tally(20, launches)
    return Race("step", 20, False, verdict, *tally.interval(), launches)


def test_a_teacher_is_told_of_races_without_a_verdict() -> None:
    race = a_race(Outcome.UNDECIDED, (18.0, 30.0, 19.0))
    test = dataclasses.replace(a_test(Outcome.UNDECIDED), races=(race,))
    run = a_run(a_grade(an_exercise(test)), a_grade(an_exercise(a_test(Outcome.PASSED)), name="bo"))
    (said,) = printed(lambda console: grades.undecided(run, console), 120).splitlines()
    assert said.startswith("? ada: 01_first/double test_x: 19x (18 to 30), needed 20x: no verdict")


@pytest.mark.parametrize("width", [40, 80, 160])
def test_a_race_is_drawn_in_the_width_that_there_is(width: int) -> None:
    race = a_race(Outcome.FAILED, (5.0, 5.1, 4.9), (5.0, 80.0))
    shown = printed(lambda console: console.print(picture.picture(race, width)), width)
    assert "needed 20x" in " ".join(shown.split())
    assert max(len(line) for line in shown.splitlines()) <= width
    histogram, axis = shown.splitlines()[1:3]
    # Slow pairs are left of the line, the fast one is right of it.
    assert histogram.index("█") < axis.index("┃") < len(histogram.rstrip()) - 1
