"""What an example prints, and the values that it shows."""

import io
from typing import Any


class TooMuch(BaseException):
    """The code printed too much. A student's `except Exception` doesn't catch this."""


class Output(io.StringIO):
    """Replaces `sys.stdout` for one example. Printed text and shown values are kept apart."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit
        self.renew()

    def write(self, text: str) -> int:
        self._room -= len(text)
        if self._room < 0:
            raise TooMuch
        return super().write(text)

    def show(self, value: Any) -> None:
        """The interpreter's answer to an expression: its repr, unless it is None."""
        if value is not None:
            self.shown += repr(value) + "\n"

    def renew(self) -> None:
        """Empties this object in place: a student's module may have kept it."""
        self.seek(0)
        self.truncate()
        self.shown, self._room = "", self._limit
