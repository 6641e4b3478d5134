"""What can go wrong in a test, and whose fault it is.

    Fault (the student's)         BrokenSuiteError, HostError (ours)
    ├── Raised                    their code raised
    ├── TimedOut, OutOfMemory, Crashed    a limit, or the end of their process
    Mismatch (AssertionError)     a value that isn't what it should be
    ├── TooSlow                   a race that is lost
    └── Refused                   a program that the bench won't run
    Undecided                     a race that this machine was too noisy for: nobody's fault

`public` is what a student may read of a hidden test: never an input, never an expected value.
An exception's text is the student's to write and could carry both, so it stays out.
"""

from __future__ import annotations

import builtins
from typing import Any

from grader.feedback import errors
from grader.feedback.syntax import Spot
from grader.model import Advice, Outcome

# Names of classes that may be shown. Any other is the student's own and could spell anything.
_KNOWN = {
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
} | {
    "ConcretizationTypeError",
    "IndivisibleError",
    "JaxRuntimeError",
    "KeyReuseError",
    "LinAlgError",
    "NonConcreteBooleanIndexError",
    "TracerArrayConversionError",
    "TracerBoolConversionError",
    "TracerIntegerConversionError",
    "UnexpectedTracerError",
}

LIES = "Your code wrote to the grader's own channel. A function answers by returning a value."


class Fault(Exception):
    """The student's code did not come to a result. `public` says why, `detail` says more."""

    outcome = Outcome.CRASHED

    def __init__(self, public: str, detail: str = "") -> None:
        super().__init__(f"{public}\n{detail}".strip())
        self.public = public
        self.detail = detail


class Raised(Fault):
    """The student's code raised; `classes` is the exception's MRO by name, most derived first."""

    outcome = Outcome.RAISED

    def __init__(
        self, public: str, detail: str, classes: tuple[str, ...], advice: Advice | None = None
    ) -> None:
        super().__init__(public, detail)
        self.classes = classes
        self.advice = advice
        """What it means, by its classes and the student's own code."""


class TimedOut(Fault):
    """The student's code took longer than the exercise allows."""

    outcome = Outcome.TIMED_OUT


class OutOfMemory(Fault):
    """The student's code took more memory than the exercise allows."""

    outcome = Outcome.OUT_OF_MEMORY


class Crashed(Fault):
    """The student's process ended, flooded, or broke the protocol."""


class Mismatch(AssertionError):
    """A value that isn't what it should be: `public` names the kind, `str(self)` everything.

    `values` are what was returned and what was expected, if it was about two values.
    """

    values: tuple[Any, Any] | None = None
    advice: Advice | None = None

    def __init__(self, public: str, detail: str) -> None:
        super().__init__(f"{public}\n{detail}".strip())
        self.public = public


class Refused(Mismatch):
    """A program that the bench won't run."""


class TooSlow(Mismatch):
    """A race that is lost: by the clock, but not by its noise."""


class Undecided(Exception):
    """A race without a verdict. It costs no points; `public` says so to the student."""

    def __init__(self, public: str) -> None:
        super().__init__(public)
        self.public = public


def from_report(report: Any, path: str, source: str, called: errors.Called | None = None) -> Fault:
    """The fault that a worker reported. Every field is a claim: checked, cut, or dropped.

    `called` is what was asked of it.
    """
    report = report if isinstance(report, dict) else {}
    given = report.get("classes")
    classes = tuple(str(name)[:80] for name in given[:20]) if isinstance(given, list) else ()
    text = str(report.get("text", ""))[:4000]
    detail = (
        f"{classes[0] if classes else 'Exception'}: {text}\n{str(report.get('trace', ''))[:8000]}"
    )
    where = _where(report.get("line"), path, source)
    if "MemoryError" in classes or text.startswith("RESOURCE_EXHAUSTED"):
        return OutOfMemory(f"Your code asked for more memory than there is{where}.", detail)
    advice = _advice(classes, _spots(report.get("places")), source, called)
    return Raised(_sentence(classes, where, path), detail, classes, advice)


def _advice(
    classes: tuple[str, ...], spots: list[Spot], source: str, called: errors.Called | None
) -> Advice | None:
    try:
        return errors.explain(classes, spots, source, called)
    except Exception:  # a student's code is anything, and feedback must not cost a mark
        return None


def _spots(places: Any) -> list[Spot]:
    """Places in the student's file, of those that are four numbers."""
    found = []
    for place in places[:30] if isinstance(places, list) else ():
        if isinstance(place, list) and len(place) == 4 and type(place[0]) is int:
            rest = [number if type(number) is int else None for number in place[1:]]
            found.append(Spot(place[0], *rest))
    return found


def _sentence(classes: tuple[str, ...], where: str, path: str) -> str:
    first = classes[0] if classes else ""
    if first == "NotDefined":
        return f"`{path}` does not define the function that this exercise asks for."
    if first == "NotData":
        return (
            "Your function returned something that is not an array, a number, a function, or a "
            "list, tuple or dict of these."
        )
    if first == "NotImplementedError":
        return f"There is nothing here yet: NotImplementedError{where}."
    if first == "SystemExit":
        return f"Your code tried to leave the program (SystemExit){where}."
    known = next((name for name in classes if name in _KNOWN), "Exception")
    own = "" if known == first else "an exception of your own, a kind of "
    return f"Your code raised {own}{known}{where}."


def _where(line: Any, path: str, source: str) -> str:
    lines = source.splitlines()
    if not isinstance(line, int) or isinstance(line, bool) or not 1 <= line <= len(lines):
        return ""
    return f" at line {line} of `{path}`: `{lines[line - 1].strip()[:120]}`"
