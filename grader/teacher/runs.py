"""Runs that are stored: as they were asked for, and with the decisions of today.

DIR | DIR@NUMBER | DIR@ASSIGNMENT | results.json --read--> Run
"""

import difflib
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from grader.records.errors import UsageError, listed
from grader.records.model import (
    NOT_JUDGED,
    RESULTS,
    SCHEMA,
    Assignment,
    Grade,
    Outcome,
    Person,
    Run,
    Submission,
    from_plain,
    pack,
    unpack,
)
from grader.records.scoring import is_work
from grader.teacher import decisions, teams
from grader.teacher.decisions import Decision
from grader.teacher.roster import Roster, filled, plain
from grader.teacher.settle import Settled, settled
from grader.teacher.store import NAME, Store, StoredRun

_ROSTER = "roster"


def read(name: str) -> Run:
    """The marks that a name means: `DIR` (its last run), `DIR@NUMBER`, or a results.json.

    `DIR@ASSIGNMENT` is the last run of an assignment. Where a folder holds several, `DIR` alone
    would be a guess. Raises `UsageError` for that, and for what isn't there or can't be read.
    """
    folder, which = parsed(name)
    if which is None and not (folder / NAME).is_file():
        return read_file(folder)
    return of_today(stored_run(folder, which))


def read_file(path: Path) -> Run:
    """The run in `path`, a results.json or a folder that holds one. Raises `UsageError`."""
    file = path / RESULTS if path.is_dir() else path
    try:
        data = json.loads(file.read_text(encoding="utf-8"), parse_constant=_no_number)
        _require_schema(file, data)
        return from_plain(data, Run)
    except OSError as error:
        raise UsageError(
            f"`{file}` can't be read: {error.strerror}. Name the folder that was given to `--out`."
        ) from error
    except UnicodeDecodeError as error:
        raise UsageError(f"`{file}` is not a results.json: it is not UTF-8 text.") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"`{file}` is damaged: {error}. Grade again to get a new one.") from error


def _require_schema(file: Path, data: object) -> None:
    schema = data.get("schema") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(schema, int) or "submissions" not in data:
        raise UsageError(
            f"`{file}` is not a results.json of this grader: it has no `schema` and `submissions`."
        )
    if schema > SCHEMA:
        raise UsageError(
            f"`{file}` has schema {schema}, but this grader knows {SCHEMA}: use a newer grader."
        )


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


def unknown_people(name: str) -> list[str]:
    """The decisions about people who aren't in a run; none for a file."""
    folder, which = parsed(name)
    if not (folder / NAME).is_file():
        return []
    stored = stored_run(folder, which)
    return unknown(stored.run, stored.rule, decisions_on(stored))


Which = int | str | None
"""Of the runs in a folder: a number, the last one of an assignment, or the last one."""


def parsed(name: str) -> tuple[Path, Which]:
    """The folder and the rest in `DIR@NUMBER` or `DIR@ASSIGNMENT`."""
    folder, _, which = name.rpartition("@")
    if folder and which and not Path(name).exists():
        return Path(folder), int(which) if which.isdecimal() else which
    return Path(name), None


def stored_run(folder: Path, which: Which) -> StoredRun:
    """A run of a folder. Raises `UsageError` if none is meant, or several can be."""
    if not (folder / NAME).is_file():
        raise UsageError(
            f"there is no run in `{folder}`: it contains no `{NAME}`. Name a folder that was given "
            "to `grader grade --out`, or one run of it as `DIR@NUMBER`"
        )
    with Store(folder, to_read=True) as store:
        if isinstance(which, int):
            return store.stored_run(which)
        there = store.assignments()
        if which is None and len(there) > 1:
            raise UsageError(
                f"`{folder}` contains runs of {listed(name or 'no assignment' for name in there)}. "
                f"Name one, such as `{folder}@{max(there)}`, or a run by its number"
            )
        if which is not None and which not in there:
            raise UsageError(
                f"`{folder}` contains no run of the assignment `{which}`. It contains runs of "
                f"{listed(name or 'no assignment' for name in there) or 'nothing'}"
            )
        return store.stored_run(there.get(which) if which is not None else None)


def before(stored: StoredRun) -> StoredRun | None:
    """The run before this one, of the same assignment; None if it is the first."""
    if stored.folder is None:
        return None
    with Store(stored.folder, to_read=True) as store:
        number = store.assignments(below=stored.number).get(stored.rule.name)
        return None if number is None else store.stored_run(number)


def decisions_on(stored: StoredRun) -> tuple[Decision, ...]:
    """What is decided today about a run."""
    return () if stored.folder is None else decisions.read(stored.folder, stored.rule.name)


def marks_of_today(stored: StoredRun, decided: Iterable[Decision] | None = None) -> list[Settled]:
    """The mark of each person: every report and comparison settles a stored run here, anew."""
    decided = decisions_on(stored) if decided is None else decided
    return settled(stored.run.submissions, stored.rule, decided)


def of_today(stored: StoredRun) -> Run:
    """A run of every attempt as one with a mark for each person."""
    return replace(stored.run, submissions=tuple(m.grade for m in marks_of_today(stored)))


