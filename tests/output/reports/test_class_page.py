"""What the class page tells a teacher besides the marks: code, whom to look at, items."""

from __future__ import annotations

import dataclasses
import random
import shlex
import stat
import statistics
from pathlib import Path
from typing import Any

import lxml.html
import pytest

from grader.delivery import formats
from grader.output.reports import html
from grader.output.reports import results as result_files
from grader.output.reports.html import attention, code, items, marks, overview
from grader.output.reports.redaction import public
from grader.records import inputs, scoring
from grader.records.model import (
    NOT_PYTHON,
    Adjustment,
    Advice,
    Basis,
    Grade,
    Note,
    Outcome,
    Person,
    Run,
    Source,
    Submission,
    TestResult,
)
from tests.class_for_reports import ENVIRONMENT, HOSTILE, a_class

TEXT = "import jax\n\n\ndef double(x):\n    return x\n"
NAMES = "double half third fourth fifth".split()


def a_test(outcome: Outcome, name: str = "test_x", message: str = "", **more: Any) -> TestResult:
    points = 2.0 if outcome.keeps_points else 0.0
    return TestResult(name, f"{name} holds.", outcome, points, 2.0, 0.25, message, **more)


def a_grade(name: str, *exercises: Any, **more: Any) -> Grade:
    """A student whose exercises have these tests, or these outcomes of one test."""
    results = [
        scoring.exercise_result(
            f"01_first/{NAMES[place]}", (a_test(one),) if isinstance(one, Outcome) else one
        )
        for place, one in enumerate(exercises)
    ]
    return dataclasses.replace(scoring.grade(Submission(name, "d"), results), **more)


def a_run(*grades: Grade) -> Run:
    return Run("foreign", "0.1.0", ENVIRONMENT, grades)


def rendered(run: Run) -> lxml.html.HtmlElement:
    return lxml.html.fromstring(formats.FORMATS["html"].render(run))


def said(page: lxml.html.HtmlElement, path: str) -> list[str]:
    return [" ".join(found.text_content().split()) for found in page.xpath(path)]


def wrong(message: str = "", **more: Any) -> tuple[TestResult, ...]:
    return (a_test(Outcome.FAILED, message=message, **more),)


PASSED, FAILED, RAISED = Outcome.PASSED, Outcome.FAILED, Outcome.RAISED


# Whose mark it is, and how it came about


def test_a_student_has_a_name_a_time_and_every_step_to_the_mark() -> None:
    steps = (
        Adjustment("late", -0.5, "One day late."),
        Adjustment("bonus", 1, "Found a fault in `double`.", "Ada L.", "2026-03-02"),
        Adjustment("comment", 0, "Well explained."),
    )
    grade = a_grade(
        "jd42",
        PASSED,
        FAILED,
        score=2.5,
        student=Person("jd42", "Jane Doe", section="B"),
        at="2026-03-01T23:10:00+01:00",
        late=True,
        attempt=2,
        attempts=3,
        adjustments=steps,
    )
    run = a_run(grade)
    for page in (rendered(run), lxml.html.fromstring(html.page(run, grade))):
        (article,) = page.xpath("//article")
        assert said(article, ".//h1") == ["Jane Doe jd42"]
        assert said(article, ".//p[@class='facts']") == [
            "Submitted on 2026-03-01 at 23:10 (UTC+01:00), marked as late. "
            "Attempt 2 of 3 counts. Section B."
        ]
        assert said(article, ".//section[@class='steps']//div") == [
            "Tests2",
            "Late−0.5One day late.",
            "Bonus+1Found a fault in double. Ada L. on 2026-03-02",
            "CommentWell explained.",
            "Mark2.5",
        ]
    assert said(rendered(run), "//tbody//th") == ["Jane Doe jd42"]


def test_who_is_excused_has_no_unknown_mark() -> None:
    excused = (Adjustment("excuse", 0, "Ill.", "Ada L."),)
    run = a_run(a_grade("ada", FAILED, score=None, adjustments=excused), a_grade("ben", PASSED))
    page = rendered(run)
    assert said(page, "//tbody//td[@class='num']") == ["excused", "2"]
    assert said(page, "//article[1]//p[@class='mark']") == ["excused"]
    assert said(page, "//dl[contains(@class, 'tiles')]/div[dt='Excused']/dd") == ["1"]
    assert said(page, "//dl[contains(@class, 'tiles')]/div[dt='Unknown']/dd") == ["0"]
    assert not page.xpath("//p[@class='problem']")


