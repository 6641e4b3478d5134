"""`grader verify` finds every kind of defect, all in one run, and names the place of each.

`tests/commands/test_author.py` and `test_scaffold` show that complete courses have no problem.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.author import static
from grader.author.claims import Claim
from grader.author.handout import write_handout
from grader.author.scaffold import new_exercise
from grader.author.verify import Proof, _broken_claims, verify
from grader.course.course import Course, find, load
from grader.records.errors import CourseError
from grader.records.model import Basis, Exercise, Outcome, TestResult
from grader.records.scoring import OUR_FAULT, exercise_result
from tests.conftest import FILES

Maker = Callable[..., Course]
ROOT = Path(__file__).resolve().parents[2]
SUITE = "tests/hidden/01_first/test_double.py"
WRONG = "solutions/01_first/double.wrong.py"
RIGHT = "solutions/01_first/double.right.py"
IDLE = '''

@pytest.mark.words
def test_idle(submission):
    """Something comes back."""
    assert submission.double(1) is not None
'''
LOST_BY_NONE = "is lost by no wrong answer: nothing shows that it can fail"
CATALOG = """
[[exercise]]
id = "02_more/lost"

[[exercise]]
id = "02_more/unborn"

[[exercise]]
id = "02_more/feud"
defines = ["feud", "peace"]
"""


def cell(name: str, body: str, fails: str = "") -> str:
    says = f"# Fails: {fails}\n" if fails else ""
    return f"\n\n# %% {name}\n# An answer.\n{says}def double(x):\n    {body}\n"


def of_the_small_course(path: str, *more: str) -> str:
    """The small course's file of cells, with more cells."""
    return textwrap.dedent(FILES[path]).lstrip("\n") + "".join(more)


DEFECTS = {
    # Gives away a line of a right answer.
    "exercises/README.md": "# A course\n\nOr `return _times(x, 2)`.\n",
    # Gives away a line of its suite, has another signature, and passes a test.
    "exercises/01_first/double.py": '''
        """Twice an array."""


        def double(x, times=2):
            # assert_close(submission.double(x), 2 * x)
            return 6
    ''',
    WRONG: of_the_small_course(
        WRONG,
        cell("survives", "return x + x", "test_arrays").replace(
            "# Fails", "# At most half of the points.\n# Fails"
        ),
        cell("loses_more", "return 3 * x", "test_numbers, test_arrays"),
        cell("names_others", "return x", "test_numbers, test_all"),
        cell("names_nothing", "return 2 * x"),
        cell("", "return 2 * x", "test_all"),
        cell("survives", "return x + x", "test_arrays"),
        cell("two words", "return x + x", "test_arrays"),
        "\n# %% equivalent\n[1, 2]\n",
        # The last, so that a syntax error hides none of the others.
        "\n# %% is_no_python\n# Fails: test_all\ndef double(x:\n",
    ),
    RIGHT: of_the_small_course(
        RIGHT, cell("loses", "return x * 2 if getattr(x, 'ndim', 0) else 7")
    ),
    "exercises/01_first/old.py": "x = 1\n",
    "solutions/09_past/old.right.py": "x = 1\n",
    # An exercise without a suite.
    "exercises/02_more/lost.py": "def lost():\n    raise NotImplementedError\n",
    "solutions/02_more/lost.py": "def lost():\n    return 1\n",
    # One whose suite can't be imported.
    "exercises/02_more/unborn.py": "def unborn():\n    raise NotImplementedError\n",
    "solutions/02_more/unborn.py": "def unborn():\n    return 1\n",
    "tests/hidden/02_more/test_unborn.py": "import nothing_like_it\n",
    # And one whose suite and solution disagree, and whose stub lacks a name.
    "exercises/02_more/feud.py": "def feud():\n    raise NotImplementedError\n",
    "solutions/02_more/feud.py": "def feud():\n    return 1\n\n\ndef peace():\n    return 2\n",
    "tests/hidden/02_more/test_feud.py": '''
        def test_feud(submission):
            """They disagree."""
            assert submission.feud() == 2
    ''',
}


