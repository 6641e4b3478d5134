"""The queue of marks: what a platform's gradebook should hold, and who sends it there.

    an attempt, a decision, a teacher's button --renew--> Score --Sender--> the platform's column

A mark is one record, however often it changes. A newer one takes the place of one that waits, so
nothing is sent twice, and the last one sent is the last one made.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit, urlunsplit

from msgspec.structs import replace

from grader.records.model import Assignment, Grade
from grader.records.scoring import is_excused
from grader.serve.lti.claims import SCOPES
from grader.serve.lti.keys import OwnKeys
from grader.serve.lti.net import NoAnswer, Reply, ask
from grader.serve.lti.records import (
    EMPTY,
    REFUSED,
    SENT,
    WAITING,
    Link,
    Platform,
    PlatformCourse,
    Records,
    Score,
)
from grader.serve.marks import iso
from grader.serve.people import Who
from grader.serve.service import Service
from grader.teacher.settle import moment

log = logging.getLogger(__name__)
KIND = "application/vnd.ims.lis.v1.score+json"
ITEM = "application/vnd.ims.lis.v2.lineitem+json"
ITEMS = "application/vnd.ims.lis.v2.lineitemcontainer+json"
FIRST, LONGEST = 10.0, 900.0
"""Seconds until a second try, and at most between two."""
MOST_CLASHES = 3
_GONE = ("404", "410")
_CANVAS = "https://canvas.instructure.com/lti/submission"
_FORBIDDEN = (
    "The platform doesn't let this link send marks. Its admin must allow the tool to send grades; "
    "then a teacher opens the link again."
)


def marks_now(service: Service, rule: Assignment, person: str) -> Grade | None:
    """What somebody's mark is: the published one after the due date, else what counts right now.

    Who has submitted nothing has a published mark, and else none but by a decision.
    """
    if is_over(service, rule, person, time.time()):
        published = service.marks.mark(rule, person)
        if published is not None:
            return published
    counting = service.marks.counting(person, rule)
    grade = counting[0].grade if counting else service.marks.untried(person, rule)
    is_given = any(step.kind in ("override", "bonus", "excuse") for step in grade.adjustments)
    return grade if counting or is_given else None


def is_over(service: Service, rule: Assignment, person: str, at: float) -> bool:
    """Whether an assignment was due; an extension counts."""
    due = service.marks.due(rule, person)
    return bool(due) and at > moment(due).timestamp()


def wanted(score: Score, grade: Grade | None) -> Score:
    """The record with that mark. Work that can't be scored is pending, not zero.

    What gives no points, since all of it is for practice, has no mark to send, and who is excused
    has none either. A mark that is gone is taken back.
    """
    if grade is not None and not grade.max_score:
        return score
    has_mark = grade is not None and not is_excused(grade)
    mark = (grade.score, grade.max_score) if grade is not None and has_mark else None
    return score if mark == score.wanted else score.wants(mark, grade.at if grade else "")


Row = tuple[Link, Score, Who, Score]


def changes(rows: Iterable[Row]) -> int:
    """How many marks of a page would change if they were queued now."""
    return sum(new.wanted != score.wanted for _, score, _, new in rows)


@dataclass
class ScoreQueue:
    """What should be sent, kept in the records."""

    service: Service
    records: Records

    def scores(self, assignment: str, person: str = "") -> list[tuple[Link, Score]]:
        """Those of an assignment: of one person, or of all."""
        links = {link.key: link for link in self.records.all(Link) if link.assignment == assignment}
        scores = self.records.all(Score, person)
        return [(links[score.key[:3]], score) for score in scores if score.key[:3] in links]

    def changed(self, person: str, assignment: str, is_decision: bool) -> None:
        """After an attempt in time, or a decision while nothing is published: queues the mark.

        All else waits for the teacher: late attempts, regrades, and what is to be published.
        """
        try:
            self.records.add_news(person, assignment, is_decision)
            rule = self.service.course.assignment(assignment)
            if not self.service.marks.is_known(rule):
                return  # `begin` settles it
            with self.records.changing():
                waits = (
                    self.service.marks.published(rule) is not None
                    if is_decision
                    else is_over(self.service, rule, person, self._newest(person, assignment))
                )
                if not waits:
                    self.renew(rule, person)
                for _, score in self.scores(assignment, person):
                    if score.is_new:
                        self.records.put(replace(score, is_new=False))
                self.records.drop_news(person, assignment, is_decision)
        except Exception:  # a fault here must not stop the judging
            log.exception("a mark can't be sent")

    def catch_up(self, person: str, assignment: str) -> None:
        """The same for a column that is new for this person."""
        if any(score.is_new for _, score in self.scores(assignment, person)):
            self.changed(person, assignment, is_decision=not self._newest(person, assignment))

    def _newest(self, person: str, assignment: str) -> float:
        """When the newest judged attempt was submitted; 0 if there is none."""
        own = self.service.database.tally(assignment, person)
        return max((one.at for one in own if one.outcome), default=0.0)

    def renew(self, rule: Assignment, person: str = "") -> None:
        """Queues what isn't what it should be: for one person, or for all."""
        if not self.service.marks.is_known(rule):
            return
        scores = self.scores(rule.name, person)
        for name in dict.fromkeys(score.person for _, score in scores):
            with self.records.changing():  # so that what was computed last is written last
                for _, score, _, new in self.rows(rule, name):
                    if new != score:
                        self.records.put(new)

    def rows(self, rule: Assignment, person: str = "") -> list[Row]:
        """For each student, or for one person: what is queued, whose it is, and what should be."""
        rows, is_known = [], self.service.marks.is_known(rule)
        for link, score in self.scores(rule.name, person):
            found = self.service.database.person(score.person)
            if found is not None and not found[1]:
                new = score
                if is_known:
                    new = wanted(score, marks_now(self.service, rule, score.person))
                rows.append((link, score, Who(found[0], False), new))
        return sorted(rows, key=lambda row: (row[2].name, row[0].title))

    def unsent(self, rule: Assignment) -> int:
        """How many marks would change if they were queued now."""
        return changes(self.rows(rule))

    def begin(self) -> None:
        """After a start: what was judged or decided before, and isn't settled."""
        for person, assignment, is_decision in self.records.news():
            mates = self.service.database.mates(person, assignment)
            for name in [person] if is_decision else mates:
                self.changed(name, assignment, bool(is_decision))
        for rule in self.service.course.assignments:
            for person in {score.person for _, score in self.scores(rule.name)}:
                self.catch_up(person, rule.name)

    def again(self, rule: Assignment) -> None:
        """What was refused is tried once more, also into a new column if the old one is gone."""
        with self.records.changing():
            for link, score in self.scores(rule.name):
                if score.state == REFUSED:
                    self.records.put(replace(score, state=WAITING, tries=0, not_before=0.0))
                    if score.reason[:3] in _GONE and link.items and SCOPES[1] in link.scopes:
                        self.records.put(replace(link, item=""))


