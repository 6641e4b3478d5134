"""How GitHub's runner and GitHub's Markdown read a report: two parsers that aren't ours.

`Runner` follows the rules of the runner's public source (`ActionCommand`, `ActionCommandManager`,
`FileCommandManager`). It shares no code with the module under test.
"""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from grader.delivery import formats
from grader.output.reports import github
from grader.records import scoring
from grader.records.model import (
    LAYERS,
    Advice,
    CheckResult,
    Environment,
    ExerciseResult,
    Finding,
    Grade,
    Note,
    Outcome,
    Run,
    Status,
    Submission,
    TestResult,
)

HOSTILE = (
    "x\n::error file=a.py,line=1::owned\r::add-mask::1\r\n  ::set-output name=score::99\n"
    "##[add-mask]2 ##[error]owned\x85::warning::owned\u2028::notice::owned %0A::debug::owned\n"
    "\x1b[31m,line=7:title=x%3A%25\ud800"
)
MARKDOWN = (
    "</code></pre><script>alert(1)</script> <img src=x onerror=alert(1)> @everyone #1 org/x#2\n"
    "# A heading\n```\n````\n| a | b |\n| - | - |\n"
    "![x](http://evil.example/x.png) [y](javascript:1)\n"
    "<!-- <details> http://evil.example www.evil.example --> **bold** \\` `` ` &lt;b&gt;\n~~~\n> q"
)
PATH = "03_jit/f.py"


class Runner:
    """Reads a step's output as the runner does, line by line."""

    COMMANDS = frozenset(
        "stop-commands error warning notice debug group endgroup add-mask set-output set-env "
        "save-state add-path add-matcher remove-matcher echo".split()
    )

    def __init__(self) -> None:
        self.commands: list[tuple[str, dict[str, str], str]] = []
        self.log: list[str] = []
        self._token: str | None = None

    def read(self, output: str) -> Runner:
        # .NET ends a line at CR, LF or CRLF only.
        for line in re.split("\r\n|\r|\n", output):
            command = self._v2(line) or self._v1(line)
            if command is None or not self._obey(command):
                self.log.append(line)
        return self

    def _obey(self, command: tuple[str, dict[str, str], str]) -> bool:
        name, _, data = command
        if self._token is not None:
            if name == self._token:
                self._token = None
                return True
            return False
        if name == "stop-commands":
            self._token = data.lower()
            return True
        self.commands.append(command)
        return True

    def _known(self, name: str) -> bool:
        return name in self.COMMANDS or name == self._token

    def _v2(self, line: str) -> tuple[str, dict[str, str], str] | None:
        line = line.lstrip()
        if not line.startswith("::") or (end := line.find("::", 2)) < 0:
            return None
        name, _, given = line[2:end].partition(" ")
        if not self._known(name.lower()):
            return None
        pairs = (pair.split("=", 1) for pair in given.strip().split(",") if pair)
        properties = {p[0].lower(): self._plain(p[1], ":,") for p in pairs if len(p) == 2}
        return name.lower(), properties, self._plain(line[end + 2 :], "")

    def _v1(self, line: str) -> tuple[str, dict[str, str], str] | None:
        start = line.find("##[")
        if start < 0 or (end := line.find("]", start)) < 0:
            return None
        name = line[start + 3 : end].split(" ")[0].lower()
        return (name, {}, line[end + 1 :]) if self._known(name) else None

    @staticmethod
    def _plain(text: str, also: str) -> str:
        for sign in "\r\n" + also + "%":
            text = text.replace(f"%{ord(sign):02X}", sign)
        return text