@pytest.fixture(scope="module")
def course(make_course: Maker, tmp_path_factory: pytest.TempPathFactory) -> Course:
    folder = tmp_path_factory.mktemp("defects")
    course = make_course(folder, DEFECTS, catalog=CATALOG)
    with course.suite(course["double"]).open("a") as suite:
        suite.write(IDLE)
    (folder / "solutions/02_more/lost.wrong.py").write_bytes("# ä\n".encode("latin-1"))
    return course


@pytest.fixture(scope="module")
def proof(course: Course) -> Proof:
    return verify(course, course.exercises, seed="1")


@pytest.mark.slow
def test_all_defects_are_found_in_one_run_and_nothing_else(proof: Proof) -> None:
    found = [(problem.where, problem.what.partition("\n")[0]) for problem in proof.problems]
    assert sorted(found) == sorted(
        [
            ("exercises/01_first/old.py", "matches no exercise in the catalogue"),
            ("solutions/09_past/old.right.py", "matches no exercise in the catalogue"),
            (
                "exercises/01_first/double.py:5",
                f"contains a line of `{SUITE}`: `assert_close(submission.double(x), 2 * x)`",
            ),
            (
                "exercises/README.md:3",
                "contains a line of `solutions/01_first/double.right.py`: `return _times(x, 2)`",
            ),
            (
                "exercises/01_first/double.py",
                "requires `double(x, times=2)`, but the solution has `(x)`",
            ),
            (
                "exercises/01_first/double.py",
                "the untouched stub passes `test_idle`, `test_numbers`",
            ),
            ("exercises/02_more/feud.py", "does not define `peace`"),
            ("tests/hidden/02_more/test_lost.py", "is missing"),
            (
                "tests/hidden/02_more/test_unborn.py",
                "a suite can't be used, so it can't judge anybody. Fix it and run again.",
            ),
            ("tests/hidden/02_more/test_feud.py::test_feud", "fails on the reference solution"),
            (f"{SUITE}::test_idle", LOST_BY_NONE),
            ("tests/hidden/02_more/test_feud.py::test_feud", LOST_BY_NONE),
            (f"{WRONG}:49", "the cell `names_nothing` doesn't say which tests it must lose"),
            (f"{WRONG}:55", "a cell has no name"),
            (f"{WRONG}:62", "two cells are called `survives`"),
            (f"{WRONG}:69", "`two words` is not a name for a cell"),
            (f"{WRONG}:75", "the cell `equivalent` can't be read"),
            (f"{WRONG}:80", "is not Python: '(' was never closed"),
            (f"{WRONG}::survives", "loses no test, and should lose `test_arrays`"),
            (f"{WRONG}::names_nothing", "loses no test"),
            (
                f"{WRONG}::survives",
                "earns 5 of 5 points, but its comment says at most half",
            ),
            (
                f"{WRONG}::loses_more",
                "loses `test_gradient`, which its `Fails:` doesn't name",
            ),
            (f"{WRONG}::names_others", "names tests that don't exist: `test_all`"),
            (
                f"{WRONG}::names_others",
                "loses `test_arrays`, `test_gradient`, which its `Fails:` doesn't name",
            ),
            (f"{RIGHT}::loses", "loses `test_gradient`, `test_numbers`"),
            (
                "solutions/02_more/lost.wrong.py",
                "can't be read: 'utf-8' codec can't decode byte 0xe4 in position 2: invalid "
                "continuation byte",
            ),
            *(
                (f"solutions/02_more/{stem}.{kind}.py", f"contains 0 {kind} answers")
                for kind in ("wrong", "right")
                for stem in ("lost", "unborn", "feud")
                if (kind, stem) != ("wrong", "lost")
            ),
        ]
    )


