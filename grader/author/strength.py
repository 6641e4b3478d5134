"""How strong a suite is: which small changes to the reference solution do its tests notice?

    solution --mutations--> claims --judges--> killed, survived, or equivalent (with a reason)

A mutation that changes nothing that matters is declared, with its reason, in the last cell of
`tests/mutants/TOPIC/STEM.py`:

    # %% equivalent
    {"return a + b -> return b + a": "Addition commutes."}
"""

import secrets
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from grader.author.claims import Claim, graded
from grader.author.mutations import Mutation, mutations
from grader.course import Course
from grader.intake import cells
from grader.model import Exercise, Outcome, Problem, Strength, Survivor, Terms

ENOUGH = 0.95


@dataclass(frozen=True)
class Strengths:
    """The strength of every suite, and what is wrong with the declarations."""

    exercises: tuple[Strength, ...]
    problems: tuple[Problem, ...]
    seconds: float

    @property
    def share(self) -> float:
        """The share of killed mutations among those that aren't equivalent; 1 if there are none."""
        all_mutants = sum(strength.mutants for strength in self.exercises)
        killed = sum(strength.killed for strength in self.exercises)
        return killed / all_mutants if all_mutants else 1.0


def strength(
    course: Course,
    exercises: tuple[Exercise, ...],
    *,
    seed: str | None = None,
    on_step: Callable[[str], None] = lambda _: None,
) -> Strengths:
    """Judges every mutation of the reference solutions. A suite stops at its first loss."""
    started = time.monotonic()
    course.require_suites(exercises)
    problems: list[Problem] = []
    equivalent = {e.id: _equivalent(course, e, problems) for e in exercises}
    claims = {c: m for e in exercises for c, m in _claims(course, e, equivalent[e.id], problems)}
    killed = dict.fromkeys(equivalent, 0)
    survivors: dict[str, list[Survivor]] = {name: [] for name in equivalent}
    terms = Terms("available", seed or secrets.token_hex(8), proving=True, hasty=True)
    for claim, result in graded(course, list(claims), terms, problems):
        name, mutation = claim.exercise.id, claims[claim]
        if result.outcome is Outcome.BROKEN:
            broken = (t.detail for t in result.tests if t.outcome is Outcome.BROKEN and t.detail)
            # The end of a long message names the error.
            what = f"breaks at `{mutation.change}`\n{next(broken, result.message)[-1500:]}"
            suite = course.relative(course.suite(claim.exercise))
            problems.append(Problem(suite, what, "Mend the suite."))
        elif result.outcome.keeps_points:
            survivors[name].append(Survivor(mutation.line, mutation.change))
            on_step(f"survived {name}: {mutation.change}")
        else:
            killed[name] += 1
            on_step(f"killed   {name}: {mutation.change}")
    found = (
        Strength(name, killed[name], tuple(survivors[name]), tuple(declared.items()))
        for name, declared in equivalent.items()
    )
    return Strengths(tuple(found), tuple(problems), time.monotonic() - started)


def _equivalent(course: Course, exercise: Exercise, problems: list[Problem]) -> Mapping[str, str]:
    """Changes that no test can notice, with the reasons."""
    path = course.mutants(exercise)
    found = cells.read(path, course.relative(path))
    problems += found.problems
    return found.equivalent


def _claims(
    course: Course, exercise: Exercise, equivalent: Collection[str], problems: list[Problem]
) -> Iterator[tuple[Claim, Mutation]]:
    """A claim for every mutation that isn't declared equivalent."""
    found = {m.change: m for m in mutations(course.solution(exercise).read_text(encoding="utf-8"))}
    for change, mutation in found.items():
        if change not in equivalent:
            yield Claim(exercise, "mutation", change, mutation.text, None), mutation
    for change in sorted(set(equivalent) - set(found)):
        where = f"{course.relative(course.mutants(exercise))}::{cells.EQUIVALENT}"
        what = f"declares `{change}`, which is no mutation of the solution"
        problems.append(Problem(where, what, "Copy it anew from the report, or drop it."))
