"""Proof of a course: every claim that a mark rests on, tried out; every Problem at once.

    files      entry, stub, solution, suite, mutants and variants under one stem; no stray file
    stub       has the solution's signatures, and earns 0 by failing, never by breaking
    solution   earns everything under half of a student's limits, with two different seeds
    mutant     loses exactly at the tests that its docstring names
    test       kills at least one mutant
    variant    earns everything
    handout    holds not one line of a suite or a solution

A mutant or a variant is a suffix: what is graded is the solution and, after it, the file.
"""

from __future__ import annotations

import ast
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.course import Course
from grader.errors import BrokenSuiteError
from grader.executors.serial import Serial
from grader.handout import leaks
from grader.model import Exercise, ExerciseResult, Job, Outcome, Problem, Source, Submission

MUTANTS, VARIANTS = 3, 2
STRICT = 0.5
_FAILS = re.compile(r"^Fails:\s*(.+?)\s*\Z", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Proof:
    """What `verify` found, and what it took."""

    problems: tuple[Problem, ...]
    runs: int
    seconds: float


@dataclass(frozen=True)
class _Claim:
    """A piece of code with what the suite must say to it; `fails` is None for "anything"."""

    exercise: Exercise
    kind: str
    path: Path
    text: str
    fails: frozenset[str] | None = frozenset()

    @property
    def where(self) -> str:
        return "/".join(self.path.parts[-4:])


def verify(
    course: Course,
    exercises: tuple[Exercise, ...],
    *,
    seed: str | None = None,
    on_step: Callable[[str], None] = lambda _: None,
) -> Proof:
    """Tries every claim of the course. Raises `HostError` only if nothing can be graded here."""
    started = time.monotonic()
    problems = [*_stray_files(course), *leaks(course, course.stubs)]
    whole: list[Exercise] = []
    for exercise in exercises:
        found = list(_files(course, exercise))
        problems += found
        if not any(problem.what.startswith("is missing") for problem in found):
            whole.append(exercise)
    first = seed or secrets.token_hex(8)
    runs = 0
    for number, scale in ((first, 1.0), (f"{first}, again", STRICT)):
        claims = [c for e in whole for c in _claims(course, e, only_solution=scale != 1.0)]
        killed: dict[str, set[str]] = {exercise.id: set() for exercise in whole}
        tests: dict[str, set[str]] = {}
        for claim, result in _graded(course, whole, claims, number, scale, problems):
            runs += 1
            on_step(f"{claim.kind:<9}{claim.where}: {result.outcome}")
            problems += _broken_claims(claim, result)
            tests[claim.exercise.id] = {test.id for test in result.tests}
            if claim.kind == "mutant":
                killed[claim.exercise.id] |= _lost(result)
        if scale == 1.0:
            problems += _idle_tests(course, tests, killed)
    return Proof(tuple(dict.fromkeys(problems)), runs, time.monotonic() - started)


def _graded(
    course: Course,
    exercises: list[Exercise],
    claims: list[_Claim],
    seed: str,
    scale: float,
    problems: list[Problem],
) -> Iterator[tuple[_Claim, ExerciseResult]]:
    """Every claim with its result. A suite that can't even be imported is a problem of its own."""
    try:
        with Serial(
            course.stubs, tuple(exercises), "available", seed, scale=scale, lenient=True
        ) as executor:
            jobs = {id(job): (claim, job) for claim in claims for job in [_job(claim)]}
            for job, results in executor.run([job for _, job in jobs.values()]):
                yield jobs[id(job)][0], results[0]
    except BrokenSuiteError as error:
        if len(exercises) == 1:
            where = str(course.suite(exercises[0]))
            problems.append(Problem(where, str(error), "Mend the suite."))
            return
        # One of them spoils the start for all: one by one, so that the others are still proved.
        for exercise in exercises:
            own = [claim for claim in claims if claim.exercise is exercise]
            yield from _graded(course, [exercise], own, seed, scale, problems)


def _job(claim: _Claim) -> Job:
    source = Source(claim.exercise.id, f"{claim.exercise.stem}.py", claim.text)
    return Job(Submission(claim.where, "", (source,)), (claim.exercise.id,))


def _claims(course: Course, exercise: Exercise, *, only_solution: bool) -> Iterator[_Claim]:
    solution = course.solution(exercise)
    text = solution.read_text(encoding="utf-8")
    yield _Claim(exercise, "solution", solution, text)
    if only_solution:
        return
    stub = course.stub(exercise)
    yield _Claim(exercise, "stub", stub, stub.read_text(encoding="utf-8"), None)
    for path in sorted(course.mutants(exercise).glob("*.py")):
        suffix = path.read_text(encoding="utf-8")
        yield _Claim(exercise, "mutant", path, f"{text}\n\n{suffix}", _fails(suffix))
    for path in sorted(course.variants(exercise).glob("*.py")):
        suffix = path.read_text(encoding="utf-8")
        yield _Claim(exercise, "variant", path, f"{text}\n\n{suffix}")


def _fails(suffix: str) -> frozenset[str]:
    """The tests that a mutant's docstring names in its last line, `Fails: test_a, test_b`."""
    match = _FAILS.search(_docstring(suffix))
    return frozenset(re.split(r"[\s,]+", match[1])) if match else frozenset()


def _docstring(text: str) -> str:
    try:
        return ast.get_docstring(ast.parse(text)) or ""
    except SyntaxError:
        return ""


def _lost(result: ExerciseResult) -> set[str]:
    return {test.id for test in result.tests if test.outcome is not Outcome.PASSED}


def _broken_claims(claim: _Claim, result: ExerciseResult) -> Iterator[Problem]:
    lost = _lost(result)
    details = {test.id: test.detail.strip() for test in result.tests}
    if result.outcome is Outcome.BROKEN:
        broken = [t for t in result.tests if t.outcome is Outcome.BROKEN]
        for test in broken:
            yield Problem(
                claim.where,
                f"breaks the suite at `{test.id}`:\n{test.detail}",
                "The suite has to judge this, not to stumble over it.",
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


def _wrong_kill(claim: _Claim, lost: set[str], tests: set[str]) -> Iterator[Problem]:
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
                f"{course.suite(course[exercise])}::{name}",
                "kills no mutant: nothing shows that it can fail",
                "Write a mutant that only this test catches, or drop the test.",
            )


def _files(course: Course, exercise: Exercise) -> Iterator[Problem]:
    """What the files of an exercise show without being run."""
    stub, solution, suite = (
        course.stub(exercise),
        course.solution(exercise),
        course.suite(exercise),
    )
    for path in (stub, solution, suite):
        if not path.is_file():
            yield Problem(
                str(path), "is missing", f"`{exercise.id}` is in the catalogue; write it."
            )
    if stub.is_file() and solution.is_file():
        yield from _signatures(exercise, stub, solution)
    for folder, least, kind in (
        (course.mutants(exercise), MUTANTS, "mutants"),
        (course.variants(exercise), VARIANTS, "variants"),
    ):
        count = len(list(folder.glob("*.py")))
        if count < least:
            yield Problem(str(folder), f"holds {count} {kind}", f"Write at least {least}.")
    for path in course.mutants(exercise).glob("*.py"):
        if not _FAILS.search(_docstring(path.read_text(encoding="utf-8"))):
            yield Problem(
                str(path),
                "names no test in its docstring",
                "End the docstring with a line `Fails: test_a, test_b`.",
            )


def _signatures(exercise: Exercise, stub: Path, solution: Path) -> Iterator[Problem]:
    asked, given = (_definitions(path) for path in (stub, solution))
    for name in exercise.defines:
        if name not in asked or name not in given:
            where = stub if name not in asked else solution
            yield Problem(str(where), f"does not define `{name}`", "The catalogue asks for it.")
        elif asked[name] != given[name]:
            yield Problem(
                str(stub),
                f"asks for `{name}({asked[name]})`, and the solution has `({given[name]})`",
                "Give both the same signature.",
            )


def _definitions(path: Path) -> dict[str, str]:
    """Top-level names with their signatures; a class counts with its `__init__`."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except SyntaxError:
        return {}
    found = {}
    for node in tree.body:
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
    for pattern, belongs in course.layout():
        for path in pattern:
            if path not in belongs and "__pycache__" not in path.parts:
                yield Problem(
                    str(path),
                    "belongs to no exercise of the catalogue",
                    "Add the exercise to `exercises/catalog.toml`, or remove the file.",
                )


def _list(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
