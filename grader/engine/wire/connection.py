"""A sandboxed process's end of the channel to the judge: answers questions, one at a time.

While a question is answered, the code behind it may call a function that stays in the judge.
"""

import os
import socket
import threading
import traceback
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from grader.engine import wire
from grader.records.student_code import places

MAX_TEXT = 4000


class Connection:
    """For student, bench and probe."""

    def __init__(self, channel: socket.socket, request: dict[str, Any]) -> None:
        # Plain reads and writes work in a sandbox that filters network calls.
        self._descriptor = channel.fileno()
        self._path = request.get("path", "")
        self._seq = 0
        self._asking = threading.Lock()
        self._frames = self._received(wire.Decoder(request["limits"]["message_mb"] << 20))

    def serve(self, verbs: dict[str, Callable[..., Any]]) -> NoReturn:
        """Answers each question with one answer, until the judge closes the channel."""
        for frame in self._frames:
            self._seq = frame.seq
            try:
                answer = wire.encode(frame.seq, "ok", verbs[frame.kind](**frame.value))
            except BaseException as error:
                answer = wire.encode(frame.seq, "raised", describe(error, self._path))
            self._send(answer)
        raise SystemExit(0)

    def call_back(self, value: Any) -> Any:
        """Asks the judge in the middle of a question, and waits for what it says.

        A student's code may do so in several threads at once. They get their answers in turn.
        """
        with self._asking:
            self._send(wire.encode(self._seq, wire.CALLS_BACK, value))
            return next(self._frames).value

    def _received(self, decoder: wire.Decoder) -> Iterator[wire.Frame]:
        while data := os.read(self._descriptor, 1 << 18):
            yield from decoder.feed(data)

    def _send(self, data: bytes) -> None:
        unsent = memoryview(data)
        while unsent:
            unsent = unsent[os.write(self._descriptor, unsent) :]


def describe(error: BaseException, path: str) -> dict[str, Any]:
    """An exception as data: its classes, its text, and where in the student's file it was."""
    own = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == path]
    line = own[-1].lineno if own else None
    if isinstance(error, SyntaxError) and error.filename == path:
        line = error.lineno
    try:
        text = str(error)
    except BaseException:
        text = ""
    return {
        "classes": [cls.__name__ for cls in type(error).__mro__][:20],
        "text": text[:MAX_TEXT],
        "line": line,
        "places": places(error, path),
        "trace": "".join(traceback.format_list(own))[-MAX_TEXT:],
    }
