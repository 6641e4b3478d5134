"""The class as one page: what it says, that nothing in it runs, and how a browser shows it."""

from __future__ import annotations

import base64
import csv
import dataclasses
import hashlib
import io
import os
import re
import time
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lxml.html
import pytest
from click.testing import CliRunner

from grader.cli import main
from grader.delivery import formats
from grader.output.reports import html
from grader.output.reports import results as result_files
from grader.output.reports.html import drawing, overview
from grader.records import scoring
from grader.records.model import Advice, Grade, Outcome, Race, Run, Submission, TestResult
from grader.records.safe_text import name_line
from tests.browser import Shown
from tests.class_for_reports import ENVIRONMENT, HOSTILE, a_class

STUDENTS = len(HOSTILE) + 7
ADVICE = Advice("transposed", "It is transposed.", "Swap the axes.", 3, "return x", "https://a.b/")


def a_test(outcome: Outcome, name: str = "test_x", message: str = "", **more: Any) -> TestResult:
    points = 2.0 if outcome is Outcome.PASSED else 0.0
    return TestResult(name, f"{name} holds.", outcome, points, 2.0, 0.25, message, **more)


def a_grade(name: str, *tests: TestResult) -> Grade:
    results = [scoring.exercise_result("01_first/double", tests)]
    return scoring.grade(Submission(name, "d"), results)


def a_run(*grades: Grade) -> Run:
    return Run("foreign", "0.1.0", ENVIRONMENT, grades)


def rendered(run: Run) -> str:
    return formats.FORMATS["html"].render(run)


def said(page: lxml.html.HtmlElement, selector: str) -> list[str]:
    return [" ".join(found.text_content().split()) for found in page.xpath(selector)]


# What it says


def test_a_class_at_a_glance_counts_what_there_is() -> None:
    passed, wrong = a_test(Outcome.PASSED), a_test(Outcome.FAILED, advice=ADVICE)
    other = dataclasses.replace(wrong, id="test_y")
    seen = overview.overview(
        a_run(
            a_grade("ada", passed, a_test(Outcome.PASSED, "test_y")),
            a_grade("ben", passed, other),
            a_grade("eve", wrong, other),
            a_grade("kim", a_test(Outcome.MISSING), a_test(Outcome.MISSING, "test_y")),
            a_grade("joe", passed, a_test(Outcome.BROKEN, "test_y")),
        )
    )
    assert (seen.most, seen.known, seen.full) == (4.0, 4, 1)
    assert seen.bins == (2, 0, 0, 0, 0, 1, 0, 0, 0, 1)
    assert seen.quartiles == (0.0, 1.0, 2.5)
    (exercise,) = seen.exercises
    assert (exercise.passed, exercise.of) == (1, 5)
    assert dict(exercise.outcomes) == {
        Outcome.PASSED: 1,
        Outcome.FAILED: 2,
        Outcome.BROKEN: 1,
        Outcome.MISSING: 1,
    }
    assert [(test.passed, test.of) for test in exercise.tests] == [(3, 4), (1, 4)]
    assert [(look.place, look.student) for look in seen.looks] == [
        (5, "joe"),
        (3, "eve"),
        (4, "kim"),
    ]
    assert (
        seen.looks[0].why
        == "01_first/double: can't be scored, because of a fault in the course or the machine"
    )
    (cause,) = seen.causes
    assert (cause.name, cause.students) == ("transposed", 2)


def test_an_empty_class_and_an_empty_course_are_pages_too() -> None:
    assert "0 submissions" in rendered(a_run())
    assert "ada" in rendered(a_run(scoring.grade(Submission("ada", "d"), [])))


