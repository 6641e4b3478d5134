"""How people sign in from a platform, and how a teacher chooses what a link leads to.

    platform --login--> its sign-in, with a state for this browser --launch--> who? may they? where?
        a link        --> signed in, at the assignment; in a frame: a button that opens a window
        deep linking  --> the assignments, each a button that puts it into the course

Identity is (issuer, client, deployment, sub). Nothing else that a platform says makes a person.
"""

from __future__ import annotations

import dataclasses
import logging
import re
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from msgspec.structs import replace
from starlette.responses import JSONResponse, Response

from grader.records.model import Assignment, Person
from grader.records.safe_text import line
from grader.serve.app import HEADERS
from grader.serve.lti.claims import DEEP, DEEP_LINK, LTI, Gradebook, LtiLaunch, checked
from grader.serve.lti.keys import OwnKeys, TheirKeys
from grader.serve.lti.net import origin
from grader.serve.lti.records import Link, Member, Platform, PlatformCourse, Records, Score
from grader.serve.lti.scores import ScoreQueue
from grader.serve.pages import go, page, refusal, with_session
from grader.serve.people import BUTTON, HUB, PLATFORMS, Who, fingerprint
from grader.serve.service import NotDone, Service
from grader.serve.visit import Visit

log = logging.getLogger(__name__)
STATE_SECONDS = 600.0
LOGIN, LAUNCHED, KEYS, OPEN = "/lti/login", "/lti/launch", "/lti/jwks.json", "/lti/open"
_COOKIE = re.compile(r"[\w-]{32}", re.ASCII)
SOURCED = "sourcedid"
# Who has submitted, or signed in at a Hub, isn't joined by a number of a platform.
_CAME = "SELECT 1 FROM attempts WHERE person = ?1 UNION " + (
    "SELECT 1 FROM roles WHERE person = ?1 AND place = ?2"
)
_POLICY = HEADERS["Content-Security-Policy"]


