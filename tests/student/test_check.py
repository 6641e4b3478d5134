"""`grader check`: a student's own code, in a folder of stubs, without suites and sandbox."""

from __future__ import annotations

import ast
import io
import os
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import grader
from grader.course.course import Course, find, load
from grader.output.screens.check import render
from grader.records.errors import HostError
from grader.records.model import CheckResult, Finding, Status
from grader.student import example_pool, facts
from grader.student.check import check
from grader.student.start import start

PACKAGE = Path(grader.__file__).parent

# Every file asks for a function of the same name. `BODY` is in line 15.
STUB = '''
"""A task."""

import jax
import jax.numpy as jnp


def NAME(x):
    """Return twice `x`.

    >>> NAME(jnp.array([1, 2])).tolist()
    [2, 4]
    >>> jax.jit(NAME)(jnp.array(3)).tolist()
    6
    """
    BODY
'''

BODIES = {
    "right": "return 2 * x",
    "untouched": "raise NotImplementedError",
    "wrong": "return 3 * x",
    "raises": "x[0] = 2 * x[0]\n    return x",
    "traced": "if x.sum() > 4: return 2 * x\n    return x + x",
    "long_message": "raise ValueError('first line\\n' + 'more\\n' * 3000)",
    "no_unicode": "raise ValueError('\\ud800 is half of a character')",
    "no_return": "2 * x",
    "prints_answer": "print((2 * x).tolist())",
    "debug_print": "print('x is', x)\n    return 2 * x",
    "debug_wrong": "print('x is', x)\n    return x",
    "sets_x64": "jax.config.update('jax_enable_x64', True)\n    return 2 * x",
    "after_x64": "assert jnp.ones(1).dtype == 'float32'\n    return 2 * x",
    "hangs": "open(__file__ + '.runs', 'w').close()\n    while True: pass",
    "after_hang": "return 2 * x",
    "exits": "import os; os._exit(3)",
    "floods": "while True: print('hello')",
    "floods_descriptor": "import os; os.write(1, b'x' * 1_000_000)\n    return 2 * x",
    "asks": "input('x?')\n    return 2 * x",
    "leaves": "import sys; sys.exit('enough')",
}
WHOLE = {
    "syntax": "def syntax(x):\n    return 2 *\n",
    "renamed_function": STUB.replace("NAME", "other").replace("BODY", "return 2 * x"),
    "bare": "def bare(x):\n    return 2 * x\n",
    "neighbour": "from right import right\n\ndef neighbour(x):\n    return right(x)\n",
    "sets_global": STUB.replace("BODY", "return 2 * x") + "\nleft_behind = 1\n",
    "sees_global": STUB.replace("BODY", "return 2 * x")
    + "\nassert 'left_behind' not in globals()\n",
    "no_import": '''
        def no_import(x):
            """
            >>> jax.jit(no_import)(3).tolist()
            6
            """
            return 2 * x
    ''',
    "refuses": '''
        def refuses(x):
            """
            >>> refuses(-1)
            Traceback (most recent call last):
            ValueError: -1 is ...
            >>> refuses(-2)
            Traceback (most recent call last):
            TypeError: something else
            """
            raise ValueError(f"{x} is negative")
    ''',
    "accepts": '''
        def accepts(x):
            """
            >>> accepts(-1)
            Traceback (most recent call last):
            ValueError: -1 is ...
            """
    ''',
    "rounded": '''
        import jax.numpy as jnp

        def rounded(x):
            """
            >>> rounded(0.3), rounded(0.0)
            (0.3, 0.0)
            >>> jnp.array([rounded(3e4), 1.0])
            Array([3.e+04, 1.e+00], dtype=float32)
            """
            return x * (1 + 1e-7) + 1e-9
    ''',
    "claims": '''
        def claims(x):
            """
            The result is positive:

            >>> claims(1) > 0
            True
            """
            return -x
    ''',
    "counts": '''
        def counts(x):
            """
            Three are counted:

            >>> counts(1)
            3
            """
            return 2
    ''',
    "swapped": '''
        def swapped(x):
            """
            >>> a, b = swapped(1.0)
            >>> a
            1.0
            """
            return x
    ''',
    "no_scalar": '''
        import jax.numpy as jnp

        def no_scalar(x):
            """
            >>> float(no_scalar(1.0))
            1.0
            """
            return jnp.ones(2)
    ''',
    "waits_for_nothing": '''
        import time

        def waits_for_nothing(f):
            """
            >>> waits_for_nothing(lambda: 1) < 60
            True
            """
            start = time.perf_counter()
            f()

            end = "the end"
            return time.perf_counter() - start
    ''',
    "many": '''
        """
        >>> many(jnp.zeros(2)).shape
        (2,)
        """
        import jax.numpy as jnp

        def many(x):
            return helper(x)

        def helper(x):
            """
            >>> helper(0)
            2
            """
            return x + 1

        class Thing:
            def method(self):
                """
                >>> Thing().method()
                1
                """
                return 1
    ''',
    "unpacked": '''
        def unpacked(x):
            """
            >>> a, b = unpacked(1)
            >>> a
            1
            """
    ''',
    "late": '''
        def late(x):
            """
            >>> found = late(1)
            >>> found[0]
            1
            """
    ''',
    "debugs": '''
        import jax

        def debugs(x):
            """
            >>> print(jax.jit(debugs)(1))
            x is 1
            1
            """
            jax.debug.print("x is {x}", x=x)
            return x
    ''',
}
DEVICES = '''
    """
    >>> jax.device_count(), jax.devices()[0].platform
    (8, 'cpu')
    """
    import jax

    def eight(x):
        return x
'''