def test_a_student_reads_what_went_wrong_where_and_what_to_do() -> None:
    tests = (
        a_test(Outcome.FAILED, "test_x", "3 of 3.\ngot:\n  4", hint="Try `jit`.", advice=ADVICE),
        a_test(Outcome.RAISED, "test_y", "It raised."),
        a_test(Outcome.RAISED, "test_z", "It raised."),
    )
    run = a_run(a_grade("ada", *tests))
    for page in (rendered(run), html.page(run, run.submissions[0])):
        (article,) = lxml.html.fromstring(page).xpath("//article")
        first, second = article.xpath(".//section[@class='loss']")
        assert said(first, ".//h3") == ["✗test_x holds. −2"]
        assert said(first, ".//p[@class='message']") == ["3 of 3."]
        assert first.xpath("string(.//p[@class='rest'])") == "got:\n  4"
        assert said(first, ".//div[@class='advice']/p") == [
            "It is transposed.",
            "line 3return x",
            "Swap the axes.",
            "Read on https://a.b/",
        ]
        assert said(first, ".//p[@class='hint']/code") == ["jit"]
        # The cause comes before what the test says.
        (advice,) = first.xpath("./div[@class='advice']")
        assert advice.getnext().tag == "h3"
        # One error is shown once, with one example, and all the tests that it breaks.
        assert said(second, ".//h3") == ["2 of 3 tests raise this error."]
        assert said(second, "./h4") == ["!test_y holds. −2"]
        assert said(second, "./details/h4") == ["!test_z holds. −2"]
        assert said(second, ".//p[@class='message']") == ["It raised."]


def test_one_misconception_is_shown_once_with_what_each_test_says() -> None:
    tests = [
        a_test(Outcome.FAILED, f"test_{n}", f"{n} of 9.", hint="Try.", advice=ADVICE) for n in "12"
    ]
    run = a_run(a_grade("ada", *tests, a_test(Outcome.FAILED, "test_3", "3 of 9.", hint="Turn.")))
    (article,) = lxml.html.fromstring(html.page(run, run.submissions[0])).xpath("//article")
    first, second = article.xpath(".//section[@class='loss']")
    assert said(first, ".//p[@class='message']") == ["1 of 9.", "2 of 9."]
    assert said(first, ".//p[@class='sentence']") == ["It is transposed."]
    assert said(first, ".//p[@class='hint']") == ["Hint Try.", "Hint Try."]
    assert said(second, ".//p[@class='hint']") == ["Hint Turn."]
    (row,) = csv.DictReader(io.StringIO(formats.FORMATS["moodle"].render(run)))
    assert row["Feedback comments"].splitlines() == [
        "01_first/double: failed, 0 of 6",
        "  It is transposed. (2 tests)",
        "  test_3 holds. 3 of 9.",
    ]


def test_a_mark_that_is_not_known_is_a_question() -> None:
    page = lxml.html.fromstring(rendered(a_run(a_grade("ada", a_test(Outcome.BROKEN)))))
    assert said(page, "//tbody//td[@class='num']") == ["?"]
    assert said(page, "//p[@class='problem']")[0].startswith("1 mark can't be known")


@pytest.mark.parametrize(
    ("launches", "points"),
    [
        (((5.0, 6.0), (7.0,)), 3),
        (((20.0,) * 48,) * 3, 144),
        (((1e-9, 1e9),), 2),
        (((float("inf"), 0.0, 3.0),), 1),
        (((float("inf"),),), 0),
        ((), 0),
    ],
)
def test_a_race_has_a_point_for_each_ratio(launches: Any, points: int) -> None:
    flat = [ratio for ratios in launches for ratio in ratios] or [1.0]
    race = Race("f", 20, False, Outcome.FAILED, flat[0], min(flat), max(flat), launches)
    drawn = str(drawing.race(race))
    paths = re.findall(r' d="([^"]*)"', drawn)
    assert sum(len(re.findall(r"h0(?=M|$)", path)) for path in paths) == points
    assert ("20× needed" in drawn) == bool(points)
    for number in re.findall(r"[\d.]+", " ".join(paths)):
        assert float(number) <= 360


# Nothing runs, and nothing comes from elsewhere


def pages(run: Run) -> list[str]:
    return [rendered(run), *(html.page(run, grade) for grade in run.submissions)]


