"""Proof of a course: tries every claim that a mark depends on, and finds all problems at once.

    files      entry, stub, notes, solution, suite, right and wrong answers under one stem; no other
    stub       has the solution's signatures, and earns 0 by failing, never by breaking
    examples   of the stub come out as shown, with the solution and with every right answer
    solution   earns everything with two different seeds, once under half of a student's limits, and
               gives other answers then; with zeros in place of its results it loses every test
    right      answers earn everything
    wrong      answers lose exactly the tests that their `Fails:` names (and races only at those)
               and at least half of the points, if the comment says so
    test       is lost by at least one wrong answer
    race       is all that some wrong answer loses: right in every value, and only too slow
    points     at most 2 rest on what the student's process reports, or the exercise doesn't count
    handout    holds no line of a suite or a solution

Notes are no problems: text of `grader new` that is still there, and a baseline that is too short.

An answer is a cell of a file: the graded text is the solution and, after it, the cell. A result is
kept as soon as it is there, if it is as it should be.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from grader.author import static, stub_examples
from grader.author.claims import Claim
from grader.author.kept_results import KeptResults
from grader.author.marked_tests import asked_names
from grader.course.course import Course
from grader.intake import cells
from grader.records import evidence, inputs, scoring
from grader.records.errors import listed
from grader.records.model import Basis, Exercise, ExerciseResult, Outcome, Problem, Purpose, Terms

REPORTED = 2
"""How many points of an exercise may rest on what the student's process reports."""
# What a program may earn as it is given, of all points of its exercise.
MOST_OF_STUB = 0.3
_Results = list[tuple[Claim, ExerciseResult]]


@dataclass(frozen=True)
class Proof:
    """What `verify` found, the number of results that it has, and how long it took."""

    problems: tuple[Problem, ...]
    runs: int
    seconds: float
    basis: Mapping[str, Mapping[Basis, float]]
    """The points of each proved exercise, by what they rest on."""
    notes: tuple[Problem, ...] = ()
    """What an author should know, and what is no reason to refuse an exercise."""
    remembered: int = 0
    """How many of the results earlier runs have kept."""


def verify(
    course: Course,
    exercises: tuple[Exercise, ...],
    *,
    seed: str | None = None,
    wrong: bool = True,
    again: bool = True,
    write: bool = False,
    on_step: Callable[[str], None] = lambda _: None,
) -> Proof:
    """Tries every claim of the course. Raises `HostError` only if nothing can be graded here.

    Without `wrong`, no wrong answer is tried, and the run takes a third of the time. Without
    `again`, what was found on this machine before isn't tried anew. `write` changes the `Fails:` of
    wrong answers to what they lose.
    """
    started = time.monotonic()
    problems = list(static.of_course(course))
    for exercise in exercises:
        problems += static.of_exercise(course, exercise)

    sound = tuple(e for e in exercises if static.can_be_graded(course, e))
    problems += stub_examples.problems(course, sound, on_step, again=again)
    claims = (claim for exercise in sound for claim in _claims(course, exercise))
    wanted = [claim for claim in claims if wrong or claim.kind != "wrong"]
    terms = Terms("available", seed or inputs.secret(), Purpose.PROOF)
    kept = KeptResults(course, sound, terms, again=again)
    results: _Results = []
    for claim, result in kept.graded(wanted, problems):
        results.append((claim, result))
        if claim not in kept.known:
            done = f"{len(results)} of {len(wanted)}"
            on_step(f"{done:<14}{claim.kind:<9}{claim.where}: {result.outcome}")
        found = [*_broken_claims(course, claim, result)]
        if claim.kind == "wrong" and result.outcome is not Outcome.BROKEN:
            found += _wrong_kill(course, claim, result, write=write)
        if not found:
            kept.keep(claim, result)
        problems += found
    if wrong:
        problems += _idle_tests(course, results)
    solutions = [(c, result) for c, result in results if c.kind == "solution" and not c.strict]
    basis = {claim.exercise.id: _basis(result) for claim, result in solutions}
    strict = {c.exercise: result for c, result in results if c.kind == "solution" and c.strict}
    for claim, result in solutions:
        problems += _reported(course, claim.exercise, result)
        problems += _fixed(course, claim.exercise, result, strict[claim.exercise])
    seconds = time.monotonic() - started
    notes = [*static.unfinished(course, exercises), *_baselines(course, solutions)]
    return Proof(_once(problems), len(results), seconds, basis, tuple(notes), len(kept.known))


