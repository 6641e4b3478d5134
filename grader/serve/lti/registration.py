"""How a platform and this server come to know each other.

an admin pastes one address --> a page with a button --> the platform registers this server
`grader serve lti add`      --> what the platform's own page shows, by hand
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Mapping
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from msgspec.structs import replace
from starlette.responses import JSONResponse, Response

from grader.serve.database import Database
from grader.serve.lti.launch import KEYS, LAUNCHED, LOGIN, Launches
from grader.serve.lti.net import NoAnswer, ask, is_allowed, origin
from grader.serve.lti.records import Member, Platform, platform_id
from grader.serve.pages import page
from grader.serve.people import DAY, fingerprint
from grader.serve.service import NotDone
from grader.serve.visit import Visit

INVITATION_SECONDS = 2 * DAY
_INVITED = "lti invitation "
_TOOL = "https://purl.imsglobal.org/spec/lti-tool-configuration"


def invite(database: Database, address: str, *, is_local: bool = False) -> str:
    """An address for an admin to paste. It works once, within two days."""
    secret = secrets.token_urlsafe(24)
    invitation = {"until": time.time() + INVITATION_SECONDS, "is_local": is_local}
    database.remember(_INVITED + fingerprint(secret), json.dumps(invitation))
    return f"{address}/lti/register/{secret}"


def described(address: str, name: str, form: str) -> dict[str, Any]:
    """This server as a `form` has it: `dynamic` registration, or Canvas' own page."""
    text = (files("grader.serve.lti") / "templates" / f"{form}.json").read_text(encoding="utf-8")
    host = urlsplit(address).netloc
    for sign, value in (("ADDRESS", address), ("HOST", host), ("NAME", name)):
        text = text.replace(f"{{{sign}}}", json.dumps(value)[1:-1])
    registration: dict[str, Any] = json.loads(text)
    return registration


def by_hand(address: str) -> tuple[tuple[str, str], ...]:
    """What an admin enters into a platform that reads neither."""
    return (
        ("Tool URL, redirect URI", address + LAUNCHED),
        ("Initiate login URL", address + LOGIN),
        ("Public keyset URL", address + KEYS),
        ("Canvas: JSON URL", f"{address}/lti/canvas.json"),
    )


# Of Canvas, hosted ones share a sign-in, and all of them name one issuer.
_ADDRESSES = {
    "moodle": (
        "{url}",
        "{url}/mod/lti/auth.php",
        "{url}/mod/lti/token.php",
        "{url}/mod/lti/certs.php",
    ),
    "canvas": (
        "https://canvas.instructure.com",
        "{shared}/api/lti/authorize_redirect",
        "{shared}/login/oauth2/token",
        "{shared}/api/lti/security/jwks",
    ),
    "other": ("{url}", "", "", ""),
}


def known(kind: str, url: str, client: str, overrides: Mapping[str, str]) -> Platform:
    """A platform whose addresses follow from its own, except for `overrides`."""
    url = url.rstrip("/")
    host = url.partition("://")[2].partition("/")[0] or url
    shared = "https://sso.canvaslms.com" if host.endswith(".instructure.com") else url
    names = ("issuer", "auth", "token", "jwks")
    usual = zip(names, _ADDRESSES[kind], strict=True)
    addresses = {n: text.format(url=url, shared=shared) for n, text in usual} | dict(overrides)
    issuer, auth, token, jwks = (addresses[name] for name in names)
    return Platform(
        id=platform_id(issuer, client),
        issuer=issuer,
        client=client,
        name=host,
        auth=auth,
        token=token,
        jwks=jwks,
        origins=(url,),
    )