def entry(stem: str, more: str = "") -> str:
    return f'\n[[exercise]]\nid = "01_first/{stem}"\n{more}\n'


HANGS = 7000
"""The limit of the exercise that never ends, in seconds."""


def handout(folder: Path, files: dict[str, str], more: dict[str, str] | None = None) -> Course:
    """A folder as a student has it: a catalogue and stubs."""
    entries = "".join(entry(stem, (more or {}).get(stem, "")) for stem in files)
    (folder / "01_first").mkdir(parents=True)
    catalog = f'schema = 1\nname = "a course"\n[limits]\nseconds = 600\noutput_kb = 16\n{entries}'
    (folder / "catalog.toml").write_text(catalog)
    for stem, text in files.items():
        text = textwrap.dedent(text).lstrip("\n").replace("NAME", stem)
        (folder / "01_first" / f"{stem}.py").write_text(text)
    return load(folder / "catalog.toml")


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    files = {stem: STUB.replace("BODY", body) for stem, body in BODIES.items()}
    files |= WHOLE | {"eight": DEVICES, "gone": "", "renamed": "", "binary": ""}
    more = {"eight": "devices = 8", "hangs": f"limits = {{seconds = {HANGS}}}"}
    made = handout(tmp_path_factory.mktemp("student"), files, more)
    folder = made.stubs / "01_first"
    (folder / "gone.py").unlink()
    (folder / "renamed.py").rename(folder / "renamed (1).py")
    (folder / "binary.py").write_bytes(b"\0\1\2")
    return made


def runs_an_example(heard: list[facts.Message]) -> bool:
    return any(isinstance(m, facts.RunningExample) and m.example.source for m in heard[-1:])


def impatient(course: Course) -> Callable[..., facts.Message | None]:
    """Time is over for the exercise that hangs as soon as its example runs, and is known to run."""
    runs = course.stub(course["hangs"]).with_name("hangs.py.runs")
    hear, heard = example_pool._Process._hear, list[facts.Message]()

    def wrapped(process: Any, seconds: float, wanted: Callable[[], bool]) -> facts.Message | None:
        if seconds != HANGS:
            return hear(process, seconds, wanted)
        while not (runs.exists() and runs_an_example(heard)):
            if (message := hear(process, 0.05, wanted)) is not None:
                heard.append(message)
                return message
        return None

    return wrapped


