"""Two runs -> whose marks changed, by how much, and why.

DIR | DIR@NUMBER --store--> StoredRun, StoredRun --between--> Change, Change, ...
                 the last run, the run of today  --since--> sentences for the teacher
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from grader.records.errors import UsageError
from grader.records.model import ExerciseResult, Grade
from grader.records.safe_text import counted, number, some
from grader.records.scoring import attempt_for
from grader.teacher.decisions import Decision
from grader.teacher.result_keys import differing
from grader.teacher.runs import before, marks_of_today, parsed, stored_run
from grader.teacher.settle import Settled
from grader.teacher.store import StoredRun

# Students that a sentence names.
MOST_NAMES = 5


@dataclass(frozen=True)
class Moved:
    """One exercise of one submission whose result changed. Points are None if there are none."""

    exercise: str
    old: float | None
    new: float | None
    tests: Mapping[str, tuple[str, str]]  # the old and the new outcome, where they differ
    why: tuple[str, ...]
    counts: bool  # in the new run


@dataclass(frozen=True)
class Change:
    """One submission: its mark changed, or one of its results did."""

    id: str
    old: float | None
    new: float | None
    maxima: tuple[float, float]
    moved: tuple[Moved, ...]

    @property
    def has_fallen(self) -> bool:
        """Whether both marks are known, and the new one is lower."""
        return self.old is not None and self.new is not None and self.new < self.old


@dataclass(frozen=True)
class MarkChanges:
    """All changes between two runs. `came`: submissions only in the new run; `went`: in the old."""

    old: StoredRun
    new: StoredRun
    changes: tuple[Change, ...]
    unchanged: int
    came: tuple[str, ...]
    went: tuple[str, ...]


@dataclass(frozen=True)
class _Mark:
    """One submission's mark, the keys of its results, and the run that they are from."""

    grade: Grade
    keys: Mapping[str, str]
    stored: StoredRun


def stored_runs(old: str, new: str | None) -> tuple[StoredRun, StoredRun]:
    """The runs that two arguments name. Without `new`: the run `old`, and the one before it.

    An argument is `DIR@NUMBER`, `DIR@ASSIGNMENT`, or a folder, which means its last run. Raises
    `UsageError` for a folder or a run that isn't there.
    """
    if new is not None:
        return stored_run(*parsed(old)), stored_run(*parsed(new))
    folder, which = parsed(old)
    later = stored_run(folder, which)
    if (earlier := before(later)) is None:
        raise UsageError(
            f"`{folder}` contains nothing before run {later.number}. Grade into it again, or name "
            "two folders"
        )
    return earlier, later


def between(
    old: StoredRun, new: StoredRun, decided: Iterable[Decision] | None = None
) -> MarkChanges:
    """What changed; `decided` is about the old run. Submissions are matched by their names."""
    before, after = _marks(old, decided), _marks(new)
    both = [name for name in after if name in before]
    changes = tuple(c for name in both if (c := _change(before[name], after[name])) is not None)
    came = tuple(name for name in after if name not in before)
    went = tuple(name for name in before if name not in after)
    return MarkChanges(old, new, changes, len(both) - len(changes), came, went)


def since(before: StoredRun, now: StoredRun) -> list[str]:
    """What a teacher should know of a run that has just ended, and of the one before it."""
    changed = between(before, now)
    sentences = _judged_again(before, now)
    if fell := [c for c in changed.changes if c.has_fallen]:
        marks = [f"{c.id} {number(c.old)} → {number(c.new)}" for c in fell]
        many = counted(len(fell), "mark")
        sentences.append(f"since the last run, {many} fell: {some(marks, MOST_NAMES)}.")
    if changed.came and (changed.changes or changed.unchanged):
        more = " and more" if len(changed.came) > MOST_NAMES else ""
        sentences.append(f"not in the last run: {', '.join(changed.came[:MOST_NAMES])}{more}.")
    return sentences


def _judged_again(before: StoredRun, now: StoredRun) -> list[str]:
    """Why results of the run before don't count today, in one sentence."""
    old, new = before.machine, now.machine
    machine = [
        name if name == "seed" else f"{name} {old.get(name, 'unknown')} to {new[name]}"
        for name in differing(old, new)
    ]
    if machine:
        return [f"all work was judged again, since this changed: {', '.join(machine)}."]
    changed = {
        name: differing(then, parts)
        for name, parts in now.judged.items()
        if (then := before.judged.get(name)) is not None
    }
    again = [f"`{name}` ({', '.join(names)})" for name, names in changed.items() if names]
    return [f"judged again, since the course changed: {', '.join(again)}."] if again else []


def _marks(stored: StoredRun, decided: Iterable[Decision] | None = None) -> dict[str, _Mark]:
    marks = marks_of_today(stored, decided)
    return {m.grade.id: _Mark(m.grade, _keys(stored, m), stored) for m in marks}


def _keys(stored: StoredRun, mark: Settled) -> dict[str, str]:
    return {name: stored.keys[place][name] for name, place in mark.places.items()}


def _change(was: _Mark, now: _Mark) -> Change | None:
    moved = tuple(_moves(was, now))
    old, new = was.grade.score, now.grade.score
    maxima = was.grade.max_score, now.grade.max_score
    changed = moved or old != new or maxima[0] != maxima[1]
    return Change(now.grade.id, old, new, maxima, moved) if changed else None


def _moves(was: _Mark, now: _Mark) -> Iterator[Moved]:
    before = {result.id: result for result in was.grade.exercises}
    after = {result.id: result for result in now.grade.exercises}
    for name in before | after:
        one, other = before.get(name), after.get(name)
        if one is None or other is None:
            why = "no longer required" if other is None else "newly required"
            old, new = one.score if one else None, other.score if other else None
            yield Moved(name, old, new, {}, (why,), all(r.counts for r in (one, other) if r))
            continue
        tests = _tests(one, other)
        differs = (one.score, one.counts) != (other.score, other.counts)
        if was.keys[name] != now.keys[name] and (differs or tests):
            reasons = tuple(_why(name, was, now))
            yield Moved(name, one.score, other.score, tests, reasons, other.counts)


def _tests(one: ExerciseResult, other: ExerciseResult) -> dict[str, tuple[str, str]]:
    before = {test.id: str(test.outcome) for test in one.tests}
    after = {test.id: str(test.outcome) for test in other.tests}
    return {
        name: (before.get(name, "not there"), after.get(name, "not there"))
        for name in before | after
        if before.get(name) != after.get(name)
    }


def _why(exercise: str, was: _Mark, now: _Mark) -> Iterator[str]:
    if was.grade.digest != now.grade.digest:
        yield "another submission"
    if now.grade.attempt_of:
        yield f"attempt {attempt_for(now.grade, exercise)} counts"
    old, new = was.stored.judged[exercise], now.stored.judged[exercise]
    yield from (f"new {name}" for name in differing(old, new))
    old, new = was.stored.machine, now.stored.machine
    yield from (f"{name} {old.get(name, '?')} → {new[name]}" for name in differing(old, new))
