"""What a teacher sees: which marks are in the platform, and why one isn't; courses and people."""

from __future__ import annotations

import time
from typing import Any

from msgspec.structs import replace
from starlette.responses import Response

from grader.records.model import Assignment
from grader.serve.lti.records import (
    REFUSED,
    WAITING,
    Link,
    Member,
    Platform,
    PlatformCourse,
    Records,
)
from grader.serve.lti.scores import ScoreQueue, changes, is_over
from grader.serve.pages import go, page
from grader.serve.people import PLATFORMS
from grader.serve.service import NotDone
from grader.serve.visit import Visit


class TeachersPages:
    def __init__(self, queue: ScoreQueue) -> None:
        self._queue, self._records, self._service = queue, queue.records, queue.service

    def get_scores(self, visit: Visit) -> Response:
        rule = self._rule(visit)
        rows = self._queue.rows(rule)
        seated = {who.id for _, _, who, _ in rows}
        about = {
            "changes": changes(rows),
            "refused": sum(score.state == REFUSED for _, score, _, _ in rows),
            "waiting": sum(score.state == WAITING for _, score, _, _ in rows),
            "absent": [p for p in self._service.database.people() if p.id not in seated],
            "links": len({link.key for link, _, _, _ in rows}),
        }
        is_past = is_over(self._service, rule, "", time.time())
        return page(visit, "lti_scores.html", rule=rule, rows=rows, is_past=is_past, **about)

    def post_send(self, visit: Visit) -> Response:
        rule = self._rule(visit)
        self._queue.renew(rule)
        return go(f"/lti/scores/{rule.name}")

    def post_again(self, visit: Visit) -> Response:
        rule = self._rule(visit)
        self._queue.again(rule)
        return go(f"/lti/scores/{rule.name}")

    def get_lti(self, visit: Visit) -> Response:
        database = self._service.database
        strangers = [member for member in self._records.all(Member) if not member.is_joined]
        own = {member.person for member in strangers}
        named = {person.id: person for person in database.people()}
        return page(
            visit,
            "lti.html",
            platforms={platform.id: platform for platform in self._records.all(Platform)},
            courses=self._records.all(PlatformCourse),
            links=sorted(self._records.all(Link), key=lambda link: bool(link.assignment)),
            strangers=[
                (member, named[member.person]) for member in strangers if member.person in named
            ],
            roster=[p for p in named.values() if p.id not in own],
            rules=self._service.course.assignments,
        )

    def post_claim(self, visit: Visit) -> Response:
        """Says by what people of a platform are joined to the roster."""
        platform = _chosen(visit, self._records, Platform)
        self._records.put(replace(platform, claim=visit.form.get("claim", "").strip()[:100]))
        return go("/lti")

    def post_course(self, visit: Visit) -> Response:
        course = _chosen(visit, self._records, PlatformCourse)
        is_in = visit.form.get("is_in") == "yes"
        others = [c for c in self._records.all(PlatformCourse) if c.is_in and c.key != course.key]
        if not is_in and not others:
            raise NotDone(409, "Then nobody could sign in. Accept another course first.")
        with self._records.changing():
            self._records.put(replace(course, is_in=is_in))
            if not is_in:
                self._service.database.end_roles(place=course.as_text)
        return go("/lti")

    def post_link(self, visit: Visit) -> Response:
        """Says which assignment a link is."""
        rule = self._service.assignment(visit.member, visit.form.get("assignment", ""))
        link = _chosen(visit, self._records, Link)
        with self._records.changing():
            anew = self._records.bind(replace(link, assignment=rule.name))
        for person in anew:
            self._queue.catch_up(person, rule.name)
        return go("/lti")

    def post_join(self, visit: Visit) -> Response:
        """Joins a person who launched from a platform to somebody of the roster."""
        database, to = self._service.database, visit.form.get("to", "")
        member = _chosen(visit, self._records, Member)
        people = {person.id: person for person in database.people()}
        if member.is_joined or member.person not in people or to not in people:
            raise NotDone(422, "Choose a student on the roster, and one from a platform.")
        others = self._records.all(Member, to)
        if to.startswith(PLATFORMS) or any(m.key[:2] == member.key[:2] for m in others):
            raise NotDone(409, "That person has launched from this platform as another user.")
        if visit.form.get("sure") != "yes":
            count = len(database.rows("SELECT 1 FROM attempts WHERE person = ?", member.person))
            about = {"member": member, "person": people[member.person], "to": people[to]}
            return page(visit, "lti_join.html", count=count, **about)
        self._records.join(member, to, self._service.folder)
        for rule in self._service.course.assignments:
            self._queue.catch_up(to, rule.name)
        return go("/lti")

    def _rule(self, visit: Visit) -> Assignment:
        return self._service.assignment(visit.member, visit.place["assignment"])


def _chosen(visit: Visit, records: Records, kind: type[Any]) -> Any:
    """The record that a form names by its key."""
    for record in records.all(kind):
        if record.as_text == visit.form.get("key"):
            return record
    raise NotDone(404, "That no longer exists. Open the page again.")