def outputs_read(text: str) -> dict[str, str]:
    """The file of outputs, by the runner's rules: `name=value`, or `name<<delimiter` and lines."""
    lines, values = iter(text.split("\n")), {}
    for line in lines:
        if not line:
            continue
        equals, heredoc = line.find("="), line.find("<<")
        if equals >= 0 and (heredoc < 0 or equals < heredoc):
            name, _, values[name] = line.partition("=")
            continue
        assert heredoc > 0
        name, delimiter = line.split("<<", 1)
        rows = []
        while (row := next(lines)) != delimiter:
            rows.append(row)
        values[name] = "\n".join(rows)
    return values


def a_test(outcome: Outcome, message: str = "", points: float = 2.0, **more: object) -> TestResult:
    earned = points if outcome is Outcome.PASSED else 0.0
    made = TestResult("test_x", "X holds.", outcome, earned, points, message=message)
    return dataclasses.replace(made, **more)  # type: ignore[arg-type]


def an_exercise(*tests: TestResult, name: str = "03_jit/f", path: str = PATH) -> ExerciseResult:
    named = (dataclasses.replace(test, id=f"test_{n}") for n, test in enumerate(tests))
    return dataclasses.replace(scoring.exercise_result(name, tuple(named)), path=path)


def a_run(*exercises: ExerciseResult, names: tuple[str, ...] = ("ada",)) -> Run:
    grades = (scoring.grade(Submission(name, "d"), exercises) for name in names)
    return Run("c", "0", Environment("1", "2", "3", LAYERS, "7"), tuple(grades))


def of_grade(grade: Grade) -> Run:
    return dataclasses.replace(a_run(), submissions=(grade,))


def obeyed(run: Run, folder: str = "") -> list[tuple[str, dict[str, str], str]]:
    return Runner().read(github.commands(github.annotated(run, folder))).commands


def tokens(markdown: str) -> list[Token]:
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    flat = []
    for token in parser.parse(markdown):
        flat += [token, *(token.children or [])]
    return flat


# What the runner reads


def test_a_lost_test_points_at_the_students_own_line() -> None:
    said = f"Your code raised ValueError at line 3 of `{PATH}`: `return x`."
    ((level, properties, message),) = obeyed(a_run(an_exercise(a_test(Outcome.RAISED, said))))
    assert (level, properties) == (
        "error",
        {"file": PATH, "line": "3", "title": "03_jit/f (-2)"},
    )
    assert message == f"{said}\nLost because of this:\n- X holds."


def test_advice_says_which_line_and_what_to_do() -> None:
    advice = Advice("tracer-bool", "A tracer has no value.", "Use `jnp.where`.", 7, "if x:", "page")
    lost = a_test(Outcome.RAISED, "A tracer has no value.", hint="Try.", advice=advice)
    ((_, properties, message),) = obeyed(a_run(an_exercise(lost)), "hw")
    assert (properties["file"], properties["line"]) == (f"hw/{PATH}", "7")
    assert message == (
        "A tracer has no value.\nUse `jnp.where`.\npage\nLost because of this:\n- X holds. Hint: "
        "Try."
    )


def test_a_cause_is_one_error_with_all_that_it_cost() -> None:
    lost = [a_test(Outcome.RAISED, "It raised.", title=f"T{n}.") for n in range(3)]
    ((_, properties, message),) = obeyed(a_run(an_exercise(*lost, a_test(Outcome.PASSED))))
    assert properties["title"] == "03_jit/f (-6)"
    assert message == "It raised.\nLost because of this:\n- T0.\n- T1.\n- T2."


def test_two_causes_with_the_same_words_are_told_apart() -> None:
    scaled, turned = Advice("scaled", "Off by 3."), Advice("transposed", "Axes are swapped.")
    lost = [
        a_test(Outcome.FAILED, "Values are wrong.", advice=scaled),
        a_test(Outcome.FAILED, "Values are wrong.", advice=turned),
        a_test(Outcome.FAILED, "Other words.", advice=turned),
    ]
    shown = [(p["title"], m.split("\n")[1]) for _, p, m in obeyed(a_run(an_exercise(*lost)))]
    assert shown == [
        ("03_jit/f (-4)", "Axes are swapped."),
        ("03_jit/f (-2)", "Off by 3."),
    ]


