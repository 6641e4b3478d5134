"""What a view gets and what it is: shared by all packages with pages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from starlette.requests import Request
from starlette.responses import Response

from grader.serve.people import Who

if TYPE_CHECKING:
    from grader.serve.service import Service

ANYBODY, MEMBER, TEACHER = "anybody", "member", "teacher"


@dataclass
class Visit:
    """A request whose body is read and whose sender is known."""

    service: Service
    request: Request
    who: Who | None
    place: dict[str, str]  #: the names in the path
    form: dict[str, str] = field(default_factory=dict)
    file: tuple[str, bytes] | None = None  #: an upload: its name and its bytes
    at: float = 0.0  #: when the last byte was here

    @property
    def member(self) -> Who:
        """Who asks, where the dispatcher has refused everybody else."""
        assert self.who is not None
        return self.who


@dataclass(frozen=True)
class View:
    """One route: a function that runs in a thread, or a coroutine in the event loop."""

    method: str
    path: str
    function: Callable[[Visit], Response] | Callable[[Visit], Awaitable[Response]]
    access: str = MEMBER
    takes_file: bool = False
    is_from_elsewhere: bool = False
    """Another site sends people here, with a proof of its own."""


class Extension(Protocol):
    """More pages than those of this server, and what runs as long as it does."""

    @property
    def views(self) -> Sequence[View]: ...

    async def run(self) -> None: ...
