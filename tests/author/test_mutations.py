"""Mutations of a program, and the strength of a suite that they show."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.author.mutations import mutations
from grader.author.strength import MUTATIONS, measure
from grader.cli import main
from grader.course import course as courses
from tests.conftest import CourseMaker

ROOT = Path(__file__).resolve().parents[2]
MUTANTS = "solutions/01_first/double.wrong.py"
SUITE = "tests/hidden/01_first/test_double.py"


def changes(source: str) -> list[str]:
    return [mutation.change.split(" -> ")[1] for mutation in mutations(source)]


@pytest.mark.parametrize(
    ("source", "becomes"),
    [
        ("a + b", ["a - b"]),
        ("a - b", ["a + b", "b - a"]),
        ("a @ b", ["b @ a"]),
        ("a < b", ["a <= b", "a > b"]),
        ("-a", ["a"]),
        ("not a", ["a"]),
        ("a and b", ["a or b"]),
        ("3", ["4"]),
        ("0.5", ["1.0"]),
        ("0.0", ["1.0"]),
        ("True", ["False"]),
        ("a[1:]", ["a[:]", "a[2:]"]),
        ("a.T", ["a"]),
        ("f(a, b)", ["f(b, a)"]),
        ("jnp.maximum(a, b)", ["jnp.minimum(a, b)"]),
        ("max(a, b)", []),
        ("min(a, b, c)", []),
        ("jnp.max(a, b)", ["jnp.max(b, a)", "jnp.min(a, b)"]),
        ("jnp.hypot(a, b)", []),
        ("jnp.sum(a, axis=i)", ["jnp.sum(a)", "jnp.mean(a, axis=i)"]),
        ("jax.jit(f)", ["f"]),
        ("x.at[i].set(v)", ["x.at[i].add(v)"]),
        ("(a, b)", ["(b, a)"]),
        ("a if c else b", ["a if not c else b"]),
    ],
)
def test_each_slip_is_made_once(source: str, becomes: list[str]) -> None:
    found = changes(f"y = {source}")
    assert sorted(found) == sorted(f"y = {other}" for other in becomes)


def test_statements_and_decorators_are_left_out() -> None:
    source = "@jax.jit\ndef f(x):\n    x = x - 1\n    x += c\n    g(x)\n    return x\n"
    found = list(mutations(source))
    assert "@jax.jit def f(x): -> def f(x):" in [m.change for m in found]
    assert [m.change for m in found if m.change.endswith("-> nothing")] == [
        "x = x - 1 -> nothing",
        "x += c -> nothing",
        "g(x) -> nothing",
    ]
    assert {m.line for m in found} == {2, 3, 4, 5}


def test_what_has_no_effect_is_left_alone() -> None:
    assert (
        changes('"""A docstring of 3 words."""\nimport jax\ndef f(x: a[1]) -> b[2]:\n    return x')
        == []
    )
    # A first value is kept: without it the name would only be missing.
    assert "nothing" not in changes("y = a")


UNCHANGED = ("slope", "read_jaxpr", "weak_types", "predict_faster")


@pytest.mark.slow
def test_every_mutation_is_a_program_of_its_own() -> None:
    course = courses.find(ROOT)
    for exercise in course.exercises:
        source = course.solution(exercise).read_text(encoding="utf-8")
        programs = [ast.dump(ast.parse(mutation.text)) for mutation in mutations(source)]
        # A list of names, or one call, computes nothing that could be changed.
        assert bool(programs) == (exercise.stem not in UNCHANGED), exercise.id
        assert len({*programs, ast.dump(ast.parse(source))}) == len(programs) + 1


WEAK = {
    "solutions/01_first/double.py": '''
        """The reference."""


        def double(x):
            half = 1
            return half * 2 * x
    ''',
    SUITE: '''
        def test_numbers(submission):
            """A number is doubled."""
            assert submission.double(0) == 0
    ''',
}
STRONG = (
    WEAK[SUITE]
    + "\n\n        def test_two(submission):\n            assert submission.double(2) == 4\n"
)


@pytest.mark.slow
def test_a_weak_suite_shows_what_nobody_notices(make_course: CourseMaker, tmp_path: Path) -> None:
    course = make_course(tmp_path, dict(WEAK))
    done = CliRunner().invoke(main, ["mutate", "--course", str(course.root)])
    assert done.exit_code == 1, done.output
    assert "01_first/double: no test notices" in done.output
    assert "line 6 return half * 2 * x -> return half * 3 * x" in " ".join(done.output.split())
    assert "a course should kill 95 %" in done.output


def test_a_strong_suite_kills_and_what_is_equivalent_has_a_reason(
    make_course: CourseMaker, tmp_path: Path
) -> None:
    declared = {
        "half = 1 -> half = 2": "Declared to see that it is left out.",
        "half = 1 -> half = 3": "There is no such mutation.",
    }
    files = {**WEAK, MUTANTS: f"# %% equivalent\n# With reasons.\n{declared}\n"}
    files[SUITE] = STRONG
    course = make_course(tmp_path, dict(files))
    found = measure(MUTATIONS, course, course.exercises, seed="1")
    (own,) = found.exercises
    assert (own.killed, own.survivors, found.share) == (3, [], 1.0)
    assert next(iter(own.declared.items())) == (
        "half = 1 -> half = 2",
        "Declared to see that it is left out.",
    )
    (problem,) = found.problems
    assert problem.where == f"{MUTANTS}::equivalent"
    assert "half = 1 -> half = 3" in problem.what


@pytest.mark.slow
def test_what_is_noticed_is_kept_until_something_changes(
    make_course: CourseMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    course = make_course(tmp_path, dict(WEAK))
    tried: list[str] = []

    def run(again: bool = False) -> tuple[int, int, int]:
        tried.clear()
        found = measure(MUTATIONS, course, course.exercises, again=again, on_step=tried.append)
        (own,) = found.exercises
        return found.remembered, own.killed, len(own.survivors)

    weak = run()
    assert weak[0] == 0
    assert weak[2] > 0
    assert run() == (weak[1], *weak[1:])
    assert len(tried) == weak[2], "what survived is judged again"
    course = make_course(tmp_path, {**WEAK, SUITE: STRONG})
    _, killed, survivors = run()
    assert (survivors, len(tried)) == (0, killed)
    assert run() == (killed, killed, 0)
    assert not tried
    assert run(again=True) == (0, killed, 0)
    assert len(tried) == killed


@pytest.mark.slow
def test_declarations_that_can_not_be_read_are_a_problem(
    make_course: CourseMaker, tmp_path: Path
) -> None:
    files = {**WEAK, MUTANTS: "# %% equivalent\n{'half = 1 -> half = 2': 3}"}
    course = make_course(tmp_path, dict(files))
    (problem,) = measure(MUTATIONS, course, course.exercises, seed="1").problems
    assert problem.where == f"{MUTANTS}:1"
    assert '`{"CHANGE": "REASON", ...}`' in problem.todo
