"""What a teacher sees: which marks are in the platform, and why one isn't; courses and people."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from starlette.responses import Response

from grader.lti.records import REFUSED, WAITING, Link, Member, Platform, PlatformCourse, Records
from grader.lti.scores import ScoreQueue, marks_now, wanted
from grader.model import Assignment
from grader.serve.pages import go, page
from grader.serve.service import NotDone
from grader.serve.visit import Visit


class TeachersPages:
    """Of one class."""

    def __init__(self, queue: ScoreQueue) -> None:
        self._queue, self._records, self._service = queue, queue.records, queue.service

    def get_scores(self, asked: Visit) -> Response:
        rule = self._rule(asked)
        rows = []
        for _, one in self._queue.scores(rule.name):
            new = wanted(one, marks_now(self._service, rule, one.person)).wanted
            rows.append((one, self._service.people.named(one.person), new))
        seated = {one.person for one, _, _ in rows}
        about = {
            "changes": sum(one.wanted != new for one, _, new in rows),
            "refused": sum(one.state == REFUSED for one, _, _ in rows),
            "waiting": sum(one.state == WAITING for one, _, _ in rows),
            "absent": [p for p in self._service.database.people() if p.id not in seated],
        }
        return page(asked, "lti_scores.html", rule=rule, rows=rows, **about)

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
        members = self._records.all(Member)
        joined = {one.person for one in members if one.is_joined}
        strangers = [one for one in members if not one.is_joined]
        own = {one.person for one in strangers}
        named = {person.id: person for person in database.people()}
        return page(
            asked,
            "lti.html",
            platforms={one.id: one for one in self._records.all(Platform)},
            courses=self._records.all(PlatformCourse),
            links=self._records.all(Link),
            strangers=[(one, named[one.person]) for one in strangers if one.person in named],
            roster=[p for p in named.values() if p.id not in joined | own],
            rules=self._service.course.assignments,
        )

    def post_course(self, asked: Visit) -> Response:
        """Lets a course in, or keeps it out."""
        one = _chosen(asked, self._records, PlatformCourse)
        is_in = asked.form.get("is_in") == "yes"
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
        self._records.join(member, to, self._service.folder)
        for rule in self._service.course.assignments:
            self._queue.renew(rule, to)
        return go("/lti")

    def _rule(self, asked: Visit) -> Assignment:
        return self._service.assignment(asked.member, asked.place["assignment"])


def _chosen(asked: Visit, records: Records, kind: type[Any]) -> Any:
    """The record that a form names by its key."""
    for one in records.all(kind):
        if "|".join(one.key) == asked.form.get("key"):
            return one
    raise NotDone(404, "That isn't there any more. Open the page again.")