@pytest.mark.parametrize(
    ("at", "late", "attempts", "words"),
    [
        ("", False, 1, ""),
        ("", True, 1, "Submitted at an unknown time, marked as late."),
        ("last week", False, 1, "Submitted last week."),
        ("2026-03-01", False, 1, "Submitted on 2026-03-01 at 00:00."),
        ("", False, 0, "Nothing was submitted."),
    ],
)
def test_a_time_is_said_as_far_as_it_is_known(
    at: str, late: bool, attempts: int, words: str
) -> None:
    assert marks.handed_in(a_grade("ada", at=at, late=late, attempts=attempts)) == words


def test_a_run_without_these_fields_shows_none_of_them() -> None:
    page = rendered(public(a_run(a_grade("ada", FAILED))))
    for part in ("section[@class='steps']", "p[@class='facts']", "details", "h1/small"):
        assert not page.xpath(f"//article//{part}"), part
    assert "For teachers only" not in page.text_content()
    assert "Seed" not in page.text_content()


# Code, and what was expected


def test_code_has_marks_on_the_lines_that_are_named() -> None:
    told = "Your code raised TypeError at line 4 of `double.py`: `def double(x):`."
    advice = Advice("c", "It is wrong.", line=5)
    tests = (
        a_test(RAISED, message=told, detail="got: <1>\nexpected: 2"),
        a_test(FAILED, "test_y", advice=advice),
    )
    source = Source("01_first/double", "double.py", TEXT)
    page = rendered(a_run(a_grade("ada", tests, PASSED, sources=(source,))))
    (lines,) = page.xpath("//article//pre[@class='lines']/code")
    assert [line.text or "" for line in lines] == TEXT.rstrip("\n").split("\n")
    assert [place for place, line in enumerate(lines, 1) if line.tag == "mark"] == [4, 5]
    assert page.xpath("//details[@class='code']/@open")
    assert page.xpath("//details[@class='detail']/pre/text()") == ["got: <1>\nexpected: 2"]
    assert not page.xpath("//details[@class='detail']/@open")


def test_the_code_of_what_passed_is_folded_at_the_end() -> None:
    source = Source("01_first/double", "double.py", TEXT)
    page = rendered(a_run(a_grade("ada", PASSED, sources=(source,))))
    (shown,) = page.xpath("//section[@class='list']/details[@class='code']")
    assert "open" not in shown.attrib
    assert len(shown.xpath(".//code/span")) == 5
    assert not page.xpath("//section[contains(@class, 'exercise')]//h2[span[@class='id']]")
    # One with a likely mistake is shown above, with its code.
    (result,) = a_grade("ada", PASSED).exercises
    found = dataclasses.replace(result, findings=(Advice("c", "It is slow.", line=5),))
    page = rendered(a_run(a_grade("ada", sources=(source,), exercises=(found,))))
    (shown,) = page.xpath("//details[@class='code']")
    assert shown.xpath("ancestor::section[@class='exercise passed']")
    assert len(shown.xpath(".//code/mark")) == 1


def test_a_file_for_several_exercises_stands_there_once() -> None:
    text = "import jax\n" + "# far\n" * 200 + "\n\ndef half(x):\n    return x / 3\n\n\ny = 1\n"
    sources = tuple(Source(f"01_first/{name}", "all.ipynb", text) for name in NAMES)
    grade = a_grade("ada", FAILED, FAILED, PASSED, PASSED, PASSED, sources=sources)
    article = rendered(a_run(grade)).xpath("//article")[0]
    excerpt = article.xpath(".//pre[@class='lines excerpt']/code/*")
    assert [(e.get("data-line"), e.text) for e in excerpt] == [
        ("204", "def half(x):"),
        ("205", "    return x / 3"),
    ]
    (whole,) = article.xpath(".//pre[@class='lines']")
    assert len(whole.xpath("./code/*")) == 208


