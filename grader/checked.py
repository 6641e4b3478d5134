"""What a student's own check found out: records, as in `grader.model`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from grader.model import Advice


class Status(StrEnum):
    """How far a student is with an exercise, judged by the examples in it."""

    PASSED = "passed"
    TO_FIX = "to fix"
    NOT_STARTED = "not started"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: a sentence with the cause, what to do, and the evidence."""

    sentence: str
    todo: str = ""
    line: int | None = None  #: with `code`, the place in the student's file
    code: str = ""
    text: str = ""  #: what the docstring says before the example
    example: str = ""
    expected: str = ""
    got: str = ""
    printed: str = ""  #: by the code, besides its answer
    error: str = ""  #: its class and text
    advice: Advice | None = None  #: where `sentence` and `todo` are from, if the cause is known

    @property
    def cause(self) -> tuple[str, int | None] | None:
        """Equal for findings that one mistake makes; None if no cause is known."""
        return None if self.advice is None else (self.advice.cause, self.advice.line)

    @property
    def evidence(self) -> tuple[tuple[str, str], ...]:
        labels = ("text", "example", "expected", "got", "printed", "error")
        return tuple((label, text) for label in labels if (text := getattr(self, label)))


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a student's own check found out about one exercise."""

    exercise: str
    path: str
    status: Status
    examples: int = 0  #: how many its docstring holds; 0 if the code didn't load
    findings: tuple[Finding, ...] = ()
    hints: tuple[Advice, ...] = ()  #: likely mistakes in the code, also if all examples pass
    picture: Mapping[str, Any] = field(default_factory=dict)  #: see `grader.student.pictures`

    @property
    def passed(self) -> bool:
        return self.status is Status.PASSED

    @property
    def is_wrong(self) -> bool:
        """Whether there is a mistake. It is none if an exercise is not started."""
        return self.status in (Status.TO_FIX, Status.MISSING)
