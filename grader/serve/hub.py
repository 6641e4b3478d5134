"""Signed in by JupyterHub, as its service: the three requests of OAuth by hand.

    /hub-login --> the Hub's own page --> /oauth_callback?code= --> POST token --> GET user
    header `Authorization: token ...` --> GET user      a notebook's own token, for programs

The Hub tells this service its addresses and its secret by environment variables. It says of every
token whose it is, also of one that was made for another service. So only a token counts that may
be used here, as its scopes say: else another service could sign in as its own visitors.
"""

from __future__ import annotations

import http.client
import json
import logging
import os
import secrets
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from grader.records.errors import UsageError
from grader.records.model import Person
from grader.serve.pages import go, with_session
from grader.serve.people import SESSION, People, Who
from grader.serve.service import NotDone
from grader.serve.visit import ANYBODY, View, Visit

log = logging.getLogger(__name__)
SECONDS = 10.0
MOST_BYTES = 1 << 20
STATE = "grader-hub-state"
_REFUSED = (400, 401, 403, 404)
_NEEDED = (
    "JUPYTERHUB_API_URL",
    "JUPYTERHUB_API_TOKEN",
    "JUPYTERHUB_CLIENT_ID",
    "JUPYTERHUB_BASE_URL",
    "JUPYTERHUB_OAUTH_ACCESS_SCOPES",
)


@dataclass
class Hub:
    """One Hub, and who it says is there."""

    people: People
    api: str
    token: str
    client: str
    login: str
    callback: str
    scopes: frozenset[str]
    """A token with one of these may be used here."""

    @property
    def views(self) -> tuple[View, ...]:
        return (
            View("GET", "/hub-login", self.get_login, ANYBODY),
            View("GET", "/oauth_callback", self.get_callback, ANYBODY),
        )

    def get_login(self, visit: Visit) -> Response:
        state = secrets.token_urlsafe(24)
        about = {"client_id": self.client, "redirect_uri": self.callback}
        query = urllib.parse.urlencode({**about, "response_type": "code", "state": state})
        answer = go(f"{self.login}?{query}")
        secure = visit.service.is_https
        answer.set_cookie(STATE, state, max_age=600, httponly=True, samesite="lax", secure=secure)
        return answer

    def get_callback(self, visit: Visit) -> Response:
        query = visit.request.query_params
        state = visit.request.cookies.get(STATE, "")
        if not state or not secrets.compare_digest(state.encode(), query.get("state", "").encode()):
            raise NotDone(403, "This sign-in didn't start in this browser. Sign in again.")
        form = {
            "client_id": self.client,
            "client_secret": self.token,
            "grant_type": "authorization_code",
            "code": query.get("code", ""),
            "redirect_uri": self.callback,
        }
        token = self._asked("/oauth2/token", data=urllib.parse.urlencode(form).encode())
        who = self.owner(str(token.get("access_token", "")))
        if who is None:
            raise NotDone(403, "JupyterHub doesn't say who you are. Sign in again.")
        answer = with_session(visit.service, self.people.issue(SESSION, who.id, role=who.role), "/")
        answer.delete_cookie(STATE)
        return answer

    def owner(self, token: str) -> Who | None:
        """Whose token of the Hub this is. A new user of the Hub becomes a student."""
        user = self._asked("/user", token) if token else {}
        name, scopes = user.get("name"), user.get("scopes")
        if not isinstance(name, str) or not name or user.get("kind") != "user":
            return None
        if not isinstance(scopes, list) or self.scopes.isdisjoint(map(str, scopes)):
            return None
        return self.people.joined(Person(name, login=name))

    def _asked(self, path: str, token: str = "", data: bytes | None = None) -> dict[str, Any]:
        """What the Hub answers: nothing, if it refuses."""
        headers = {"Authorization": f"token {token}"} if token else {}
        request = urllib.request.Request(self.api + path, data, headers)
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                document = json.loads(answer.read(MOST_BYTES))
        except (OSError, ValueError, http.client.HTTPException) as error:
            status = 0
            if isinstance(error, urllib.error.HTTPError):
                status = error.code
                error.close()
            # The error's own text could hold the token.
            log.warning("JupyterHub, asked for %s: %s", path, status or type(error).__name__)
            if status in _REFUSED:
                return {}
            raise NotDone(502, "JupyterHub sent an invalid answer. Try again.") from error
        return document if isinstance(document, dict) else {}


def from_environment(people: People, address: str, env: Mapping[str, str] = os.environ) -> Hub:
    """The Hub that has started this service. Raises `UsageError` if none has."""
    if absent := [name for name in _NEEDED if not env.get(name)]:
        raise UsageError(
            f"JupyterHub hasn't started this: `{absent[0]}` isn't set. Put `grader serve` into "
            "`c.JupyterHub.services`, as `docs/serve.md` shows."
        )
    api, token, client, base, scopes = (env[name] for name in _NEEDED)
    # The Hub knows where people find it if its `public_url` is set.
    there = env.get("JUPYTERHUB_PUBLIC_HUB_URL") or f"{env.get('JUPYTERHUB_HOST', '')}{base}hub/"
    login = f"{there.rstrip('/')}/api/oauth2/authorize"
    # JUPYTERHUB_OAUTH_CALLBACK_URL is behind the Hub's proxy, where these pages aren't.
    callback = f"{address}/oauth_callback"
    return Hub(people, api, token, client, login, callback, frozenset(json.loads(scopes)))
