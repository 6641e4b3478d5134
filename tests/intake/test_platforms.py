"""The downloads of learning platforms: who submitted what, when, and whose row each file is.

The golden folders below `golden/platforms` hold the same class in the form of each platform.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import os
import re
import shutil
import zipfile
from pathlib import Path

import pytest

from grader.commands import options
from grader.course.course import Course
from grader.delivery import formats
from grader.intake import archive, reader
from grader.output.reports import sentences
from grader.output.reports.html import marks
from grader.records import scoring
from grader.records.errors import SubmissionError, UsageError
from grader.records.model import (
    LAYERS,
    Assignment,
    Environment,
    Outcome,
    Person,
    Run,
    Submission,
    TestResult,
)
from grader.teacher import roster
from grader.teacher.settle import settled
from tests.conftest import CourseMaker

GOLDEN = Path(__file__).parents[1] / "golden" / "platforms"
MARY, KATHERINE, ZOE, ALAN, EMMY, HEDY = (f"2026000{n}" for n in range(1, 7))
EVERYBODY = [MARY, KATHERINE, ZOE, ALAN, EMMY, HEDY]
FOLDERS = ("canvas", "moodle", "moodle_flat", "nbgrader", "github", "gradescope", "plain")


@pytest.fixture(scope="module")
def course(make_course: CourseMaker, tmp_path_factory: pytest.TempPathFactory) -> Course:
    return make_course(tmp_path_factory.mktemp("course"))


def handed_out(name: str, folder: Path) -> Path:
    """A platform's folder, with what can't be stored: GitHub's `.git`, and a second attempt."""
    copied = Path(shutil.copytree(GOLDEN / name, folder / name))
    if name == "plain":
        (copied / "enoether.py").write_text("def double(x):\n    return 3 * x\n")
    if name == "github":
        for clone in copied.iterdir():
            (clone / ".git").mkdir()
    return copied


def matched(name: str, course: Course, folder: Path, table: str = "") -> list[Submission]:
    table = table or ("github_roster.csv" if name == "github" else "roster.csv")
    found = reader.read_class(handed_out(name, folder), course, assignment="hw1")
    return roster.read(GOLDEN / table).matched(found)


@pytest.mark.parametrize("name", FOLDERS)
def test_each_file_finds_its_person(name: str, course: Course, tmp_path: Path) -> None:
    found = matched(name, course, tmp_path)
    known = {one.id for one in found if one.student and one.id in EVERYBODY}
    strangers = [one for one in found if one.id not in EVERYBODY]
    assert known == set(EVERYBODY)
    assert [one.notes[-1].reason for one in strangers] == [roster.UNKNOWN]
    work = {one.id for one in found if one.sources}
    assert work - {one.id for one in strangers} == {MARY, KATHERINE, ZOE, EMMY}


@pytest.mark.parametrize("name", FOLDERS)
def test_one_person_has_one_row_or_attempts(name: str, course: Course, tmp_path: Path) -> None:
    ids = [one.id for one in matched(name, course, tmp_path)]
    twice = {one for one in ids if ids.count(one) > 1}
    assert twice == ({EMMY} if name == "plain" else set())


def test_names_of_platforms_are_left_out(course: Course, tmp_path: Path) -> None:
    for name in FOLDERS:
        for one in reader.read_class(handed_out(name, tmp_path), course):
            said = " ".join([one.id, *(s.path for s in one.sources), *(n.path for n in one.notes)])
            assert "assignsubmission" not in said
            assert "_LATE_" not in said


def test_times_are_read_where_a_platform_tells_them(course: Course, tmp_path: Path) -> None:
    late = {n: {s.id: s for s in matched(n, course, tmp_path)}[KATHERINE] for n in FOLDERS}
    assert late["nbgrader"].at == "2026-10-08T00:14:00+00:00"
    assert late["gradescope"].at.startswith("2026-10-0")
    assert late["canvas"].late
    assert [late[name].at for name in ("canvas", "moodle", "plain")] == ["", "", ""]


def test_the_grades_of_github_tell_when_a_person_handed_in(course: Course, tmp_path: Path) -> None:
    found = matched("github", course, tmp_path, "github_grades.csv")
    times = {one.student.github: one.at for one in found if one.student}
    assert times["mary-jackson"].startswith("2026-10-")


