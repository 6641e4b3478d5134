"""What this course promises of itself, and `verify` doesn't ask of every course."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.author import sentences
from grader.author.known_mistakes import is_fresh
from grader.author.marked_tests import marked_tests
from grader.course import catalog, raced
from grader.course.course import find
from grader.course.docstring import entries, sections
from grader.feedback.lessons import DOCS, LESSONS, RELATIONS, page_title
from grader.feedback.silent import findings
from grader.intake import cells
from grader.records.model import Exercise
from grader.student import guidance
from grader.student.mistakes import read

COURSE = find(Path(__file__).resolve().parents[1])
# Also the paths with exercises for which packages are missing here.
PATHS = catalog.parse(tomllib.loads(COURSE.catalog.read_text("utf-8"))).assignments
LESSON = (3, 4)
# How long a call takes is known to no example.
UNSEEN = {"time_it": {"one_cold_call"}}
BY_STEM = {exercise.stem: exercise for exercise in COURSE.catalogued}
_each = pytest.mark.parametrize("exercise", COURSE.catalogued, ids=lambda e: e.id)


def every_exercise(test: Callable[[Exercise], None]) -> Callable[[Exercise], None]:
    """Of the course, not of the grader: CI's session `course` runs all of these at each push."""
    return pytest.mark.slow(_each(test))


def test_every_exercise_can_run_here() -> None:
    if COURSE.absent:
        pytest.skip(COURSE.lacks)


@every_exercise
def test_a_known_mistake_breaks_each_sentence_of_its_text(exercise: Exercise) -> None:
    assert [*sentences.problems(COURSE, exercise)] == []
    assert any(cell.breaks for cell in cells.read(COURSE.wrong(exercise)).cells)


@every_exercise
def test_it_gives_ten_points_and_most_of_them_for_its_lesson(exercise: Exercise) -> None:
    points = [test.points for test in marked_tests(COURSE.suite(exercise))]
    assert sum(points) == 10
    assert max(points) in LESSON