@pytest.fixture(scope="module")
def results(course: Course) -> Iterator[dict[str, CheckResult]]:
    """All of them checked in one run, in an environment that must not change the answers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JAX_ENABLE_X64", "1")
        patch.setenv("XLA_FLAGS", "--xla_force_host_platform_device_count=3")
        patch.chdir(course.stubs)
        patch.setattr(example_pool._Process, "_hear", impatient(course))
        seen: list[CheckResult] = []
        found = check(course, course.exercises, on_result=seen.append)
        assert seen == found
        yield {result.exercise.split("/")[1]: result for result in found}


Only = Callable[[str], Finding]


@pytest.fixture
def only(results: dict[str, CheckResult]) -> Only:
    """The only finding of an exercise that has to be fixed."""

    def pick(stem: str) -> Finding:
        assert results[stem].status is Status.TO_FIX
        assert not results[stem].passed
        (finding,) = results[stem].findings
        return finding

    return pick


def test_right_work_passes(results: dict[str, CheckResult]) -> None:
    assert results["right"] == CheckResult(
        "01_first/right", "01_first/right.py", Status.PASSED, examples=2
    )
    assert results["right"].passed


def test_an_untouched_stub_is_not_started_and_names_the_line(
    results: dict[str, CheckResult],
) -> None:
    assert results["untouched"].status is Status.NOT_STARTED
    (finding,) = results["untouched"].findings
    assert finding.sentence == (
        "Not started: open `01_first/untouched.py` and replace line 15, "
        "`raise NotImplementedError`, with your own code."
    )


def test_a_file_that_is_gone_is_missed(results: dict[str, CheckResult]) -> None:
    assert results["gone"].status is Status.MISSING
    assert results["gone"].findings[0].sentence == (
        "There is no `01_first/gone.py`. Was it renamed or deleted? Copy it from the folder that "
        "you were given, and keep its name."
    )


def test_a_renamed_file_is_found_again(results: dict[str, CheckResult]) -> None:
    assert results["renamed"].status is Status.MISSING
    assert results["renamed"].findings[0].sentence == (
        "There is no `01_first/renamed.py`, but there is `renamed (1).py` next to it. Rename that "
        "to `renamed.py`: a file is identified by its name."
    )


def test_a_file_that_is_no_text_is_said_to_be_none(only: Only) -> None:
    assert only("binary").sentence == (
        "`01_first/binary.py` is not Python: it contains NUL bytes. Save it as plain UTF-8 text."
    )


def test_a_syntax_error_shows_its_line(only: Only) -> None:
    finding = only("syntax")
    assert finding.sentence == "Line 2 is not Python: invalid syntax."
    assert (finding.line, finding.code) == (2, "return 2 *")


def test_a_wrong_result_says_how_it_differs_and_shows_both(
    results: dict[str, CheckResult],
) -> None:
    first, second = results["wrong"].findings
    assert first.sentence == (
        "The example at line 10 gives a result that is off by a constant factor: it is 1.5 times "
        "the right result."
    )
    assert first.todo.startswith("Look for a missing or extra constant")
    assert (first.line, first.expected, first.got) == (10, "[2, 4]", "[3, 6]")
    assert (
        second.sentence == "The example at line 12 is wrong: the result is 9 where 6 is expected."
    )
    assert second.example == "jax.jit(wrong)(jnp.array(3)).tolist()"


def test_floats_are_equal_up_to_rounding(results: dict[str, CheckResult]) -> None:
    assert results["rounded"].passed


def test_the_sentence_above_an_example_says_what_it_shows(only: Only) -> None:
    assert only("claims").sentence == (
        "The example at line 5 requires this, but it isn't true yet: The result is positive."
    )
    finding = only("counts")
    assert (
        finding.sentence == "The example at line 5 is wrong: the result is 2 where 3 is expected."
    )
    assert finding.text == "Three are counted:"


def test_what_an_example_could_not_use_is_described(only: Only) -> None:
    assert only("swapped").sentence == (
        "The example at line 3 can't use what `swapped` returned, a float: cannot unpack "
        "non-iterable float object."
    )


def test_what_was_returned_stands_beside_what_jax_says_of_it(only: Only) -> None:
    finding = only("no_scalar")
    assert "raises TypeError" in finding.sentence
    assert finding.sentence.endswith(" `no_scalar` returned an array of shape (2,).")


def test_a_mistake_that_the_examples_miss_is_told_beside_what_passes(
    results: dict[str, CheckResult],
) -> None:
    found = results["waits_for_nothing"]
    assert found.status is Status.FLAWED
    assert [(hint.cause, hint.line) for hint in found.hints] == [("clock-not-waited", 12)]
    file = io.StringIO()
    render([found], Console(file=file, width=80))
    shown = [line.rstrip() for line in file.getvalue().splitlines()]
    assert shown[1] == "    Its examples pass, but your code has a mistake that they don't show:"
    assert shown[2].startswith("    Line 12 reads the clock before the result is ready.")


def test_an_exception_is_placed_in_the_students_own_line(only: Only) -> None:
    finding = only("raises")
    assert finding.sentence.startswith("Line 15 assigns to an element of a JAX array.")
    assert finding.todo.startswith("Make a new array")
    assert finding.error.startswith("TypeError: JAX arrays are immutable")
    assert (finding.line, finding.code) == (15, "x[0] = 2 * x[0]")
    assert finding.example == "raises(jnp.array([1, 2])).tolist()"
    assert "site-packages" not in str(finding)


def test_an_exception_under_jit_names_the_students_line_too(only: Only) -> None:
    finding = only("traced")
    assert finding.sentence.startswith("Line 15 uses a traced value as a condition")
    assert finding.error.startswith("TracerBoolConversionError: Attempted")
    assert "01_first/traced.py" not in finding.error
    assert finding.example == "jax.jit(traced)(jnp.array(3)).tolist()"


def test_a_long_message_is_cut(only: Only) -> None:
    finding = only("long_message")
    assert finding.sentence == "Line 15 raises ValueError: first line."
    assert finding.error.startswith("ValueError: first line\nmore\n")
    assert len(finding.error) < 2000


def test_a_message_may_hold_what_utf8_does_not(only: Only) -> None:
    assert only("no_unicode").sentence == (
        "Line 15 raises ValueError: \ud800 is half of a character."
    )


@pytest.mark.parametrize("stem", ["no_return", "prints_answer", "unpacked", "late"])
def test_a_missing_return_is_recognised(stem: str, results: dict[str, CheckResult]) -> None:
    sentence = f"`{stem}` returns None: is a `return` missing?"
    assert {finding.sentence for finding in results[stem].findings} == {sentence}


def test_a_print_left_over_does_no_harm(results: dict[str, CheckResult]) -> None:
    assert results["debug_print"].passed


def test_what_was_printed_is_shown_beside_a_wrong_result(results: dict[str, CheckResult]) -> None:
    finding = results["debug_wrong"].findings[0]
    assert (finding.got, finding.printed) == ("[1, 2]", "x is [1 2]")


def test_what_an_example_prints_counts_jax_prints_included(
    results: dict[str, CheckResult],
) -> None:
    assert results["debugs"].passed


def test_an_exception_may_be_what_is_asked_for(only: Only) -> None:
    finding = only("refuses")
    assert finding.example == "refuses(-2)"
    assert finding.sentence.endswith("raises ValueError: -2 is negative.")
    assert finding.expected == "TypeError: something else"


def test_an_exception_that_does_not_come_is_missed(only: Only) -> None:
    finding = only("accepts")
    assert finding.sentence == "The example at line 3 should raise an exception, but raises none."
    assert finding.expected == "ValueError: -1 is ..."


def test_module_functions_and_methods_may_all_hold_examples(
    results: dict[str, CheckResult],
) -> None:
    assert results["many"].examples == 3
    (finding,) = results["many"].findings
    assert (finding.line, finding.example, finding.got) == (12, "helper(0)", "1")


def test_a_hanging_example_is_stopped_and_costs_only_its_exercise(
    only: Only, results: dict[str, CheckResult]
) -> None:
    finding = only("hangs")
    assert finding.sentence == (
        "The example at line 10 was stopped after 7000 s. Is there a loop that never ends, or one "
        "that JAX has to unroll?"
    )
    assert finding.example == "hangs(jnp.array([1, 2])).tolist()"
    assert results["hangs"].examples == 2
    assert results["after_hang"].passed


def test_code_that_ends_python_is_told_so(only: Only) -> None:
    assert (
        only("exits").sentence == "The example at line 10 ended the Python process (exit code 3)."
    )


def test_code_that_prints_without_end_is_stopped(only: Only) -> None:
    assert only("floods").sentence == ("Line 15 prints too much: more than 16 KB in one example.")


def test_output_past_python_reaches_neither_screen_nor_grader(
    results: dict[str, CheckResult],
) -> None:
    assert results["floods_descriptor"].passed


def test_code_that_asks_for_input_does_not_wait(only: Only) -> None:
    assert only("asks").sentence.startswith("Line 15 raises EOFError")


def test_sys_exit_is_an_exception_like_others(only: Only) -> None:
    assert only("leaves").sentence == "Line 15 raises SystemExit: enough."


def test_a_renamed_function_is_asked_back(only: Only) -> None:
    assert only("renamed_function").sentence == (
        "`01_first/renamed_function.py` does not define `renamed_function`. Keep the names that "
        "the stub came with."
    )


def test_a_docstring_that_is_gone_is_asked_back(only: Only) -> None:
    assert only("bare").sentence == (
        "`01_first/bare.py` has no examples left to run: its docstring is gone. Copy the "
        "docstring back from the folder that you were given."
    )


def test_a_file_cannot_import_its_neighbour(only: Only) -> None:
    assert only("neighbour").sentence == (
        "Line 1 raises ModuleNotFoundError: No module named 'right'. So the file can't be loaded. "
        "Each file is graded alone: copy what you need from `right.py` into it."
    )


def test_a_stub_without_its_imports_is_still_right(results: dict[str, CheckResult]) -> None:
    assert results["no_import"].passed


def test_no_setting_and_no_name_reaches_the_next_exercise(
    results: dict[str, CheckResult],
) -> None:
    for stem in ("sets_x64", "after_x64", "sets_global", "sees_global"):
        assert results[stem].passed, results[stem]


def test_an_exercise_gets_its_devices_whatever_the_environment_says(
    results: dict[str, CheckResult],
) -> None:
    assert results["eight"].passed, results["eight"]


@pytest.mark.slow
def test_a_lost_docstring_comes_from_the_installed_course(tmp_path: Path) -> None:
    installed = find(start=PACKAGE)
    shutil.copytree(installed.stubs, tmp_path / "mine")
    mine = load(tmp_path / "mine" / "catalog.toml")
    text = "def set_row(x, i, row):\n    return x.at[i].{}(row)\n"
    mine.stub(mine["set_row"]).write_text(text.format("set"))
    (result,) = check(mine, mine.select(["set_row"]))
    assert result.passed
    assert result.examples > 0
    mine.stub(mine["set_row"]).write_text(text.format("add"))
    (result,) = check(mine, mine.select(["set_row"]))
    assert result.findings[0].sentence == (
        "Your function gives the same results as this mistake: `add` instead of `set`."
    )


@pytest.mark.slow
def test_every_example_of_the_course_holds_for_its_solution(tmp_path: Path) -> None:
    ours = find(start=PACKAGE)
    shutil.copytree(ours.stubs, tmp_path / "mine")
    mine = load(tmp_path / "mine" / "catalog.toml")
    for exercise in mine.exercises:
        stub = mine.stub(exercise).read_text(encoding="utf-8")
        # The docstrings of the first are read, the functions of the second are called.
        both = f"{stub}\n\n{ours.solution(exercise).read_text(encoding='utf-8')}"
        mine.stub(exercise).write_text(both, encoding="utf-8")
    found = check(mine, mine.exercises)
    # Advice about a stub's own program is right: its mistakes are the task.
    assert [result for result in found if result.findings or not result.examples] == []


def test_a_machine_without_jax_is_told_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "jax.py").write_text("raise ImportError('no jax today')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "broken"), prepend=os.pathsep)
    course = handout(tmp_path / "student", {"right": STUB.replace("BODY", "return 2 * x")})
    with pytest.raises(HostError) as caught:
        check(course, course.exercises)
    assert "ImportError: no jax today. Install it there, with `python -m pip" in str(caught.value)


def test_the_report_is_legible_in_80_columns_without_colour(
    results: dict[str, CheckResult],
) -> None:
    file = io.StringIO()
    stems = ("right", "wrong", "raises", "untouched", "gone", "debug_wrong")
    render([results[stem] for stem in stems], Console(file=file, width=80, highlight=False))
    shown = [line.rstrip() for line in file.getvalue().splitlines()]
    assert max(map(len, shown)) <= 80
    assert shown[:16] == [
        "passed       01_first/right  (2 examples)",
        "to fix       01_first/wrong",
        "    The example at line 10 gives a result that is off by a constant factor: it",
        "    is 1.5 times the right result.",
        "    Look for a missing or extra constant, such as the 2 in the derivative of a",
        "    square.",
        "      example   wrong(jnp.array([1, 2])).tolist()",
        "      expected  [2, 4]",
        "      got       [3, 6]",
        "      More: Automatic differentiation",
        "      https://docs.jax.dev/en/latest/automatic-differentiation.html",
        "    The example at line 12 is wrong: the result is 9 where 6 is expected.",
        "      example   jax.jit(wrong)(jnp.array(3)).tolist()",
        "      expected  6",
        "      got       9",
        "to fix       01_first/raises",
    ]
    assert "      line 15   x[0] = 2 * x[0]" in shown
    assert "      printed   x is [1 2]" in shown
    assert shown[-3:] == [
        "1 passed, 3 to fix, 1 not started, 1 missing",
        "To fix: `wrong`, `raises`, `gone`, `debug_wrong`",
        "Passed means the examples are right. Hidden tests check the whole docstring.",
    ]


def test_the_students_side_needs_no_unix() -> None:
    """It imports nothing that Windows lacks, and the parent process neither jax nor numpy."""
    unix = {"fcntl", "pty", "pwd", "resource", "select", "selectors", "socket", "termios"}
    for path in (PACKAGE / "student" / "check.py", PACKAGE / "student" / "examples.py"):
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        names = {alias.name for n in nodes if isinstance(n, ast.Import) for alias in n.names}
        names |= {str(n.module) for n in nodes if isinstance(n, ast.ImportFrom)}
        assert not unix & {name.partition(".")[0] for name in names}
    script = (
        "import sys, grader.student.check\n"
        "print([m for m in ('jax', 'numpy', 'rich', 'pytest') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        ("return (1, 2) * 0.5", "not-arrays"),
        ("return jnp.ones(2) * jnp.ones(3)", "shapes-broadcast"),
    ],
)
def test_pythons_own_operators_are_told_from_broadcasting(
    make_course: Callable[..., Course], tmp_path: Path, code: str, cause: str
) -> None:
    stub = textwrap.dedent(STUB).replace("NAME", "double").replace("BODY", code)
    course = make_course(tmp_path, {"exercises/01_first/double.py": stub})
    (found,) = check(course, course.exercises)
    assert found.findings[0].advice is not None
    assert found.findings[0].advice.cause == cause


def test_a_misspelled_attribute_is_asked_for(
    make_course: Callable[..., Course], tmp_path: Path
) -> None:
    stub = textwrap.dedent(STUB).replace("NAME", "double").replace("BODY", "return jnp.sumn(x)")
    course = make_course(tmp_path, {"exercises/01_first/double.py": stub})
    (found,) = check(course, course.exercises)
    assert "Did you mean `sum`?" in found.findings[0].error


def test_a_slow_program_as_it_was_handed_out_is_not_started(tmp_path: Path) -> None:
    """Its examples may pass, since it is right."""
    course = start(tmp_path / "mine").course
    exercise = course["nearest_labels"]
    (found,) = check(course, [exercise])
    assert (found.status, len(found.findings)) == (Status.NOT_STARTED, 1)
    stub = course.stub(exercise)
    stub.write_text(stub.read_text(encoding="utf-8") + "\n# Mine.\n", encoding="utf-8")
    (found,) = check(course, [exercise])
    assert found.status is Status.FLAWED


ANSWERS = ast.literal_eval(
    find(PACKAGE.parent)
    .solution_text(find(PACKAGE.parent)["predict_updates"])
    .partition("return ")[2]
)


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({}, ()),
        ({3: [10, 21, 30, 40]}, (3,)),
        ({0: [10, 5, 30, 40.0], 11: [5, 31]}, (0, 11)),
        ({place: [0] * (2 if place > 9 else 4) for place in range(12)}, tuple(range(12))),
    ],
)
def test_predictions_are_told_apart_by_digests(
    changes: dict[int, list[float]], wrong: tuple[int, ...], tmp_path: Path
) -> None:
    """Only where the course explains: elsewhere nothing here knows which are right."""
    course = start(tmp_path / "mine").course
    exercise = course["predict_updates"]
    stub = course.stub(exercise)
    given = [changes.get(place, numbers) for place, numbers in enumerate(ANSWERS)]
    text = stub.read_text(encoding="utf-8")
    stub.write_text(text.replace("raise NotImplementedError", f"return {given}"), encoding="utf-8")
    (found,) = check(course, [exercise])
    named = re.findall(r"\d+", found.findings[0].sentence.partition("0:")[2]) if wrong else []
    assert (found.passed, tuple(map(int, named))) == (not wrong, wrong)
    (found,) = check(replace(course, explanations="after_suite"), [exercise])
    assert (found.status, found.findings) == (Status.UNJUDGED, ())
    file = io.StringIO()
    render([found], Console(file=file, width=80))
    assert "judged when you submit" in file.getvalue()
    assert "passed" not in file.getvalue().lower()


def test_a_tuple_of_right_predictions_is_no_list(tmp_path: Path) -> None:
    course = start(tmp_path / "mine").course
    stub = course.stub(course["predict_updates"])
    text = stub.read_text(encoding="utf-8").replace(
        "raise NotImplementedError", f"return tuple({ANSWERS})"
    )
    stub.write_text(text, encoding="utf-8")
    (found,) = check(course, [course["predict_updates"]])
    assert found.status is Status.TO_FIX