def test_long_code_and_long_details_say_where_the_rest_is() -> None:
    text = "x = 1\n" * 10_000
    source = Source("01_first/double", "double.py", text)
    tests = (a_test(FAILED, detail="y" * 9000),)
    article = rendered(a_run(a_grade("ada", tests, sources=(source,)))).xpath("//article")[0]
    lines = said(article, ".//pre[@class='lines']/code/*")
    shown = len(lines)
    assert set(lines) == {"x = 1"}
    assert shown < 7000
    assert f"{10_000 - shown} more lines: see the student's own file." in article.text_content()
    (detail,) = article.xpath(".//details[@class='detail']/pre/text()")
    assert detail == "y" * code.LONGEST + "…\nThe rest is in `details.json`."


def test_a_very_large_class_gets_less_of_each_detail() -> None:
    details = tuple(a_test(FAILED, f"t{n}", detail="y") for n in range(100))
    few, many = (a_run(*[a_grade("ada", details)] * n) for n in (1, 2000))
    assert code.room(few) == code.LONGEST
    assert code.room(many) == code.SHORTEST


def test_a_lost_test_has_a_line_that_repeats_it() -> None:
    source = Source("01_first/double", "my; double.py", TEXT)
    tests = (
        a_test(FAILED, "test_a[x y]"),
        a_test(FAILED, "test_b", detail=f"{inputs.AGAIN}\nwhy"),
        a_test(PASSED, "test_c"),
    )
    run = a_run(a_grade("ada", tests, sources=(source,)))
    first = inputs.seed(ENVIRONMENT.seed, source)
    suite = "tests/hidden/01_first/test_double.py"
    lines = rendered(run).xpath("//p[@class='again']/code/text()")
    assert [shlex.split(line) for line in lines] == [
        ["pytest", f"{suite}::{test}", "--grader-submission", "double.py", "--seed", seed]
        for test, seed in (("test_a[x y]", first), ("test_b", inputs.second(first)))
    ]
    unknown = dataclasses.replace(run, environment=dataclasses.replace(ENVIRONMENT, seed=""))
    for text in (html.page(run, run.submissions[0]), html.render(unknown)):
        assert "--seed" not in text


def test_only_the_teacher_reads_the_code_and_what_was_expected(tmp_path: Path) -> None:
    source = Source("01_first/double", "double.py", "SECRETCODE = 1\n")
    grade = a_grade("ada", (a_test(FAILED, detail="SECRETVALUE"),), sources=(source,))
    run = a_run(grade)
    (target,) = formats.targets([f"html={tmp_path / 'class.html'}"])
    path = target.deliver(run)
    assert path is not None
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert all(secret in path.read_text() for secret in ("SECRETCODE", "SECRETVALUE", "teachers"))
    (own,) = formats.write_feedback(run, tmp_path / "pages")
    for text in (own.read_text(), html.page(run, grade), result_files.render(run)):
        assert "SECRET" not in text


# Whom to look at


def looks(*grades: Grade) -> list[tuple[str, str]]:
    return [(look.student, look.why) for look in attention.looks(grades)]


def test_what_cannot_be_read_comes_first() -> None:
    broken = a_grade("ada", Outcome.BROKEN)
    one = a_grade("ben", PASSED, notes=(Note("half.py", "is not UTF-8 text", unreadable=True),))
    whole = a_grade("eve", Outcome.UNREADABLE, problem="`eve.rar` is no zip.", notes=one.notes)
    stray = a_grade("kim", PASSED, notes=(Note("kim", "is not on the roster"),))
    calm = a_grade("joe", PASSED, notes=(Note("a.txt", "is not Python"),))
    assert looks(broken, one, whole, stray, calm) == [
        ("ben", "`half.py` is not UTF-8 text"),
        ("eve", "`eve.rar` is no zip."),
        ("kim", "`kim` is not on the roster"),
        (
            "ada",
            "01_first/double: can't be scored, because of a fault in the course or the machine",
        ),
    ]


def test_nothing_for_work_that_was_handed_in_is_a_reason_to_look() -> None:
    error = (a_test(RAISED, message="No module named `seaborn`."),)
    assert looks(a_grade("ada", error, error)) == [
        (
            "ada",
            "0 points with work submitted, all from one error: No module named `seaborn`.",
        )
    ]
    assert looks(a_grade("ben", FAILED, Outcome.MISSING)) == [
        ("ben", "0 points with work submitted")
    ]
    assert looks(a_grade("kim", Outcome.MISSING)) == [("kim", "nothing was submitted")]