def test_titles_of_tests_say_what_they_test() -> None:
    """A title such as "The details work.", which fits many suites, tells a student nothing."""
    titles = Counter(
        ast.get_docstring(node)
        for exercise in COURSE.exercises
        for node in ast.parse(COURSE.suite(exercise).read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test")
    )
    assert [title for title, suites in titles.items() if suites > 4] == []


@every_exercise
def test_each_argument_has_an_entry_of_its_own(exercise: Exercise) -> None:
    for node in ast.parse(COURSE.stub_text(exercise)).body:
        text = ast.get_docstring(node) if isinstance(node, ast.FunctionDef) else None
        if isinstance(node, ast.FunctionDef) and "Args" in (parts := dict(sections(text or ""))):
            heads = [entry.partition(":")[0].split(", ") for entry in entries(parts["Args"])]
            assert {arg.arg for arg in node.args.args} <= {name for head in heads for name in head}


@every_exercise
def test_the_mistake_that_it_is_about_earns_at_most_half(exercise: Exercise) -> None:
    assert any(cell.at_most_half for cell in cells.read(COURSE.wrong(exercise)).cells)


@every_exercise
def test_the_mistake_that_it_is_about_is_not_green_and_silent(exercise: Exercise) -> None:
    """An example fails on it, or the check sees it in the code."""
    seen = {mistake.says for mistake in read(COURSE.known_mistakes, exercise.id)}
    stub = COURSE.stub(exercise).read_text(encoding="utf-8")
    green = {
        cell.name
        for cell in cells.read(COURSE.wrong(exercise)).cells
        if cell.at_most_half
        and cell.says not in seen
        and not cell.is_unsteady
        and not findings(cell.after(stub))
    }
    assert green == UNSEEN.get(exercise.stem, set())


@every_exercise
def test_its_known_mistakes_are_those_of_today(exercise: Exercise) -> None:
    assert is_fresh(COURSE, exercise)


@every_exercise
def test_it_says_how_hard_it_is_and_is_explained_after_success(exercise: Exercise) -> None:
    assert exercise.difficulty
    assert exercise.minutes
    text = COURSE.explained([exercise.id])[exercise.id]
    headings = re.findall(r"(?m)^## (.+)$", text)
    assert headings == ["Why it works", "What JAX made of it", "What else works", "Read next"]
    # Each question of `predict` has its answer there.
    assert 90 <= len(text.split()) <= (400 if exercise.kind == "predict" else 300)
    assert "https://" in text.rpartition("## Read next")[2]


@pytest.mark.parametrize("exercise", [e for e in COURSE.exercises if e.kind == "fast"])
def test_what_is_to_be_fast_is_timed_by_its_suite_and_by_students(exercise: Exercise) -> None:
    terms, _ = raced.read(COURSE.stub(exercise))
    assert terms is not None
    text = COURSE.stub(exercise).read_text(encoding="utf-8")
    word = dict(enumerate("two three four five six seven eight".split(), 2))[int(terms.at_least)]
    assert re.search(rf"at\s+least\s+{word}\s+times\s+as\s+fast", text)
    # Neither the numbers nor the shapes stand in the suite, too.
    suite = COURSE.suite(exercise).read_text(encoding="utf-8")
    assert "at_least=" not in suite
    assert "args=" not in suite


def test_no_hint_points_ahead() -> None:
    stems = [exercise.stem for exercise in COURSE.catalogued]
    for place, exercise in enumerate(COURSE.catalogued):
        named = re.findall(r"`(\w+)`", " ".join(guidance.hints(COURSE, exercise)))
        assert not set(named) & set(stems[place + 1 :]), exercise.id


def test_the_map_has_the_order_and_the_figures_of_the_catalogue() -> None:
    table, _, _ = (COURSE.stubs / "README.md").read_text("utf-8").partition("## Paths")
    rows = [row.split("|")[2:-1] for row in table.splitlines() if "| `" in row]
    shown = [[cell.strip(" `").replace("` `", " ") for cell in row] for row in rows]
    assert [(stem, level, minutes, after) for stem, _, level, minutes, after in shown] == [
        (e.stem, str(e.difficulty), str(e.minutes), " ".join(e.after)) for e in COURSE.catalogued
    ]


def test_a_path_holds_all_that_its_exercises_need() -> None:
    assert PATHS
    for path in PATHS:
        assert not path.due
        stems = {name.rpartition("/")[2] for name in path.exercises}
        assert all(stems >= set(BY_STEM[stem].after) for stem in stems), path.name


def test_the_map_has_the_paths_of_the_catalogue() -> None:
    _, _, rest = (COURSE.stubs / "README.md").read_text("utf-8").partition("## Paths")
    table, _, _ = rest.partition("## How to work")
    rows = [row.strip("| ").split(" | ") for row in table.splitlines() if row.startswith("| `")]
    minutes = {exercise.id: exercise.minutes or 0 for exercise in COURSE.catalogued}
    assert [(name, int(count), int(time), which) for name, _, count, time, which in rows] == [
        (
            f"`{path.name}`",
            len(path.exercises),
            sum(minutes[name] for name in path.exercises),
            " ".join(f"`{name.rpartition('/')[2]}`" for name in path.exercises),
        )
        for path in PATHS
    ]


def test_the_plan_of_a_course_has_figures_and_an_order_that_are_true() -> None:
    text = (COURSE.stubs.parent / "docs" / "plan-a-course.md").read_text("utf-8")
    weeks = re.findall(r"(?m)^\| \d+ \| [^|]+ \| ((?:`\w+` )+)\| (\d+) \|$", text)
    assert len(weeks) == 10
    done: list[str] = []
    for named, minutes in weeks:
        stems = re.findall(r"\w+", named)
        assert sum(BY_STEM[stem].minutes or 0 for stem in stems) == int(minutes), named
        for stem in stems:
            assert set(BY_STEM[stem].after) <= {*done}, stem
            done.append(stem)
    assert len(set(done)) == len(done)
    _, _, practice = text.partition("in the plan are for practice only: ")
    named = re.findall(r"`(\w+)`", practice.partition(". ")[0])
    assert named == [stem for stem in done if not BY_STEM[stem].counts]
    assert f"The plan has {len(done)} exercises" in text
    assert f"the course has {len(COURSE.catalogued)}." in text
    points = [10 * sum(BY_STEM[s].counts for s in re.findall(r"\w+", named)) for named, _ in weeks]
    assert f"A week has {min(points)} to {max(points)} points." in text
    topics = {exercise.topic for exercise in COURSE.catalogued} - {BY_STEM[s].topic for s in done}
    section = text.partition("topics aren't in the plan: ")[2].partition(". ")[0]
    assert {*re.findall(r"`(\w+)`", section)} == topics


def test_pages_count_the_kinds_of_exercises() -> None:
    counts = Counter(exercise.kind for exercise in COURSE.catalogued)
    fix, predict, fast = (counts[kind] for kind in ("fix", "predict", "fast"))
    said = f"{fix} programs to fix, {predict} sets of questions whose answers you predict, "
    said += rf"and {fast} programs to speed up"
    for page in ("docs/plan-a-course.md", "CHANGELOG.md"):
        assert re.search(said, (COURSE.stubs.parent / page).read_text("utf-8")), page
    whole = len(COURSE.catalogued)
    here = sum(not exercise.packages for exercise in COURSE.catalogued)
    text = (COURSE.stubs.parent / "docs" / "install.md").read_text("utf-8")
    assert f"has {here} exercises instead of {whole}" in text


def test_no_page_makes_an_exercise_that_is_there() -> None:
    text = (COURSE.stubs.parent / ".github" / "CONTRIBUTING.md").read_text("utf-8")
    (name,) = re.findall(r"^grader new (\S+)$", text, re.MULTILINE)
    assert name.partition("/")[2] not in BY_STEM


def test_the_units_of_learning_jax_have_their_exercises_in_its_path() -> None:
    text = (COURSE.stubs.parent / "docs" / "your-tutorial.md").read_text("utf-8")
    _, _, table = text.partition("## Alongside Google's course Learning JAX")
    named = re.findall(r"`(\w+)`", table.partition("| --- |")[2])
    (path,) = (path for path in PATHS if path.name == "learning-jax")
    assert {*named} <= {name.rpartition("/")[2] for name in path.exercises}


def test_links_name_the_pages_of_jax_by_their_titles() -> None:
    """JAX's documents are being rewritten, and a title is found when an address has changed."""
    root = COURSE.stubs.parent
    pages = [*root.glob("docs/**/*.md"), *root.glob("*.md"), *COURSE.stubs.rglob("*.*")]
    words = [root / "grader" / "feedback" / "words" / f"{n}.txt" for n in ("arrays", "traced")]
    for path in sorted({*pages, *words}):
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        for before, line in zip(["", *lines], lines, strict=False):
            for address in re.findall(rf"{DOCS}\w[\w/.-]*\.html", line):
                title = page_title(address)
                assert title, f"{path}: {address} isn't in `words/pages.txt`"
                if path.is_relative_to(COURSE.stubs) and "/_autosummary/" not in address:
                    assert title in f"{before} {line}", f"{path}: {address} is called `{title}`"


def test_each_lesson_names_a_page_that_is_in_the_table() -> None:
    for lesson in (*LESSONS.values(), *RELATIONS.values()):
        if lesson.page and not lesson.page.startswith(("https://", "{")):
            assert page_title(DOCS + lesson.page), lesson
            assert " " not in lesson.page, lesson