def people(run: Run, rule: Assignment, name: str) -> list[str]:
    """The ids of the members of `team:NAME`, or the one that `student` finds."""
    members = teams.members(rule.team_of, name)
    if members or not name.startswith(teams.called("")):
        return members or [student(run, name)]
    known = listed(sorted(set(map(teams.called, rule.team_of.values()))))
    raise UsageError(f"no `{name}` is in this run. It has {known or 'no teams'}.")


def student(run: Run, name: str) -> str:
    """The id of the only student with this id, name, login or address. Raises `UsageError`."""
    ids = [grade.id for grade in run.submissions]
    if name in ids:
        return name
    people = [grade.student for grade in run.submissions if grade.student]
    known = {called: p.id for p in people for called in _called(p)}
    called = {p.id for p in people if plain(name) in _called(p)}
    if len(called) == 1:
        return called.pop()
    likely = {plain(one): one for one in ids} | known
    close = difflib.get_close_matches(plain(name), likely, n=3)
    found = dict.fromkeys(f"`{likely[one]}`" for one in close)
    also = f" Did you mean {' or '.join(found)}?" if found else ""
    raise UsageError(f"there is no student `{name}` in this run.{also}")


def _called(person: Person) -> set[str]:
    names = (person.name, person.login, person.email, person.github, person.sis)
    return {plain(name) for name in names if name}


def last(store: Store, assignment: str) -> StoredRun | None:
    """The last run of an assignment (or of none) in a store, if there is one."""
    number = store.assignments().get(assignment)
    return None if number is None else store.stored_run(number)


def unknown(run: Run, rule: Assignment, made: Iterable[Decision]) -> list[str]:
    """The decisions about people who aren't there, each with what to do."""
    known = {grade.id for grade in run.submissions}
    known |= set(map(teams.called, rule.team_of.values()))
    return [
        f"a decision names `{decision.student}`, but there is no such student. Correct the name in "
        f"`{decisions.NAME}`."
        for decision in made
        if decision.student not in known
    ]


def of_class(
    found: Sequence[Submission],
    store: Store,
    roster: Roster | None = None,
    before: StoredRun | None = None,
    *,
    keeps_others: bool = False,
) -> list[Submission]:
    """These, each with its person, as `roster` says or else the last one that was given.

    If it `keeps_others`, these are in the place of their students' work in the run `before`, and
    everybody else of it is there, too. Raises `UsageError` if that run kept no texts.
    """
    earlier = [] if before is None else list(map(_submission, before.run.submissions))
    if roster is not None:
        store.remember(_ROSTER, pack(replace(roster, told=())).decode())
    people = roster or _people(store, earlier if keeps_others else ())
    if people is not None:
        if keeps_others and roster is None:
            people = replace(people, times={})  # what is graded alone may be newer
        found = people.matched(found)
    if before is None or not keeps_others:
        return list(found)
    if not all(map(_is_whole, before.run.submissions)):
        raise UsageError(
            "the last run was made by an older grader, which didn't store the others' work. Grade "
            "the whole class once with `--class`"
        )
    return _with_others(found, earlier if people is None else people.known(earlier))


def _with_others(found: Sequence[Submission], earlier: list[Submission]) -> list[Submission]:
    people = Roster(_merged(one.student for one in earlier if one.student))
    new = [_dated(one, earlier) for one in people.known(found)]
    ids = {one.id for one in new if is_work(one)}
    kept = [one for one in earlier if one.id not in ids]
    there = {one.id for one in kept}
    order = {one.id: place for place, one in reversed(list(enumerate(earlier)))}
    both = [*kept, *(one for one in new if one.id not in there)]
    return sorted(both, key=lambda one: order.get(one.id, len(order)))


def has_roster(store: Store) -> bool:
    """Whether an earlier run had one. Older graders kept none."""
    return store.about(_ROSTER) is not None


def _people(store: Store, earlier: Sequence[Submission]) -> Roster | None:
    """The last roster, and what platforms told of its people in `earlier`.

    That may rest on a name alone. So it counts only beside the work of `earlier`: there, the same
    name with another number is somebody else. In a whole class, two of one name are nobody's.
    """
    if (text := store.about(_ROSTER)) is None:
        return None
    given = unpack(text, Roster)
    ids = {student.id for student in given.students}
    told = (one.student for one in earlier if one.student and one.student.id in ids)
    return replace(given, students=_merged((*given.students, *told)))


def _merged(students: Iterable[Person]) -> tuple[Person, ...]:
    """Each person once, with what any of these says."""
    merged: dict[str, Person] = {}
    for student in students:
        merged[student.id] = filled(merged.get(student.id, student), student)
    return tuple(merged.values())


def _dated(new: Submission, earlier: Iterable[Submission]) -> Submission:
    """If nothing tells when it was submitted: the time of equal work of the same person."""
    if new.at or new.late:
        return new
    same = [one for one in earlier if (one.id, one.digest) == (new.id, new.digest)]
    return replace(new, at=same[-1].at, late=same[-1].late) if same else new


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
        own_clock=grade.own_clock,
    )
