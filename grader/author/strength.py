"""How strong a suite is: which changes to the reference solution do its tests notice?

    solution --mutations--> claims --judges--> killed, survived, or equivalent (with a reason)
    solution --sabotage--> claims --judges--> killed, survived, or harmless (with a reason)

    measure(FAULTS) -> _claims -> FAULTS.changes -> sabotage.search.sabotages, in processes
                    -> claims.graded -> Slots    -> Strengths

Mutations are small changes of its code, and sabotage is a general fault around it. One that no test
has to notice is declared, with its reason, in a cell of `solutions/TOPIC/STEM.wrong.py`:

    # %% equivalent
    {"return a + b -> return b + a": "Addition commutes."}

    # %% harmless
    {"argument_absolute of `x`": "Counts are never negative."}

Without the argument, a fault is declared for all arguments.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from grader.author.claims import Claim
from grader.author.kept_results import KeptResults
from grader.author.mutations import mutations
from grader.author.sabotage.injected import NO_GRADIENT, OF_GRADIENTS
from grader.author.sabotage.search import ALL, ChangedSolution, Changes, sabotages
from grader.course.course import Course
from grader.intake import cells
from grader.records import inputs
from grader.records.model import Exercise, ExerciseResult, Outcome, Problem, Purpose, Terms

ENOUGH = 0.95
OnStep = Callable[[str], None]


@dataclass(frozen=True)
class Search:
    """A way to change solutions."""

    word: str
    """What such a change is called."""
    cell: str
    """Where those are declared that no test has to notice."""
    changes: Callable[[Course, tuple[Exercise, ...], OnStep, bool], Iterator[Changes]]
    of_numpy: bool = True
    """Whether code in NumPy can be changed so."""


def _mutated(
    course: Course, exercises: tuple[Exercise, ...], _: OnStep, again: bool
) -> Iterator[Changes]:
    for exercise in exercises:
        every = mutations(course.solution_text(exercise))
        changes = [ChangedSolution(m.change, f"line {m.line}", m.text, m.change) for m in every]
        yield exercise, changes


def _sabotaged(
    course: Course, exercises: tuple[Exercise, ...], on_step: OnStep, again: bool
) -> Iterator[Changes]:
    for exercise, faults in sabotages(course, exercises, again=again):
        if not isinstance(faults, str):
            on_step(f"scouted  {exercise.id}: {len(faults)} faults apply")
        yield exercise, faults


MUTATIONS = Search("mutation", cells.EQUIVALENT, _mutated)
FAULTS = Search("fault", cells.HARMLESS, _sabotaged, of_numpy=False)


@dataclass
class Strength:
    """What became of the changes to a solution; `declared` are those that matter to nobody."""

    exercise: str
    declared: dict[str, str]
    killed: int = 0
    survivors: list[ChangedSolution] = field(default_factory=list)

    @property
    def changes(self) -> int:
        """The number of changes that tests should notice."""
        return self.killed + len(self.survivors)


@dataclass(frozen=True)
class Strengths:
    """The strength of every suite, and what is wrong with the declarations."""

    exercises: tuple[Strength, ...]
    problems: tuple[Problem, ...]
    seconds: float
    remembered: int = 0
    """How many of the results earlier runs have kept."""
    in_numpy: tuple[str, ...] = ()
    """Exercises that weren't tried, since such changes are those of code in JAX."""

    @property
    def share(self) -> float:
        """The share of killed changes among those that aren't declared; 1 if there are none."""
        every = sum(strength.changes for strength in self.exercises)
        killed = sum(strength.killed for strength in self.exercises)
        return killed / every if every else 1.0