@dataclass
class Launches:
    """Of one server: everything that a browser sends during a launch."""

    service: Service
    records: Records
    own: OwnKeys
    theirs: TheirKeys
    queue: ScoreQueue

    def get_keys(self, visit: Visit) -> Response:
        return JSONResponse(self.own.public(), headers={"Cache-Control": "max-age=300"})

    @property
    def cookie(self) -> str:
        return "__Host-grader-lti" if self.service.is_https else "grader-lti"

    # Login

    def login(self, visit: Visit) -> Response:
        """Sends the browser to the platform's own sign-in. Nothing is stored but a cookie."""
        parameters = visit.form or dict(visit.request.query_params)
        platform = self._asking(parameters)
        browser = visit.request.cookies.get(self.cookie, "")
        if not _COOKIE.fullmatch(browser):
            browser = secrets.token_urlsafe(24)
        nonce = secrets.token_urlsafe(24)
        state = {"platform": platform.id, "nonce": nonce, "browser": fingerprint(browser)}
        query = {
            "scope": "openid",
            "response_type": "id_token",
            "response_mode": "form_post",
            "prompt": "none",
            "client_id": platform.client,
            "redirect_uri": self.service.address + LAUNCHED,
            "login_hint": parameters.get("login_hint", "")[:4000],
            "state": self.own.state(state, STATE_SECONDS),
            "nonce": nonce,
        }
        if hint := parameters.get("lti_message_hint", "")[:4000]:
            query["lti_message_hint"] = hint
        answer = go(f"{platform.auth}{'&' if '?' in platform.auth else '?'}{urlencode(query)}")
        # The launch comes from the platform's page, and perhaps into a frame of it.
        kind = "; SameSite=None; Secure; Partitioned" if self.service.is_https else "; SameSite=Lax"
        value = f"{self.cookie}={browser}; Path=/; Max-Age={int(STATE_SECONDS)}; HttpOnly{kind}"
        answer.headers["Set-Cookie"] = value
        return answer

    def _asking(self, parameters: dict[str, str]) -> Platform:
        """Several registrations may have one issuer: every hosted Canvas has the same."""
        issuer, client = parameters.get("iss", ""), parameters.get("client_id", "")
        deployment = parameters.get("lti_deployment_id", "")
        platforms = [
            platform
            for platform in self.records.all(Platform)
            if platform.issuer == issuer
            and client in ("", platform.client)
            and (not deployment or not platform.deployments or deployment in platform.deployments)
        ]
        if len(platforms) != 1:
            # Any site can send these, so they stand in the log alone.
            said = [line(text, 200) for text in (issuer, client, deployment)]
            log.warning("%d registrations fit a sign-in of %s", len(platforms), said)
            raise NotDone(
                403,
                "No registration here matches this sign-in, or more than one does. The server's "
                "log has its issuer, client and deployment: the operator compares them with "
                "`grader serve lti show`.",
            )
        return platforms[0]

    # Launch

    def launch(self, visit: Visit) -> Response:
        """What isn't right has a reason, and leaves nothing behind."""
        return self._enter(visit, *self._checked(visit))

    def framed(self, function: Callable[[Visit], Response]) -> Callable[[Visit], Response]:
        """A page that may stand in a frame of a platform, and nowhere else; a refusal, too."""

        def view(visit: Visit) -> Response:
            try:
                answer = function(visit)
            except NotDone as error:
                answer = refusal(error.status, error.text, {})
            query = visit.request.query_params if "secret" in visit.place else {}
            urls = [query.get("openid_configuration", "")]
            for platform in self.records.all(Platform):
                urls += [platform.issuer, platform.auth, *platform.origins]
            origins = set()
            for url in urls:
                with suppress(ValueError):
                    origins.add(origin(url))
            places = " ".join(["'self'", *sorted(origins)])
            # Canvas frames an invitation at a host that it doesn't tell. Only its admin knows it.
            framing = f"{places} https:" if "secret" in visit.place else places
            policy = _POLICY.replace("frame-ancestors 'none'", f"frame-ancestors {framing}")
            policy = policy.replace("form-action 'self'", f"form-action {places}")
            answer.headers["Content-Security-Policy"] = policy
            return answer

        return view

    def _checked(self, visit: Visit) -> tuple[Platform, LtiLaunch]:
        state = self.own.read_state(visit.form.get("state", ""))
        if state is None or "browser" not in state:
            raise NotDone(
                403, "This sign-in is too old, or didn't start here. Open the link again."
            )
        browser = visit.request.cookies.get(self.cookie, "")
        if not browser:
            raise NotDone(
                403,
                "Your browser didn't keep this server's cookie, so it can't tell that you started "
                "this sign-in. In a frame, some browsers keep none: open the link in its own "
                f"window, or allow cookies for {self.service.address}.",
            )
        if not secrets.compare_digest(fingerprint(browser), str(state["browser"])):
            raise NotDone(403, "This sign-in started in another browser. Open the link again.")
        platform = self.records.get(Platform, str(state["platform"]))
        if platform is None:
            raise NotDone(403, "This platform isn't registered any more.")
        if refused := visit.form.get("error"):
            detail = line(visit.form.get("error_description", ""), 300)
            raise NotDone(403, f"The platform refused the sign-in: {line(refused, 100)}. {detail}")
        try:
            claims = self.theirs.claims(platform, visit.form.get("id_token", ""))
            return platform, checked(claims, platform, str(state["nonce"]), self.service.address)
        except ValueError as error:
            log.warning("a launch from %s was refused: %s", platform.name, error)
            raise NotDone(403, f"{platform.name} sent an invalid launch: {error}.") from error

    def _enter(self, visit: Visit, platform: Platform, launch: LtiLaunch) -> Response:
        assignment = self._named(launch)
        with self.records.changing():
            if not self.records.use(launch.nonce, time.time(), 2 * STATE_SECONDS):
                raise NotDone(403, "This sign-in was already used. Open the link again.")
            course = self._course(platform, launch)
            who = self._who(platform, launch, course) if course.is_in else None
            link, anew = self._link(platform, launch, assignment) if who else (None, [])
            if link is not None and who is not None and not who.is_teacher:
                self._open_column(link, launch.sub, who.id)
        if who is None:
            raise NotDone(
                403,
                f"The course {course.title or course.context} doesn't belong to this class yet. A "
                f"teacher of this class can accept it at {self.service.address}/lti, and the "
                "operator with `grader serve lti accept`.",
            )
        if link is not None and link.assignment:  # who comes late has a mark already
            for person in {who.id, *anew}:
                self.queue.catch_up(person, link.assignment)
        if launch.message == DEEP_LINK:
            return self._choice(visit, platform, launch, who)
        name = link.assignment if link is not None else ""
        if not name and not who.is_teacher:
            raise NotDone(409, "Your teacher hasn't chosen an assignment for this link yet.")
        key = self.service.people.issue(BUTTON, who.id, name, STATE_SECONDS, who.role)
        if visit.request.headers.get("sec-fetch-dest") in ("iframe", "frame"):
            return page(visit, "lti_window.html", key=key)
        return self._opened(key)

    def open(self, visit: Visit) -> Response:
        """The button in a frame: it opens a window, in which the cookie is this server's own."""
        return self._opened(visit.form.get("key", ""))

    def _opened(self, button: str) -> Response:
        """Signs in, as long as the role of the launch holds."""
        if (entered := self.service.people.enter(button, BUTTON)) is None:
            raise NotDone(403, "This button works once, for ten minutes. Open the link again.")
        (key, secret), assignment = entered, entered[0].label
        names = {rule.name for rule in self.service.course.assignments}
        path = f"/a/{assignment}" if assignment in names else "/lti" if key.is_teacher else "/"
        return with_session(self.service, secret, path)

    def _named(self, launch: LtiLaunch) -> str:
        """The assignment that a link names, since it was chosen here."""
        name = launch.parameter("assignment")
        if name and name not in {a.name for a in self.service.course.assignments}:
            raise NotDone(
                404, f"The link leads to an assignment `{line(name, 60)}`, which isn't here."
            )
        return name

    def _course(self, platform: Platform, launch: LtiLaunch) -> PlatformCourse:
        """The course of a launch, which has asked from then on if it wasn't accepted.

        Else whoever teaches anything on the platform would teach here.
        """
        known = self.records.get(PlatformCourse, platform.id, launch.deployment, launch.place)
        if known is not None:
            return known
        if not launch.teaches:
            raise NotDone(403, "Your teacher must open this link first.")
        made = PlatformCourse(
            platform=platform.id,
            deployment=launch.deployment,
            context=launch.place,
            title=launch.course,
            is_in=self._is_accepted(platform, launch),
        )
        self.records.put(made)
        if named := self.records.get(PlatformCourse, platform.id, "", launch.place):
            self.records.drop(named)
        return made

    def _is_accepted(self, platform: Platform, launch: LtiLaunch) -> bool:
        """The first of an unused server, or one that is accepted: named, or by another block."""
        courses = self.records.all(PlatformCourse)
        # An issuer is only a word: its keys tell whose platform it is.
        own = (platform.issuer, platform.jwks.rpartition("/")[0])
        same = {
            p.id for p in self.records.all(Platform) if (p.issuer, p.jwks.rpartition("/")[0]) == own
        }
        # A course's id is unique in one deployment only, and a block of Open edX is a registration.
        return self.service.database.is_unused() or any(
            c.is_in
            and c.context == launch.place
            and c.platform in same
            and (c.platform != platform.id or c.deployment in ("", launch.deployment))
            for c in courses
        )

    # People

    def _who(self, platform: Platform, launch: LtiLaunch, course: PlatformCourse) -> Who:
        """Who this is, with the role that this launch gives in its course."""
        place = {"platform": platform.id, "deployment": launch.deployment, "sub": launch.sub}
        member, database = self.records.get(Member, *place.values()), self.service.database
        if member is None:
            # Nobody can work out this id, and so name it at another place.
            own = f"{PLATFORMS}{secrets.token_hex(8)}"
            member = Member(**place, person=own, is_joined=False)
            self.records.put(member)
        if not member.is_joined and (roster_id := self._of_roster(platform, launch)):
            member = self.records.join(member, roster_id, self.service.folder)
        role = database.role(member.person, course.as_text, is_teacher=launch.teaches)
        found = database.person(member.person)
        person = found[0] if found else Person(member.person)
        if not member.is_joined:  # a teacher may have written the rest, such as a team
            person = dataclasses.replace(person, name=line(launch.name, 100) or person.name)
            database.set_person(person)
        return Who(person, launch.teaches, role=role, place=course.as_text)

    def _of_roster(self, platform: Platform, launch: LtiLaunch) -> str:
        """Somebody whom the platform names by an id, as this roster has it; never by an address."""
        sourced = launch.sourced.person_sourcedid if launch.sourced else ""
        name = sourced if platform.claim == SOURCED else launch.parameter(platform.claim)
        if not name:
            return ""
        database = self.service.database
        pupils = [p for p in database.people() if name in (p.id, p.login, p.sis)]
        masters = [p for p in database.people(teachers=True) if name == p.id and launch.teaches]
        people = {p.id for p in [*pupils, *masters] if not p.id.startswith(PLATFORMS)}
        taken = {
            m.person
            for m in self.records.all(Member)
            if (m.platform, m.deployment) == (platform.id, launch.deployment)
            and m.sub != launch.sub
        }
        busy = {name for name in people if database.rows(_CAME, name, HUB)}
        return people.pop() if len(people) == 1 and not people & (taken | busy) else ""

    # Links

    def _link(
        self, platform: Platform, launch: LtiLaunch, assignment: str
    ) -> tuple[Link | None, list[str]]:
        """The link of a launch, stored, and whose marks begin anew by that."""
        if launch.link is None:
            return None, []
        known = self.records.get(Link, platform.id, launch.deployment, launch.link.id)
        book, item = launch.gradebook or Gradebook(), known.item if known else ""
        scopes, items = tuple(book.scope), book.lineitems
        if known is not None and not (launch.teaches and launch.gradebook):
            # The link is everybody's: a student's launch only adds what isn't known.
            scopes, items = tuple(dict.fromkeys((*known.scopes, *scopes))), known.items or items
        elif book.lineitem:
            item = book.lineitem
        # A launch that was held back says what its link was.
        is_late = known is not None and launch.iat < known.chosen_at
        is_new = known is not None and assignment not in ("", known.chosen) and not is_late
        link = Link(
            platform=platform.id,
            deployment=launch.deployment,
            link=launch.link.id,
            context=launch.place,
            title=line(launch.link.title, 100),
            assignment=assignment if is_new or known is None else known.assignment,
            chosen=known.chosen if known and not is_new else assignment,
            chosen_at=known.chosen_at if known and not is_new else launch.iat,
            item=item or book.lineitem,
            items=items,
            scopes=scopes,
        )
        return link, self.records.bind(link)

    def _open_column(self, link: Link, sub: str, person: str) -> None:
        """Everybody who has opened a link has a mark in its column."""
        known = self.records.get(Score, *link.key, sub)
        if known is None:
            platform, deployment, name = link.key
            known = Score(
                platform=platform, deployment=deployment, link=name, sub=sub, person=person
            )
        self.records.put(replace(known, person=person))

    # Deep linking

    def _choice(self, visit: Visit, platform: Platform, launch: LtiLaunch, who: Who) -> Response:
        if not launch.teaches:
            raise NotDone(403, "Only a teacher of the course can choose an assignment.")
        deep = launch.deep
        assert deep is not None
        if "ltiResourceLink" not in deep.accept_types:
            raise NotDone(422, f"{platform.name} accepts no links here.")
        rows = [(r, self._answer(platform, launch, r)) for r in self.service.assignments(who)]
        return page(visit, "lti_choice.html", rows=rows, back=deep.deep_link_return_url)

    def _answer(self, platform: Platform, launch: LtiLaunch, rule: Assignment) -> str:
        """What a button sends, or "": a column's maximum stays, so it has to be known before."""
        if not self.service.marks.is_known(rule):
            return ""
        deep = launch.deep
        assert deep is not None
        item: dict[str, Any] = {
            "type": "ltiResourceLink",
            "title": rule.title,
            "url": self.service.address + LAUNCHED,
            "custom": {"assignment": rule.name},
            "window": {"targetName": "_blank"},
        }
        points = self.service.marks.untried("", rule).max_score
        if deep.accept_lineitem and points:  # practice has no column
            item["lineItem"] = {
                "label": rule.title,
                "scoreMaximum": points,
                "resourceId": rule.name,
            }
        response = {
            "iss": platform.client,
            "aud": platform.issuer,
            "nonce": secrets.token_urlsafe(16),
            f"{LTI}message_type": "LtiDeepLinkingResponse",
            f"{LTI}version": "1.3.0",
            f"{LTI}deployment_id": launch.deployment,
            f"{DEEP}content_items": [item],
        }
        if deep.data is not None:
            response[f"{DEEP}data"] = deep.data
        return self.own.signed(response, STATE_SECONDS)