@pytest.mark.slow
def test_a_suite_that_can_not_be_imported_keeps_no_other_from_its_proof(proof: Proof) -> None:
    # Solution, stub and answers of `double` and `feud`; both solutions again, and with zeros.
    assert proof.runs == 1 + 1 + 7 + 3 + 1 + 1 + 2 + 2


@pytest.mark.slow
def test_a_problem_shows_what_was_seen(proof: Proof) -> None:
    def seen(where: str) -> str:
        return "\n".join(problem.what for problem in proof.problems if problem.where == where)

    assert "No module named 'nothing_like_it'" in seen("tests/hidden/02_more/test_unborn.py")
    of_feud = seen("tests/hidden/02_more/test_feud.py::test_feud")
    assert of_feud.count("assert 1 == 2") == 1, "whose it is makes no difference"
    assert "test_numbers: test_double.py:" in seen(f"{RIGHT}::loses")


@pytest.mark.slow
def test_a_problem_says_what_to_do(proof: Proof) -> None:
    assert all(problem.todo.endswith((".", "!")) for problem in proof.problems)


def test_some_exercises_can_be_proved_alone(course: Course) -> None:
    alone = verify(course, course.select(["lost"]))
    assert ("solutions/02_more/lost.right.py", "contains 0 right answers") in [
        (problem.where, problem.what) for problem in alone.problems
    ]
    assert not any("02_more/feud" in problem.where for problem in alone.problems)
    assert ("tests/hidden/02_more/test_lost.py", "is missing") in [
        (problem.where, problem.what) for problem in alone.problems
    ]
    assert alone.runs == 0


@pytest.mark.slow
def test_without_wrong_answers_right_ones_are_still_tried(course: Course) -> None:
    found = verify(course, course.select(["double"]), wrong=False).problems
    assert f"{RIGHT}::loses" in {problem.where for problem in found}
    assert f"{WRONG}::survives" not in {problem.where for problem in found}
    assert LOST_BY_NONE not in {problem.what for problem in found}


def test_a_course_without_exercises_has_nothing_to_prove(tmp_path: Path) -> None:
    (tmp_path / "exercises").mkdir()
    (tmp_path / "solutions").mkdir()
    catalog = tmp_path / "exercises" / "catalog.toml"
    catalog.write_text("schema = 1\n")
    course = load(catalog)
    proof = verify(course, course.exercises)
    assert (proof.problems, proof.runs) == ((), 0)


def test_a_handout_can_not_be_proved(foreign: Course, tmp_path: Path) -> None:
    write_handout(foreign, tmp_path / "out")
    course = load(tmp_path / "out" / "catalog.toml")
    with pytest.raises(CourseError, match="is a handout"):
        verify(course, course.exercises)


@pytest.mark.slow
def test_a_busy_machine_is_named_and_not_the_suite(make_course: Maker, tmp_path: Path) -> None:
    suite = """
        from grader.engine.processes.faults import TooBusy

        def test_numbers(submission):
            "It doubles."
            if float(submission.double(2.0)) != 4:
                raise TooBusy
    """
    wrong = f'"""Wrong answers."""{cell("three_times", "return 3 * x", "test_numbers")}'
    course = make_course(tmp_path, {SUITE: suite, WRONG: wrong})
    (problem,) = (p for p in verify(course, course.exercises).problems if "busy" in p.what)
    assert problem.where == f"{WRONG}::three_times: test_numbers"
    assert "--jobs" in problem.what
    assert "the machine" in problem.todo