class Registration:
    """The pages that an admin of a platform sees."""

    def __init__(self, launches: Launches) -> None:
        self._entrance, self._service = launches, launches.service
        self._asking = threading.Lock()

    def get_canvas(self, visit: Visit) -> Response:
        address, name = self._service.address, self._service.course.name
        return JSONResponse(described(address, name, "canvas"))

    def get(self, visit: Visit) -> Response:
        """A button: to fetch it registers nothing."""
        kept = self._invitation(visit.place["secret"])
        query = visit.request.query_params
        url, token = query.get("openid_configuration", ""), query.get("registration_token", "")
        if not url:
            raise NotDone(
                422,
                "Paste this address into your platform, as a new tool with dynamic registration. "
                "The platform then opens it.",
            )
        if not is_allowed(url, is_local=bool(kept["is_local"])):
            raise NotDone(422, "The address that the platform sends can't be a platform's.")
        host = urlsplit(url).hostname
        return page(visit, "lti_register.html", url=url, token=token, host=host)

    def post(self, visit: Visit) -> Response:
        secret, url = visit.place["secret"], visit.form.get("url", "")
        records, database = self._entrance.records, self._service.database
        if not self._asking.acquire(blocking=False):
            raise NotDone(503, "Another platform is being registered. Try again.", 5.0)
        try:
            kept = self._invitation(secret)
            made = self._registered(url, visit.form.get("token", ""), bool(kept["is_local"]))
            with records.changing():
                # Else one that names another's address of tokens would get tokens of that one.
                clients = {one.client for one in records.all(Platform)}
                gone = {one.platform for one in records.all(Member)}
                if made.client in clients or made.id in gone:
                    raise ValueError("a platform has registered as this client before")
                records.put(made)
                database.remember(_INVITED + fingerprint(secret), "")
        except (NoAnswer, ValueError) as error:
            raise NotDone(502, f"The platform didn't register this server: {error}") from error
        finally:
            self._asking.release()
        return page(visit, "lti_registered.html", platform=made)

    def _invitation(self, secret: str) -> dict[str, Any]:
        kept = self._service.database.about(_INVITED + fingerprint(secret))
        invitation: dict[str, Any] = json.loads(kept) if kept else {"until": 0.0}
        if invitation["until"] < time.time():
            raise NotDone(
                403,
                "This address was used, or is too old. `grader serve lti invite` prints another.",
            )
        return invitation

    def _registered(self, url: str, token: str, is_local: bool) -> Platform:
        """Asks what the platform is, and registers there. Raises `NoAnswer`, or `ValueError`."""
        # Canvas shows its configuration only to who has the token. Hosted, it names three hosts:
        # its issuer's, one for the sign-in, and the school's for registration and gradebooks.
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        metadata = ask(url, headers=headers, is_local=is_local).object()
        names = ("issuer", "authorization_endpoint", "token_endpoint", "jwks_uri")
        issuer, auth, tokens, jwks = (_text(metadata, name) for name in names)
        place = _text(metadata, "registration_endpoint")
        if origin(issuer) != origin(url):
            raise ValueError("it names a different host than the one that answers")
        made = Platform(
            id="",
            issuer=issuer,
            client="",
            name=urlsplit(place).netloc,
            auth=auth,
            token=tokens,
            jwks=jwks,
            audience=str(metadata.get("authorization_server") or ""),
            origins=(origin(url), origin(place)),
            is_local=is_local,
        )
        if problem := made.problem():
            raise ValueError(problem)
        # What is signed for another platform's tokens would be valid there. Canvas names a host.
        hosts = {urlsplit(one).netloc for one in (issuer, auth, tokens, jwks, *made.origins)}
        if made.audience and (urlsplit(made.audience).netloc or made.audience) not in hosts:
            raise ValueError("its `authorization_server` is at a host that isn't its own")
        request = described(self._service.address, self._service.course.name, "dynamic")
        headers["Content-Type"] = "application/json"
        answer = ask(place, json.dumps(request).encode(), headers, is_local=is_local).object()
        client, tool = _text(answer, "client_id"), answer.get(_TOOL)
        deployment = tool.get("deployment_id") if isinstance(tool, dict) else None
        return replace(
            made,
            id=platform_id(issuer, client),
            client=client,
            deployments=(str(deployment),) if deployment else (),
        )


def _text(document: dict[str, Any], name: str) -> str:
    text = document.get(name)
    if not isinstance(text, str) or not 0 < len(text) < 2000:
        raise ValueError(f"it doesn't say its `{name}`")
    return text
