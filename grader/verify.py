"""Proof of a course: every claim that a mark rests on, tried out; every Problem at once.

    files      entry, stub, solution, suite, mutants and variants under one stem; no stray file
    stub       has the solution's signatures, and earns 0 by failing, never by breaking
    solution   earns everything with two different seeds, once under half of a student's limits
    mutant     loses exactly at the tests that its docstring names (and races only at those)
    test       kills at least one mutant
    variant    earns everything
    handout    holds not one line of a suite or a solution

A mutant or a variant is a suffix: what is graded is the solution and, after it, the file.
"""

from __future__ import annotations

import ast
import dataclasses
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.claims import Claim, graded, where_in
from grader.course import Course
from grader.handout import leaks
from grader.model import Exercise, ExerciseResult, Outcome, Problem, Terms

MUTANTS, VARIANTS = 3, 2
STRICT = 0.5
_FAILS = re.compile(r"^Fails:\s*(.+?)\s*\Z", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Proof:
    """What `verify` found, and what it took."""

    problems: tuple[Problem, ...]
    runs: int
    seconds: float


def verify(
    course: Course,
    exercises: tuple[Exercise, ...],
    *,
    seed: str | None = None,
    mutants: bool = True,
    on_step: Callable[[str], None] = lambda _: None,
) -> Proof:
    """Tries every claim of the course. Raises `HostError` only if nothing can be graded here.

    Without `mutants` it says nothing of wrong answers, in a third of the time.
    """
    started = time.monotonic()
    problems = [*_stray_files(course), *_leaks(course)]
    for exercise in exercises:
        problems += _files(course, exercise)
    whole = [e for e in exercises if not any(map(_trouble, _needed(course, e)))]
    first = seed or secrets.token_hex(8)
    runs = 0
    for number, scale in ((first, 1.0), (f"{first}, again", STRICT)):
        if not whole:
            break
        claims = [c for e in whole for c in _claims(course, e, only_solution=scale != 1.0)]
        claims = [claim for claim in claims if mutants or claim.kind != "mutant"]
        killed: dict[str, set[str]] = {exercise.id: set() for exercise in whole}
        tests: dict[str, set[str]] = {}
        # A race is decided by a ratio of many draws: neither limits nor one more seed move it.
        races = scale == 1.0
        terms = Terms("available", number, scale=scale, proving=True, races=races)
        for claim, result in graded(course, whole, claims, terms, problems):
            runs += 1
            on_step(f"{claim.kind:<9}{claim.where}: {result.outcome}")
            problems += _broken_claims(course, claim, result)
            tests.setdefault(claim.exercise.id, set()).update(test.id for test in result.tests)
            if claim.kind == "mutant":
                killed[claim.exercise.id] |= _lost(result)
        if scale == 1.0 and mutants:
            problems += _idle_tests(course, tests, killed)
        # Without those whose suite can't even be imported.
        whole = [exercise for exercise in whole if exercise.id in tests]
    return Proof(_once(problems), runs, time.monotonic() - started)


def _once(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Each finding as it was met first: with another seed it may read otherwise further down."""
    found: dict[tuple[str, str], Problem] = {}
    for problem in problems:
        found.setdefault((problem.where, problem.what.partition("\n")[0]), problem)
    return tuple(found.values())


def _claims(course: Course, exercise: Exercise, *, only_solution: bool) -> Iterator[Claim]:
    solution, stub = course.solution(exercise), course.stub(exercise)
    text = solution.read_text(encoding="utf-8")
    yield Claim(exercise, "solution", where_in(course, solution), text)
    if only_solution:
        return
    yield Claim(exercise, "stub", where_in(course, stub), stub.read_text(encoding="utf-8"), None)
    for kind, folder in (("mutant", course.mutants), ("variant", course.variants)):
        for path in sorted(folder(exercise).glob("*.py")):
            if _trouble(path) is None:
                suffix = path.read_text(encoding="utf-8")
                fails = _fails(suffix) if kind == "mutant" else frozenset()
                both = f"{text}\n\n{suffix}"
                yield Claim(exercise, kind, where_in(course, path), both, fails)


def _fails(suffix: str) -> frozenset[str]:
    """The tests that a mutant's docstring names in its last line, `Fails: test_a, test_b`."""
    match = _FAILS.search(ast.get_docstring(ast.parse(suffix)) or "")
    return frozenset(re.split(r"[\s,]+", match[1])) if match else frozenset()


def _lost(result: ExerciseResult) -> set[str]:
    return {test.id for test in result.tests if test.outcome is not Outcome.PASSED}


def _broken_claims(course: Course, claim: Claim, result: ExerciseResult) -> Iterator[Problem]:
    lost = _lost(result)
    details = {test.id: test.detail.strip() for test in result.tests}
    if result.outcome is Outcome.BROKEN:
        broken = [test.id for test in result.tests if test.outcome is Outcome.BROKEN]
        for name in broken:
            # What breaks with one claim breaks with all of them: the solution fails it, too.
            yield Problem(
                f"{where_in(course, course.suite(claim.exercise))}::{name}",
                f"fails on the reference solution\n{details[name]}",
                "Mend the test or the solution.",
            )
        if not broken:
            yield Problem(claim.where, result.message, "See `grader doctor`.")
    elif claim.kind == "stub":
        if passed := sorted({test.id for test in result.tests} - lost):
            yield Problem(
                claim.where,
                f"the untouched stub passes {_list(passed)}",
                "A test has to ask for something that the stub doesn't do.",
            )
    elif claim.kind == "mutant":
        yield from _wrong_kill(claim, lost, set(details))
    elif lost:
        shown = "\n".join(f"{name}: {details[name]}" for name in sorted(lost))
        todo = "A right solution must earn everything: mend the suite, or this file."
        yield Problem(claim.where, f"loses {_list(sorted(lost))}\n{shown}", todo)


def _wrong_kill(claim: Claim, lost: set[str], tests: set[str]) -> Iterator[Problem]:
    named = claim.fails or frozenset()
    if unknown := sorted(named - tests):
        yield Problem(
            claim.where, f"names tests that don't exist: {_list(unknown)}", "Mend `Fails:`."
        )
    if survived := sorted((named & tests) - lost):
        yield Problem(
            claim.where,
            f"passes {_list(survived)}, which it should lose",
            "Make the test sharper, or take it off the mutant's `Fails:` line.",
        )
    if extra := sorted(lost - named):
        yield Problem(
            claim.where,
            f"loses {_list(extra)}, which its docstring doesn't name",
            "Add it to the `Fails:` line if that is meant.",
        )


def _idle_tests(
    course: Course, tests: dict[str, set[str]], killed: dict[str, set[str]]
) -> Iterator[Problem]:
    for exercise, names in tests.items():
        for name in sorted(names - killed[exercise]):
            yield Problem(
                f"{where_in(course, course.suite(course[exercise]))}::{name}",
                "kills no mutant: nothing shows that it can fail",
                "Write a mutant that only this test catches, or drop the test.",
            )


def _files(course: Course, exercise: Exercise) -> Iterator[Problem]:
    """What the files of an exercise show without being run."""
    mutants, variants = course.mutants(exercise), course.variants(exercise)
    needed = _needed(course, exercise)
    for path in (*needed, *sorted(mutants.glob("*.py")), *sorted(variants.glob("*.py"))):
        if trouble := _trouble(path):
            todo = f"The exercise `{exercise.id}` needs it: write it, or mend it."
            yield Problem(where_in(course, path), trouble, todo)
        elif path.parent == mutants and not _fails(path.read_text(encoding="utf-8")):
            yield Problem(
                where_in(course, path),
                "names no test in its docstring",
                "End the docstring with a line `Fails: test_a, test_b`.",
            )
    for folder, least in ((mutants, MUTANTS), (variants, VARIANTS)):
        count = len(list(folder.glob("*.py")))
        if count < least:
            what = f"holds {count} {folder.parts[-3]}"
            yield Problem(where_in(course, folder), what, f"Write at least {least}.")
    stub, solution, _ = needed
    if not _trouble(stub) and not _trouble(solution):
        yield from _signatures(course, exercise)


def _needed(course: Course, exercise: Exercise) -> tuple[Path, Path, Path]:
    return course.stub(exercise), course.solution(exercise), course.suite(exercise)


def _trouble(path: Path) -> str | None:
    """Why a file can't be graded, or grade."""
    try:
        ast.parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return "is missing"
    except SyntaxError as error:
        return f"is not Python: line {error.lineno}: {error.msg}"
    except (OSError, ValueError) as error:
        return f"can't be read: {error}"
    return None


def _signatures(course: Course, exercise: Exercise) -> Iterator[Problem]:
    stub, solution = course.stub(exercise), course.solution(exercise)
    asked, given = _definitions(stub), _definitions(solution)
    for name in exercise.defines:
        for path, found in ((stub, asked), (solution, given)):
            if name not in found:
                todo = "The catalogue asks for it: define it there, or mend `defines`."
                yield Problem(where_in(course, path), f"does not define `{name}`", todo)
        if name in asked and name in given and asked[name] != given[name]:
            yield Problem(
                where_in(course, stub),
                f"asks for `{name}({asked[name]})`, and the solution has `({given[name]})`",
                "Give both the same signature.",
            )


def _definitions(path: Path) -> dict[str, str]:
    """Top-level names with their signatures; a class counts with its `__init__`."""
    found = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = ast.unparse(node.args)
        elif isinstance(node, ast.ClassDef):
            makers = [
                n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"
            ]
            found[node.name] = ast.unparse(makers[0].args) if makers else ""
        elif isinstance(node, ast.Assign):
            found.update({t.id: "" for t in node.targets if isinstance(t, ast.Name)})
    return found


def _stray_files(course: Course) -> Iterator[Problem]:
    """Python files that lie where an exercise's would, and belong to none."""
    for lying, belongs in course.layout():
        for path in lying:
            if path not in belongs and "__pycache__" not in path.parts:
                yield Problem(
                    where_in(course, path),
                    "belongs to no exercise of the catalogue",
                    "Add the exercise to `exercises/catalog.toml`, or remove the file.",
                )


def _leaks(course: Course) -> Iterator[Problem]:
    """Lines of a solution or a suite that students would read."""
    for problem in leaks(course, course.stubs):
        yield dataclasses.replace(problem, where=f"{course.stubs.name}/{problem.where}")


def _list(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
