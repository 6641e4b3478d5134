"""How strong a suite is: the reference solution with one small change at a time, and who notices.

    solution --mutations--> claims --judges--> killed, survived, or equivalent (with a reason)

A mutation that changes nothing that matters is declared, with its reason, in
`tests/mutants/TOPIC/STEM/equivalent.toml`:

    [[equivalent]]
    change = "return a + b -> return b + a"
    reason = "Addition commutes."
"""

from __future__ import annotations

import secrets
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from grader.claims import Claim, graded, where_in
from grader.course import Course
from grader.model import Exercise, Outcome, Problem, Strength, Survivor, Terms
from grader.mutations import mutations

ENOUGH = 0.95
DECLARED = "equivalent.toml"


@dataclass(frozen=True)
class Strengths:
    """Every exercise's, and what is wrong with the course's own declarations."""

    exercises: tuple[Strength, ...]
    problems: tuple[Problem, ...]
    seconds: float

    @property
    def share(self) -> float:
        """Killed among those that are not equivalent; 1 where there is none."""
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
    declared = {e.id: _declared(course, e, problems) for e in exercises}
    claims = [claim for e in exercises for claim in _claims(course, e, declared[e.id], problems)]
    killed = dict.fromkeys(declared, 0)
    survivors: dict[str, list[Survivor]] = {name: [] for name in declared}
    number = seed or secrets.token_hex(8)
    terms = Terms("available", number, proving=True, hasty=True)
    results = graded(course, list(exercises), claims, terms, problems)
    for claim, result in results:
        line, _, change = claim.where.partition(": ")
        name = claim.exercise.id
        if result.outcome is Outcome.BROKEN:
            broken = (t.detail for t in result.tests if t.outcome is Outcome.BROKEN and t.detail)
            # The end of a long one says what it was.
            detail = next(broken, result.message)[-1500:]
            suite = where_in(course, course.suite(claim.exercise))
            problems.append(Problem(suite, f"breaks at `{change}`\n{detail}", "Mend the suite."))
        elif result.outcome in (Outcome.PASSED, Outcome.UNDECIDED):
            survivors[name].append(Survivor(int(line), change))
            on_step(f"survived {name}: {change}")
        else:
            killed[name] += 1
            on_step(f"killed   {name}: {change}")
    found = (
        Strength(name, killed[name], tuple(survivors[name]), tuple(declared[name].items()))
        for name in declared
    )
    return Strengths(tuple(found), tuple(problems), time.monotonic() - started)


def _claims(
    course: Course, exercise: Exercise, declared: Iterable[str], problems: list[Problem]
) -> Iterator[Claim]:
    """A claim for every mutation that isn't declared equivalent."""
    left = set(declared)
    for mutation in mutations(course.solution(exercise).read_text(encoding="utf-8")):
        if mutation.change in declared:
            left.discard(mutation.change)
            continue
        where = f"{mutation.line}: {mutation.change}"
        yield Claim(exercise, "mutation", where, mutation.text, None)
    for change in sorted(left):
        path = where_in(course, course.mutants(exercise) / DECLARED)
        what = f"declares `{change}`, which is no mutation of the solution"
        problems.append(Problem(path, what, "Copy it anew from the report, or drop it."))


def _declared(course: Course, exercise: Exercise, problems: list[Problem]) -> dict[str, str]:
    """Changes with the reasons why nobody can notice them."""
    path = course.mutants(exercise) / DECLARED
    if not path.exists():
        return {}
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))["equivalent"]
        found = {entry["change"]: entry["reason"] for entry in entries}
        if all(isinstance(part, str) and part for pair in found.items() for part in pair):
            return found
    except (OSError, ValueError, KeyError, TypeError):
        pass
    todo = 'Write tables `[[equivalent]]`, each with `change = "..."` and `reason = "..."`.'
    problems.append(Problem(where_in(course, path), "can't be read", todo))
    return {}