@pytest.mark.parametrize(
    ("table", "has"),
    [
        ("canvas.csv", Person("", canvas="4101", login="mjackson", sis="20260001")),
        ("moodle.csv", Person("", moodle="55301")),
        ("github_roster.csv", Person("", github="mary-jackson")),
        ("gradescope.csv", Person("", name="Mary Jackson")),
    ],
)
def test_a_platforms_table_is_a_roster_as_it_is(table: str, has: Person) -> None:
    people = roster.read(GOLDEN / table).students
    expected = {name: value for name in Person.__slots__ if (value := getattr(has, name))}
    assert any(
        all(getattr(one, name) == value for name, value in expected.items()) for one in people
    )
    assert not any("Points Possible" in one.name or "Test" in one.name for one in people)


def test_a_canvas_download_is_read_from_its_zip(course: Course, tmp_path: Path) -> None:
    packed = tmp_path / "submissions.zip"
    with zipfile.ZipFile(packed, "w") as file:
        for path in sorted((GOLDEN / "canvas").iterdir()):
            file.write(path, path.name)
    one = {s.id: s.sources for s in reader.read_class(packed, course)}
    other = {s.id: s.sources for s in reader.read_class(GOLDEN / "canvas", course)}
    assert one == other


@pytest.mark.parametrize(
    "name",
    [
        "../evil.py",
        "/evil.py",
        "roe_7_8_a\u202eb.py",
        "roe_7_8_a\\b.py",
        "roe_7_8_" + "\u4e00" * 200 + ".py",
        "roe_7_8_x/" + "d/" * 500 + "double.py",
        "doe_1_2_double.py/x.py",
    ],
)
def test_no_name_in_a_zip_leads_out_of_it_or_blocks_the_class(
    name: str, course: Course, tmp_path: Path
) -> None:
    packed = tmp_path / "submissions.zip"
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("doe_1_2_double.py", "def double(x): return 2 * x\n")
        file.writestr(name, "x = 1\n")
    found = {one.id: one for one in reader.read_class(packed, course)}
    assert len(found["doe_1"].sources) == 1
    assert len(found) == 2
    assert list(tmp_path.iterdir()) == [packed]


