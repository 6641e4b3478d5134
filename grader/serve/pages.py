"""A student's pages: what is due, an exercise, its attempts, and a person's own keys.

Everything works by forms. `page.js` adds what a script can: the editor, the verdict in place, and
drafts that are kept while one types.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from functools import cache, partial
from importlib.resources import files
from itertools import takewhile
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from grader.course.docstring import sections
from grader.output.reports import html
from grader.records.model import Assignment, Note, Outcome, TestResult
from grader.serve import rest
from grader.serve.database import LAST, Equals, StoredAttempt
from grader.serve.marks import iso
from grader.serve.people import HERE, HUB, LINK, SECONDS, SESSION, SHORT, TOKEN
from grader.serve.service import NotDone, Service, is_open
from grader.serve.visit import ANYBODY, View, Visit
from grader.student import guidance

PACKAGE = files("grader.serve")
# The page of a form without a script waits so long for the verdict.
FORM_SECONDS = 8.0
_LINK = re.compile(r"[\w-]{32}", re.ASCII)
MOST_SHOWN = 10
"""Attempts on the page of an exercise."""
MOST_CHANGED = 600
"""Lines in which two texts may differ, to be compared."""
STATIC = ("page.js", "serve.css", "icon.svg", "editor.js", "editor.LICENSES.txt")
KINDS = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".txt": "text/plain",
    ".svg": "image/svg+xml",
}


@cache
def _environment() -> jinja2.Environment:
    """The reports' own, which cleans and escapes every text, with these packages' templates."""
    own = [jinja2.PackageLoader(package) for package in ("grader.serve", "grader.serve.lti")]
    loader = jinja2.ChoiceLoader([*own, jinja2.FileSystemLoader(html.TEMPLATES)])
    made = html.environment().overlay(loader=loader)
    made.globals.update(iso=iso, fragment=html.fragment, is_open=is_open, stem=_stem, when=_when)
    made.globals.update(told=told)
    made.filters["quoted"] = lambda text: quote(text, safe="")
    return made


def page(visit: Visit, template: str, **values: Any) -> Response:
    made = _environment().get_template(template)
    service = visit.service
    about = {"who": visit.who, "course": service.course.name, "lti": service.has_lti}
    dates = partial(service.marks.dates, person=visit.who.id if visit.who else "")
    # In each form: another may sign in before it is sent.
    field = Markup('<input type="hidden" name="as" value="{}">')
    signed = field.format(visit.who.sign) if visit.who else ""
    return HTMLResponse(made.render(own=dates, signed=signed, **about, **values))


def part(template: str, **values: Any) -> Response:
    """A piece of a page, for the script."""
    return HTMLResponse(_environment().get_template(template).render(**values))


def refusal(status: int, text: str, headers: dict[str, str], back: str = "") -> Response:
    made = _environment().get_template("refused.html")
    return HTMLResponse(made.render(who=None, course="", text=text, back=back), status, headers)


def welcome(visit: Visit, status: int = 200) -> Response:
    """For somebody who isn't signed in."""
    answer = page(visit, "welcome.html", hub=visit.service.has_hub)
    answer.status_code = status
    return answer


def go(path: str) -> Response:
    return RedirectResponse(path, 303)


# Keys


def get_enter(visit: Visit) -> Response:
    """A button: to fetch a link uses nothing up."""
    if not _LINK.fullmatch(visit.place["link"]):
        raise NotDone(404, "This is not one of our links. Copy the whole line that you received.")
    return page(visit, "enter.html")


def post_enter(visit: Visit) -> Response:
    entered = visit.service.people.enter(visit.place["link"])
    if entered is None:
        raise NotDone(
            403,
            "This link was used, or is too old. Ask your teacher for a new one. On a device where "
            "you are signed in, you can create one yourself.",
        )
    _, secret = entered
    return with_session(visit.service, secret, "/")


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


def post_leave(visit: Visit) -> Response:
    visit.service.people.leave(visit.member)
    answer = go("/")
    # The next person at this browser doesn't get the drafts.
    answer.headers["Clear-Site-Data"] = '"storage"'
    answer.delete_cookie(visit.service.cookie, path="/", secure=visit.service.is_https)
    return answer


def get_me(visit: Visit, **new: str) -> Response:
    own = visit.service.people.access_keys(visit.member)
    return page(visit, "me.html", access_keys=own, address=visit.service.address, **new)


def post_link(visit: Visit) -> Response:
    """For another device of the same person."""
    secret = _made(visit, LINK, seconds=SHORT)
    return get_me(visit, link=f"{visit.service.address}/enter/{secret}")


def post_token(visit: Visit) -> Response:
    label = visit.form.get("label", "")[:60] or "a program"
    return get_me(visit, token=_made(visit, TOKEN, label))


