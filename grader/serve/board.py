"""A teacher's pages: the class as it works, one student, decisions, the marks.

attempts --Cells--> the board, every few seconds
marks.make -> changes -> publish      class page and gradebooks are those of the newest run
"""

from __future__ import annotations

import datetime
import json
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, Response

from grader.delivery.formats import FORMATS
from grader.output.reports.html.overview import general
from grader.records.errors import UsageError
from grader.records.model import Assignment, Outcome, Person
from grader.records.safe_text import counted
from grader.serve.database import LAST, Equals
from grader.serve.pages import go, gravity, page, part
from grader.serve.service import NotDone, Service
from grader.serve.visit import TEACHER, View, Visit
from grader.teacher import decisions, diff, runs, teams

HOUR = 3600.0
STUCK = 600.0
"""Who lost points so long ago, and tried again since, is stuck."""
MOST_CAUSES = 8
MOST_SHOWN = 50
"""Attempts on a student's page."""
FILES = ("csv", "canvas", "moodle", "json")


@dataclass
class Row:
    """One student on the board."""

    person: Person
    best: dict[str, Equals] = field(default_factory=dict)
    tries: Counter[str] = field(default_factory=Counter)
    stuck: str = ""  #: the exercise
    last: float = 0.0


@dataclass(frozen=True)
class Misconception:
    """What some students get wrong, in one sentence for all of them."""

    sentence: str
    exercises: tuple[str, ...]
    people: tuple[Person, ...]


@dataclass(frozen=True)
class Board:
    """A class as it works. `causes`: what is wrong in the newest attempts of this hour."""

    rows: tuple[Row, ...]
    causes: tuple[Misconception, ...]
    active: int


def board(service: Service, rule: Assignment, now: float) -> Board:
    """What a teacher wants to see at a glance."""
    rows = {person.id: Row(person) for person in service.database.people()}
    mates = teams.groups(service.database.teams(rule.name), rows)
    for own in service.database.tally(rule.name):
        for row in (rows[name] for name in mates.get(own.person, ())):
            row.tries[own.exercise] += own.tries
            row.last = max(row.last, own.at)
            best = row.best.get(own.exercise)
            if own.outcome and (best is None or gravity(own) > gravity(best)):
                row.best[own.exercise] = own
    lost: dict[tuple[str, str], float] = {}
    newest: dict[tuple[str, str], str] = {}
    for attempt in service.database.of_assignment(rule.name, since=now - HOUR):
        place = attempt.person, attempt.exercise
        if not attempt.outcome or attempt.person not in rows:
            continue
        if attempt.outcome == Outcome.PASSED:
            lost.pop(place, None)
        else:
            since = lost.setdefault(place, attempt.at)
            if attempt.at - since >= STUCK and now - attempt.at < STUCK:
                rows[attempt.person].stuck = attempt.exercise
        newest[place] = attempt.causes
    met: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for (person, exercise), causes in newest.items():
        for cause, sentence in json.loads(causes).items():
            met[cause].append((sentence, exercise, person))
    found = []
    for cases in met.values():
        exercises, people = (tuple(dict.fromkeys(case[n] for case in cases)) for n in (1, 2))
        said = general(case[0] for case in cases)
        found.append(Misconception(said, exercises, tuple(rows[name].person for name in people)))
    found.sort(key=lambda one: -len(one.people))
    active = sum(now - row.last < STUCK for row in rows.values())
    return Board(tuple(rows.values()), tuple(found[:MOST_CAUSES]), active)


def get_board(visit: Visit) -> Response:
    rule = _rule(visit)
    return page(visit, "board.html", **_shown(visit.service, rule), **_marks(visit.service, rule))


def get_live(visit: Visit) -> Response:
    """The part that changes, for the script."""
    return part("live.html", **_shown(visit.service, _rule(visit)))


def _shown(service: Service, rule: Assignment) -> dict[str, Any]:
    queue = service.queue
    about = {"waiting": queue.waiting, "trouble": queue.trouble, "broken": service.broken}
    shown = {"rule": rule, "titles": _titles(service, rule)}
    return {"board": board(service, rule, time.time()), **shown, **about}


def _titles(service: Service, rule: Assignment) -> dict[str, str]:
    return {name: service.course[name].title for name in rule.exercises}


def _marks(service: Service, rule: Assignment) -> dict[str, Any]:
    """The newest run, and what it and newer decisions would change in the published one."""
    last, published = service.marks.last(rule), service.marks.published(rule)
    decided = service.marks.published_decisions(rule)
    changes = diff.between(published, last, decided) if published and last else None
    about = {"files": FILES, "elsewhere": service.unsent(rule)}
    team_of = service.database.teams(rule.name)
    everybody = service.database.people() if rule.teams else []
    about["alone"] = [person for person in everybody if person.id not in team_of]
    about |= {"asked": service.queue.wanted(rule.name), "newer": service.marks.left_out(rule)}
    return {"last": last, "published": published, "changes": changes, **about}


def get_student(visit: Visit) -> Response:
    return _student(visit, visit.request.query_params.get("id", ""))


