"""Keys: this server's own, with which it signs, and the platforms', which sign for their people.

own    two of RSA in `serve.db`: one signs, the next is already known to the platforms
theirs fetched from the platform's address, and again for a key that isn't known, once in a while
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections import defaultdict
from contextlib import suppress
from typing import Any

from joserfc import jws, jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey, RSAKey

from grader.serve.database import Database
from grader.serve.lti.net import NoAnswer, ask
from grader.serve.lti.records import Platform
from grader.serve.people import DAY

ROTATES = 90 * DAY
KEPT = 3600.0
MOST_FETCHES, PAUSE = 4, 60.0
"""Of one platform's keys, in so many seconds."""
MOST_KEYS = 50
LEAST_BITS = 2048
_OWN, _STATE = "lti keys", "lti state"


class OwnKeys:
    """Of one server. They are made when they are first needed."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._lock = threading.Lock()

    def _pair(self) -> list[RSAKey]:
        with self._lock:
            kept: dict[str, Any] = json.loads(self._db.about(_OWN) or '{"at": 0, "keys": []}')
            keys = [RSAKey.import_key(text) for text in kept["keys"]]
            if time.time() - kept["at"] > ROTATES:
                keys = [*keys[1:], *(_made() for _ in range(1 if keys else 2))]
                renewed = {"at": time.time(), "keys": [key.as_dict(private=True) for key in keys]}
                self._db.remember(_OWN, json.dumps(renewed))
        return keys

    def public(self) -> dict[str, Any]:
        """Both, as platforms fetch them."""
        return {"keys": [key.as_dict(private=False) for key in self._pair()]}

    def signed(self, claims: dict[str, Any], seconds: float) -> str:
        """A token for a platform, good for a short time."""
        now, key = int(time.time()), self._pair()[0]
        defaults = {"iat": now, "exp": now + int(seconds), "jti": secrets.token_urlsafe(16)}
        return jwt.encode({"alg": "RS256", "kid": key.kid}, {**defaults, **claims}, key)

    def state(self, claims: dict[str, Any], seconds: float) -> str:
        """What comes back with a launch. Only this server can make and read it."""
        payload = {**claims, "exp": int(time.time() + seconds)}
        return jwt.encode({"alg": "HS256"}, payload, self._secret())

    def read_state(self, text: str) -> dict[str, Any] | None:
        try:
            claims = jwt.decode(text, self._secret(), algorithms=["HS256"]).claims
        except (JoseError, ValueError, TypeError):
            return None
        return claims if claims.get("exp", 0) > time.time() else None

    def _secret(self) -> OctKey:
        with self._lock:
            if not (kept := self._db.about(_STATE)):
                self._db.remember(_STATE, kept := secrets.token_hex(32))
        return OctKey.import_key(kept)


class TheirKeys:
    """Of all platforms, as long as the server lives."""

    def __init__(self) -> None:
        self._fetching: dict[str, threading.Lock] = defaultdict(threading.Lock)
        self._known: dict[str, tuple[float, dict[str, RSAKey]]] = {}
        self._asked: dict[str, list[float]] = defaultdict(list)

    def claims(self, platform: Platform, token: str) -> dict[str, Any]:
        """What a token says, if this platform signed it. Raises `ValueError` with the reason."""
        try:
            header = jws.extract_compact(token.encode()).headers()
            name = header.get("kid")
            if header.get("alg") != "RS256" or not isinstance(name, str) or "crit" in header:
                raise ValueError("its header must name RS256 and a key")
            return dict(jwt.decode(token, self._key(platform, name), algorithms=["RS256"]).claims)
        except NoAnswer as error:
            raise ValueError(f"its keys can't be read from {platform.jwks}: {error}") from error
        except (JoseError, TypeError, RecursionError, UnicodeError) as error:
            raise ValueError(f"its signature is wrong ({type(error).__name__})") from error

    def fetch(self, platform: Platform) -> dict[str, RSAKey]:
        """Fetches the keys: one fetch at a time, `MOST_FETCHES` in a minute. Raises `NoAnswer`."""
        if not self._fetching[platform.id].acquire(blocking=False):
            raise NoAnswer("they are being fetched. Open the link again")
        try:
            now, fetches = time.monotonic(), self._asked[platform.id]
            fetches[:] = [at for at in fetches if now - at < PAUSE]
            if len(fetches) >= MOST_FETCHES:
                raise NoAnswer("they were fetched a moment ago. Open the link again in a minute")
            fetches.append(now)
            keys = _usable(ask(platform.jwks, is_local=platform.is_local).object())
            if not keys:
                raise NoAnswer("it shows no usable key")
            self._known[platform.jwks] = (now, keys)
            return keys
        finally:
            self._fetching[platform.id].release()

    def _key(self, platform: Platform, name: str) -> RSAKey:
        at, keys = self._known.get(platform.jwks, (-KEPT, {}))
        if name not in keys or time.monotonic() - at >= KEPT:
            try:
                keys = self.fetch(platform)
            except NoAnswer:
                if name not in keys:  # a key that is known holds until a new one can be had
                    raise
        if name not in keys:
            raise ValueError("its key isn't one of the platform's")
        return keys[name]


def _usable(document: dict[str, Any]) -> dict[str, RSAKey]:
    """The keys that may sign a launch, by their names. Others are left out."""
    keys = document.get("keys")
    usable: dict[str, RSAKey] = {}
    for key in keys[:MOST_KEYS] if isinstance(keys, list) else ():
        if not isinstance(key, dict) or key.get("kty") != "RSA" or key.get("use", "sig") != "sig":
            continue
        with suppress(JoseError, ValueError, TypeError, KeyError):
            is_strong = len(key["n"]) * 6 >= LEAST_BITS  # in base 64
            if is_strong and "d" not in key:
                usable[str(key["kid"])] = RSAKey.import_key(key)
    return usable


def _made() -> RSAKey:
    return RSAKey.generate_key(2048, {"use": "sig", "alg": "RS256"}, auto_kid=True)