def test_a_finding_is_a_warning_on_its_line() -> None:
    finding = Advice("dropped-set", "The result of `.set` is dropped.", "Assign it.", 4)
    exercise = dataclasses.replace(an_exercise(a_test(Outcome.PASSED)), findings=(finding,))
    assert obeyed(a_run(exercise)) == [
        (
            "warning",
            {"file": PATH, "line": "4", "title": "03_jit/f"},
            "The result of `.set` is dropped.\nAssign it.",
        )
    ]


def test_a_notebook_has_no_lines_to_point_at() -> None:
    lost = a_test(Outcome.RAISED, "It raised at line 3 of `f.ipynb`: `x`.")
    ((_, properties, _),) = obeyed(a_run(an_exercise(lost, path="f.ipynb")))
    assert properties["file"] == "f.ipynb"
    assert "line" not in properties


@pytest.mark.parametrize("outcome", [Outcome.PASSED, Outcome.UNDECIDED, Outcome.MISSING])
def test_what_is_no_mistake_is_not_annotated(outcome: Outcome) -> None:
    assert obeyed(a_run(an_exercise(a_test(outcome, "Said.")))) == []


def test_a_fault_of_the_course_is_a_warning_without_blame() -> None:
    ((level, _, message),) = obeyed(a_run(an_exercise(a_test(Outcome.BROKEN, "ours"))))
    assert (level, message) == (
        "warning",
        "This can't be scored, because of a fault that is not yours.",
    )


def test_the_ten_that_cost_the_most_are_shown_and_the_others_counted() -> None:
    lost = [a_test(Outcome.FAILED, f"Wrong {n}.", float(n)) for n in range(1, 14)]
    found = obeyed(a_run(an_exercise(*lost)))
    errors = [message for level, _, message in found if level == "error"]
    assert [int(re.search(r"\d+", said)[0]) for said in errors] == [*range(13, 3, -1)]  # type: ignore[index]
    assert found[-1][0] == "notice"
    assert found[-1][2] == "3 errors more: the summary of this run contains everything."


def test_a_file_of_no_repository_is_not_pointed_at() -> None:
    run = a_run(an_exercise(a_test(Outcome.FAILED, "Wrong.")), names=("ada", "ben"))
    assert [(p.get("file"), p["title"]) for _, p, _ in obeyed(run)] == [
        (None, "ada: 03_jit/f (-2)"),
        (None, "ben: 03_jit/f (-2)"),
    ]


def hostile_run(text: str) -> Run:
    advice = Advice(text, text, text, 3, text, text)
    lost = a_test(Outcome.RAISED, text, title=text, hint=text, detail=text, advice=advice)
    exercise = an_exercise(lost, name=text, path=f"{text}.py")
    exercise = dataclasses.replace(exercise, findings=(advice,), message=text)
    grade = scoring.grade(Submission(text, text, notes=(Note(text, text),)), [exercise])
    return dataclasses.replace(of_grade(grade), course=text)


@pytest.mark.parametrize("text", [HOSTILE, HOSTILE[::-1], "::error::owned", "##[error]owned"])
def test_only_the_grader_gives_commands_to_the_runner(text: str) -> None:
    runner = Runner().read(github.render(hostile_run(text)))
    assert [(level, sorted(given)) for level, given, _ in runner.commands] == [
        ("error", ["file", "line", "title"]),
        ("warning", ["file", "line", "title"]),
    ]
    assert all(given["line"] == "3" for _, given, _ in runner.commands)
    assert runner.log == [""]


def test_what_is_escaped_arrives_as_it_was() -> None:
    text = "100 % of `a,b:c` is %0A and %25, not\n::this::"
    ((_, _, message),) = obeyed(a_run(an_exercise(a_test(Outcome.FAILED, text))))
    assert message.startswith(text)
    named = a_run(an_exercise(a_test(Outcome.FAILED, "No."), path="a,b:c%2C.py"))
    assert obeyed(named)[0][1]["file"] == "a,b:c%2C.py"