def _once(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The first of equal findings. Their details may differ, since the two seeds differ."""
    first: dict[tuple[str, str], Problem] = {}
    for problem in problems:
        first.setdefault((problem.where, problem.what.partition("\n")[0]), problem)
    return tuple(first.values())


def _claims(course: Course, exercise: Exercise) -> Iterator[Claim]:
    solution, stub = course.solution(exercise), course.stub(exercise)
    text = course.solution_text(exercise)
    for strict in (True, False):
        yield Claim(exercise, "solution", course.relative(solution), text, strict=strict)
    yield Claim(exercise, "blank", course.relative(solution), text)
    yield Claim(exercise, "stub", course.relative(stub), course.stub_text(exercise), None)
    for kind, path in (("wrong", course.wrong(exercise)), ("right", course.right(exercise))):
        for cell in cells.read(path).cells:
            fails = cell.fails if kind == "wrong" else frozenset()
            where = f"{course.relative(path)}::{cell.name}"
            yield Claim(exercise, kind, where, cell.after(text), fails, cell.at_most_half)


def _place(course: Course, exercise: Exercise, test: str) -> str:
    return f"{course.relative(course.suite(exercise))}::{test}"


def _lost(result: ExerciseResult) -> set[str]:
    return {test.id for test in result.tests if test.outcome is not Outcome.PASSED}


def _broken_claims(course: Course, claim: Claim, result: ExerciseResult) -> Iterator[Problem]:
    """The problems of the claim, or of the suite, that a result shows."""
    lost = _lost(result)
    details = {test.id: test.detail.strip() for test in result.tests}
    if claim.kind == "blank":
        yield from _of_blanks(course, claim, result)
    elif result.outcome is Outcome.BROKEN:
        yield from _without_verdict(course, claim, result)
    elif claim.kind == "stub":
        yield from _of_stub(claim, result, sorted(set(details) - lost))
    elif claim.kind == "wrong":
        yield from _too_many_points(claim, result)
    elif lost:
        shown = "\n".join(f"{name}: {details[name]}" for name in sorted(lost))
        todo = "A right answer must earn everything: fix the suite, or this answer."
        yield Problem(claim.where, f"loses {listed(sorted(lost))}\n{shown}", todo)


def _of_stub(claim: Claim, result: ExerciseResult, passed: list[str]) -> Iterator[Problem]:
    """A stub does nothing, or as a program that is to be changed, little."""
    most = MOST_OF_STUB * result.max_score if claim.exercise.has_program else 0.0
    if passed and (result.score or 0.0) > most:
        todo = "A test must require something that the stub doesn't do."
        if most:
            todo = f"It may earn {most:g} points: give more points to what must change."
        yield Problem(claim.where, f"the untouched stub passes {listed(passed)}", todo)


def _of_blanks(course: Course, claim: Claim, result: ExerciseResult) -> Iterator[Problem]:
    """Tests that are passed by zeros in place of every number that comes back."""
    for test in result.tests:
        if test.outcome is Outcome.PASSED and test.detail:
            yield Problem(
                _place(course, claim.exercise, test.id),
                "passes with zeros in place of all results",
                "Compare a result with what the suite computes: `assert_close(found, expected)`.",
            )


def _without_verdict(course: Course, claim: Claim, result: ExerciseResult) -> Iterator[Problem]:
    broken = [test for test in result.tests if test.outcome is Outcome.BROKEN]
    if not broken:
        yield Problem(claim.where, result.message, "See `grader doctor`.")
    for test in broken:
        where, detail = _place(course, claim.exercise, test.id), test.detail
        if test.message == scoring.SUITES_FAULT:  # so it breaks at every claim
            what, todo = "fails on the reference solution", "Fix the test or the solution."
            todo = " ".join(filter(None, map(evidence.of_solution, test.races))) or todo
            if undefined := _undefined(course, claim.exercise, detail):
                what = f"requires {listed(undefined)}, which `defines` doesn't name"
                todo, detail = f"It names {listed(claim.exercise.defines)}. Fix one of them.", ""
        else:
            where, what = f"{claim.where}: {test.id}", test.message
            todo = "Run it again when the machine is less busy."
            if test.message == scoring.OUR_FAULT:
                todo = "Please report it, with these lines: no author can fix it."
        yield Problem(where, f"{what}\n{detail.strip()}".strip(), todo)


def _undefined(course: Course, exercise: Exercise, detail: str) -> list[str]:
    """The names that a suite asks for and no student is asked for, where a test failed of one."""
    asked = asked_names(course.suite(exercise)) - set(exercise.defines)
    return [name for name in sorted(asked) if f"defines no `{name}`" in detail]


def _wrong_kill(
    course: Course, claim: Claim, result: ExerciseResult, *, write: bool
) -> Iterator[Problem]:
    """Where a wrong answer loses other tests than its `Fails:` names. `write` writes them there."""
    lost, tests = _lost(result), {test.id for test in result.tests}
    if write and lost and set(claim.fails or ()) != lost:
        path, _, name = claim.where.partition("::")
        in_order = [test.id for test in result.tests if test.id in lost]
        cells.write_fails((course.root or course.stubs) / path, {name: in_order})
        return
    named = claim.fails or frozenset()
    if not lost and named <= tests:
        what = "loses no test"
        right = course.relative(course.right(claim.exercise))
        if named:
            what += f", and should lose {listed(sorted(named))}"
        todo = f"If it is right, move it to `{right}`. If it is wrong, a test is missing or weak."
        yield Problem(claim.where, what, todo)
        return
    sharper = "Make the test sharper, or remove it from the answer's `Fails:`."
    add = "Add it there if that is meant."
    findings = (
        (named - tests, "names tests that don't exist: {}", "Fix `Fails:`."),
        ((named & tests) - lost, "passes {}, which it should lose", sharper),
        (lost - named, "loses {}, which its `Fails:` doesn't name", add),
    )
    for names, what, todo in findings:
        if names:
            yield Problem(claim.where, what.format(listed(sorted(names))), todo)


def _too_many_points(claim: Claim, result: ExerciseResult) -> Iterator[Problem]:
    earned, most = result.score or 0.0, result.max_score
    if claim.at_most_half and earned > most / 2:
        what = f"earns {earned:g} of {most:g} points, but its comment says at most half"
        todo = "Give the tests that it fails more points, or remove the line."
        yield Problem(claim.where, what, todo)


def _idle_tests(course: Course, results: _Results) -> Iterator[Problem]:
    """Tests that every wrong answer passes, and races that none loses without losing more."""
    tried = [(claim, result, test) for claim, result in results for test in result.tests]
    tests = {(claim.exercise, test.id) for claim, _, test in tried}
    races = {(claim.exercise, test.id) for claim, _, test in tried if test.races}
    killers = {(c.exercise, t.id) for c, r, t in tried if c.kind == "wrong" and t.id in _lost(r)}
    slow = {
        (claim.exercise, test.id)
        for claim, result, test in tried
        if _lost(result) == {test.id}
        and any(race.verdict is Outcome.FAILED and not race.wrong for race in test.races)
    }
    findings = (
        (
            tests - killers,
            "is lost by no wrong answer: nothing shows that it can fail",
            "Write a wrong answer that only this test catches, or drop the test.",
        ),
        (
            races - slow,
            "is lost by no answer that is right in every value: what does it measure?",
            "Write an answer that is only too slow, once it is compiled, or drop the race.",
        ),
    )
    for idle, what, todo in findings:
        for exercise, name in sorted(idle, key=lambda pair: (pair[0].id, pair[1])):
            yield Problem(_place(course, exercise, name), what, todo)


def _basis(result: ExerciseResult) -> dict[Basis, float]:
    """Points by what they rest on. A test that asks for nothing has none."""
    return {
        kind: sum(test.max_points for test in result.tests if test.basis is kind) for kind in Basis
    }


def _fixed(
    course: Course, exercise: Exercise, one: ExerciseResult, other: ExerciseResult
) -> Iterator[Problem]:
    """Tests with the same answers for two seeds: the example of one student helps the next."""
    given = {test.id: test.detail for test in other.tests}
    for test in one.tests:
        if test.outcome is Outcome.PASSED and test.detail and test.detail == given.get(test.id):
            yield Problem(
                _place(course, exercise, test.id),
                "has the same answers for every seed, so a table of them passes",
                "Draw what decides them from `rng`, or mark the test with `@pytest.mark.words`.",
            )


def _baselines(course: Course, solutions: _Results) -> Iterator[Problem]:
    """Baselines whose calls are too short or too long for a good race."""
    for claim, result in solutions:
        for test in result.tests:
            for said in filter(None, map(evidence.of_baseline, test.races)):
                where = _place(course, claim.exercise, test.id)
                what, _, todo = said.partition(". ")
                yield Problem(where, what, todo)


def _reported(course: Course, exercise: Exercise, result: ExerciseResult) -> Iterator[Problem]:
    points = _basis(result)[Basis.REPORT]
    if points > REPORTED and exercise.counts:
        tests = listed(t.id for t in result.tests if t.basis is Basis.REPORT)
        what = f"{points:g} points rest on what the student's process reports: {tests}"
        todo = (
            f"At most {REPORTED} may. Judge a program or use a `Callback`, or write "
            "`counts = false` in the catalogue: then it is for practice."
        )
        yield Problem(course.relative(course.suite(exercise)), what, todo)
    if points <= REPORTED and not exercise.counts and exercise.kind != "predict":
        what = f"`{exercise.id}` says `counts = false`, and only {points:g} points rest on reports"
        yield Problem(course.relative(course.catalog), what, "Remove the key, so that it counts.")
