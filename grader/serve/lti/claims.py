"""What a platform says about a launch: typed, and checked one by one.

id_token --signature--> claims --LtiLaunch--> checked, or `ValueError` with the reason
"""

from __future__ import annotations

import time
from typing import Annotated, Any

import msgspec

from grader.records.safe_text import line
from grader.serve.lti.records import Platform

LTI = "https://purl.imsglobal.org/spec/lti/claim/"
AGS = "https://purl.imsglobal.org/spec/lti-ags/"
DEEP = "https://purl.imsglobal.org/spec/lti-dl/claim/"
LAUNCH, DEEP_LINK = "LtiResourceLinkRequest", "LtiDeepLinkingRequest"
SCOPES = (f"{AGS}scope/score", f"{AGS}scope/lineitem")
LEEWAY, OLDEST = 60.0, 600.0
"""Seconds by which clocks may differ, and how old a launch may be."""

# Of the course alone: who teaches elsewhere, or runs the platform, doesn't teach here.
_MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership#"
TEACHES = {f"{_MEMBERSHIP}Instructor", f"{_MEMBERSHIP}Administrator", "Instructor", "Administrator"}

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=255)]
Url = Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]


class Context(msgspec.Struct):
    id: Name
    title: str = ""
    label: str = ""


class ResourceLink(msgspec.Struct):
    id: Name
    title: str = ""


class Sourced(msgspec.Struct):
    person_sourcedid: str = ""


class Gradebook(msgspec.Struct):
    """Where the platform keeps marks of this link."""

    scope: list[str] = []
    lineitem: str = ""
    lineitems: str = ""


class DeepSettings(msgspec.Struct):
    deep_link_return_url: Url
    accept_types: list[str]
    accept_lineitem: bool = True
    data: str | None = None


def _named(name: str, default: Any = msgspec.NODEFAULT) -> Any:
    return msgspec.field(name=name, default=default)


class LtiLaunch(msgspec.Struct, kw_only=True):
    """The claims that this server uses."""

    iss: str
    aud: str | list[str]
    azp: str | None = None
    sub: Name
    nonce: Name
    iat: float
    exp: float
    name: str = ""
    message: str = _named(f"{LTI}message_type")
    version: str = _named(f"{LTI}version")
    deployment: Name = _named(f"{LTI}deployment_id")
    target: Url | None = _named(f"{LTI}target_link_uri", None)
    roles: list[str] = _named(f"{LTI}roles")
    context: Context | None = _named(f"{LTI}context", None)
    link: ResourceLink | None = _named(f"{LTI}resource_link", None)
    custom: dict[str, Any] | None = _named(f"{LTI}custom", None)
    sourced: Sourced | None = _named(f"{LTI}lis", None)
    gradebook: Gradebook | None = _named(f"{AGS}claim/endpoint", None)
    deep: DeepSettings | None = _named(f"{DEEP}deep_linking_settings", None)

    @property
    def teaches(self) -> bool:
        return not TEACHES.isdisjoint(self.roles)

    @property
    def place(self) -> str:
        """The id of the course, where the platform says it."""
        return self.context.id if self.context else ""

    @property
    def course(self) -> str:
        """What people call it."""
        return line((self.context.title or self.context.label) if self.context else "", 100)

    def parameter(self, name: str) -> str:
        """A custom parameter: a variable that wasn't replaced is none."""
        value = (self.custom or {}).get(name)
        return value if isinstance(value, str) and not value.startswith("$") else ""


def checked(claims: dict[str, Any], platform: Platform, nonce: str, address: str) -> LtiLaunch:
    """The launch. Raises `ValueError` with what isn't right."""
    try:
        launch = msgspec.convert(_without_nulls(claims), LtiLaunch)
        msgspec.json.encode(launch)  # half a sign is no text
    except (msgspec.ValidationError, UnicodeError) as error:
        raise ValueError(f"a claim is invalid: {error}") from error
    clients = [launch.aud] if isinstance(launch.aud, str) else launch.aud
    now = time.time()
    wrong = {
        "it was sent by another platform": launch.iss != platform.issuer,
        "it is for another tool": platform.client not in clients,
        "it was made for another tool": launch.azp != platform.client
        and (launch.azp is not None or len(clients) > 1),
        "it has expired: open the link again": not now - LEEWAY < launch.exp,
        "it is too old, or from the future: check the clocks": not (
            now - OLDEST - LEEWAY < launch.iat < now + LEEWAY
        ),
        "it doesn't answer a sign-in that started here": launch.nonce != nonce,
        "it isn't LTI 1.3": launch.version != "1.3.0",
        "its deployment isn't accepted here": bool(platform.deployments)
        and launch.deployment not in platform.deployments,
        "its message is of an unknown kind": launch.message not in (LAUNCH, DEEP_LINK),
        "it leads to another server": launch.target is not None
        and launch.target.partition("?")[0].rstrip("/") != address
        and not launch.target.startswith(f"{address}/"),
        "it doesn't say in which course it was opened": not launch.place,
        "it doesn't say which link was opened": launch.message == LAUNCH and launch.link is None,
        "it doesn't say where the choice goes": launch.message == DEEP_LINK and launch.deep is None,
    }
    if reasons := [reason for reason, is_so in wrong.items() if is_so]:
        raise ValueError(reasons[0])
    book, deep = launch.gradebook or Gradebook(), launch.deep
    for url in (book.lineitem, book.lineitems, deep.deep_link_return_url if deep else ""):
        if url and not platform.owns(url):
            raise ValueError(f"`{line(url, 200)}` isn't an address of {platform.name}")
    return launch


def _without_nulls(claims: dict[str, Any]) -> dict[str, Any]:
    """What a platform doesn't know it may leave out, or call null."""
    return {
        name: {n: v for n, v in value.items() if v is not None}
        if isinstance(value, dict)
        else value
        for name, value in claims.items()
        if value is not None
    }
