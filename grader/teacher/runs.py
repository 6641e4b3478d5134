"""Runs that are stored: as they were asked for, and with the decisions of today.

DIR | DIR@NUMBER | results.json --read--> Run
"""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from grader.course import Course
from grader.errors import UsageError
from grader.model import (
    NOT_JUDGED,
    Assignment,
    Exercise,
    Grade,
    Outcome,
    Person,
    Run,
    Submission,
    Terms,
)
from grader.reports import results
from grader.reports.safe_text import counted, number
from grader.scoring import is_work
from grader.teacher import decisions
from grader.teacher.anonymous import meant
from grader.teacher.decisions import Decision
from grader.teacher.result_keys import Keys
from grader.teacher.roster import Roster
from grader.teacher.settle import settled
from grader.teacher.store import NAME, Store, StoredRun, differing

MOST_NAMES = 5


def read(name: str) -> Run:
    """The marks that a name means: `DIR` (its last run), `DIR@NUMBER`, or a results.json.

    Raises `UsageError` for what isn't there, or can't be read.
    """
    folder, number = parsed(name)
    if number is None and not (folder / NAME).is_file():
        return results.read(folder)
    return _of_today(stored_run(folder, number))


def decided(name: str) -> tuple[Decision, ...]:
    """The decisions beside a run; none for a file."""
    folder, _ = parsed(name)
    return decisions.read(folder) if folder.is_dir() else ()


def parsed(name: str) -> tuple[Path, int | None]:
    """The folder and the number in `DIR@NUMBER`."""
    folder, _, number = name.rpartition("@")
    if folder and number.isdecimal() and not Path(name).exists():
        return Path(folder), int(number)
    return Path(name), None


def stored_run(folder: Path, number: int | None) -> StoredRun:
    """A run of a folder, by default the last one. Raises `UsageError`."""
    if not (folder / NAME).is_file():
        raise UsageError(
            f"there is no run in `{folder}`: it holds no `{NAME}`. Name a folder that was given to "
            "`grader grade --out`, or one run of it as `DIR@NUMBER`"
        )
    with Store(folder, to_read=True) as store:
        return store.stored_run(number)


def read_judged_by(name: str, course: Course, exercise: Exercise) -> Run:
    """The same. Raises `UsageError` if another suite than the course's has judged the exercise."""
    stored = stored_run(*parsed(name))
    now = Keys(course, [exercise], Terms("", "")).exercises[exercise.id]
    then = stored.judged.get(exercise.id, {})
    if then.get("suite") != now["suite"]:
        raise UsageError(
            f"`{exercise.id}` was judged with another suite than `{course.suite(exercise)}`. Name "
            "the course that judged with `--course`, or grade again with this one."
        )
    return _of_today(stored)


def decisions_on(stored: StoredRun) -> tuple[Decision, ...]:
    """What is decided today about a run."""
    return () if stored.folder is None else decisions.read(stored.folder)


def _of_today(stored: StoredRun) -> Run:
    return settled_run(stored.run, stored.rule, decisions_on(stored))


def settled_run(run: Run, rule: Assignment, made: Iterable[Decision]) -> Run:
    """A run of every attempt as one with a mark for each person."""
    marks = settled(run.submissions, rule, made)
    return replace(run, submissions=tuple(mark.grade for mark in marks))


def student(run: Run, name: str) -> str:
    """The id of whoever is called so alone: by id, alias, name, login or address.

    Raises `UsageError`.
    """
    ids = [grade.id for grade in run.submissions]
    if (found := meant(name, ids, run.environment.seed)) is not None:
        return found
    people = [grade.student for grade in run.submissions if grade.student]
    called = {p.id for p in people if name.casefold() in _called(p)}
    if len(called) == 1:
        return called.pop()
    close = difflib.get_close_matches(name, ids, n=3)
    also = f" Did you mean {' or '.join(f'`{one}`' for one in close)}?" if close else ""
    raise UsageError(f"nobody is called `{name}` in this run.{also}")


def _called(person: Person) -> set[str]:
    names = (person.name, person.login, person.email, person.github, person.sis)
    return {name.casefold() for name in names if name}


def last(store: Store) -> StoredRun | None:
    """The last run in a store, if there is one."""
    return store.stored_run() if store.runs() else None


