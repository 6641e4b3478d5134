"""A student's pages: what is due, an exercise, its attempts, and the doors of one's own.

Everything works by forms. `page.js` adds what a script can: the editor, the verdict in place, and
drafts that are kept while one types.
"""

from __future__ import annotations

import difflib
import re
import textwrap
from functools import cache
from importlib.resources import files
from itertools import takewhile
from typing import Any
from urllib.parse import quote

import jinja2
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from grader.output.reports import html
from grader.records.model import Assignment, Outcome
from grader.serve import rest
from grader.serve.database import HandedIn
from grader.serve.marks import iso
from grader.serve.people import LINK, PLATFORM, SECONDS, SESSION, SHORT, TOKEN
from grader.serve.service import NotDone, Service, is_open
from grader.serve.visit import ANYBODY, View, Visit
from grader.student import guidance

ROOM = files("grader.serve")
# The page of a form without a script waits so long for the verdict.
FORM_SECONDS = 8.0
_LINK = re.compile(r"[\w-]{32}", re.ASCII)
_HEADING = re.compile(r"^(Args|Returns|Examples|Details|Raises|Hint|Note):[ ]*\n", re.MULTILINE)
MOST_CHANGED = 600
"""Lines in which two texts may differ, to be compared."""
STATIC = ("page.js", "serve.css", "icon.svg", "editor.js", "editor.LICENSES.txt")
KINDS = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".txt": "text/plain",
    ".svg": "image/svg+xml",
}


_LOADERS: list[jinja2.BaseLoader] = [
    jinja2.PackageLoader("grader.serve"),
    jinja2.FileSystemLoader(html.TEMPLATES),
]


def add_templates(package: str) -> None:
    """Those of another room, which extend the frame of these pages."""
    if all(getattr(one, "package_name", "") != package for one in _LOADERS):
        _LOADERS.append(jinja2.PackageLoader(package))


@cache
def _environment() -> jinja2.Environment:
    """The reports' own, which cleans and escapes every text, with this room's templates."""
    made = html.environment().overlay(loader=jinja2.ChoiceLoader(_LOADERS))
    made.globals.update(iso=iso, fragment=html.fragment, is_open=is_open, stem=_stem, when=_when)
    made.globals.update(told=told)
    made.filters["quoted"] = lambda text: quote(text, safe="")
    return made


def page(asked: Visit, template: str, **values: Any) -> Response:
    made = _environment().get_template(template)
    service = asked.service
    about = {"who": asked.who, "course": service.course.name, "lti": service.has_lti}
    return HTMLResponse(made.render(**about, **values))


def part(template: str, **values: Any) -> Response:
    """A piece of a page, for the script."""
    return HTMLResponse(_environment().get_template(template).render(**values))


def refusal(status: int, text: str, headers: dict[str, str]) -> Response:
    made = _environment().get_template("refused.html")
    return HTMLResponse(made.render(who=None, course="", text=text), status, headers)


def welcome(asked: Visit, status: int = 200) -> Response:
    """For somebody who isn't signed in."""
    answer = page(asked, "welcome.html", hub=asked.service.has_hub)
    answer.status_code = status
    return answer


def go(path: str) -> Response:
    return RedirectResponse(path, 303)


# Doors


def get_enter(asked: Visit) -> Response:
    """A button: to fetch a link uses nothing up."""
    if not _LINK.fullmatch(asked.place["link"]):
        raise NotDone(404, "This is no link of ours. Copy the whole line that you got.")
    return page(asked, "enter.html")


def post_enter(asked: Visit) -> Response:
    entered = asked.service.people.enter(asked.place["link"])
    if entered is None:
        raise NotDone(
            403,
            "This link was used, or is too old. Ask your teacher for a new one. On a device where "
            "you are signed in, you can make one yourself.",
        )
    _, secret = entered
    return with_session(asked.service, secret, "/")


def with_session(service: Service, secret: str, path: str) -> Response:
    answer = go(path)
    answer.set_cookie(
        service.cookie,
        secret,
        max_age=int(SECONDS[SESSION]),
        secure=service.is_https,
        httponly=True,
        samesite="lax",
        path="/",
    )
    return answer


def post_leave(asked: Visit) -> Response:
    asked.service.people.leave(asked.member)
    answer = go("/")
    # The next person at this browser doesn't get the drafts.
    answer.headers["Clear-Site-Data"] = '"storage"'
    answer.delete_cookie(asked.service.cookie, path="/", secure=asked.service.is_https)
    return answer


def get_me(asked: Visit, **new: str) -> Response:
    doors = asked.service.people.doors(asked.member)
    return page(asked, "me.html", doors=doors, address=asked.service.address, **new)


def post_link(asked: Visit) -> Response:
    """For another device of the same person."""
    _require_own(asked)
    secret = asked.service.people.issue(LINK, asked.member.id, seconds=SHORT)
    return get_me(asked, link=f"{asked.service.address}/enter/{secret}")


def post_token(asked: Visit) -> Response:
    _require_own(asked)
    label = asked.form.get("label", "")[:60] or "a program"
    return get_me(asked, token=asked.service.people.issue(TOKEN, asked.member.id, label))


