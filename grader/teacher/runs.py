"""Runs that are stored: as they were asked for, and with the decisions of today.

DIR | DIR@NUMBER | results.json --read--> Run
"""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from grader.errors import UsageError
from grader.model import NOT_JUDGED, Assignment, Grade, Outcome, Run, Submission
from grader.reports import results
from grader.teacher import decisions
from grader.teacher.anonymous import meant
from grader.teacher.decisions import Decision
from grader.teacher.roster import Roster
from grader.teacher.settle import settled
from grader.teacher.store import NAME, Store, StoredRun


def read(name: str) -> Run:
    """The marks that a name means: `DIR` (its last run), `DIR@NUMBER`, or a results.json.

    Raises `UsageError` for what isn't there, or can't be read.
    """
    folder, number = parsed(name)
    if number is None and not (folder / NAME).is_file():
        return results.read(folder)
    stored = stored_run(folder, number)
    return settled_run(stored.run, stored.rule, decided(name))


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


def settled_run(run: Run, rule: Assignment, made: Iterable[Decision]) -> Run:
    """A run of every attempt as one with a mark for each person."""
    marks = settled(run.submissions, rule, made)
    return replace(run, submissions=tuple(mark.grade for mark in marks))


def student(run: Run, name: str) -> str:
    """The id of a student who is called so, by an id or an alias. Raises `UsageError`."""
    ids = [grade.id for grade in run.submissions]
    if (found := meant(name, ids, run.environment.seed)) is not None:
        return found
    close = difflib.get_close_matches(name, ids, n=3)
    also = f" Did you mean {' or '.join(f'`{one}`' for one in close)}?" if close else ""
    raise UsageError(f"nobody is called `{name}` in this run.{also}")


def told(run: Run, made: Iterable[Decision]) -> list[str]:
    """What is wrong with the decisions, for the teacher."""
    known = {grade.id for grade in run.submissions}
    return [
        f"a decision is about `{one.student}`, and nobody here is called so. Correct its name in "
        f"`{decisions.NAME}`."
        for one in made
        if one.student not in known
    ]


def with_others(
    found: Sequence[Submission], store: Store, rule: Assignment, people: Roster | None = None
) -> list[Submission]:
    """These, in the place of their students' work in the last run, and everybody else of it.

    Raises `UsageError` if the last run was of another assignment, or kept no texts.
    """
    if not store.runs():
        return list(found)
    last = store.stored_run()
    if last.rule.name != rule.name:
        raise UsageError(
            f"the last run there is of {_assignment(last.rule)}, and this is of "
            f"{_assignment(rule)}. Name another folder with `--out`, or the whole class with "
            "`--class`"
        )
    if not all(map(_is_whole, last.run.submissions)):
        raise UsageError(
            "the last run there is of an older grader, which kept no texts of the others. Grade "
            "the whole class once with `--class`"
        )
    earlier = list(map(_submission, last.run.submissions))
    earlier = earlier if people is None else people.known(earlier)
    new = Roster(tuple(s.student for s in earlier if s.student)).known(found)
    ids = {one.id for one in new if _is_work(one)}
    kept = [one for one in earlier if one.id not in ids]
    there = {one.id for one in kept}
    order = {one.id: place for place, one in reversed(list(enumerate(earlier)))}
    both = [*kept, *(one for one in new if one.id not in there)]
    return sorted(both, key=lambda one: order.get(one.id, len(order)))


def _assignment(rule: Assignment) -> str:
    return f"the assignment `{rule.name}`" if rule.name else "no assignment"


def _is_whole(grade: Grade) -> bool:
    """Whether the text of everything that was judged is there."""
    untold = (*NOT_JUDGED, Outcome.BROKEN)
    judged = {result.id for result in grade.exercises if result.outcome not in untold}
    return judged <= {source.exercise for source in grade.sources}


def _is_work(submission: Submission) -> bool:
    return bool(submission.sources or submission.notes or submission.problem)


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
