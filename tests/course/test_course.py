"""A course on disk: how it is found, what its catalogue may say, and what it must hold."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.author.handout import write_handout
from grader.course import course as courses
from grader.course.course import Course, find, find_judging, load
from grader.records.errors import CourseError, NoCourseError, UsageError
from grader.records.model import Exercise, Limits
from tests.conftest import write

Maker = Callable[..., Course]
ENTRY = '[[exercise]]\nid = "01_first/double"\n'
TWO_MORE = '[[exercise]]\nid = "02_more/halve"\n[[exercise]]\nid = "02_more/triple"\n'


def catalog(folder: Path, text: str) -> Path:
    path = folder / "catalog.toml"
    path.write_text(text, encoding="utf-8")
    return path


def wrong(folder: Path, text: str) -> list[str]:
    """The problems for which a catalogue is refused."""
    path = catalog(folder, text)
    with pytest.raises(CourseError) as caught:
        load(path)
    first, *rest = str(caught.value).splitlines()
    assert first == f"`{path}` is not a valid catalogue; fix all of this:"
    return [line.strip() for line in rest]


# Found


def test_a_course_is_found_upward_from_any_folder_in_it(foreign: Course) -> None:
    assert foreign.root is not None
    for start in (foreign.root, foreign.stubs / "01_first", foreign.wrong(foreign["double"])):
        assert find(start=start) == foreign


def test_the_folder_where_one_stands_counts(
    foreign: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(foreign.stubs)
    assert find() == foreign


def test_the_nearest_course_wins(foreign: Course, tmp_path: Path) -> None:
    assert foreign.root is not None
    catalog(tmp_path, 'schema = 1\nname = "outer"\n')
    (tmp_path / "inner").mkdir()
    catalog(tmp_path / "inner", 'schema = 1\nname = "inner"\n')
    assert find(start=tmp_path / "inner").name == "inner"


def test_a_named_course_beats_the_one_around_here(
    foreign: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalog(tmp_path, "schema = 1\n")
    monkeypatch.chdir(tmp_path)
    assert find(foreign.root) == foreign
    assert find(foreign.stubs) == foreign


def test_outside_of_any_course_the_installed_one_is_taken(tmp_path: Path) -> None:
    assert find(start=tmp_path) == courses.installed()


def test_where_there_is_no_course_one_is_told_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(courses, "installed", lambda: None)
    with pytest.raises(CourseError) as caught:
        find(start=tmp_path)
    assert str(caught.value) == (
        f"no course at `{tmp_path}` or above it, and none is installed. Go to your course's "
        "folder, or name it with `--course DIR`."
    )
    assert caught.value.exit_code == 3


def test_a_named_folder_without_a_course_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CourseError) as caught:
        find(tmp_path)
    assert str(caught.value) == (
        f"`{tmp_path}` is not a course: it has neither `exercises/catalog.toml` nor "
        "`catalog.toml`. `grader new --course DIR` starts one."
    )


# Which course judges


@pytest.fixture
def ours(foreign: Course, monkeypatch: pytest.MonkeyPatch) -> Course:
    """The course that is installed."""
    monkeypatch.setattr(courses, "installed", lambda: foreign)
    return foreign


def refused(start: Path, *graded: Path) -> str:
    with pytest.raises(UsageError) as caught:
        find_judging(None, graded, start)
    return str(caught.value)


def test_the_installed_course_judges_from_anywhere(ours: Course, tmp_path: Path) -> None:
    for start in (tmp_path, ours.stubs.parent, ours.stubs / "01_first"):
        assert find_judging(None, [tmp_path / "ada.py"], start) == ours


def test_a_course_around_here_judges_only_by_its_name(
    ours: Course, make_course: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    eve = make_course(tmp_path / "e ve")
    monkeypatch.chdir(tmp_path / "e ve" / "solutions")
    for graded in ([], [tmp_path / "e ve" / "double.py"], [tmp_path / "ben.py"]):
        assert refused(Path(), *graded) == (
            f"`{tmp_path}/e ve` contains a course that isn't the installed one. A submission can "
            "also contain a course, and suites run outside the sandbox. So name the course that "
            "judges: `--course ..`, if this one is yours."
        )
    assert find_judging(Path(".."), [tmp_path / "e ve"]) == eve
    monkeypatch.chdir(tmp_path)
    assert find_judging(None, [tmp_path / "e ve"]) == ours


def test_a_link_to_a_course_elsewhere_is_no_way_around(
    ours: Course, make_course: Maker, tmp_path: Path
) -> None:
    ben = make_course(tmp_path / "ben")
    eve = tmp_path / "eve"
    eve.mkdir()
    (eve / "exercises").symlink_to(ben.stubs)
    assert refused(eve, eve / "double.py").startswith(f"`{eve}` contains a course")


def test_a_faulty_catalogue_in_a_students_folder_is_not_even_read(
    ours: Course, tmp_path: Path
) -> None:
    catalog(tmp_path, "]")
    assert refused(tmp_path).startswith(f"`{tmp_path}` contains a course")


def test_even_the_installed_course_does_not_judge_what_it_contains_or_lies_in(
    ours: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ours.root is not None
    monkeypatch.chdir(ours.root)
    (tmp_path / "link").symlink_to(ours.root)
    inside = ours.root / "eve" / "double.py"
    assert refused(Path(), inside) == (
        f"`{inside}` is in `{ours.root}`: a course isn't used automatically for work that it "
        "contains, or that contains it, since such work could contain its own suites. If the "
        "course is yours, add `--course .`."
    )
    for path in (
        ours.root,
        ours.root.parent,
        ours.root / "solutions",
        tmp_path / "link" / "eve",
        tmp_path / ".." / tmp_path.name / "link",
        Path("double.py"),
    ):
        assert "add `--course" in refused(tmp_path, tmp_path / "ada.py", path)


def test_without_an_installed_course_one_has_to_be_named(
    foreign: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(courses, "installed", lambda: None)
    with pytest.raises(NoCourseError, match="`--course DIR`"):
        find_judging(start=tmp_path)
    assert find_judging(foreign.root) == foreign


# The catalogue


def test_a_catalogue_gives_titles_devices_and_limits(make_course: Maker, tmp_path: Path) -> None:
    course = make_course(
        tmp_path,
        catalog="""
