"""Requests to a platform: to the addresses that were registered, and to nothing on this machine.

    ask --https, no redirect, a deadline, at most 1 MB--> Reply, or `NoAnswer`

A name is resolved once, and what it resolved to is asked: so it can't change after the check.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import re
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

SECONDS, WHOLE = 10.0, 20.0
"""For one read, and for all of an answer."""
MOST_BYTES = 1 << 20
_HOST = re.compile(r"[A-Za-z0-9.-]+", re.ASCII)


class NoAnswer(Exception):
    """A platform can't be asked, or answers with nothing that can be read. Another try may help."""


@dataclass(frozen=True)
class Reply:
    """What came back; every status is one."""

    status: int
    body: bytes
    wait: float = 0.0  #: seconds, as the platform asks for

    @property
    def is_good(self) -> bool:
        return 200 <= self.status < 300

    @property
    def words(self) -> str:
        """What a person can read of it."""
        text = " ".join(self.body[:2000].decode(errors="replace").split())
        is_page = text.startswith("<")
        return f"{self.status} {'(a page)' if is_page else text[:300]}".strip()

    def object(self) -> dict[str, Any]:
        """The JSON object in it. Raises `NoAnswer`."""
        try:
            document = json.loads(self.body)
        except (ValueError, RecursionError):
            document = None
        if not self.is_good or not isinstance(document, dict):
            # The words of a good answer may hold a secret.
            problem = "what can't be read" if self.is_good else self.words
            raise NoAnswer(f"no JSON object came back, but {problem}")
        return document


def origin(url: str) -> str:
    """Scheme, host and port. Raises `ValueError` for what has none."""
    parts = urlsplit(url)
    port = parts.port or {"https": 443, "http": 80}.get(parts.scheme)
    if port is None or "@" in parts.netloc or not _HOST.fullmatch(parts.hostname or ""):
        raise ValueError(f"{url!r} is not an address")
    return f"{parts.scheme}://{parts.hostname}:{port}"


def is_allowed(url: str, *, is_local: bool) -> bool:
    """https; for a platform on this very machine, http to it alone."""
    try:
        scheme, host = urlsplit(origin(url)).scheme, urlsplit(url).hostname
    except ValueError:
        return False
    return host in ("127.0.0.1", "localhost") if is_local else scheme == "https"


def ask(
    url: str,
    data: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    *,
    is_local: bool = False,
) -> Reply:
    """GET, or POST with data. Raises `NoAnswer`."""
    if not is_allowed(url, is_local=is_local):
        raise NoAnswer(f"{url[:200]} is not an https address")
    parts = urlsplit(url)
    connection = _Connection(parts.hostname or "", parts.port, parts.scheme == "https", is_local)
    # Each read has its own limit, so a slow sender needs one for the whole.
    ending = threading.Timer(WHOLE, connection.end)
    ending.daemon = True
    ending.start()
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        kind = {"Accept": "application/json", **(headers or {})}
        connection.request("GET" if data is None else "POST", path, data, kind)
        got = connection.getresponse()
        body = got.read(MOST_BYTES + 1)
        if len(body) > MOST_BYTES:
            raise NoAnswer(f"{parts.hostname} answers with more than 1 MB")
        if got.length:
            raise NoAnswer(f"the answer of {parts.hostname} was cut off")
        wait = got.headers.get("Retry-After", "")
        return Reply(got.status, body, float(wait) if wait.isdecimal() else 0.0)
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise NoAnswer(f"{parts.hostname} doesn't answer ({type(error).__name__})") from error
    finally:
        ending.cancel()
        connection.leave()


class _Connection(http.client.HTTPConnection):
    """To an address that was checked."""

    def __init__(self, host: str, port: int | None, is_tls: bool, is_local: bool) -> None:
        super().__init__(host, port or (443 if is_tls else 80), timeout=SECONDS)
        self._is_tls, self._is_local = is_tls, is_local
        self._is_over = False
        self._own: socket.socket | None = None

    def connect(self) -> None:
        info = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        places = [place[4][0] for place in info if self._is_local or _is_elsewhere(place[4][0])]
        if not places:
            raise OSError("it is on this machine, or nowhere")
        self.sock = socket.create_connection((str(places[0]), self.port), self.timeout)
        self._own = self.sock.dup()  # which nothing else closes
        if self._is_over:
            raise OSError("its name was found too late")
        if self._is_tls:
            context = ssl.create_default_context()
            self.sock = context.wrap_socket(self.sock, server_hostname=self.host)

    def end(self) -> None:
        """Whoever reads from it, reads the end."""
        self._is_over = True
        if self._own is not None:
            with suppress(OSError):
                self._own.shutdown(socket.SHUT_RDWR)

    def leave(self) -> None:
        """`close` is called by an answer that hasn't been read yet, so it isn't the end."""
        self.close()
        if self._own is not None:
            self._own.close()


def _is_elsewhere(place: object) -> bool:
    """A school's platform may have a private address; this machine's own services are none."""
    address = ipaddress.ip_address(str(place).partition("%")[0])
    address = getattr(address, "ipv4_mapped", None) or address
    address = getattr(address, "sixtofour", None) or address
    is_strange = address.version == 6 and address.is_reserved
    return not (
        is_strange
        or address.is_loopback
        or address.is_link_local
        or address.is_multicast
        or address.is_unspecified
    )