def test_nothing_that_a_student_writes_is_more_than_text() -> None:
    attack = "".join(HOSTILE[:6])
    attack += f"`{attack}`"
    race = Race("f", 20, False, Outcome.FAILED, 5.0, 5.0, 5.0, ((5.0, 5.0),))
    cause = attack.replace("/", "")  # with it, the cause would be a known mistake
    hostile = Advice(cause, attack, attack, 3, attack, "javascript:alert(1)")
    races = (dataclasses.replace(race, name=attack),)
    lost = a_test(Outcome.FAILED, attack, attack, hint=attack, advice=hostile, races=races)
    calm, wild = (
        a_run(a_grade(name, test))
        for name, test in (
            ("ada", a_test(Outcome.FAILED, "t", "m", hint="h", advice=ADVICE, races=(race,))),
            (attack, lost),
        )
    )
    for quiet, loud in zip(pages(calm), pages(wild), strict=True):
        shapes = [
            [(e.tag, sorted(e.attrib)) for e in lxml.html.fromstring(page).iter()]
            for page in (quiet, loud)
        ]
        # Only https becomes a link; nothing else is added or removed.
        link = [("p", ["class"]), ("a", ["href", "rel", "target"]), ("span", ["class"])]
        place = shapes[0].index(link[1]) - 1 if link[1] in shapes[0] else None
        if place is not None:
            assert shapes[0][place : place + 3] == link
            del shapes[0][place : place + 3]
        ignored = ("code",)  # text between backticks
        assert [s for s in shapes[0] if s[0] not in ignored] == [
            s for s in shapes[1] if s[0] not in ignored
        ]


def test_a_policy_allows_what_is_in_the_page_by_its_hash_and_nothing_else() -> None:
    for page in pages(a_class(3, 3)):
        document = lxml.html.fromstring(page)
        (policy,) = document.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
        rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
        assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
        for tag, rule in (("style", "style-src"), ("script", "script-src")):
            inside = [e.text_content() for e in document.iter(tag)]
            hashes = [
                f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
                for text in inside
            ]
            assert (hashes or ["'none'"]) == [rules[rule]]
        assert not document.xpath("//@style")
        assert not document.xpath("//@src")
        assert {link[:8] for link in document.xpath("//@href") if link[0] != "#"} <= {"https://"}


