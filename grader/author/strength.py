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

import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from grader.author.claims import Claim, graded
from grader.author.faults import NO_GRADIENT, OF_GRADIENTS
from grader.author.memory import Proofs
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


# Its changes, or why there are none.
_Found = tuple[Exercise, list[_Change] | str]


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
    remembered: int = 0
    """Exercises that were tried before with no survivor, and that nothing changed since."""

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
    again: bool = True,
    on_step: Callable[[str], None] = lambda _: None,
) -> Strengths:
    """Judges every mutation of the reference solutions. A suite stops at its first loss.

    Without `again`, exercises are left out that were tried on this machine as they are.
    """

    def found(exercises: tuple[Exercise, ...]) -> Iterator[_Found]:
        for exercise in exercises:
            changes = mutations(course.solution_text(exercise))
            yield exercise, [_Change(m.change, f"line {m.line}", m.text, m.change) for m in changes]

    return _judged(course, exercises, found, cells.EQUIVALENT, seed, again, on_step)


def sabotage(
    course: Course,
    exercises: tuple[Exercise, ...],
    *,
    seed: str | None = None,
    again: bool = True,
    on_step: Callable[[str], None] = lambda _: None,
) -> Strengths:
    """Judges the reference solutions with every general fault that applies, one at a time.

    Without `again`, exercises are left out that were tried on this machine as they are.
    """

    def found(exercises: tuple[Exercise, ...]) -> Iterator[_Found]:
        for exercise, faults in sabotages(course, exercises):
            if isinstance(faults, str):
                yield exercise, faults
                continue
            on_step(f"scouted  {exercise.id}: {len(faults)} faults apply")
            yield exercise, [_Change(s.change, s.promise, s.text, s.name) for s in faults]

    return _judged(course, exercises, found, cells.HARMLESS, seed, again, on_step)


def _judged(
    course: Course,
    exercises: tuple[Exercise, ...],
    changes_of: Callable[[tuple[Exercise, ...]], Iterator[_Found]],
    cell: str,
    seed: str | None,
    again: bool,
    on_step: Callable[[str], None],
) -> Strengths:
    started = time.monotonic()
    course.require_suites(exercises)
    proofs = Proofs(course, exercises, cell, Strength, code=__name__, again=again, on_step=on_step)
    problems: list[Problem] = []
    declared: dict[str, Mapping[str, str]] = {}
    claims: dict[Claim, _Change] = {}
    for e, found in changes_of(tuple(e for e in exercises if e.id not in proofs.known)):
        changes = [] if isinstance(found, str) else found
        if isinstance(found, str):
            todo = "Show a call in an example of its docstring."
            problems.append(Problem(course.relative(course.stub(e)), found, todo))
        declared[e.id] = _declared(course, e, cell, changes, problems)
        for change in {change.change: change for change in changes}.values():
            if not _names(change) & set(declared[e.id]):
                claims[Claim(e, "mutation", change.change, change.text, None)] = change
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
    every = dict(proofs.known)
    for e in exercises:
        if e.id in declared:
            reasons = tuple(declared[e.id].items())
            every[e.id] = own = Strength(e.id, killed[e.id], tuple(survivors[e.id]), reasons)
            if not own.survivors:
                proofs.keep(e, own, problems)
    seconds, known = time.monotonic() - started, len(proofs.known)
    return Strengths(tuple(every[e.id] for e in exercises), tuple(problems), seconds, known)


def _names(change: _Change) -> set[str]:
    """What a declaration may call it. Where a gradient may be lost, it may be wrong, too."""
    names = {change.change, change.kind}
    if change.kind in OF_GRADIENTS:
        names |= {name.replace(change.kind, NO_GRADIENT) for name in names}
    return names


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