def test_a_log_in_its_guard_is_no_command() -> None:
    shown = github.guarded(f"{HOSTILE}\n::stop-commands::x\n::x::\n::error::owned")
    runner = Runner().read(shown + "::notice::after\n")
    assert runner.commands == [("notice", {}, "after")]


def test_a_guard_can_not_be_predicted() -> None:
    assert github.guarded("x") != github.guarded("x")


def test_what_a_hidden_test_saw_is_in_no_report() -> None:
    ours = ExerciseResult("03_jit/g", Outcome.BROKEN, None, 2.0, message="SECRET of a judge")
    broken = an_exercise(a_test(Outcome.BROKEN, "Ours.", detail="SECRET"), name="03_jit/h")
    run = a_run(an_exercise(a_test(Outcome.FAILED, "Wrong.", detail="SECRET")), broken, ours)
    many = dataclasses.replace(run, submissions=run.submissions * 2)
    for graded in (run, many):
        said = github.render(graded) + github.summary(graded) + str(github.outputs(graded))
        assert "Wrong." in said or graded is many
        assert "SECRET" not in said


# The summary


@pytest.mark.parametrize(
    "text", [MARKDOWN, HOSTILE, "`" * 50, "|" * 9, "\\", "a\n```\nb\n`````\nc"]
)
def test_a_students_text_in_the_summary_is_text(text: str) -> None:
    run = hostile_run(text)
    many = dataclasses.replace(run, submissions=run.submissions * 2)
    problem = of_grade(scoring.grade(Submission(text, "d", problem=text), []))
    for markdown in map(github.summary, (run, many, problem)):
        found = tokens(markdown)
        html = [t.content for t in found if t.type in ("html_inline", "html_block")]
        assert set(html) <= {"<code>", "</code>"}
        strange = {"link_open", "image", "strong_open", "em_open", "blockquote_open", "s_open"}
        assert not strange & {token.type for token in found}
        assert [t.tag for t in found if t.type == "heading_open"] in (["h2"], ["h2", "h3"])


def test_a_mention_stands_in_code_alone() -> None:
    outside = []
    in_code = False
    for token in tokens(github.summary(hostile_run(MARKDOWN))):
        if token.type == "html_inline":
            in_code = token.content == "<code>"
        elif token.type == "text" and not in_code:
            outside.append(token.content)
    assert "@" not in "".join(outside)
    assert "#1" not in "".join(outside)


def test_the_summary_says_what_was_lost_and_what_is_missing() -> None:
    right = an_exercise(a_test(Outcome.PASSED), name="01_a/a")
    wrong = an_exercise(a_test(Outcome.FAILED, "Wrong."))
    gone = an_exercise(a_test(Outcome.MISSING), name="02_b/b", path="")
    found = tokens(github.summary(a_run(right, wrong, gone)))
    text = " ".join(t.content for t in found if t.type in ("text", "fence"))
    assert re.sub(r"\s+", " ", text) == (
        "ada : 2 of 6 exercise points ✓ 01_a/a passed 2 of 2 ✗ 03_jit/f failed 0 of 2 Missing: "
        "02_b/b ✗ 03_jit/f in 03_jit/f.py Wrong. Lost because of this: - X holds. "
    )


def test_an_unknown_mark_is_said_to_be_unknown() -> None:
    run = a_run(an_exercise(a_test(Outcome.BROKEN)))
    assert "? of 2" in github.summary(run)
    assert "**The mark is not known**" in github.summary(run)
    assert "**2 marks not known**" in github.summary(
        a_run(an_exercise(a_test(Outcome.BROKEN)), names=("a", "b"))
    )