def _require_own(asked: Visit) -> None:
    key = asked.service.database.key(asked.member.key)
    if key is not None and key.label == PLATFORM:
        raise NotDone(403, "Open the tool in your course again: this session makes no other keys.")


def post_drop(asked: Visit) -> Response:
    asked.service.people.drop(asked.member, asked.form.get("door", ""))
    return go("/me")


# Assignments and exercises


def get_home(asked: Visit) -> Response:
    if asked.who is None:
        return welcome(asked)
    service, who = asked.service, asked.who
    rows = [(rule, _states(service, who.id, rule)) for rule in service.assignments(who)]
    return page(asked, "home.html", rows=rows)


def get_assignment(asked: Visit) -> Response:
    service, who = asked.service, asked.member
    rule = service.assignment(who, asked.place["assignment"])
    states = _states(service, who.id, rule)
    rows = [(service.course[name], states[name]) for name in rule.exercises]
    return page(
        asked, "assignment.html", rule=rule, rows=rows, mark=service.marks.mark(rule, who.id)
    )


def _states(service: Service, person: str, rule: Assignment) -> dict[str, str]:
    """The best outcome of each exercise so far; `waiting` and `new` are no outcomes."""
    found = dict.fromkeys(rule.exercises, "new")
    rank = {"new": -1, "waiting": -1, **{o.value: o.gravity for o in Outcome}}
    for one in service.database.history(person, rule.name, with_results=False):
        now = one.outcome or "waiting"
        if one.exercise in found and rank[now] >= rank[found[one.exercise]]:
            found[one.exercise] = now
    return found


def get_exercise(asked: Visit) -> Response:
    service, who = asked.service, asked.member
    rule, exercise = service.exercise(who, asked.place["assignment"], asked.place["exercise"])
    history = service.database.history(who.id, rule.name, exercise.id)
    newest = history[-1] if history else None
    return page(
        asked,
        "exercise.html",
        rule=rule,
        seen=service.seen(who, rule, exercise),
        history=history[:-11:-1],
        total=len(history),
        newest=newest,
        now=None if newest is None else rest.state(service, newest),
        counts=_counts(asked, rule, exercise.id),
        place=f"/a/{rule.name}/{exercise.stem}",
        is_broken=exercise.id in service.broken,
        next=_next(rule, exercise.id),
    )


def told(docstring: str) -> list[tuple[str, str]]:
    """The parts of a docstring, each after its heading: `Args`, `Returns`, and so on."""
    parts = _HEADING.split(docstring)
    pairs = zip(["", *parts[1::2]], parts[::2], strict=True)
    texts = [(heading, textwrap.dedent(text).strip()) for heading, text in pairs]
    return [(h, text if h == "Examples" else _flowing(h, text)) for h, text in texts if text]


def _flowing(heading: str, text: str) -> str:
    """Without the line ends that only keep a source narrow."""
    if heading in ("Args", "Raises"):
        return re.sub(r"\n +", " ", text)
    return guidance.flowing(text)


def _next(rule: Assignment, exercise: str) -> str:
    place = rule.exercises.index(exercise) + 1
    return _stem(rule.exercises[place]) if place < len(rule.exercises) else ""


def _counts(asked: Visit, rule: Assignment, exercise: str) -> HandedIn | None:
    """Which attempt counts for the mark right now."""
    found = asked.service.marks.counting(asked.member.id, rule)
    return None if found is None else found[1].get(exercise)


async def post_exercise(asked: Visit) -> Response:
    """The form. Waits a little for the verdict, so that it is on the page that follows."""
    one = await rest.hand_in(asked, asked.form.get("text", ""))
    await run_in_threadpool(
        asked.service.database.save_draft,
        *(one.person, one.assignment, one.exercise, asked.form.get("text", "")),
    )
    await rest.settled(asked.service, one, FORM_SECONDS)
    return go(f"/a/{one.assignment}/{_stem(one.exercise)}#verdict")


def post_draft(asked: Visit) -> Response:
    """What is being typed. It is no attempt."""
    service, who = asked.service, asked.member
    rule, exercise = service.exercise(who, asked.place["assignment"], asked.place["exercise"])
    text = asked.form.get("text", "")
    service.require_short(text)
    service.database.save_draft(who.id, rule.name, exercise.id, text)
    return JSONResponse({"kept": True})


def post_hint(asked: Visit) -> Response:
    service, who = asked.service, asked.member
    rule, exercise = service.exercise(who, asked.place["assignment"], asked.place["exercise"])
    service.open_hint(who, rule, exercise)
    return go(f"/a/{rule.name}/{exercise.stem}#hints")


async def post_upload(asked: Visit) -> Response:
    """A file in place of the editor: each exercise in it is an attempt."""
    service, who, rule = asked.service, asked.member, asked.place["assignment"]
    if asked.file is None or not asked.file[1]:
        raise NotDone(422, "Choose a file first: a .py file, a notebook or a zip.")
    found = await run_in_threadpool(service.read_file, who, rule, *asked.file)
    for _, _, text in found:
        service.require_short(text)  # all are accepted, or none
    for exercise, path, text in found:
        asked.place["exercise"] = exercise.stem
        await rest.hand_in(asked, text, path=path)
    if len(found) == 1:
        return go(f"/a/{rule}/{found[0][0].stem}#verdict")
    return go(f"/a/{rule}")