def _student(visit: Visit, name: str, wrong: dict[str, str] | None = None) -> Response:
    """`wrong`: what can't be decided so, by the fields of the form."""
    service, rule = visit.service, _rule(visit)
    found = service.people.named(name)
    if found is None:
        raise NotDone(404, "Nobody here has that name.")
    counting = service.marks.counting(found.id, rule)
    asked = visit.request.query_params.get("until", "")
    until = int(asked[:18]) if asked.isdecimal() else LAST
    history = service.database.history(
        found.id, rule.name, with_results=False, most=MOST_SHOWN, until=until
    )
    shown = page(
        visit,
        "student_work.html",
        rule=rule,
        student=found,
        titles=_titles(service, rule),
        in_marks=[name for name in rule.exercises if service.course[name].counts],
        history=history[::-1],
        has_earlier=len(history) == MOST_SHOWN,
        mark=counting[0].grade if counting else None,
        published=service.marks.mark(rule, found.id),
        counting=counting[1] if counting else {},
        decisions=service.marks.about(rule, found.id),
        team=service.database.teams(rule.name).get(found.id, ""),
        given=visit.form,
        wrong=wrong or {},
    )
    shown.status_code = 422 if wrong else 200
    return shown


def post_decision(visit: Visit) -> Response:
    service, rule, form = visit.service, _rule(visit), visit.form
    person, kind, why = (form.get(name, "").strip() for name in ("person", "kind", "why"))
    value: object = form.get(kind, "").strip()
    wrong: dict[str, str] = {}
    if kind not in decisions.KINDS:
        wrong["kind"] = "Choose a decision."
    elif kind == "excuse":
        value = True
    elif kind == "extension":  # the script says how far the teacher's clock is from UTC
        value = f"{value}{form.get('zone', '')}"
    elif kind in ("override", "bonus"):
        try:
            value = float(form.get(kind, ""))
        except ValueError:
            wrong[kind] = "Give a number of points."
    elif not value:
        wrong[kind] = "Write the comment."
    if kind != "comment" and not why:
        wrong["why"] = "Give a reason. The student reads it."
    if not wrong:
        exercise = form.get("exercise", "") if kind == "override" else ""
        about = {"why": why, "exercise": exercise, "on": datetime.date.today().isoformat()}
        team = service.database.teams(rule.name).get(person) if form.get("for_team") else None
        try:
            service.decide(
                rule,
                teams.called(team) if team else person,
                kind,
                value,
                by=visit.member.name,
                **about,
            )
        except UsageError as error:
            wrong[kind] = str(error)
        else:
            return go(f"/t/{rule.name}/student?id={quote(person, safe='')}#decisions")
    return _student(visit, person, wrong)


def post_undo(visit: Visit) -> Response:
    """Takes a decision back. One that is gone was taken back by another teacher."""
    rule, person = _rule(visit), visit.form.get("person", "")
    decisions.undo(visit.service.folder, visit.form.get("decision", ""))
    for name in visit.service.database.mates(person, rule.name):
        visit.service.changed(name, rule.name, True)
    return go(f"/t/{rule.name}/student?id={quote(person, safe='')}#decisions")


async def post_marks(visit: Visit) -> Response:
    """Makes the marks of the attempts that were there when they were first asked for.

    What may count of these is judged before, and judged again for a changed course or grader. Later
    attempts, of which there may be no end, are for the next marks.
    """
    service, rule, marks = visit.service, _rule(visit), visit.service.marks
    until = marks.asked.setdefault(rule.name, await run_in_threadpool(service.database.newest))
    if wanted := await run_in_threadpool(marks.stale, rule, until):
        service.queue.want(wanted)
        raise NotDone(
            409,
            f"{counted(len(wanted), 'attempt')} must be judged first: without a verdict, or with "
            "one from an earlier course or grader. Newer attempts don't delay this. Try again in a "
            "minute.",
            60.0,
        )
    await run_in_threadpool(marks.make, rule, until)
    marks.asked.pop(rule.name, None)
    return go(f"/t/{rule.name}#marks")


def post_publish(visit: Visit) -> Response:
    try:
        run = int(visit.form.get("run", ""))
    except ValueError:
        raise NotDone(422, "Which run is meant? Open the board again.") from None
    visit.service.marks.publish(_rule(visit), run)
    return go(f"/t/{visit.place['assignment']}#marks")


def get_file(visit: Visit) -> Response:
    """The class page, or a gradebook, of the newest run."""
    rule, name = _rule(visit), visit.place["format"]
    stored = visit.service.marks.last(rule)
    if stored is None or name not in (*FILES, "html"):
        raise NotDone(404, "There are no marks yet. Calculate them first.")
    made = FORMATS[name]
    text = made.render(runs.of_today(stored))
    if name == "html":
        # The page names its own style and script, by their digests.
        return HTMLResponse(text, headers={"Content-Security-Policy": "frame-ancestors 'none'"})
    headers = {"Content-Disposition": f'attachment; filename="{rule.name}-{made.file}"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)


def _rule(visit: Visit) -> Assignment:
    return visit.service.assignment(visit.member, visit.place["assignment"])


_AT = "/t/{assignment}"
VIEWS = tuple(
    View(method, path, function, TEACHER)
    for method, path, function in (
        ("GET", _AT, get_board),
        ("GET", f"{_AT}/live", get_live),
        ("GET", f"{_AT}/student", get_student),
        ("POST", f"{_AT}/decide", post_decision),
        ("POST", f"{_AT}/undo", post_undo),
        ("POST", f"{_AT}/marks", post_marks),
        ("POST", f"{_AT}/publish", post_publish),
        ("GET", f"{_AT}/files/{{format}}", get_file),
    )
)