def test_a_fault_of_the_grader_is_to_be_reported(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    (exercise, *_) = course.exercises
    test = TestResult("test_it", "", Outcome.BROKEN, 0, 1, message=OUR_FAULT, detail="KeyError")
    result = exercise_result(exercise.id, (test,))
    claim = Claim(exercise, "right", "double.right.py::other", "")
    monkeypatch.setattr("grader.author.kept_results.graded", lambda *_: iter([(claim, result)]))
    found = [p for p in verify(course, (exercise,)).problems if "KeyError" in p.what]
    assert ["report" in problem.todo for problem in found] == [True]


@pytest.mark.slow
def test_a_wrong_answer_is_raced_only_where_it_says_so(make_course: Maker, tmp_path: Path) -> None:
    """`adds_two` would lose `test_fast` as well, and doesn't name it."""
    fails_when_raced = "return x if getattr(x, 'shape', ()) == (7,) else 2 * x"
    names_it = cell("names_it", fails_when_raced, "test_fast")
    course = make_course(tmp_path, {WRONG: of_the_small_course(WRONG, names_it)})
    # The suite's own fixture asks for `race`, so only pytest knows which test races.
    with course.suite(course["double"]).open("a") as suite:
        suite.write(
            "\n\n@pytest.fixture\ndef clock(race):\n    return race\n\n\n"
            'def test_fast(submission, clock):\n    """It is."""\n'
            "    x = np.ones(7, np.float32)\n"
            "    assert_close(submission.double(x), 2 * x)\n"
        )
    assert verify(course, course.exercises, seed="1").problems == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("points", "key", "says"),
    [
        (3, "", "3 points rest on what the student's process reports: `test_reported`"),
        (2, "counts = false\n", "says `counts = false`, and only 2 points rest on reports"),
        (3, "counts = false\n", ""),
    ],
)
def test_few_points_may_rest_on_reports(
    points: int, key: str, says: str, make_course: Maker, tmp_path: Path
) -> None:
    suite = f'''
        import pytest

        @pytest.mark.points({points})
        def test_reported(submission):
            """A number comes back."""
            assert submission.double.reported()(1) == 2

        def test_called(submission):
            """Another one comes back."""
            assert submission.double(2) == 4
    '''
    course = make_course(tmp_path, {SUITE: suite}, catalog=key)
    proof = verify(course, course.exercises, wrong=False)
    assert proof.basis["01_first/double"] == {
        Basis.REPORT: points,
        Basis.PROGRAM: 0,
        Basis.CALL: 1,
    }
    found = [problem.what for problem in proof.problems if "reports" in problem.what]
    assert [says in what for what in found] == [True] * bool(says)


@pytest.mark.slow
def test_a_race_needs_an_answer_that_is_only_too_slow(make_course: Maker, tmp_path: Path) -> None:
    race = """

def slow(x):
    for _ in range(40):
        x = x + 1 - 1
    return 2 * x


def test_fast(submission, race):
    \"\"\"It is at least 5 times as fast as forty additions.\"\"\"
    race(
        submission.double,
        baseline=slow,
        args=lambda rng: (rng.normal(size=2000).astype(np.float32),),
        at_least=5,
        check=lambda result, x: assert_close(result, 2 * x),
    )
    assert submission.double.program(np.float32(1)).size < 50
"""
    course = make_course(
        tmp_path,
        {
            SUITE: of_the_small_course(SUITE) + race,
            WRONG: of_the_small_course(WRONG).replace("test_arrays", "test_arrays, test_fast"),
        },
    )
    where, what = f"{SUITE}::test_fast", "is lost by no answer that is right in every value"
    # It loses the test, and not the race.
    long = "return 2 * sum([x] + 60 * [0])"
    with course.wrong(course["double"]).open("a") as wrong:
        wrong.write(cell("long", long, "test_fast"))
    problems = verify(course, course.exercises).problems
    assert [(p.where, p.what.partition(":")[0]) for p in problems] == [(where, what)]
    sleepy = "return jax.lax.fori_loop(0, 3000, lambda _, x: jax.numpy.sin(x) * 0 + x, x) * 2"
    with course.wrong(course["double"]).open("a") as wrong:
        wrong.write(cell("sleepy", sleepy, "test_fast"))
    assert verify(course, course.exercises).problems == ()