def test_no_character_of_a_page_hides_or_turns_others() -> None:
    attack = "".join(HOSTILE)
    lost = a_grade("ada", a_test(Outcome.FAILED, "test_x", f"It is wrong.\n{attack}"))
    unreadable = scoring.grade(Submission("ben", "d", problem=attack), [])
    run = a_class(len(HOSTILE), 3)
    run = dataclasses.replace(run, submissions=(*run.submissions, lost, unreadable))
    for page in pages(run):
        kinds = {unicodedata.category(c) for c in page if c != "\n"}
        assert not kinds & {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG 2.2, section 1.4.3."""

    def light(colour: str) -> float:
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1])
def test_text_and_signs_can_be_told_from_their_ground(scheme: int) -> None:
    style = (html.TEMPLATES / "style.css").read_text()
    block = re.findall(r":root \{(.*?)\}", style, re.DOTALL)[scheme]
    colours = {
        name: value if len(value) == 7 else "#" + "".join(2 * c for c in value[1:])
        for name, value in re.findall(r"--(\w+): (#\w+);", block)
    }
    for ground in ("paper", "card", "wash"):
        for ink in ("ink", "soft", "accent"):
            assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
    for sign in "passed failed raised broke missing undecided broken bar".split():
        assert contrast(colours[sign], colours["card"]) >= 3, sign


# A page for each student


def test_each_student_gets_a_page_with_nothing_of_any_other(tmp_path: Path) -> None:
    run = a_class(14, 4, hostile=False)
    marked = [
        dataclasses.replace(
            grade,
            id=f"Person{place:02d}X",
            exercises=tuple(
                dataclasses.replace(
                    result,
                    tests=tuple(
                        dataclasses.replace(test, message=f"only{place:02d}X", detail="SECRET")
                        for test in result.tests
                    ),
                )
                for result in grade.exercises
            ),
        )
        for place, grade in enumerate(run.submissions)
    ]
    result_files.write(dataclasses.replace(run, submissions=tuple(marked)), tmp_path)
    done = CliRunner().invoke(main, ["feedback", str(tmp_path), str(tmp_path / "out")])
    assert (done.exit_code, done.stderr) == (0, f"wrote 14 pages to {tmp_path / 'out'}\n")
    assert len(os.listdir(tmp_path / "out")) == 14
    for place in range(14):
        page = (tmp_path / "out" / f"Person{place:02d}X.html").read_text()
        own = {f"Person{place:02d}X", f"only{place:02d}X"}
        assert f"Person{place:02d}X" in (found := set(re.findall(r"(?:Person|only)\d\dX", page)))
        assert found <= own
        assert "SECRET" not in page
        assert "<script" not in page


# In a browser


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    formats.write(path, rendered(a_class(STUDENTS)))
    return path


@pytest.fixture
def shown(driver: Any, report: Path) -> Iterator[Shown]:
    page = Shown(driver, report)
    page.size(1280, 900)
    yield page
    assert page.complaints() == []
    assert page.requests() <= {page.address, "about:blank"}


def test_hostile_names_are_text_and_nothing_of_them_runs(shown: Shown) -> None:
    names = shown.column("th")
    assert len(names) == STUDENTS
    assert names[: len(HOSTILE) - 1] == [name_line(name, 80) for name in HOSTILE[:-1]]
    assert names[len(HOSTILE) - 1] == "(no name)"
    title = shown.driver.title
    assert title == f"jax-by-exercises: {STUDENTS} submissions"
    for place, name in enumerate(names, 1):
        shown.run("location.hash = `s${arguments[0]}`", place)
        assert shown.visible_pages() == [f"s{place}"]
        assert shown.find(f"#s{place} h1").text.split()[0][:70] == name.split()[0][:70]
        words = " ".join(f"{name} · {title}".split())
        shown.until("document.title.split(/\\s+/).join(' ')", words)


def test_the_table_sorts_by_each_column(shown: Shown) -> None:
    before = shown.column("th")
    for key, first, numbers in (("mark", "descending", True), ("name", "ascending", False)):
        for direction in (first, "ascending" if first == "descending" else "descending"):
            shown.find(f"th[data-key={key}] button").click()
            assert shown.find(f"th[data-key={key}]").get_attribute("aria-sort") == direction
            values = shown.column("td.num" if numbers else "th")
            assert sorted(shown.column("th")) == sorted(before)
            if numbers:
                ordered = sorted(map(float, values), reverse=direction == "descending")
                assert [float(value) for value in values] == ordered
            else:
                students = [value for value in values if value.startswith("student")]
                assert students == sorted(students, reverse=direction == "descending")


def test_a_search_and_filters_leave_who_is_meant(shown: Shown) -> None:
    run = a_class(STUDENTS)
    shown.find("#search").send_keys("STUDENT001")
    assert shown.column("th") == [f"student001{n}" for n in range(3, 10)]
    assert shown.find("#shown").text == f"7 of {STUDENTS} students"
    shown.find("#reset").click()
    assert len(shown.column("th")) == STUDENTS

    exercise = run.submissions[0].exercises[2].id
    shown.choose("#exercise", exercise)
    missed = [
        place
        for place, grade in enumerate(run.submissions)
        if grade.exercises[2].outcome is not Outcome.PASSED
    ]
    assert 0 < len(missed) < STUDENTS
    assert shown.find("#outcome").get_attribute("value") == "!"
    assert shown.column("a") == [name_line(run.submissions[n].id, 80) for n in missed]
    shown.choose("#outcome", "missing")
    gone = [g for g in run.submissions if g.exercises[2].outcome is Outcome.MISSING]
    assert len(shown.column("a")) == len(gone)
    shown.find("#search").send_keys("nobody at all")
    assert shown.find("#nobody").is_displayed()


def test_a_misconception_leads_to_those_who_have_it(shown: Shown) -> None:
    seen = overview.overview(a_class(STUDENTS)).causes
    for place, cause in enumerate(seen):
        shown.find(f".causes li[data-cause='{place}'] button").click()
        assert len(shown.column("th")) == cause.students


def test_rare_misconceptions_wait_behind_a_button(driver: Any, tmp_path: Path) -> None:
    tests = [
        a_test(Outcome.FAILED, f"test_{n}", advice=dataclasses.replace(ADVICE, cause=f"c{n:02d}"))
        for n in range(12)
    ]
    formats.write(tmp_path / "r.html", rendered(a_run(a_grade("ada", *tests))))
    page = Shown(driver, tmp_path / "r.html")

    def seen() -> int:
        items = "[...document.querySelectorAll('.causes li')]"
        return int(page.run(f"return {items}.filter(item => item.checkVisibility()).length"))

    assert seen() == 8
    page.find(".causes > button").click()
    assert seen() == 12
    assert page.complaints() == []


def test_the_keyboard_reaches_everything(shown: Shown) -> None:
    from selenium.webdriver.common.keys import Keys

    shown.until("document.querySelectorAll('th[data-key=name] button').length", 1)
    shown.find("th[data-key=name] button").click()
    shown.press("/")
    shown.press("student001")
    wanted = shown.column("th")
    shown.press(Keys.ENTER)
    shown.until("document.activeElement.textContent", wanted[0])
    shown.press(Keys.ARROW_RIGHT)
    shown.until("document.activeElement.textContent", wanted[1])
    shown.press(Keys.ARROW_LEFT)
    shown.until("document.activeElement.textContent", wanted[0])
    assert not shown.find("article:target .previous").is_displayed()
    shown.press(Keys.ESCAPE)
    assert shown.visible_pages() == ["class"]
    # With the Tab key only: each stop is visible, and the summaries of exercises open.
    shown.open()
    stops = []
    for _ in range(40):
        shown.press(Keys.TAB)
        stops.append(shown.run("return document.activeElement.tagName"))
    assert {"BUTTON", "SUMMARY", "INPUT", "SELECT", "A"} <= set(stops)


@pytest.mark.slow
def test_a_phone_never_scrolls_sideways(shown: Shown) -> None:
    shown.size(390)
    for anchor in ("", *(f"#s{n}" for n in range(1, STUDENTS + 1))):
        shown.open(anchor)
        shown.run("for (const d of document.querySelectorAll('details')) d.open = true")
        assert shown.run("return document.documentElement.scrollWidth") <= 390, anchor


def test_dark_mode_is_dark(shown: Shown) -> None:
    seen = {}
    for scheme in ("light", "dark"):
        shown.scheme(scheme)
        seen[scheme] = shown.run("return getComputedStyle(document.body).backgroundColor")
    shown.scheme()
    assert {scheme: sum(map(int, re.findall(r"\d+", c))) > 380 for scheme, c in seen.items()} == {
        "light": True,
        "dark": False,
    }


@pytest.mark.slow
def test_in_print_each_student_has_a_page_of_their_own(shown: Shown) -> None:
    def sheets() -> int:
        printed = base64.b64decode(shown.send("Page.printToPDF", paperHeight=190)["data"])
        return len(re.findall(rb"/Type /Page\b", printed))

    assert sheets() == 1 + STUDENTS
    shown.find("#search").send_keys("student001")
    assert sheets() == 1 + 7
    shown.run("location.hash = 's3'")
    assert sheets() == 1


def has_box(shown: Shown, selector: str) -> bool:
    """Whether it is shown, asked without a script. A new document may replace its nodes' ids."""
    for tries_left in reversed(range(1200)):
        root = shown.send("DOM.getDocument")["root"]["nodeId"]
        try:
            node = shown.send("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
            break
        except Exception:
            if not tries_left:
                raise
            time.sleep(0.1)
    try:
        return bool(shown.send("DOM.getBoxModel", nodeId=node))
    except Exception:
        return False


def test_without_a_script_everything_can_be_read(shown: Shown) -> None:
    shown.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        shown.open("#s20")
        assert [has_box(shown, part) for part in ("#s20", "#s19", ".class")] == [True, False, False]
        shown.open()
        assert [has_box(shown, part) for part in ("#s20", ".class", "form")] == [False, True, False]
    finally:
        shown.send("Emulation.setScriptExecutionDisabled", value=False)


@pytest.mark.slow
def test_a_page_for_one_student_shows_without_complaint(driver: Any, tmp_path: Path) -> None:
    run = a_class(len(HOSTILE))
    paths = formats.write_feedback(run, tmp_path)
    for path, name in zip(paths, HOSTILE, strict=True):
        page = Shown(driver, path)
        page.size(390)
        assert page.find("h1").text.split() == name_line(name, 120).split()
        assert page.run("return document.documentElement.scrollWidth") <= 390
        assert page.complaints() == []
        assert page.requests() <= {page.address, "about:blank"}


@pytest.mark.slow
def test_a_screen_reader_finds_its_way(driver: Any, report: Path, tmp_path: Path) -> None:
    """Without a violation of axe-core: the class, a student in it, and a student's own page."""
    (own, *_) = formats.write_feedback(a_class(STUDENTS, hostile=False), tmp_path)
    for path, anchor in ((report, ""), (report, f"#s{len(HOSTILE)}"), (report, "#s16"), (own, "")):
        page = Shown(driver, path)
        page.size(1280, 900)
        for scheme in ("light", "dark"):
            page.scheme(scheme)
            page.open(anchor)
            page.run("for (const d of document.querySelectorAll('details')) d.open = true")
            assert page.obstacles() == [], (path.name, anchor, scheme)
    page.run("document.querySelector('.mark').style.color = '#333'")
    assert [found.split(":")[0] for found in page.obstacles()] == ["color-contrast"]
    page.scheme()


@pytest.mark.slow
def test_a_large_class_opens(driver: Any, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    formats.write(path, rendered(a_class(300, 20)))
    page = Shown(driver, path)
    page.size(1280, 900)
    assert len(page.column("th")) == 300
    page.find("#search").send_keys("student0299")
    assert page.column("th") == ["student0299"]
    page.run("location.hash = 's300'")
    assert page.visible_pages() == ["s300"]
    assert page.complaints() == []


def test_one_result_is_a_part_of_a_page_of_ones_own() -> None:
    """It has no detail, and no markup of a student's."""
    lost = a_test(Outcome.FAILED, message="<b>bold</b>\n  x = 3", detail="SECRET")
    (result,) = a_run(a_grade("ada", lost)).submissions[0].exercises
    made = html.fragment(result)
    (section,) = lxml.html.fragments_fromstring(made)
    assert section.get("class") == "exercise failed"
    assert "<b>bold</b>" in section.text_content()
    assert "SECRET" not in made
    assert all(f".{name}" in html.STYLE.read_text() for name in ("exercise", "loss", "message"))


def test_a_students_page_names_the_assignment() -> None:
    plain = a_run(a_grade("ada", a_test(Outcome.FAILED)))
    run = dataclasses.replace(plain, assignment="Homework 1")
    page = lxml.html.fromstring(html.page(run, run.submissions[0]))
    assert page.findtext(".//title").endswith("· Homework 1")
    assert page.findtext(".//p[@class='crumb']") == f"{run.course} · Homework 1"
    bare = lxml.html.fromstring(html.page(plain, run.submissions[0]))
    assert bare.findtext(".//title").endswith(f"· {run.course}")