[[exercise]]
id = "02_more/sgd"
title = "Descend"
defines = ["init", "update"]
devices = 8
runs_long = true

[exercise.limits]
seconds = 2.5
""",
    )
    assert [e.id for e in course.exercises] == ["01_first/double", "02_more/sgd"]
    double, sgd = course.exercises
    assert (double.defines, double.devices, double.limits.seconds) == (("double",), 1, 240)
    limits = Limits(2.5, total_seconds=600, memory_mb=1200, disk_mb=4, output_kb=32)
    assert sgd == Exercise("02_more/sgd", "Descend", ("init", "update"), 8, limits, runs_long=True)
    assert (sgd.topic, sgd.stem) == ("02_more", "sgd")


def test_what_a_catalogue_leaves_out_has_a_default(tmp_path: Path) -> None:
    course = load(catalog(tmp_path, f"schema = 1\n{ENTRY}"))
    (exercise,) = course.exercises
    assert course.name == tmp_path.parent.name
    assert exercise == Exercise("01_first/double", "01_first/double", ("double",), 1, Limits())


def test_everything_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    text = """
schema = 2
exercises = []

[limits]
seconds = 0
memory_mb = 1.5
scaled = 3

[[exercise]]
id = "Double"

[[exercise]]
title = "No id"

[[exercise]]
id = "01_first/double"
nunpy = true
devices = true
runs_long = 1
counts = "no"
defines = "double"

[[exercise]]
id = "02_more/double"
devices = 65
defines = ["two words"]
limits = {seconds = inf, threads = -1, output_kb = false, total_seconds = "long"}

[[exercise]]
id = "02_more/other"
limits = 3

