"""How strong a suite is: which changes to the reference solution do its tests notice?

    solution --mutations--> claims --judges--> killed, survived, or equivalent (with a reason)
    solution --sabotage--> claims --judges--> killed, survived, or harmless (with a reason)

Mutations are small changes of its code, and sabotage is a general fault around it. One that no test
has to notice is declared, with its reason, in a last cell of `tests/mutants/TOPIC/STEM.py`:

    # %% equivalent
    {"return a + b -> return b + a": "Addition commutes."}

    # %% harmless
    {"argument_absolute of `x`": "Counts are never negative."}

Without the argument, a fault is declared for all arguments.
"""

import dataclasses
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from grader.author.claims import Claim, graded
from grader.author.faults import NO_GRADIENT, OF_GRADIENTS
from grader.author.mutations import mutations
from grader.author.sabotage import ALL, sabotages
from grader.course import Course
from grader.intake import cells
from grader.model import Exercise, Outcome, Problem, Terms

ENOUGH = 0.95


@dataclass(frozen=True)
class _Change:
    """A changed solution. `note` is what its report says beside it."""

    change: str
    note: str
    text: str
    kind: str
    """What a declaration may name in place of `change`."""


@dataclass(frozen=True)
class Survivor:
    """A change to the solution that no test notices, and where it is or what it breaks."""

    note: str
    change: str


@dataclass(frozen=True)
class Strength:
    """What became of the changes to a solution; `declared` are those that matter to nobody."""

    exercise: str
    killed: int
    survivors: tuple[Survivor, ...]
    declared: tuple[tuple[str, str], ...]

    @property
    def mutants(self) -> int:
        """The number of changes that tests should notice."""
        return self.killed + len(self.survivors)


@dataclass(frozen=True)
class Strengths:
    """The strength of every suite, and what is wrong with the declarations."""

    exercises: tuple[Strength, ...]
    problems: tuple[Problem, ...]
    seconds: float

    @property
    def share(self) -> float:
        """The share of killed changes among those that aren't declared; 1 if there are none."""
        every = sum(strength.mutants for strength in self.exercises)
        killed = sum(strength.killed for strength in self.exercises)
        return killed / every if every else 1.0


def mutate(
    course: Course,
    exercises: tuple[Exercise, ...],
    *,
    seed: str | None = None,
    on_step: Callable[[str], None] = lambda _: None,
) -> Strengths:
    """Judges every mutation of the reference solutions. A suite stops at its first loss."""
    started = time.monotonic()
    course.require_suites(exercises)
    changes = {
        e.id: [
            _Change(m.change, f"line {m.line}", m.text, m.change)
            for m in mutations(_solution(course, e))
        ]
        for e in exercises
    }
    return _judged(course, exercises, changes, cells.EQUIVALENT, seed, on_step, started)


def sabotage(
    course: Course,
    exercises: tuple[Exercise, ...],
    *,
    seed: str | None = None,
    on_step: Callable[[str], None] = lambda _: None,
) -> Strengths:
    """Judges the reference solutions with every general fault that applies, one at a time."""
    started = time.monotonic()
    course.require_suites(exercises)
    changes: dict[str, list[_Change]] = {}
    problems = []
    for exercise, found in sabotages(course, exercises):
        if isinstance(found, str):
            todo = "Show a call in an example of its docstring."
            problems.append(Problem(course.relative(course.stub(exercise)), found, todo))
            found = []
        changes[exercise.id] = [_Change(s.change, s.promise, s.text, s.name) for s in found]
        on_step(f"scouted  {exercise.id}: {len(found)} faults apply")
    judged = _judged(course, exercises, changes, cells.HARMLESS, seed, on_step, started)
    return dataclasses.replace(judged, problems=(*problems, *judged.problems))


def _judged(
    course: Course,
    exercises: tuple[Exercise, ...],
    changes: Mapping[str, list[_Change]],
    cell: str,
    seed: str | None,
    on_step: Callable[[str], None],
    started: float,
) -> Strengths:
    problems: list[Problem] = []
    declared = {e.id: _declared(course, e, cell, changes[e.id], problems) for e in exercises}
    claims = {
        Claim(e, "mutation", change.change, change.text, None): change
        for e in exercises
        for change in {change.change: change for change in changes[e.id]}.values()
        if not _names(change) & set(declared[e.id])
    }
    killed = dict.fromkeys(declared, 0)
    survivors: dict[str, list[Survivor]] = {name: [] for name in declared}
    terms = Terms("available", seed or secrets.token_hex(8), proving=True, hasty=True)
    for claim, result in graded(course, list(claims), terms, problems):
        name, change = claim.exercise.id, claims[claim]
        if result.outcome is Outcome.BROKEN:
            broken = (t.detail for t in result.tests if t.outcome is Outcome.BROKEN and t.detail)
            # The end of a long message names the error.
            what = f"breaks at `{change.change}`\n{next(broken, result.message)[-1500:]}"
            suite = course.relative(course.suite(claim.exercise))
            problems.append(Problem(suite, what, "Mend the suite."))
        elif result.outcome.keeps_points:
            survivors[name].append(Survivor(change.note, change.change))
            on_step(f"survived {name}: {change.change}")
        else:
            killed[name] += 1
            on_step(f"killed   {name}: {change.change}")
    found = (
        Strength(name, killed[name], tuple(survivors[name]), tuple(reasons.items()))
        for name, reasons in declared.items()
    )
    return Strengths(tuple(found), tuple(problems), time.monotonic() - started)


def _names(change: _Change) -> set[str]:
    """What a declaration may call it. Where a gradient may be lost, it may be wrong, too."""
    names = {change.change, change.kind}
    if change.kind in OF_GRADIENTS:
        names |= {name.replace(change.kind, NO_GRADIENT) for name in names}
    return names


def _solution(course: Course, exercise: Exercise) -> str:
    return course.solution(exercise).read_text(encoding="utf-8")


def _declared(
    course: Course,
    exercise: Exercise,
    cell: str,
    changes: list[_Change],
    problems: list[Problem],
) -> Mapping[str, str]:
    """Changes that no test has to notice, with the reasons."""
    path = course.mutants(exercise)
    found = cells.read(path, course.relative(path))
    problems += found.problems
    known = {name for each in changes for name in (each.change, each.kind)}
    declared = {}
    for change, reason in found.declared[cell].items():
        if change in known:
            declared[change] = reason
        # Whether a fault applies is looked for as long as there is time, so it may not be found.
        elif change.partition(" of `")[0] not in ALL:
            where = f"{course.relative(path)}::{cell}"
            what = f"declares `{change}`, which is no change that applies to the solution"
            problems.append(Problem(where, what, "Copy it anew from the report, or drop it."))
    return declared
