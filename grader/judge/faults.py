"""The kinds of failure of a test, and whose fault each of them is.

    Fault (the student's)         BrokenSuiteError, HostError (not the student's)
    ├── Raised                    their code raised
    ├── TimedOut, OutOfMemory, Crashed    a limit, or the end of their process
    Mismatch (AssertionError)     a wrong value
    ├── TooSlow                   a lost race
    └── Refused                   a program that the bench won't run
    Undecided                     the machine was too noisy for a race: costs no points

`public` is the text that a student may read about a hidden test: no inputs, no expected values.
It leaves out the text of an exception, since the student's code could put both into that text.
"""

import builtins
from typing import Any

from grader.feedback.explain import explain
from grader.feedback.raised import Called
from grader.feedback.syntax import Spot
from grader.model import Advice, Outcome

# Names of classes that may be shown. Any other name comes from the student: it may hide data.
_KNOWN = {
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
}
_KNOWN |= set(
    "ConcretizationTypeError IndivisibleError JaxRuntimeError KeyReuseError LinAlgError "
    "NonConcreteBooleanIndexError TracerArrayConversionError TracerBoolConversionError "
    "TracerIntegerConversionError UnexpectedTracerError".split()
)

LIES = "Your code wrote to the grader's own channel. A function answers by returning a value."


class Fault(Exception):
    """The student's code gave no result. `public` says why, `detail` says more."""

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
        """An explanation, found from the classes and the student's own code."""


class TimedOut(Fault):
    """The student's code took longer than the exercise allows."""

    outcome = Outcome.TIMED_OUT


class OutOfMemory(Fault):
    """The student's code took more memory than the exercise allows."""

    outcome = Outcome.OUT_OF_MEMORY


class Crashed(Fault):
    """The student's process ended, sent too much, or broke the protocol."""


class Mismatch(AssertionError):
    """A wrong value: `public` names the kind of difference, `str(self)` says everything.

    `values` are what was returned and what was expected, where two values were compared.
    """

    values: tuple[Any, Any] | None = None
    advice: Advice | None = None

    def __init__(self, public: str, detail: str) -> None:
        super().__init__(f"{public}\n{detail}".strip())
        self.public = public


class Refused(Mismatch):
    """A program that the bench won't run."""


class TooSlow(Mismatch):
    """A lost race."""


class Undecided(Exception):
    """A race without a verdict. It costs no points; `public` says so to the student."""

    def __init__(self, public: str) -> None:
        super().__init__(public)
        self.public = public


def from_report(report: Any, path: str, source: str, called: Called | None = None) -> Fault:
    """The fault that a worker reported. No field is trusted: each is checked, cut or dropped.

    `called` is the function that was called.
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
    classes: tuple[str, ...], spots: list[Spot], source: str, called: Called | None
) -> Advice | None:
    try:
        return explain(classes, spots, source, called)
    except Exception:  # code of any kind comes here, and an error in feedback must cost no marks
        return None


def _spots(places: Any) -> list[Spot]:
    """The well-formed places in the student's file."""
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