[[exercise]]
id = "02_more/guess"
kind = "predict"
counts = true
"""
    assert wrong(tmp_path, text) == [
        "`schema` is 2; this grader reads 1",
        "`exercises` is an unknown key. Did you mean `[[exercise]]`?",
        "`limits`: `seconds` is 0; give seconds above 0",
        "`limits`: `memory_mb` is 1.5; give a whole number",
        "`limits`: `scaled` is an unknown key. There are `seconds`, `total_seconds`, `memory_mb`, "
        "`threads`, `output_kb`, `message_mb`, `disk_mb`.",
        "exercise id 'Double' is not of the form `topic/stem`",
        "exercise id None is not of the form `topic/stem`",
        "`01_first/double`: `nunpy` is an unknown key. Did you mean `numpy`?",
        "`01_first/double`: `devices` is True; use 1 to 64",
        "`01_first/double`: `runs_long` is 1; use true or false",
        "`01_first/double`: `counts` is 'no'; use true or false",
        "`01_first/double`: `defines` is 'double'; give a list of Python names",
        "`02_more/double`: `devices` is 65; use 1 to 64",
        "`02_more/double`: `defines` is ['two words']; give a list of Python names",
        "`limits` of `02_more/double`: `seconds` is inf; give seconds above 0",
        "`limits` of `02_more/double`: `threads` is -1; give a whole number",
        "`limits` of `02_more/double`: `output_kb` is False; give a whole number",
        "`limits` of `02_more/double`: `total_seconds` is 'long'; give seconds above 0",
        "`02_more/other`: `limits` is 3; give a table",
        "`02_more/guess`: predictions are for practice. Remove `counts = true`",
        "`02_more/double` and `01_first/double` share a stem",
    ]


@pytest.mark.parametrize("kind", ["write", "fix", "predict", "fast"])
def test_only_predictions_are_for_practice_by_their_kind(kind: str, tmp_path: Path) -> None:
    text = f'schema = 1\n[[exercise]]\nid = "01_first/double"\nkind = "{kind}"\n'
    (tmp_path / "catalog.toml").write_text(text)
    assert load(tmp_path / "catalog.toml").exercises[0].counts == (kind != "predict")


@pytest.mark.parametrize("entries", ["3", '["a/b"]', "{id = 1}"])
def test_exercises_that_are_no_tables_are_refused(tmp_path: Path, entries: str) -> None:
    (said,) = wrong(tmp_path, f"schema = 1\nexercise = {entries}\n")
    assert said.startswith("`exercise` is ")
    assert said.endswith("; write each exercise as a table, under `[[exercise]]`")


@pytest.mark.parametrize(
    "name", ["../x/double", "a/../double", "a/b/c", "A/b", "a/1b", "a/b.py", "a/", "/b", "a/b\\n"]
)
def test_an_id_leads_nowhere_else(tmp_path: Path, name: str) -> None:
    (said,) = wrong(tmp_path, f'schema = 1\n[[exercise]]\nid = "{name}"\n')
    assert said.endswith("is not of the form `topic/stem`")


@pytest.mark.parametrize("content", [b"schema = ", b"\xff\xfe", None])
def test_a_catalogue_that_can_not_be_read_is_named(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "catalog.toml"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    with pytest.raises(CourseError) as caught:
        load(path)
    assert str(caught.value).startswith(f"`{path}` can't be read as a catalogue: ")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tests/mutants/01_first/double.py", "solutions/TOPIC/STEM.wrong.py"),
        ("tests/variants/01_first/double.py", "solutions/TOPIC/STEM.right.py"),
        ("tests/regressions/01_first/double.py", "# %% once missed"),
        ("exercises/01_first/double.hints", "exercises/TOPIC/STEM.md"),
        ("exercises/01_first/double.picture", "exercises/TOPIC/STEM.md"),
        ("exercises/01_first/double.mistakes", "exercises/known_mistakes.jsonl"),
    ],
)
def test_a_former_layout_is_an_error_that_names_the_new_places(
    make_course: Maker, tmp_path: Path, old: str, new: str
) -> None:
    """Else its answers would be ignored without a word."""
    course = make_course(tmp_path)
    write(tmp_path, {old: ""})
    with pytest.raises(CourseError) as caught:
        load(course.catalog)
    place = f"*.{old.rpartition('.')[2]}" if "exercises" in old else old.partition("01_first")[0]
    assert f"`{place}`" in str(caught.value)
    assert f"`{new}`" in str(caught.value)


# Chosen


def test_exercises_are_chosen_by_id_or_stem_in_the_order_of_the_course(
    make_course: Maker, tmp_path: Path
) -> None:
    course = make_course(tmp_path, catalog=TWO_MORE)
    assert course["halve"] == course["02_more/halve"]
    assert [e.stem for e in course.select(["triple", "01_first/double", "double"])] == [
        "double",
        "triple",
    ]
    assert course.select([]) == course.exercises


@pytest.mark.parametrize(
    ("name", "stems"),
    [
        ("halve", ["halve"]),
        ("02_more/halve", ["halve"]),
        ("02_more/halve.py", ["halve"]),
        ("halve.py", ["halve"]),
        ("./02_more/halve.py", ["halve"]),
        ("course\\exercises\\02_more\\halve.py", ["halve"]),
        ("/home/ada/course/02_more/halve.md", ["halve"]),
        ("solutions/02_more/halve.wrong.py", ["halve"]),
        ("02_more", ["halve", "triple"]),
        ("02_more/", ["halve", "triple"]),
        ("exercises/02_more.ipynb", ["halve", "triple"]),
    ],
)
def test_a_path_a_topic_and_a_notebook_name_exercises(
    make_course: Maker, tmp_path: Path, name: str, stems: list[str]
) -> None:
    course = make_course(tmp_path, catalog=TWO_MORE)
    assert [exercise.stem for exercise in course.select([name])] == stems


def test_an_unknown_exercise_is_told_with_those_that_are_like_it(
    make_course: Maker, tmp_path: Path
) -> None:
    course = make_course(tmp_path, catalog=TWO_MORE)
    with pytest.raises(UsageError) as caught:
        course.select(["double", "doubel"])
    assert str(caught.value) == (
        "no exercise or topic `doubel` in the course `foreign`. Did you mean `double`? "
        "`grader list` shows all."
    )
    assert caught.value.exit_code == 2


# Secrets


def test_a_handout_has_stubs_and_no_secrets(foreign: Course, tmp_path: Path) -> None:
    write_handout(foreign, tmp_path / "out")
    course = find(tmp_path / "out")
    exercise = course["double"]
    assert (course.root, course.stub(exercise).is_file()) == (None, True)
    secrets = (course.solution, course.suite, course.wrong, course.right)
    for ask in (*(lambda ask=ask: ask(exercise) for ask in secrets), course.secrets):
        with pytest.raises(CourseError) as caught:
            ask()
        assert str(caught.value) == (
            f"`{tmp_path / 'out'}` is a handout: it contains no hidden suites or solutions. Point "
            "`--course` at the course itself to grade or to verify."
        )


def test_a_folder_called_exercises_without_solutions_beside_it_is_a_handout(
    foreign: Course, tmp_path: Path
) -> None:
    write_handout(foreign, tmp_path / "exercises")
    assert find(tmp_path).root is None


def test_missing_suites_and_solutions_are_all_named(make_course: Maker, tmp_path: Path) -> None:
    course = make_course(tmp_path, {"tests/hidden/01_first/test_double.py": None}, catalog=TWO_MORE)
    with pytest.raises(CourseError) as caught:
        course.require_suites(course.select(["double", "halve"]))
    assert str(caught.value) == (
        "the course `foreign` can't be graded; missing: "
        f"`{tmp_path}/tests/hidden/01_first/test_double.py`, "
        f"`{tmp_path}/tests/hidden/02_more/test_halve.py`, "
        f"`{tmp_path}/solutions/02_more/halve.py`. Write the file, or remove the entry from "
        "`exercises/catalog.toml`; `grader verify` lists everything that a course lacks."
    )


def test_a_course_without_exercises_can_not_be_graded(tmp_path: Path) -> None:
    course = load(catalog(tmp_path, 'schema = 1\nname = "new"\n'))
    with pytest.raises(CourseError) as caught:
        course.require_suites(course.exercises)
    assert str(caught.value) == (
        f"the course `new` at `{tmp_path}` has no exercises yet. `grader new TOPIC/NAME` creates "
        "the first."
    )


def test_whole_exercises_lack_nothing(foreign: Course) -> None:
    foreign.require_suites(foreign.exercises)


def test_what_lies_around_is_told_from_what_belongs(make_course: Maker, tmp_path: Path) -> None:
    strays = [
        "exercises/01_first/old.py",
        "exercises/top.py",
        "solutions/01_first/old.py",
        "tests/hidden/01_first/test_old.py",
        "solutions/01_first/double/a.wrong.py",
        "solutions/a.right.py",
    ]
    course = make_course(tmp_path, dict.fromkeys(strays, "x = 1\n"))
    assert {course.relative(path) for path in course.stray_files()} == set(strays)


# Packages that only some exercises need


PACK = f'{ENTRY}packages = ["{{}}"]\n[[assignment]]\nname = "hw"\nexercises = ["double"]\n'


def test_an_exercise_whose_package_is_here_is_like_any_other(tmp_path: Path) -> None:
    course = load(catalog(tmp_path, f"schema = 1\n{PACK.format('numpy>=2')}"))
    assert [exercise.stem for exercise in course.exercises] == ["double"]
    assert (course.absent, course.lacks) == ((), "")
    assert course.assignment("hw").exercises == ("01_first/double",)


@pytest.mark.parametrize("package", ["no-such-package", "numpy>=1000"])
def test_a_course_says_which_exercises_lack_a_package(package: str, tmp_path: Path) -> None:
    course = load(catalog(tmp_path, f"schema = 1\n{PACK.format(package)}{TWO_MORE}"))
    assert [exercise.stem for exercise in course.select(())] == ["halve", "triple"]
    assert [exercise.stem for exercise in course.absent] == ["double"]
    assert course.assignments == ()
    assert course.part(["halve"]).lacks == ""
    names = ("double", "exercises/01_first/double.py", "01_first", "hw")
    refusals = [refusal(course.named, name) for name in names]
    for said in (course.lacks, *refusals, refusal(course.assignment, "hw")):
        assert said.startswith("`double` can't run here")
        assert package in said


def test_an_assignment_in_a_file_says_what_it_lacks_and_grades_no_less(tmp_path: Path) -> None:
    course = load(catalog(tmp_path, f"schema = 1\n{PACK.format('no-such-package')}{TWO_MORE}"))
    file = tmp_path / "mine.toml"
    for asked in ("double", "01_first"):
        file.write_text(f'exercises = ["{asked}", "halve"]\n', encoding="utf-8")
        with pytest.raises(UsageError, match="`double` can't run here"):
            course.assigned(str(file))


def refusal(ask: Callable[[str], object], name: str) -> str:
    with pytest.raises(UsageError) as caught:
        ask(name)
    return str(caught.value)


def test_what_lacks_a_package_is_handed_out_and_is_no_stray_file(
    foreign: Course, tmp_path: Path
) -> None:
    assert foreign.root is not None
    copy = load(Path(shutil.copytree(foreign.root, tmp_path / "copy")) / "exercises/catalog.toml")
    entry = 'id = "01_first/double"\n'
    text = copy.catalog_text().replace(entry, f'{entry}packages = ["no-x"]\n')
    copy.catalog.write_text(text, encoding="utf-8")
    course = load(copy.catalog)
    assert [exercise.stem for exercise in course.absent] == ["double"]
    assert course.stray_files() == []
    assert "01_first/double.py" in course.handout()
    assert course.catalog_text() == text


def test_a_package_is_named_as_pip_knows_it(tmp_path: Path) -> None:
    said = wrong(tmp_path, f'schema = 1\n{ENTRY}packages = ["optax @ https://x"]\n')
    assert len(said) == 1
    assert "name packages as pip knows them" in said[0]