def _made(visit: Visit, kind: str, label: str = "", seconds: float | None = None) -> str:
    """Another key with the role of this one."""
    who = visit.member
    if who.is_teacher and who.place not in (HERE, HUB):
        raise NotDone(403, "Open the tool in your course again: this session makes no other keys.")
    return visit.service.people.issue(kind, who.id, label, seconds, who.role)


def post_drop(visit: Visit) -> Response:
    visit.service.people.drop(visit.member, visit.form.get("key", ""))
    return go("/me")


# Assignments and exercises


def get_home(visit: Visit) -> Response:
    if visit.who is None:
        return welcome(visit)
    service, who = visit.service, visit.who
    rows = [(rule, _best(service, who.id, rule)) for rule in service.assignments(who)]
    return page(visit, "home.html", rows=rows)


def get_assignment(
    visit: Visit, accepted: Sequence[StoredAttempt] = (), notes: Sequence[Note] = ()
) -> Response:
    """`accepted` and `notes`: what became of an uploaded file."""
    service, who = visit.service, visit.member
    rule = service.assignment(who, visit.place["assignment"])
    best, points = _best(service, who.id, rule), service.marks.points
    rows = [(service.course[n], best.get(n), points.get(n)) for n in rule.exercises]
    mark = service.marks.mark(rule, who.id)
    about = {"rule": rule, "rows": rows, "mark": mark, "accepted": accepted, "notes": notes}
    return page(visit, "assignment.html", **about)


def _best(service: Service, person: str, rule: Assignment) -> dict[str, Equals]:
    """The newest of the best attempts at each exercise so far."""
    found: dict[str, Equals] = {}
    for own in service.database.tally(rule.name, person):
        best = found.get(own.exercise)
        if own.exercise in rule.exercises and (best is None or gravity(own) >= gravity(best)):
            found[own.exercise] = own
    return found


_GRAVITY = {"": -1, **{outcome.value: outcome.gravity for outcome in Outcome}}


def gravity(own: Equals) -> int:
    return _GRAVITY[own.outcome]


def get_exercise(visit: Visit, tried: TestResult | None = None) -> Response:
    """`tried`: what a trial gave."""
    service, who = visit.service, visit.member
    rule, exercise = service.exercise(who, visit.place["assignment"], visit.place["exercise"])
    history = service.database.history(who.id, rule.name, exercise.id, most=MOST_SHOWN)[::-1]
    newest = history[0] if history else None
    return page(
        visit,
        "exercise.html",
        rule=rule,
        seen=service.seen(who, rule, exercise),
        history=history,
        total=_total(service, newest) if newest else 0,
        newest=newest,
        now=None if newest is None else rest.state(service, newest),
        counts=_counts(visit, rule, exercise.id),
        place=f"/a/{rule.name}/{exercise.stem}",
        is_broken=exercise.id in service.broken,
        beside=_beside(rule, exercise.id),
        tried=tried,
    )


async def post_try(visit: Visit) -> Response:
    """One expression, on the text that is sent; without a script, on the draft."""
    service, who, form = visit.service, visit.member, visit.form
    rule, exercise = service.exercise(who, visit.place["assignment"], visit.place["exercise"])
    if (text := form.get("text")) is None:
        text = (await run_in_threadpool(service.seen, who, rule, exercise)).text
    expression = form.get("expression", "").strip()
    result = await service.tried(who, rule, exercise, text, expression)
    tried = result.tests[0] if result.tests else None
    if tried is None:  # no judge could do it
        raise NotDone(503, result.message, 60.0)
    if "text" in form:
        return part("tried.html", tried=tried)
    return await run_in_threadpool(get_exercise, visit, tried)


def _total(service: Service, attempt: StoredAttempt, until: int = LAST) -> int:
    """How many attempts its owner has made at its exercise."""
    of = attempt.assignment, attempt.person, attempt.exercise
    return sum(own.tries for own in service.database.tally(*of, until=until))


def told(docstring: str) -> list[tuple[str, str]]:
    """The parts of a docstring, each after its heading: `Args`, `Returns`, and so on."""
    parts = sections(docstring)
    return [(h, text if h == "Examples" else _flowing(h, text)) for h, text in parts]


def _flowing(heading: str, text: str) -> str:
    """Without the line ends that only keep a source narrow."""
    if heading in ("Args", "Raises"):
        return re.sub(r"\n +", " ", text)
    return guidance.flowing(text)


def _beside(rule: Assignment, exercise: str) -> tuple[str, str]:
    """The exercises before and after one, by their stems; "" at an end."""
    place, stems = rule.exercises.index(exercise), ["", *map(_stem, rule.exercises), ""]
    return stems[place], stems[place + 2]


def _counts(visit: Visit, rule: Assignment, exercise: str) -> StoredAttempt | None:
    """Which attempt counts for the mark right now."""
    found = visit.service.marks.counting(visit.member.id, rule)
    return None if found is None else found[1].get(exercise)