def test_a_zip_that_fills_the_disk_is_refused(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = tmp_path / "submissions.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for number in range(5):
            file.writestr(f"doejane_1_{number}_double.py", bytes(1 << 20))
    monkeypatch.setattr(archive, "MAX_CLASS", 3 << 20)
    with pytest.raises(SubmissionError, match="can't be unpacked: it contains more than"):
        list(reader.read_class(packed, course))


def test_the_exchange_of_nbgrader_is_refused(course: Course, tmp_path: Path) -> None:
    """Every student can make a folder there, with any name."""
    for login in ("ada", "ben"):
        (tmp_path / f"{login}+hw1+2026-10-07 20:14:03.512345 UTC+r4nd").mkdir()
    (tmp_path / "submission_metadata.yml").write_text("eve:\n  :submitters:\n  - :name: Ada\n")
    with pytest.raises(SubmissionError, match=r"Run `nbgrader collect`, and grade `submitted/`"):
        list(reader.read_class(tmp_path, course))


def test_one_name_of_the_exchange_stops_no_class(course: Course, tmp_path: Path) -> None:
    for name in ("ada", "ben", "eve+hw1+2026-10-07 20:14:03.5 UTC"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "double.py").write_text("def double(x): return x\n")
    assert len(list(reader.read_class(tmp_path, course))) == 3


def test_a_time_of_nbgrader_is_the_students_own_until_a_roster_has_one(
    course: Course, tmp_path: Path
) -> None:
    folder = handed_out("nbgrader", tmp_path)
    found = list(reader.read_class(folder, course, assignment="hw1"))
    assert {one.own_clock for one in found if one.at} == {True}
    assert not any(one.own_clock for one in found if not one.at)
    late = next(one for one in found if one.at)
    assignment = Assignment("hw1", "HW 1", (), due=f"{late.at[:10]}T00:00:00+00:00", late=10.0)
    (mark,) = settled([scoring.grade(late, ())], assignment)
    assert "1 day late by the student's own clock" in mark.grade.adjustments[0].why
    assert "by the student's own clock." in next(sentences.handed_in(mark.grade))
    assert "by the student's own clock" in marks.handed_in(mark.grade)
    person = Person(late.id, login=late.id)
    people = roster.Roster((person,), times={late.id: "2026-10-07T21:00:00+00:00"})
    (known,) = people.known([late])
    assert (known.at[11:13], known.own_clock) == ("21", False)


def test_a_group_on_gradescope_has_a_row_for_each_member(course: Course, tmp_path: Path) -> None:
    table = "submission_7:\n  :submitters:\n  - :name: Ada\n    :email: a@x\n  - :name: Ben\n"
    (tmp_path / "submission_metadata.yml").write_text(table)
    (tmp_path / "submission_7").mkdir()
    (tmp_path / "submission_7" / "double.py").write_text("def double(x):\n    return 2 * x\n")
    found = list(reader.read_class(tmp_path, course))
    assert [one.id for one in found] == ["a@x", "Ben"]
    assert found[0].sources == found[1].sources != ()


@pytest.mark.parametrize("table", ["- 1", "{", "a: !!python/object:os.system x", "\x00"])
def test_a_damaged_table_of_gradescope_is_told(table: str, course: Course, tmp_path: Path) -> None:
    (tmp_path / "submission_metadata.yml").write_text(table)
    with pytest.raises(SubmissionError, match=r"submission_metadata.yml.*[Ee]xport"):
        list(reader.read_class(tmp_path, course))


FAULTY = [
    ("", "names no column"),
    ("colour\nred\n", "names no column that identifies a person; it has `colour`"),
    ("id,name\n", "names nobody"),
    ("id,name\n1,Ada\n1,Ben\n", "line 3.*two people are `1`"),
    ("name,section\nAda,A\n,B\n", "line 3 of .* names nobody"),
]


@pytest.mark.parametrize(("text", "says"), FAULTY)
def test_a_faulty_roster_is_told(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    path.write_text(text)
    with pytest.raises(UsageError, match=says):
        roster.read(path)
    with pytest.raises(UsageError, match="can't be read"):
        roster.read(tmp_path / "nowhere.csv")


def test_a_roster_may_be_saved_by_a_spreadsheet(tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    path.write_bytes("\ufeffE-Mail;Name;Section\na@x;Jürgen Ö;1\n".encode())
    (one,) = roster.read(path).students
    assert (one.email, one.name, one.section) == ("a@x", "Jürgen Ö", "1")
    path.write_bytes("name\nJürgen\n".encode("latin-1"))
    with pytest.raises(UsageError, match="not in UTF-8"):
        roster.read(path)


def documented_columns() -> dict[str, list[str]]:
    """Each column of the table in the teachers' page, and what else it may be called."""
    page = Path(__file__).parents[2] / "docs" / "teachers-rules.md"
    _, _, table = page.read_text().partition("| column | what it contains | also called |\n")
    rows = re.findall(r"^\| `(\w+)` \| .* \| (.*) \|$", table.partition("\n\n")[0], re.M)
    return {name: re.findall("`(.*?)`", more) for name, more in rows}


def test_the_documented_columns_are_all_that_a_person_has() -> None:
    assert list(documented_columns()) == [field.name for field in dataclasses.fields(Person)]


@pytest.mark.parametrize("column", [field.name for field in dataclasses.fields(Person)])
def test_every_documented_column_of_a_roster_works(column: str, tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    for heading in (column, column.upper(), *documented_columns()[column]):
        if heading in ("first name", "last name"):
            continue
        path.write_text(
            f"{heading},section\nx1,A\n"
            if column not in ("section", "team")
            else f"id,{heading}\n1,x1"
        )
        found = roster.read(path)
        assert (getattr(found.students[0], column), found.told) == ("x1", ())
    path.write_text("first name,last name\nAda,Roe\n")
    assert roster.read(path).students[0].name == "Ada Roe"


def test_a_column_that_isnt_used_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "roster.csv"
    path.write_text("ID,Sectoin,,Colour,student id\n1,A,,red,2\n")
    column, names = (
        f"of the roster `{path}` isn't used.",
        [f.name for f in dataclasses.fields(Person)],
    )
    known = f"Known columns: {', '.join(f'`{name}`' for name in names)}."
    assert roster.read(path).told == (
        f"the column `Sectoin` {column} Did you mean `section`? {known}",
        f"the column `Colour` {column} {known}",
        f"the column `student id` {column} `ID` says the same.",
    )
    options.people_of(path)
    assert "note: the column `Sectoin`" in capsys.readouterr().err


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.csv")), ids=lambda path: path.stem)
def test_a_platforms_own_columns_are_no_mistakes(path: Path) -> None:
    assert roster.read(path).told == ()


def test_a_name_that_two_people_have_tells_nobody(course: Course) -> None:
    people = roster.Roster((Person("1", "Mary Jackson"), Person("2", "Mary Jackson")))
    named = Submission("x", "", student=Person("x", "Mary Jackson"))
    assert people.find([named, Submission("2", "")]) == [None, people.students[1]]


def test_nobody_takes_a_row_by_a_display_name(course: Course) -> None:
    """In Moodle a person may change it. Two with one name and two numbers are two people."""
    people = roster.Roster((Person("1", "Jane Doe"), Person("2", "Ada Roe", moodle="7")))
    jane = Submission("a", "", student=Person("a", "Jane Doe", moodle="5"))
    eve = Submission("b", "", student=Person("b", "Jane Doe", moodle="6"))
    assert people.find([jane]) == [people.students[0]]
    assert people.find([jane, eve]) == [None, None]
    # Who is known by a number stays known.
    ada = Submission("c", "", student=Person("c", "Ada Roe", moodle="7"))
    fake = Submission("d", "", student=Person("d", "Ada Roe", moodle="8"))
    assert people.find([ada, fake]) == [people.students[1], None]
    # On two platforms, one person has two numbers.
    canvas = Submission("e", "", student=Person("e", "doejane", canvas="9"))
    assert people.find([jane, canvas]) == [people.students[0]] * 2


DOWNLOADS = ("gradescope", "canvas", "moodle", "nbgrader", "github")


def zipped(folder: Path, target: Path, top: str = "") -> Path:
    with zipfile.ZipFile(target, "w") as packed:
        for path in sorted(folder.rglob("*")):
            packed.write(path, f"{top}{path.relative_to(folder)}")
        packed.writestr(f"__MACOSX/{top}._x", "")
    return target


@pytest.mark.parametrize("name", [*DOWNLOADS, "canvas.zip"])
def test_a_class_inside_a_class_is_told(name: str, course: Course, tmp_path: Path) -> None:
    """It is one person, and so everybody else would have nothing."""
    if name == "canvas.zip":
        zipped(GOLDEN / "canvas", tmp_path / name)
    else:
        handed_out(name, tmp_path)
    (tmp_path / "ada.py").write_text("def double(x): return x\n")
    ada, other = reader.read_class(tmp_path, course)
    assert not ada.notes
    assert "name it with `--class`" in other.notes[0].reason


@pytest.mark.parametrize("name", DOWNLOADS)
def test_a_student_of_a_platform_can_not_stop_the_class(
    name: str, course: Course, tmp_path: Path
) -> None:
    """Anybody can submit a folder with a platform's table and other people's names in it."""
    (tmp_path / "Eve_55_assignsubmission_file").mkdir()
    handed_out(name, tmp_path / "Eve_55_assignsubmission_file").rename(tmp_path / "hers")
    (tmp_path / "Eve_55_assignsubmission_file").rmdir()
    (tmp_path / "hers").rename(tmp_path / "Eve_55_assignsubmission_file")
    (tmp_path / "Ada_56_assignsubmission_file_double.py").write_text("def double(x): return x\n")
    ada, eve = reader.read_class(tmp_path, course)
    assert (ada.id, eve.id) == ("Ada_56", "Eve_55")
    assert any("name it with `--class`" in note.reason for note in eve.notes)


@pytest.mark.parametrize("kind", ["zip", "folder"])
def test_a_folder_on_top_of_a_class_is_told(kind: str, course: Course, tmp_path: Path) -> None:
    """Programs that pack a folder put it on top."""
    folder = handed_out("plain", tmp_path / "in")
    above = folder.parent
    if kind == "zip":
        above = zipped(folder, tmp_path / "in.zip", "plain/")
    said: list[str] = []
    (one,) = reader.read_class(above, course, tell=said.append)
    assert one.id == "plain"
    assert "contains one folder, `plain`, which is graded as one student's work" in said[0]


def test_files_called_student_exercise_are_joined(course: Course, tmp_path: Path) -> None:
    for name in ("ada_double.py", "ada_triple.py", "kim_min_double.ipynb", "zoe.py"):
        (tmp_path / name).write_text("def double(x): return x\n")
    more = dataclasses.replace(course.exercises[0], id="01_first/triple", defines=("triple",))
    wider = dataclasses.replace(course, exercises=(*course.exercises, more))
    said: list[str] = []
    found = list(reader.read_class(tmp_path, wider, tell=said.append))
    assert [one.id for one in found] == ["ada", "kim_min", "zoe"]
    assert {source.path for source in found[0].sources} == {"double.py", "triple.py"}
    assert said[0].startswith("most entries are named STUDENT_EXERCISE, such as `ada_double`: they")


def test_one_person_may_be_called_as_an_exercise(course: Course, tmp_path: Path) -> None:
    for name in ("ada_double.py", "ben.py"):
        (tmp_path / name).write_text("def double(x): return x\n")
    said: list[str] = []
    found = [one.id for one in reader.read_class(tmp_path, course, tell=said.append)]
    assert (found, said) == (["ada_double", "ben"], [])


def test_a_file_name_makes_nobody_of_somebody_else(course: Course, tmp_path: Path) -> None:
    """What stands before the last number is chosen by a person, or what stands after it."""
    for name in (
        "jacksonmary_4101_4105_90216_double.py",
        "Emmy Noether_55_assignsubmission_file_x_4101_90211_double.py",
    ):
        (tmp_path / name).write_text("def double(x): return x\n")
    people = roster.Roster((Person("1", "Mary Jackson", canvas="4101"),))
    found = list(reader.read_class(tmp_path, course))
    assert people.find(found) == [None, None]


def test_who_is_known_to_be_another_is_no_namesake(course: Course) -> None:
    mary = Person("1", "Mary Jackson", "mjackson", "m@x", github="mary-jackson", canvas="4101")
    people = roster.Roster((mary,))
    for claimed in (
        Person("a", "Mary Jackson", email="eve@x"),
        Person("a", "Mary Jackson", canvas="4102"),
        Person("mjackson", login="mjackson", github="mjackson"),
    ):
        assert people.find([Submission("a", "", student=claimed)]) == [None]
    by_name = roster.Roster((Person("1", "Mary Jackson"),))
    clone = Person("maryjackson", login="maryjackson", github="maryjackson")
    assert by_name.find([Submission("maryjackson", "", student=clone)]) == [None]


def test_one_file_makes_no_class_another_platforms(course: Course, tmp_path: Path) -> None:
    for name in ("ada", "ben", "eve"):
        (tmp_path / name / "01_first").mkdir(parents=True)
        (tmp_path / name / "01_first" / "double.py").write_text("def double(x): return x\n")
    (tmp_path / "eve" / "01_first" / "timestamp.txt").write_text("2026-10-01 00:00:00 UTC")
    os.mkfifo(tmp_path / "ben" / "01_first" / "timestamp.txt")
    assert [one.at for one in reader.read_class(tmp_path, course)] == ["", "", ""]


# There and back: what a platform exported, it finds again in what is imported.


def imported(csv_name: str, report: str) -> list[dict[str, str]]:
    """The file for the gradebook, for a class of all people on a platform's own table."""
    people = roster.read(GOLDEN / csv_name).matched([])
    test = TestResult("t", "T.", Outcome.PASSED, 2.0, 2.0)
    result = scoring.exercise_result("01_first/double", (test,))
    grades = tuple(scoring.grade(one, [result]) for one in people)
    environment = Environment("0.10", "3.11", "Linux", LAYERS, "7")
    run = Run("foreign", "0", environment, grades, assignment="Homework 1")
    return list(csv.DictReader(io.StringIO(formats.FORMATS[report].render(run))))


def exported(csv_name: str) -> list[dict[str, str]]:
    text = (GOLDEN / csv_name).read_text(encoding="utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def test_canvas_gets_back_the_people_that_it_exported() -> None:
    """Canvas asks for these columns in this order, the points possible in a row of their own."""
    columns = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    points, *rows = imported("canvas.csv", "canvas")
    assert list(points) == [*columns, "Homework 1"]
    assert points["Student"].strip() == "Points Possible"
    expected = [row for row in exported("canvas.csv") if row["ID"]]
    known = {row["ID"]: row for row in expected if not row["Student"].startswith("Student, Test")}
    assert {row["ID"] for row in rows} == set(known)
    for row in rows:
        assert {c: row[c] for c in columns} == {c: known[row["ID"]][c] for c in columns}


def test_moodle_gets_back_the_people_that_it_exported() -> None:
    known = {row["Identifier"]: row for row in exported("moodle.csv")}
    rows = imported("moodle.csv", "moodle")
    assert {row["Identifier"] for row in rows} == set(known)
    # Without the first three, Moodle refuses the worksheet.
    assert {"Identifier", "Grade", "Last modified (grade)"} <= set(rows[0]) & set(
        next(iter(known.values()))
    )
    for row in rows:
        for column in ("Full name", "Email address", "ID number"):
            assert row[column] == known[row["Identifier"]][column]


# A mark lands on nobody else.


def graded_as(platform: str, people: roster.Roster, *handed_in: Submission) -> tuple[str, str]:
    """The gradebook's file, and the sentence about people whom the platform can't find."""
    test = TestResult("t", "T.", Outcome.PASSED, 2.0, 2.0)
    result = scoring.exercise_result("01_first/double", (test,))
    grades = tuple(scoring.grade(one, [result]) for one in people.matched(handed_in))
    run = Run("foreign", "0", Environment("0.10", "3.11", "Linux", LAYERS, "7"), grades)
    made = formats.FORMATS[platform]
    return made.render(run), " ".join(made.told(run))


CLONE = Submission("kim-min", "", student=Person("kim-min", github="kim-min"))
ON_JUPYTERHUB = Submission("kim-min", "", student=Person("kim-min", login="kim-min"))


@pytest.mark.parametrize("platform", ["canvas", "moodle"])
@pytest.mark.parametrize("given", [CLONE, ON_JUPYTERHUB, Submission("kim-min", "")])
@pytest.mark.parametrize("bob", [Person("bob", github="kim-min"), Person("kim-min"), None])
def test_a_login_of_another_platform_is_written_nowhere(
    platform: str, given: Submission, bob: Person | None
) -> None:
    ann = Person("ann", "Ann One", login="amin", canvas="501", moodle="7")
    people = roster.Roster((ann, bob) if bob else (ann,))
    rendered, told = graded_as(platform, people, given)
    column = {"canvas": "SIS Login ID", "moodle": "Username"}[platform]
    rows = csv.DictReader(io.StringIO(rendered))
    assert {row[column] for row in rows} == {"", "amin"}
    name = bob.id if bob else "kim-min"
    assert told.startswith(f"{platform.capitalize()} can't find `{name}` by `{platform}.csv`. Give")


def test_a_chosen_login_is_nobodys_where_the_roster_knows_such_logins() -> None:
    ann = Person("ann", login="kim-min")
    people = roster.Roster((ann, Person("eve", github="eve-low")))
    assert people.find([CLONE]) == [None]
    assert roster.Roster((ann,)).find([CLONE]) == [ann]


def test_who_can_be_found_is_not_told() -> None:
    people = roster.Roster(tuple(Person("x", **{key: "1"}) for key in ("canvas", "sis", "login")))
    assert graded_as("canvas", people)[1] == ""
    assert len(graded_as("csv", people)[1]) == 0
    many = roster.Roster(tuple(Person(f"p{number}") for number in range(23)))
    assert "`p19` and 3 more by" in graded_as("canvas", many)[1]