def told(
    run: Run, made: Sequence[Decision], before: StoredRun | None = None, keys: Keys | None = None
) -> list[str]:
    """What a teacher should know: wrong decisions, and what changed since a run before.

    `keys` are those of today: they say why work was judged again.
    """
    known = {grade.id for grade in run.submissions}
    said = [
        f"a decision is about `{one.student}`, and nobody here is called so. Correct its name in "
        f"`{decisions.NAME}`."
        for one in made
        if one.student not in known
    ]
    if before is not None:
        said += [] if keys is None else _judged_again(before, keys)
        said += _compared(settled_run(before.run, before.rule, made), run)
    return said


def _judged_again(before: StoredRun, keys: Keys) -> list[str]:
    """Why results of the run before don't count today, in one sentence."""
    old, new = before.machine, keys.machine
    changed = [
        name if name == "seed" else f"{name} {old.get(name, 'unknown')} to {new[name]}"
        for name in differing(old, new)
    ]
    if changed:
        return [f"all work was judged again, since this changed: {', '.join(changed)}."]
    parts = {
        name: differing(then, now)
        for name, now in keys.exercises.items()
        if (then := before.judged.get(name)) is not None
    }
    again = [f"`{name}` ({', '.join(found)})" for name, found in parts.items() if found]
    return [f"judged again, since the course changed: {', '.join(again)}."] if again else []


def with_others(
    found: Sequence[Submission], store: Store, rule: Assignment, people: Roster | None = None
) -> list[Submission]:
    """These, in the place of their students' work in the last run, and everybody else of it.

    Raises `UsageError` if the last run kept no texts.
    """
    if (before := last(store)) is None:
        return list(found)
    if not all(map(_is_whole, before.run.submissions)):
        raise UsageError(
            "the last run there is of an older grader, which kept no texts of the others. Grade "
            "the whole class once with `--class`"
        )
    earlier = list(map(_submission, before.run.submissions))
    earlier = earlier if people is None else people.known(earlier)
    new = Roster(tuple(s.student for s in earlier if s.student)).known(found)
    ids = {one.id for one in new if is_work(one)}
    kept = [one for one in earlier if one.id not in ids]
    there = {one.id for one in kept}
    order = {one.id: place for place, one in reversed(list(enumerate(earlier)))}
    both = [*kept, *(one for one in new if one.id not in there)]
    return sorted(both, key=lambda one: order.get(one.id, len(order)))


def require_assignment(store: Store, rule: Assignment) -> None:
    """Raises `UsageError` if the last run was of another assignment: its decisions are there."""
    numbers = store.runs()
    if numbers and (name := store.rule(max(numbers)).name) != rule.name:
        there = f"the assignment `{name}`" if name else "no assignment"
        this = f"`{rule.name}`" if rule.name else "none"
        raise UsageError(
            f"the last run there is of {there}, and this is of {this}. Each assignment has a "
            "folder of its own: name another one with `--out`"
        )


def _compared(before: Run, now: Run) -> list[str]:
    """Marks that fell, and people who are new."""
    old = {grade.id: grade.score for grade in before.submissions}
    pairs = [(g.id, old[g.id], g.score) for g in now.submissions if g.id in old]
    fell = [(n, a, b) for n, a, b in pairs if a is not None and b is not None and b < a]
    said = []
    if fell:
        marks = ", ".join(f"{n} {number(a)} → {number(b)}" for n, a, b in fell[:MOST_NAMES])
        more = f" and {len(fell) - MOST_NAMES} more" if len(fell) > MOST_NAMES else ""
        said.append(f"since the last run, {counted(len(fell), 'mark')} fell: {marks}{more}.")
    came = [grade.id for grade in now.submissions if grade.id not in old]
    if came and pairs:
        names = ", ".join(came[:MOST_NAMES]) + ("" if len(came) <= MOST_NAMES else " and more")
        said.append(f"not in the last run: {names}.")
    return said


def _is_whole(grade: Grade) -> bool:
    """Whether the text of everything that was judged is there."""
    untold = (*NOT_JUDGED, Outcome.BROKEN)
    judged = {result.id for result in grade.exercises if result.outcome not in untold}
    return judged <= {source.exercise for source in grade.sources}


def _submission(grade: Grade) -> Submission:
    return Submission(
        id=grade.id,
        digest=grade.digest,
        sources=grade.sources,
        notes=grade.notes,
        problem=grade.problem,
        student=grade.student,
        at=grade.at,
        late=grade.late,
    )