async def post_exercise(visit: Visit) -> Response:
    """The form. Waits a little for the verdict, so that it is on the page that follows."""
    text = visit.form.get("text", "")
    (attempt,) = await rest.submit(visit, *rest.answer(visit, text))
    await run_in_threadpool(
        visit.service.database.save_draft,
        *(attempt.person, attempt.assignment, attempt.exercise, text),
    )
    await rest.settled(visit.service, attempt, FORM_SECONDS)
    return go(f"/a/{attempt.assignment}/{_stem(attempt.exercise)}#verdict")


def post_draft(visit: Visit) -> Response:
    """What is being typed. It is no attempt."""
    service, who = visit.service, visit.member
    rule, exercise = service.exercise(who, visit.place["assignment"], visit.place["exercise"])
    text = visit.form.get("text", "")
    service.require_short(text)
    service.database.save_draft(who.id, rule.name, exercise.id, text)
    return JSONResponse({"kept": True})


def post_hint(visit: Visit) -> Response:
    service, who = visit.service, visit.member
    rule, exercise = service.exercise(who, visit.place["assignment"], visit.place["exercise"])
    service.open_hint(who, rule, exercise)
    return go(f"/a/{rule.name}/{exercise.stem}#hints")


async def post_upload(visit: Visit) -> Response:
    """A file in place of the editor: each exercise in it is an attempt. All count, or none."""
    service, who = visit.service, visit.member
    rule = service.assignment(who, visit.place["assignment"])
    if visit.file is None or not visit.file[1]:
        raise NotDone(422, "Choose a file first: a .py file, a notebook or a zip.")
    read = await service.read_file(who, rule, *visit.file)
    answers = [(service.course[s.exercise], Path(s.path).name, s.text) for s in read.sources]
    accepted = await rest.submit(visit, rule.name, answers)
    if len(accepted) == 1 and not read.notes:
        return go(f"/a/{rule.name}/{_stem(accepted[0].exercise)}#verdict")
    return await run_in_threadpool(get_assignment, visit, accepted=accepted, notes=read.notes)


# Attempts


def get_attempt(visit: Visit) -> Response:
    service = visit.service
    attempt = service.owned(visit.member, visit.place["attempt"])
    rule = service.course.assignment(attempt.assignment)
    of = attempt.person, attempt.assignment, attempt.exercise
    earlier = service.database.history(*of, most=2, until=attempt.number)[:-1]
    text = service.database.text(attempt)
    before = service.database.text(earlier[0]) if earlier else ""
    # A teammate sees what a student may see.
    is_own = not visit.member.is_teacher or attempt.person == visit.member.id
    return page(
        visit,
        "attempt.html",
        rule=rule,
        attempt=attempt,
        number=_total(service, attempt, attempt.number),
        total=_total(service, attempt),
        text=text,
        changes=_changes(before, text) if earlier else [],
        shown=rest.state(service, attempt).result,
        secret=None if is_own else attempt.result,
        owner=service.people.named(attempt.person),
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


def _common(left: list[str], right: list[str]) -> int:
    """How many lines at the beginning are the same."""
    pairs = zip(left, right, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def get_verdict(visit: Visit) -> Response:
    """The result alone, for the script."""
    service = visit.service
    attempt = service.owned(visit.member, visit.place["attempt"])
    rule, exercise = service.exercise(visit.member, attempt.assignment, attempt.exercise)
    return part(
        "verdict.html",
        own=partial(service.marks.dates, person=attempt.person),
        newest=attempt,
        now=rest.state(service, attempt),
        counts=_counts(visit, rule, attempt.exercise)
        if attempt.person == visit.member.id
        else None,
        beside=_beside(rule, exercise.id),
        rule=rule,
    )


def post_back(visit: Visit) -> Response:
    """Brings an earlier text back into the editor."""
    service = visit.service
    attempt = service.owned(visit.member, visit.place["attempt"])
    text = service.database.text(attempt)
    service.database.save_draft(visit.member.id, attempt.assignment, attempt.exercise, text)
    return go(f"/a/{attempt.assignment}/{_stem(attempt.exercise)}?back={attempt.number}")


def get_receipt(visit: Visit) -> Response:
    service = visit.service
    attempt = service.owned(visit.member, visit.place["attempt"])
    said = service.signer.receipt(attempt, service.database.text(attempt))
    name = quote(f"receipt-{_stem(attempt.exercise)}-{attempt.number}.json")
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(said, media_type="application/json", headers=headers)


def get_static(visit: Visit) -> Response:
    name = visit.place["name"]
    if name == "report.css":
        return Response(html.STYLE.read_bytes(), media_type="text/css", headers=_KEPT)
    if name not in STATIC or not (file := PACKAGE / "static" / name).is_file():
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
    View("POST", f"{_AT}/try", post_try),
    View("GET", "/attempts/{attempt}", get_attempt),
    View("GET", "/attempts/{attempt}/verdict", get_verdict),
    View("POST", "/attempts/{attempt}/back", post_back),
    View("GET", "/attempts/{attempt}/receipt", get_receipt),
)