def test_a_summary_is_never_longer_than_the_runner_takes() -> None:
    long = an_exercise(*(a_test(Outcome.FAILED, f"{n} {'é' * 3900}") for n in range(9)))
    markdown = github.summary(a_run(*[long] * 400))
    assert 900_000 < len(markdown.encode()) <= 1 << 20
    assert "more: too long for a summary" in markdown


# Outputs


def test_outputs_are_what_the_runner_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_OUTPUT", str(tmp_path / "out"))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary"))
    run = a_run(an_exercise(a_test(Outcome.PASSED), a_test(Outcome.FAILED, "Wrong.")))
    formats.target("github").deliver(run)
    read = outputs_read((tmp_path / "out").read_text())
    assert read == {"passed": "false", "score": "2", "max_score": "4"}
    assert (tmp_path / "summary").read_text() == github.summary(run)
    assert capsys.readouterr().out == github.render(run)


def test_what_can_not_be_known_is_no_zero_in_the_outputs() -> None:
    run = a_run(an_exercise(a_test(Outcome.BROKEN)))
    assert github.outputs(run) == {"passed": "unknown", "score": "unknown", "max_score": "2"}


def test_a_value_can_not_end_itself_and_set_another(tmp_path: Path) -> None:
    hostile = "1\nEOF\nscore<<EOF\n99\nEOF\nscore=99"
    github.append("", {"note": hostile}, {"GITHUB_OUTPUT": str(tmp_path / "out")})
    assert outputs_read((tmp_path / "out").read_text()) == {"note": hostile}


def test_elsewhere_no_file_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    github.append("# x", {"a": "b"}, {})
    assert list(tmp_path.iterdir()) == []


# What `grader check` found


def test_what_check_found_points_at_its_line() -> None:
    finding = Finding("It differs.", "", 30, "x", "", "f(x)", "3.0", "nan")
    results = [
        CheckResult("03_jit/f", PATH, Status.TO_FIX, 1, (finding,)),
        CheckResult("03_jit/g", "g.py", Status.MISSING, 0, (Finding("There is no `g.py`."),)),
        CheckResult("03_jit/h", "h.py", Status.NOT_STARTED, 1, (Finding("Not started", line=3),)),
        CheckResult("03_jit/i", "i.py", Status.PASSED, 1, hints=(Advice("key", "Reused.", "", 5),)),
    ]
    found = Runner().read(github.commands(github.check_annotated(results))).commands
    assert found == [
        (
            "error",
            {"file": PATH, "line": "30", "title": "03_jit/f"},
            "It differs.\nexample   f(x)\nexpected  3.0\ngot       nan",
        ),
        ("error", {"file": "g.py", "title": "03_jit/g"}, "There is no `g.py`."),
        ("warning", {"file": "i.py", "line": "5", "title": "03_jit/i"}, "Reused."),
    ]
    assert github.check_outputs(results) == {"passed": "false"}
    assert github.check_outputs(results[2:]) == {"passed": "true"}


@pytest.mark.parametrize("text", [MARKDOWN, HOSTILE])
def test_what_a_student_prints_in_an_example_is_text(text: str) -> None:
    finding = Finding(text, text, 3, text, text, text, text, text, text)
    results = [CheckResult("03_jit/f", f"{text}.py", Status.TO_FIX, 1, (finding,))]
    runner = Runner().read(github.commands(github.check_annotated(results)))
    assert [(level, given["line"]) for level, given, _ in runner.commands] == [("error", "3")]
    assert runner.log == [""]
    assert [t.type for t in tokens(github.fenced(text))] == ["fence"]


def test_equal_lines_of_a_message_all_stay() -> None:
    said = "Wrong.\n  got: 0\n       1\n  expected: 0\n       1"
    ((_, _, message),) = obeyed(a_run(an_exercise(a_test(Outcome.FAILED, said))))
    assert message.startswith(f"{said}\nLost because of this:")