# Attempts


def get_attempt(asked: Visit) -> Response:
    service = asked.service
    one = service.owned(asked.member, asked.place["attempt"])
    rule = service.course.assignment(one.assignment)
    of = one.person, one.assignment, one.exercise
    history = service.database.history(*of, with_results=False)
    place = next(n for n, other in enumerate(history) if other.id == one.id)
    text = service.database.text(one)
    before = service.database.text(history[place - 1]) if place else ""
    is_own = one.person == asked.member.id
    return page(
        asked,
        "attempt.html",
        rule=rule,
        one=one,
        number=place + 1,
        total=len(history),
        text=text,
        changes=_changes(before, text) if place else [],
        shown=rest.state(service, one).result,
        secret=None if is_own else one.result,
        owner=service.people.named(one.person),
        is_own=is_own,
    )


def _changes(before: str, after: str) -> list[tuple[str, str]]:
    """Lines of a difference, each with its sign; none if it is long.

    The time of `difflib` grows faster than the square of the lines, and a student chooses them.
    """
    old, new = before.splitlines(), after.splitlines()
    same = _common(old, new)
    end = _common(old[same:][::-1], new[same:][::-1])
    if len(old) + len(new) - 2 * (same + end) > MOST_CHANGED:
        return []
    first, last = max(0, same - 2), max(0, end - 2)
    own, other = old[first : len(old) - last], new[first : len(new) - last]
    lines = list(difflib.unified_diff(own, other, lineterm="", n=2))[2:]
    return [(line[:1], line[1:]) for line in lines if not line.startswith("@@")]


def _common(one: list[str], other: list[str]) -> int:
    """How many lines at the beginning are the same."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def get_verdict(asked: Visit) -> Response:
    """The result alone, for the script."""
    service = asked.service
    one = service.owned(asked.member, asked.place["attempt"])
    rule, exercise = service.exercise(asked.member, one.assignment, one.exercise)
    return part(
        "verdict.html",
        newest=one,
        now=rest.state(service, one),
        counts=_counts(asked, rule, one.exercise) if one.person == asked.member.id else None,
        next=_next(rule, exercise.id),
        rule=rule,
    )


def post_back(asked: Visit) -> Response:
    """Brings an earlier text back into the editor."""
    service = asked.service
    one = service.owned(asked.member, asked.place["attempt"])
    text = service.database.text(one)
    service.database.save_draft(asked.member.id, one.assignment, one.exercise, text)
    return go(f"/a/{one.assignment}/{_stem(one.exercise)}?back={one.number}")


def get_receipt(asked: Visit) -> Response:
    service = asked.service
    one = service.owned(asked.member, asked.place["attempt"])
    said = service.signer.receipt(one, service.database.text(one))
    name = quote(f"receipt-{_stem(one.exercise)}-{one.number}.json")
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(said, media_type="application/json", headers=headers)


def get_static(asked: Visit) -> Response:
    name = asked.place["name"]
    if name == "report.css":
        return Response(html.STYLE.read_bytes(), media_type="text/css", headers=_KEPT)
    if name not in STATIC or not (file := ROOM / "static" / name).is_file():
        raise NotDone(404, "There is no such page.")
    kind = KINDS["." + name.rpartition(".")[2]]
    return Response(file.read_bytes(), media_type=kind, headers=_KEPT)


_KEPT = {"Cache-Control": "max-age=300"}


def _stem(exercise: str) -> str:
    return exercise.rpartition("/")[2]


def _when(at: float) -> str:
    """A time for people: its script shows it in their own zone."""
    return iso(at)[:16].replace("T", " ") + " UTC"


_AT = "/a/{assignment}/{exercise}"
VIEWS = (
    View("GET", "/", get_home, ANYBODY),
    View("GET", "/static/{name}", get_static, ANYBODY),
    View("GET", "/enter/{link}", get_enter, ANYBODY),
    View("POST", "/enter/{link}", post_enter, ANYBODY),
    View("POST", "/leave", post_leave),
    View("GET", "/me", get_me),
    View("POST", "/me/link", post_link),
    View("POST", "/me/token", post_token),
    View("POST", "/me/drop", post_drop),
    View("GET", "/a/{assignment}", get_assignment),
    View("POST", "/a/{assignment}/upload", post_upload, takes_file=True),
    View("GET", _AT, get_exercise),
    View("POST", _AT, post_exercise),
    View("POST", f"{_AT}/draft", post_draft),
    View("POST", f"{_AT}/hint", post_hint),
    View("GET", "/attempts/{attempt}", get_attempt),
    View("GET", "/attempts/{attempt}/verdict", get_verdict),
    View("POST", "/attempts/{attempt}/back", post_back),
    View("GET", "/attempts/{attempt}/receipt", get_receipt),
)