def test_an_exercise_lost_by_one_error_beside_good_ones_is_a_reason_to_look() -> None:
    error = (a_test(RAISED, message="Stop."), a_test(RAISED, "test_y", "Stop."))
    (look,) = looks(a_grade("ada", error, PASSED, PASSED, PASSED))
    assert look[1] == (
        "01_first/double: 0 of 4, all from one error: Stop.; the other exercises gave 100 %"
    )
    assert len(looks(a_grade("joe", error, PASSED))) == 1
    assert looks(a_grade("ben", error, PASSED, FAILED, FAILED)) == []
    assert looks(a_grade("eve", FAILED, PASSED, PASSED, PASSED)) == []


def test_a_file_that_is_not_python_is_a_reason_to_look_whatever_else_is_there() -> None:
    advice = Advice(NOT_PYTHON, "Line 3 isn't valid Python.", line=3)
    error = (dataclasses.replace(a_test(RAISED, message="Stop."), advice=advice),)
    said = "01_first/double: 0 of 2, all from one error: Stop."
    assert looks(a_grade("ada", error, FAILED, PASSED)) == [("ada", said)]


def test_late_without_a_date_is_a_reason_to_look() -> None:
    dated = a_grade("ada", PASSED, late=True, at="2026-03-01")
    assert looks(dated, a_grade("ben", PASSED, late=True)) == [
        ("ben", "marked as late, but it isn't known when it was submitted")
    ]


# Items


def test_difficulty_and_discrimination_are_those_of_the_textbook() -> None:
    dice = random.Random(3)
    table = [[dice.random() < 0.3 + 0.05 * n for _ in NAMES] for n in range(12)]
    found = items.items(a_grade("s", *(PASSED if p else FAILED for p in row)) for row in table)
    for place, name in enumerate(NAMES):
        own = [2.0 * row[place] for row in table]
        rest = [2.0 * (sum(row) - row[place]) for row in table]
        item = found[f"01_first/{name}", ""]
        assert item.students == 12
        assert item.difficulty == pytest.approx(statistics.fmean(own) / 2)
        assert item.discrimination == pytest.approx(statistics.correlation(own, rest))
        assert found[f"01_first/{name}", "test_x"] == item


def test_work_that_is_not_there_says_nothing_of_an_item() -> None:
    gone = a_grade("s", Outcome.MISSING, Outcome.MISSING)
    unknown = a_grade("s", Outcome.BROKEN, PASSED)
    half = a_grade("s", Outcome.MISSING, PASSED)
    found = items.items([gone, unknown, half, a_grade("s", PASSED, FAILED)])
    assert found["01_first/double", ""] == items.Item(1, 1.0, None)
    assert found["01_first/half", ""] == items.Item(2, 0.5, -1.0)
    only = rendered(a_run(gone, gone))
    assert "Difficulty" not in " ".join(said(only, "//div[@class='rates']//p"))


@pytest.mark.parametrize(("students", "is_low"), [(19, False), (20, True)])
def test_an_item_that_contradicts_the_rest_is_flagged(students: int, is_low: bool) -> None:
    good = a_grade("good", FAILED, PASSED, PASSED, PASSED)
    bad = a_grade("bad", PASSED, FAILED, FAILED, FAILED)
    page = rendered(a_run(*([good, bad, good] * students)[:students]))
    flagged = said(page, "//div[@class='rates']/details/summary[.//*[@class='flag']]/span[1]")
    assert flagged == ["01_first/double check"] * is_low
    text = said(page, "//div[@class='rates']/details[1]/p")[0]
    assert ("discrimination −1.00 low: look at this exercise" in text) == is_low


# The same wrong answer


@pytest.mark.parametrize(
    ("sentences", "shown"),
    [
        (["Line 4 drops `foo`."], "A line drops `foo`."),
        (["Line 4 drops `foo`.", "Line 7 drops `bar`."], "A line drops `…`."),
        (["`x.at` at line 4 drops `foo`.", "`x.at` at line 4 drops `bar`."],
         "`x.at` at a line drops `…`."),
        (["8 times too large.", "3.5e-2 times too large."], "… times too large."),
        (["A float32, not 2.", "A float32, not 3."], "A float32, not …."),
        (["One.", "Two.", "Two."], "Two."),
    ],
)  # fmt: skip
def test_a_sentence_for_many_holds_nothing_of_one_of_them(sentences: list[str], shown: str) -> None:
    assert overview.general(sentences) == shown