STUB = "exercises/01_first/double.py"


def shows(*examples: str) -> str:
    """A stub with these examples."""
    shown = "\n".join(f"    {line}" for line in "\n".join(examples).splitlines())
    text = f'def double(x):\n    """Return `2 * x`.\n\n{shown}\n    """\n'
    return f"{text}    raise NotImplementedError\n"


@pytest.mark.slow
def test_an_example_that_the_solution_fails_is_found(
    make_course: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else `check` calls a right answer wrong. The solution's own examples don't count."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    solution = (
        'def double(x):\n    """As it is.\n\n    >>> double(3)\n    6\n    """\n    return 2 * x\n'
    )
    wrong = (">>> double(2)\n4", ">>> double(3)\n7", '>>> double("a")\n2', ">>> double(5)\n11")
    files = {STUB: shows(*wrong), "solutions/01_first/double.py": solution}
    course = make_course(tmp_path / "course", files)
    for _ in range(2):
        proof = verify(course, course.exercises, again=False)
        seen = [(p.where, p.what.partition("\n")[0]) for p in proof.problems]
        assert seen == [
            (f"{STUB}:{line}", f"the solution fails the example `double({given})`")
            for line, given in ((6, "3"), (8, '"a"'), (10, "5"))
        ]
        assert "expected: 7\ncame: 6" in proof.problems[0].what
    course.stub(course["double"]).write_text(shows(">>> double(3)\n6"))
    assert verify(course, course.exercises, again=False).problems == ()
    again = verify(course, course.exercises, again=False)
    assert again.remembered == again.runs


@pytest.mark.slow
def test_an_example_that_only_another_right_answer_fails_is_found(
    make_course: Maker, tmp_path: Path
) -> None:
    """As one that shows a dtype which the text leaves open."""
    floats = cell("floats", "return x * 2.0") + cell("breaks", "return 2 * x if x != 3 else None.x")
    files = {
        STUB: shows(">>> double(3)\n6", ">>> print(double(3))\n6"),
        RIGHT: of_the_small_course(RIGHT, floats),
    }
    course = make_course(tmp_path, files)
    problems = verify(course, course.exercises, wrong=False).problems
    at = f"line {{}} of `{STUB}`"
    assert {(p.where, p.what.partition("\n")[0]) for p in problems if "example" in p.what} == {
        (f"{RIGHT}::floats", f"fails the example `double(3)` at {at.format(4)}"),
        (f"{RIGHT}::floats", f"fails the example `print(double(3))` at {at.format(6)}"),
        (f"{RIGHT}::breaks", f"fails the example `double(3)` at {at.format(4)}"),
    }


