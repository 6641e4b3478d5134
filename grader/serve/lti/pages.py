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
from grader.serve.service import NotDone
from grader.serve.visit import Visit


class TeachersPages:
    """Of one class."""

    def __init__(self, queue: ScoreQueue) -> None:
        self._queue, self._records, self._service = queue, queue.records, queue.service

    def get_scores(self, asked: Visit) -> Response:
        rule = self._rule(asked)
        rows = self._queue.rows(rule)
        seated = {who.id for _, _, who, _ in rows}
        about = {
            "changes": changes(rows),
            "refused": sum(one.state == REFUSED for _, one, _, _ in rows),
            "waiting": sum(one.state == WAITING for _, one, _, _ in rows),
            "absent": [p for p in self._service.database.people() if p.id not in seated],
            "links": len({link.key for link, _, _, _ in rows}),
        }
        is_past = is_over(self._service, rule, "", time.time())
        return page(asked, "lti_scores.html", rule=rule, rows=rows, is_past=is_past, **about)

    def post_send(self, asked: Visit) -> Response:
        rule = self._rule(asked)
        self._queue.renew(rule)
        return go(f"/lti/scores/{rule.name}")

    def post_again(self, asked: Visit) -> Response:
        rule = self._rule(asked)
        self._queue.again(rule)
        return go(f"/lti/scores/{rule.name}")

    def get_lti(self, asked: Visit) -> Response:
        database = self._service.database
        strangers = [one for one in self._records.all(Member) if not one.is_joined]
        own = {one.person for one in strangers}
        named = {person.id: person for person in database.people()}
        return page(
            asked,
            "lti.html",
            platforms={one.id: one for one in self._records.all(Platform)},
            courses=self._records.all(PlatformCourse),
            links=sorted(self._records.all(Link), key=lambda one: bool(one.assignment)),
            strangers=[(one, named[one.person]) for one in strangers if one.person in named],
            roster=[p for p in named.values() if p.id not in own],
            rules=self._service.course.assignments,
        )

    def post_claim(self, asked: Visit) -> Response:
        """Says by what people of a platform are joined to the roster."""
        one = _chosen(asked, self._records, Platform)
        self._records.put(replace(one, claim=asked.form.get("claim", "").strip()[:100]))
        return go("/lti")

    def post_course(self, asked: Visit) -> Response:
        """Lets a course in, or keeps it out."""
        one = _chosen(asked, self._records, PlatformCourse)
        is_in = asked.form.get("is_in") == "yes"
        others = [c for c in self._records.all(PlatformCourse) if c.is_in and c.key != one.key]
        if not is_in and not others:
            raise NotDone(409, "Nobody could come in any more. Let another course in first.")
        self._records.put(replace(one, is_in=is_in))
        if not is_in and (platform := self._records.get(Platform, one.platform)) is not None:
            self._records.shut(platform)
        return go("/lti")

    def post_link(self, asked: Visit) -> Response:
        """Says which assignment a link is."""
        rule = self._service.assignment(asked.member, asked.form.get("assignment", ""))
        one = _chosen(asked, self._records, Link)
        with self._records.changing():
            self._records.bind(replace(one, assignment=rule.name))
        self._queue.renew(rule)
        return go("/lti")

    def post_join(self, asked: Visit) -> Response:
        """Says who of the roster somebody is, who came as a person of their own."""
        database, to = self._service.database, asked.form.get("to", "")
        member = _chosen(asked, self._records, Member)
        people = {person.id: person for person in database.people()}
        if member.is_joined or member.person not in people or to not in people:
            raise NotDone(422, "Choose somebody of the roster, and a student who came.")
        others = self._records.all(Member, to)
        if to.startswith("lti-") or any(m.key[:2] == member.key[:2] for m in others):
            raise NotDone(409, "That person has come from this platform under another name.")
        if asked.form.get("sure") != "yes":
            count = len(database.rows("SELECT 1 FROM attempts WHERE person = ?", member.person))
            about = {"member": member, "one": people[member.person], "to": people[to]}
            return page(asked, "lti_join.html", count=count, **about)
        self._records.join(member, to, self._service.folder)
        for rule in self._service.course.assignments:
            self._queue.renew(rule, to)
        return go("/lti")

    def _rule(self, asked: Visit) -> Assignment:
        return self._service.assignment(asked.member, asked.place["assignment"])


def _chosen(asked: Visit, records: Records, kind: type[Any]) -> Any:
    """The record that a form names by its key."""
    for one in records.all(kind):
        if one.as_text == asked.form.get("key"):
            return one
    raise NotDone(404, "That isn't there any more. Open the page again.")