def test_what_goes_wrong_quotes_nobody_for_others() -> None:
    def told(line: int, name: str) -> Grade:
        advice = Advice("dropped", f"Line {line} drops what `{name}` returns.", line=line)
        return a_grade(name, wrong(advice=advice))

    (cause,) = overview.overview(a_run(told(3, "f"), told(9, "g"))).causes
    assert (cause.sentence, cause.place, cause.example) == (
        "A line drops what `…` returns.",
        1,
        "f",
    )


def test_the_page_says_how_much_the_course_can_name() -> None:
    known = Advice("double/tripled", "Your function gives the same results as this mistake: 3 x.")
    grades = [
        a_grade("ada", PASSED),
        a_grade("ben", wrong(advice=known)),
        a_grade("kim", wrong(advice=known)),
        a_grade("joe", wrong("Another dtype.")),
        a_grade("out", Outcome.MISSING),
    ]
    seen = overview.overview(a_run(*grades))
    assert (seen.named, seen.lost) == (2, 3)
    (line,) = said(rendered(a_run(*grades)), "//section[contains(@class, 'causes')]/p")
    assert line.endswith("names a known mistake in 2 of the 3 answers that lost points.")


# Every text


def test_no_backtick_is_left_in_a_text_of_ours() -> None:
    text = "It is `code` here."
    tests = (a_test(FAILED, "t", f"{text}\n{text}", hint=text, advice=Advice("c", text, text)),)
    grade = a_grade("ada", tests, notes=(Note("a.txt", text),))
    unread = a_grade("ben", Outcome.UNREADABLE, problem=text)
    late = a_grade("eve", FAILED, adjustments=(Adjustment("late", -1, text),))
    page = formats.FORMATS["html"].render(a_run(grade, unread, late))
    body = page[page.index("<main>") : page.index("<script>")]
    assert "`" not in body
    assert body.count("It is <code>code</code> here.") >= 10


def test_a_hostile_class_with_everything_in_it_is_a_page() -> None:
    page = rendered(a_class(len(HOSTILE) + 2, 6))
    assert {e.tag for e in page.iter() if isinstance(e.tag, str)} >= {"mark", "pre"}
    assert len(page.xpath("//script")) == 1
    assert not page.xpath("//img | //iframe | //*[@onerror or @onload or @style]")


# Practice, and points on a student's word


def test_an_exercise_says_that_it_is_practice_and_what_rests_on_a_students_word() -> None:
    told = (a_test(PASSED, "test_told", basis=Basis.REPORT), a_test(FAILED, "test_ran"))
    grade = a_grade("ada", told, PASSED)
    first, second = grade.exercises
    second = dataclasses.replace(second, counts=False)
    run = a_run(scoring.grade(Submission("ada", "d"), [first, second]))
    page = rendered(run)
    assert said(page, "//div[@class='rates']//span[@class='id']") == [
        "01_first/double 2 of 4 on the student's word",
        "01_first/half practice",
    ]
    one, other = said(page, "//div[@class='rates']/details/p")
    assert "2 of its 4 points rest on what the student's process reports" in one
    assert "The exercise is for practice: its points are not in any mark." in other
    assert said(page, "//p[@class='facts']")[0] == "1 submission, 2 exercises, 4 points"


def test_practice_is_no_reason_to_look_at_anybody_and_in_nobodys_rest() -> None:
    lost = dataclasses.replace(a_grade("ada", RAISED).exercises[0], counts=False)
    others = [scoring.exercise_result(f"a/{n}", (a_test(PASSED),)) for n in range(3)]
    grade = scoring.grade(Submission("ada", "d"), [lost, *others])
    assert attention.looks([grade]) == []
    none = [dataclasses.replace(one, score=0.0) for one in others]
    low = scoring.grade(Submission("ben", "d"), [lost, *none])
    # Everybody lost the practice, so it says nothing about anybody.
    assert items.items([grade, low])["01_first/double", ""].discrimination is None
    won = dataclasses.replace(lost, score=2.0)
    better = scoring.grade(Submission("cleo", "d"), [won, *others])
    assert items.items([better, low])["01_first/double", ""].discrimination == pytest.approx(1)