def measure(
    search: Search,
    course: Course,
    exercises: tuple[Exercise, ...],
    *,
    seed: str | None = None,
    again: bool = True,
    on_step: OnStep = lambda _: None,
) -> Strengths:
    """Judges every change of the reference solutions, one at a time.

    A suite stops at its first loss. Without `again`, a change that tests have noticed on this
    machine before isn't judged anew.
    """
    started = time.monotonic()
    course.require_suites(exercises)
    left_out = tuple(e.id for e in exercises if e.numpy and not search.of_numpy)
    exercises = tuple(e for e in exercises if e.id not in left_out)
    problems: list[Problem] = []
    strengths, claims = _claims(search, course, exercises, problems, on_step, again)
    terms = Terms("available", seed or inputs.secret(), Purpose.STRENGTH)
    kept = KeptResults(course, exercises, terms, again=again)
    for number, (claim, result) in enumerate(kept.graded(claims, problems), 1):
        strength, change = strengths[claim.exercise], claims[claim]
        step = f"{number} of {len(claims)}  {claim.exercise.id}: {change.change}"
        if result.outcome is Outcome.BROKEN:
            problems.append(_broken(course, claim.exercise, change, result))
        elif result.outcome.keeps_points:
            strength.survivors.append(change)
            on_step(f"survived {step}")
        else:
            strength.killed += 1
            kept.keep(claim, result)
            if claim not in kept.known:
                on_step(f"killed   {step}")
    seconds, known = time.monotonic() - started, len(kept.known)
    found = tuple(strengths[exercise] for exercise in exercises)
    return Strengths(found, tuple(problems), seconds, known, left_out)


def _claims(
    search: Search,
    course: Course,
    exercises: tuple[Exercise, ...],
    problems: list[Problem],
    on_step: OnStep,
    again: bool,
) -> tuple[dict[Exercise, Strength], dict[Claim, ChangedSolution]]:
    """What is to be judged: every change once, without those that are declared."""
    strengths: dict[Exercise, Strength] = {}
    claims: dict[Claim, ChangedSolution] = {}
    for exercise, answer in search.changes(course, exercises, on_step, again):
        changes = [] if isinstance(answer, str) else answer
        if isinstance(answer, str):
            todo = "Show a call in an example of its docstring."
            problems.append(Problem(course.relative(course.stub(exercise)), answer, todo))
        declared = _declared(course, exercise, search.cell, changes, problems)
        strengths[exercise] = Strength(exercise.id, declared)
        for change in {change.change: change for change in changes}.values():
            if not _names(change) & set(declared):
                claims[Claim(exercise, search.word, change.change, change.text, None)] = change
    return strengths, claims


def _broken(
    course: Course, exercise: Exercise, change: ChangedSolution, result: ExerciseResult
) -> Problem:
    details = (t.detail for t in result.tests if t.outcome is Outcome.BROKEN and t.detail)
    # The end of a long message names the error.
    what = f"breaks at `{change.change}`\n{next(details, result.message)[-1500:]}"
    return Problem(course.relative(course.suite(exercise)), what, "Fix the suite.")


def _names(change: ChangedSolution) -> set[str]:
    """What a declaration may call it. Where a gradient may be lost, it may be wrong, too."""
    names = {change.change, change.kind}
    if change.kind in OF_GRADIENTS:
        names |= {name.replace(change.kind, NO_GRADIENT) for name in names}
    return names


def _declared(
    course: Course,
    exercise: Exercise,
    cell: str,
    changes: list[ChangedSolution],
    problems: list[Problem],
) -> dict[str, str]:
    """Changes that no test has to notice, with the reasons."""
    names = {name for each in changes for name in (each.change, each.kind)}
    declared = {}
    path = course.wrong(exercise)
    answers = cells.read(path, course.relative(path))
    problems += answers.problems
    for change, reason in answers.declared[cell].items():
        if change in names:
            declared[change] = reason
        # A fault that applies is looked for while there is time, so it may not be found.
        elif change.partition(" of `")[0] not in ALL:
            where = f"{course.relative(path)}::{cell}"
            what = f"declares `{change}`, which is not a change that applies to the solution"
            problems.append(Problem(where, what, "Copy it again from the report, or drop it."))
    return declared