@pytest.mark.slow
def test_a_run_judges_only_what_no_earlier_run_has_kept(
    make_course: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    course = make_course(tmp_path / "course")

    def proved(**how: Any) -> tuple[int, int]:
        """The numbers of problems, and of answers that were judged."""
        found = verify(course, course.exercises, again=False, **how)
        return len(found.problems), found.runs - found.remembered

    # What was judged before Ctrl-C stays.
    steps: list[str] = []

    def stop(step: str) -> None:
        steps.append(step)
        if step.startswith("3 of"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        verify(course, course.exercises, again=False, on_step=stop)
    total = int(steps[-1].split()[2])
    assert proved() == (0, total - 2)
    assert proved() == (0, 0)
    assert verify(course, course.exercises, wrong=False).remembered == 0

    # An edit affects one answer, or all that a suite judges. A comment affects nothing.
    with course.wrong(course["double"]).open("a") as wrong:
        wrong.write("\n\n# %% right\n# Fails: test_numbers\ndef double(x):\n    return x + x\n")
    assert proved() == (1, 1)
    assert proved() == (1, 1), "what has a problem is judged each time"
    text = course.wrong(course["double"]).read_text()
    course.wrong(course["double"]).write_text(text[: text.index("\n\n# %% right")] + "\n# End.\n")
    assert proved() == (0, 0)
    with course.suite(course["double"]).open("a") as suite:
        suite.write("\n# Edited.\n")

    def edit(_: str) -> None:
        with course.suite(course["double"]).open("a") as suite:
            suite.write("\n# Edited while it is tried.\n")

    assert proved(on_step=edit) == (0, total)
    assert proved() == (0, total), "nothing is kept of a suite that has changed meanwhile"


@pytest.mark.slow
def test_a_wrong_answer_runs_without_a_sandbox_and_a_right_one_in_it(
    make_course: Maker, tmp_path: Path
) -> None:
    """The programs of a wrong answer are kept. What is right without a sandbox only isn't right."""
    # So every user may write there, and only a sandbox refuses it.
    tmp_path.chmod(0o777)

    def writes(name: str, factor: int, fails: str = "") -> str:
        body = f"open('{tmp_path}/{name}', 'w').close()\n    return {factor} * x"
        return cell("writes", body, fails)

    every = "test_numbers, test_arrays, test_gradient"
    files = {
        # An example would run the right answer as `grader check` does: without a sandbox.
        STUB: "def double(x):\n    raise NotImplementedError\n",
        WRONG: of_the_small_course(WRONG, writes("wrong", 3, every)),
        RIGHT: of_the_small_course(RIGHT, writes("right", 2)),
    }
    course = make_course(tmp_path / "course", files)
    problems = verify(course, course.exercises).problems
    assert {p.where for p in problems} == {f"{RIGHT}::writes"}
    assert (tmp_path / "wrong").exists()
    assert not (tmp_path / "right").exists()


def test_what_is_asked_with_every_seed_is_drawn_or_told_in_words(
    make_course: Callable[..., Course], tmp_path: Path
) -> None:
    """Else the example of one student is the answer of the next."""
    suite = """
        import numpy as np
        import pytest

        def test_fixed(submission):
            "A fixed number."
            assert submission.double(3) == 6

        def test_drawn(submission, rng):
            "Another number each time."
            number = int(rng.integers(10**6))
            assert submission.double(number) == 2 * number

        @pytest.mark.words
        def test_told_in_words(submission):
            "A fixed number, whose double nobody reads."
            assert submission.double(4) == 8
    """
    course = make_course(tmp_path, {SUITE: suite})
    proof = verify(course, course.exercises, wrong=False)
    found = [problem.where for problem in proof.problems if "every seed" in problem.what]
    assert found == [f"{SUITE}::test_fixed"]


def test_two_results_that_agree_prove_nothing_alone(
    make_course: Callable[..., Course], tmp_path: Path
) -> None:
    """Zeros in place of all results pass such a test, and no expected value is a result."""
    suite = """
        from grader.suite import assert_agree, assert_close

        def test_agree(submission, rng):
            "The same twice."
            x = rng.normal(size=3)
            assert_agree(submission.double(x), submission.double(x))

        def test_move(submission, rng):
            "The same twice, and not x."
            x = rng.normal(size=3)
            assert_agree(submission.double(x), submission.double(x))
            assert_close(submission.double(x), 2 * x)
            assert_close(submission.double(3), 6)

        def test_size(submission, rng):
            "No result is looked at."
            assert submission.double.program(rng.normal(size=3)).size < 9

        def test_returned(submission, rng):
            "A result is expected."
            x = rng.normal(size=3)
            assert_close(submission.double(x), submission.double(x)[:])
    """
    course = make_course(tmp_path, {SUITE: suite})
    problems = verify(course, course.exercises, wrong=False).problems
    found = {problem.where: problem.what for problem in problems}
    assert f"{SUITE}::test_agree" in found and f"{SUITE}::test_returned" in found
    assert "passes with zeros" in found[f"{SUITE}::test_agree"]
    assert "`assert_agree(a, b)`" in found[f"{SUITE}::test_returned"]
    assert not {f"{SUITE}::test_move", f"{SUITE}::test_size"} & set(found)


IN_NUMPY = "import numpy as np\n\n\ndef double(x):\n    return np.multiply(2, x)\n"


@pytest.mark.parametrize(
    ("stub", "entry", "found"),
    [
        ("", "", True),
        ('"""See https://docs.jax.dev/en/latest/."""\n\n', "", True),
        ("import jax\n\n\n", "", False),
        ('"""The gradient of `jax.numpy`."""\n\n', "", False),
        ("", "numpy = true\n", False),
    ],
)
def test_what_uses_numpy_alone_has_to_say_so(
    stub: str, entry: str, found: bool, make_course: Maker, tmp_path: Path
) -> None:
    """Else it is judged as JAX code: a right answer in float64 would lose points."""
    text = f"{stub}def double(x):\n    raise NotImplementedError\n"
    files = {STUB: text, "solutions/01_first/double.py": IN_NUMPY}
    course = make_course(tmp_path, files, catalog=entry)
    problems = static.of_exercise(course, course["double"])
    assert any("uses only NumPy" in problem.what for problem in problems) is found


@pytest.mark.parametrize(
    ("id", "what"),
    [
        ("02_mroe/triple", "`02_mroe/triple` has no files: did you mean `02_more/triple`?"),
        ("09_else/xyz", "`09_else/xyz` has no files"),
    ],
)
def test_a_name_without_files_is_one_problem(
    id: str, what: str, make_course: Maker, tmp_path: Path
) -> None:
    new_exercise(make_course(tmp_path), "02_more/triple")
    catalog = tmp_path / "exercises/catalog.toml"
    catalog.write_text(catalog.read_text().replace("02_more/triple", id))
    course = load(catalog)
    exercise = course[id]
    problems = [*static.of_course(course), *static.of_exercise(course, exercise)]
    assert [p.what for p in problems if p.where == "exercises/catalog.toml"] == [what]
    strays = {p.where for p in problems} - {"exercises/catalog.toml"}
    assert len(problems) == 1 + len(strays)
    assert bool(strays) is ("mean" not in what)


def test_a_name_that_no_student_is_asked_for_is_the_suites_mistake(
    make_course: Maker, tmp_path: Path
) -> None:
    suite = """
        import pytest

        @pytest.mark.words
        def test_numbers(submission):
            "A number is doubled."
            assert submission.duoble(3) == 6
    """
    course = make_course(tmp_path, {SUITE: suite})
    problems = verify(course, course.exercises, wrong=False).problems
    assert [(p.where, p.what, p.todo) for p in problems] == [
        (
            f"{SUITE}::test_numbers",
            "requires `duoble`, which `defines` doesn't name",
            "It names `double`. Fix one of them.",
        )
    ]


@pytest.mark.parametrize(
    ("kind", "points", "is_problem"),
    [
        ("write", 1.0, True),
        ("predict", 1.0, True),
        ("fix", 3.0, False),
        ("fix", 4.0, True),
        ("fast", 3.0, False),
        ("fast", 4.0, True),
    ],
)
def test_what_a_stub_may_earn_depends_on_its_kind(
    kind: str, points: float, is_problem: bool
) -> None:
    exercise = Exercise("01_first/double", "Double", ("double",), kind=kind)
    claim = Claim(exercise, "stub", "exercises/01_first/double.py", "", None)
    tests = (
        TestResult("test_as_before", "", Outcome.PASSED, points, points),
        TestResult("test_lesson", "", Outcome.FAILED, 0.0, 10.0 - points),
    )
    found = list(_broken_claims(find(ROOT), claim, exercise_result(exercise.id, tests)))
    assert [one.what for one in found] == [
        "the untouched stub passes `test_as_before`"
    ] * is_problem