@dataclass
class Sender:
    """Sends what waits: one after another to each platform, so that no column is made twice."""

    service: Service
    records: Records
    own: OwnKeys
    now: Callable[[], float] = time.time
    _tokens: dict[tuple[str, tuple[str, ...]], tuple[str, float]] = field(default_factory=dict)
    _serving: dict[str, threading.Lock] = field(default_factory=lambda: defaultdict(threading.Lock))

    async def run(self) -> None:
        """Until it is cancelled. A platform that is slow has a thread of its own."""
        while True:
            for name in await asyncio.to_thread(self.due):
                if not self._serving[name].locked():
                    threading.Thread(target=self.serve, args=(name,), daemon=True).start()
            await asyncio.sleep(1.0)

    def due(self) -> set[str]:
        """Platforms for which something may be sent now."""
        return {score.platform for score in self._waiting()}

    def _waiting(self) -> list[Score]:
        now = self.now()
        # A clock that was set back makes nothing wait for longer.
        return [
            score
            for score in self.records.waiting()
            if score.not_before <= now or score.not_before > now + LONGEST
        ]

    def serve(self, name: str) -> None:
        """Sends to one platform until nothing waits. Does nothing if another thread is at it."""
        if not self._serving[name].acquire(blocking=False):
            return
        try:
            while self._step(name):
                pass
        except sqlite3.ProgrammingError:  # the server has ended
            pass
        except Exception:
            log.exception("marks for a platform can't be sent now")
        finally:
            self._serving[name].release()

    def _step(self, name: str) -> bool:
        """Sends one. False if nothing waits. What was tried least is first."""
        with self.records.changing():
            platform = self.records.get(Platform, name)
            waiting = [score for score in self._waiting() if score.platform == name]
            if platform is None or not waiting:
                return False
            score = min(waiting, key=lambda each: (each.tries, each.stamp))
            link = self.records.get(Link, *score.key[:3])
            # The time is kept before it is sent, so that a later one is later. From here on,
            # nobody knows what the platform has, until it has answered.
            score = replace(score, stamp=max(self.now(), score.stamp + 0.001), sent=None)
            self.records.put(score)
        if link is None:
            return False
        try:
            course = self.records.get(PlatformCourse, *link.key[:2], link.context)
            if course is None or not course.is_in:
                raise Unsendable("The course of this link isn't one of this class.")
            answer = self._send(platform, link, score)
        except NoAnswer as error:
            self._put_off(score, str(error), of_all=True)
        except Unanswered as error:
            self._settle(score, error.answer)
        except Unsendable as error:
            self._change(score, state=REFUSED, reason=str(error))
        except Exception as error:  # the others have their turn
            log.exception("a mark can't be sent")
            self._change(score, state=REFUSED, reason=f"This server failed: {error}")
        else:
            self._settle(score, answer)
        return True

    def _settle(self, score: Score, answer: Reply) -> None:
        if answer.is_good:
            state = EMPTY if score.wanted is None else SENT
            self._change(score, sent=score.wanted, state=state, reason="", tries=0)
        elif answer.status in (408, 425, 429) or answer.status >= 500:
            self._put_off(score, answer.words, wait=answer.wait)
        elif answer.status in (401, 403, 409) and score.tries < MOST_CLASHES:
            # A token ended early, or the platform's clock is before ours.
            self._put_off(score, answer.words)
        else:
            self._change(score, state=REFUSED, reason=answer.words)

    def _change(self, score: Score, **about: object) -> None:
        """Writes what became of it. If a newer mark came meanwhile, that one still waits."""
        with self.records.changing():
            current = self.records.get(Score, *score.key)
            if current is None:
                return
            if current.wanted != score.wanted:
                about = {"sent": about.get("sent", current.sent)}
            self.records.put(replace(current, **about))

    def _put_off(
        self, score: Score, reason: str, wait: float = 0.0, *, of_all: bool = False
    ) -> None:
        """Another try, later each time; for all of a platform that doesn't answer."""
        pause = max(min(wait, LONGEST), min(LONGEST, FIRST * 2**score.tries))
        until = self.now() + pause
        with self.records.changing():
            self._change(score, tries=score.tries + 1, not_before=until, reason=reason)
            for other in self._waiting() if of_all else ():
                if other.platform == score.platform:
                    self.records.put(replace(other, not_before=until, reason=reason))

    # One score

    def _send(self, platform: Platform, link: Link, score: Score) -> Reply:
        if SCOPES[0] not in link.scopes:
            raise Unsendable(_FORBIDDEN)
        item = link.item or self._found_or_made(platform, link, score)
        if not item:
            return Reply(204, b"")  # without a column there is nothing to take back
        if not platform.owns(item):
            raise Unsendable(f"The column's address isn't one of {platform.name}.")
        points, maximum = score.wanted or (None, 0.0)
        body: dict[str, object] = {
            "userId": score.sub,
            "timestamp": iso(score.stamp),
            "activityProgress": "Completed" if score.wanted else "Initialized",
            "gradingProgress": "Pending" if score.wanted else "NotReady",
        }
        if points is not None:
            body |= {"scoreGiven": max(0.0, points), "scoreMaximum": maximum}
            body["gradingProgress"] = "FullyGraded"
        if score.submitted:
            body["submission"] = {"submittedAt": score.submitted}
        else:  # Canvas takes a score for work unless this says that it is none
            body[_CANVAS] = {"new_submission": False}
        return self._asked(platform, link, scores_of(item), KIND, body)

    def _found_or_made(self, platform: Platform, link: Link, score: Score) -> str:
        """The column of a link. If there is none yet, one is made for a mark; else it is ""."""
        if not link.items or SCOPES[1] not in link.scopes:
            if score.wanted is None:
                return ""
            raise Unsendable(
                "The platform has no column for this link. Make the link graded there."
            )
        there = urlsplit(link.items)
        query = "&".join(filter(None, [there.query, urlencode({"resource_link_id": link.link})]))
        answer = self._asked(platform, link, urlunsplit(there._replace(query=query)), ITEMS)
        if not answer.is_good:
            raise Unanswered(answer)
        try:
            listed = json.loads(answer.body)
            items = [str(i["id"]) for i in listed if i.get("resourceLinkId") == link.link]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise NoAnswer("the list of columns can't be read") from None
        if not items:
            if score.wanted is None:
                return ""
            rule = self.service.course.assignment(link.assignment)
            body: dict[str, object] = {
                "label": rule.title[:100],
                "scoreMaximum": score.wanted[1],
                "resourceLinkId": link.link,
                "resourceId": rule.name,
            }
            made = self._asked(platform, link, link.items, ITEM, body)
            if 400 <= made.status < 500:
                raise Unsendable(f"A column can't be created: {made.words}")
            items = [str(made.object().get("id", ""))]
        with self.records.changing():
            if (current := self.records.get(Link, *link.key)) is not None:
                self.records.put(replace(current, item=items[0]))
        return items[0]

    def _asked(
        self,
        platform: Platform,
        link: Link,
        url: str,
        kind: str,
        body: dict[str, object] | None = None,
    ) -> Reply:
        """GET, or POST with a body, of that kind and with the platform's token."""
        headers = {"Accept": kind, "Authorization": f"Bearer {self._token(platform, link)}"}
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            headers["Content-Type"] = kind
        answer = ask(url, data, headers, is_local=platform.is_local)
        if answer.status in (401, 403):  # a token that ended early
            self._tokens.clear()
        return answer

    def _token(self, platform: Platform, link: Link) -> str:
        """A token of the platform's, kept until a minute before its end. Raises `NoAnswer`."""
        scopes = tuple(scope for scope in SCOPES if scope in link.scopes)
        token, until = self._tokens.get((platform.id, scopes), ("", 0.0))
        if time.time() < until:
            return token
        claims = {"iss": platform.client, "sub": platform.client}
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        # Canvas names an authorization server, and expects the address of its tokens all the same.
        for audience in dict.fromkeys((platform.token, platform.audience or platform.token)):
            form = {
                "grant_type": "client_credentials",
                "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
                "client_assertion": self.own.signed({**claims, "aud": audience}, 240),
                "scope": " ".join(scopes),
            }
            body = urlencode(form).encode()
            answer = ask(platform.token, body, headers, is_local=platform.is_local)
            if answer.is_good or answer.status >= 500:
                break
        if b'"invalid_scope"' in answer.body:  # of this link alone
            raise Unsendable(_FORBIDDEN)
        if not answer.is_good:
            raise NoAnswer(
                f"{platform.name} gives no token, so check there that the tool is active and that "
                f"its keys are read from this server: {answer.words}"
            )
        document = answer.object()
        issued, seconds = document.get("access_token"), document.get("expires_in", 60)
        if not isinstance(issued, str) or not isinstance(seconds, int | float):
            raise NoAnswer(f"{platform.name} gives no readable token")
        self._tokens[platform.id, scopes] = (issued, time.time() + seconds - 60)
        return issued


class Unsendable(Exception):
    """A mark has no place in the platform as it is now."""


class Unanswered(Exception):
    """The platform answers a question about one link, but not as asked."""

    def __init__(self, answer: Reply) -> None:
        super().__init__(answer.words)
        self.answer = answer


def scores_of(item: str) -> str:
    """Where scores of a column go. Moodle's columns have a query, which stays at the end."""
    there = urlsplit(item)
    return urlunsplit(there._replace(path=there.path.rstrip("/") + "/scores"))
