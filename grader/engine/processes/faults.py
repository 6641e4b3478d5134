"""The kinds of failure of a test, and whose fault each of them is.

    Fault (the student's)         BrokenSuiteError, HostError (not the student's)
    ├── Raised                    their code raised
    ├── TimedOut, OutOfMemory, Crashed    a limit, or the end of their process
    Mismatch (AssertionError)     a wrong value
    ├── TooSlow                   a lost race
    ├── Refused                   a program that the bench won't run
    └── Uncounted                 a program whose work can't be counted
    Undecided                     the machine was too noisy for a race: costs no points
    TooBusy (HostError)           the machine is too busy for any verdict: the test is broken

`public` is a text without inputs and expected values, in one line. It leaves out the text of an
exception. `detail` holds everything.
"""

import builtins
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from grader.feedback.explain import explain, not_python
from grader.feedback.raised import Called
from grader.feedback.syntax import Spot
from grader.records.errors import HostError
from grader.records.model import MOST_CROWDED, Advice, Outcome

# In place of the name of a class.
SOME = "an exception"
# Raised by the worker itself.
NOT_DEFINED, NOT_DATA, CHANGED_INPUT = "NotDefined", "NotData", "ChangedInput"
KEPT_ELSEWHERE = "KeptElsewhere"
LIES = "Your code wrote to the grader's own channel. A function answers by returning a value."


class Fault(Exception):
    """The student's code gave no result. `public` says why, `detail` says more."""

    outcome = Outcome.CRASHED

    def __init__(self, public: str, detail: str = "") -> None:
        super().__init__(f"{public}\n{detail}".strip())
        self.public = public
        self.detail = detail

    def again(self) -> Self:
        """An equal one for another test, without what a test has added to this one on its way."""
        made = type(self).__new__(type(self), *self.args)
        vars(made).update({name: value for name, value in vars(self).items() if name != "case"})
        return made


class Raised(Fault):
    """The student's code raised; `classes` is the exception's MRO by name, most derived first."""

    outcome = Outcome.RAISED

    advice: Advice | None = None
    """An explanation, found from the classes, the text and the student's own code."""
    spots: Sequence[Spot] = ()
    """The student's own frames, innermost last."""

    def __init__(self, public: str, detail: str, classes: tuple[str, ...], text: str = "") -> None:
        super().__init__(public, detail)
        self.classes = classes
        self.text = text


class TimedOut(Fault):
    """The student's code took longer than the exercise allows."""

    outcome = Outcome.TIMED_OUT


class OutOfMemory(Fault):
    """The student's code took more memory than the exercise allows."""

    outcome = Outcome.OUT_OF_MEMORY


class Crashed(Fault):
    """The student's process ended, sent too much, or broke the protocol."""


@dataclass(frozen=True)
class Difference:
    """The first difference between what was returned and what was expected."""

    path: str  #: of the place in what was expected; empty for all of it
    kind: str  #: "structure", "shape", "dtype", "nan", "value" or "text"
    said: str = ""  #: what was expected and what came, in one line
    got: Any = None  #: with `expected`, arrays of one shape: if values differ
    expected: Any = None
    wrong: Any = None  #: where they differ
    allowed: Any = 0  #: how much they may differ


class Mismatch(AssertionError):
    """A wrong value: `public` names the kind of difference, `str(self)` says everything.

    `values` are what was returned and what was expected, where two values were compared, and
    `difference` is the first difference between them.
    """

    outcome = Outcome.FAILED
    values: tuple[Any, Any] | None = None
    terms: Mapping[str, float | None] = {}
    """The tolerances of the comparison."""
    advice: Advice | None = None

    def __init__(self, public: str, detail: str, difference: Difference | None = None) -> None:
        super().__init__(f"{public}\n{detail}".strip())
        self.public = public
        self.difference = difference


class Refused(Mismatch):
    """A program that the bench won't run."""


class Uncounted(Mismatch):
    """A suite asks how much a program computes, and nobody can count it."""

    def __init__(self, calls_a_library: bool) -> None:
        why = "it calls a library (LAPACK)"
        if not calls_a_library:
            why = "how often a loop runs depends on the values"
        super().__init__(f"The work of your program can't be counted: {why}.", "")


class TooSlow(Mismatch):
    """A lost race."""


class Undecided(Exception):
    """A race without a verdict. It costs no points; `public` says so to the student."""

    outcome = Outcome.UNDECIDED

    def __init__(self, public: str) -> None:
        super().__init__(public)
        self.public = public


class TooBusy(HostError):
    """The student's code waited for a core so long that nobody can say whether it takes long."""

    outcome = Outcome.BROKEN
    public = (
        "This test can't be scored: the machine was too busy. Your code waited for a core nearly "
        "all the time."
    )

    def __init__(self) -> None:
        super().__init__(
            "the machine is too busy to judge: the submission's processes waited for a core until "
            f"{MOST_CROWDED} times their limit had passed. Run the same command again with fewer "
            "judges (`--jobs`), or when the machine is less busy."
        )


def from_report(report: Any, path: str, source: str, called: Called | None = None) -> Fault:
    """The fault that a worker reported. No field is trusted: each is checked, cut or dropped.

    `called` is the function that was called.
    """
    report = report if isinstance(report, dict) else {}
    names = report.get("classes")
    classes = tuple(str(name)[:80] for name in names[:20]) if isinstance(names, list) else ()
    text = str(report.get("text", ""))[:4000]
    detail = (
        f"{classes[0] if classes else 'Exception'}: {text}\n{str(report.get('trace', ''))[:8000]}"
    )
    where = _where(_line(report.get("line"), source), path, source)
    if "MemoryError" in classes or text.startswith("RESOURCE_EXHAUSTED"):
        return OutOfMemory(f"Your code requested more memory than there is{where}.", detail)
    said = _sentence(classes, where, path) if source.strip() else f"`{path}` contains no code."
    fault = Raised(said, detail, classes, text)
    fault.spots = _spots(report.get("places"))
    fault.advice = _advice(classes, fault.spots, source, called, text)
    return fault


def _advice(
    classes: tuple[str, ...], spots: Sequence[Spot], source: str, called: Called | None, text: str
) -> Advice | None:
    try:
        return explain(classes, spots, source, called, text=text) or not_python(classes, source)
    except Exception:  # code of any kind comes here, and an error in feedback must cost no marks
        return None


def _spots(places: Any) -> list[Spot]:
    """The well-formed places in the student's file."""
    spots = []
    for place in places[:30] if isinstance(places, list) else ():
        if isinstance(place, list) and len(place) == 4 and type(place[0]) is int:
            rest = [number if type(number) is int else None for number in place[1:]]
            spots.append(Spot(place[0], *rest))
    return spots


def _sentence(classes: tuple[str, ...], where: str, path: str) -> str:
    first = classes[0] if classes else ""
    if first == NOT_DEFINED:
        return f"`{path}` does not define the function that this exercise requires."
    if first == NOT_DATA:
        return (
            "Your function returned something that is not an array, a number, a function, or a "
            "list, tuple or dict of these."
        )
    if first == CHANGED_INPUT:
        return (
            "Your function changed a list or a dict that was passed to it, or donated an array "
            "(`donate_argnums`). The caller may need it: build a new one."
        )
    if first == KEPT_ELSEWHERE:
        return (
            "Your backward pass uses an array that the forward pass doesn't pass on. Everything "
            "that a `jax.custom_vjp` rule needs must be an argument, or among the values it keeps."
        )
    # JAX raises it, too, for what it can't do yet.
    if first == "NotImplementedError" and "raise NotImplementedError" in where:
        return f"There is nothing here yet: NotImplementedError{where}."
    if first == "SystemExit":
        return f"Your code tried to exit the program (SystemExit){where}."
    base = next(filter(_is_known, classes), "")
    named = base or SOME
    if base != first and first != SOME:
        named = f"a kind of {base}" if base else SOME
    return f"Your code raised {named}{where}."


def _is_known(name: str) -> bool:
    """Whether it is a class of Python's, JAX's or NumPy's: a worker may claim any."""
    # A judge starts its sandbox before it imports JAX, and the sandbox needs this module.
    import jax
    import numpy as np

    kinds = (vars(module).get(name) for module in (builtins, jax.errors, np.linalg))
    return any(isinstance(kind, type) and issubclass(kind, BaseException) for kind in kinds)


def _line(line: Any, source: str) -> int | None:
    """A line of the source on which something stands, or None."""
    lines = source.splitlines()
    if type(line) is not int or not 1 <= line <= len(lines):
        return None
    return line if lines[line - 1].strip() and lines[line - 1].strip()[0] != "#" else None


def _where(line: int | None, path: str, source: str) -> str:
    if line is None:
        return ""
    return f" at line {line} of `{path}`: `{source.splitlines()[line - 1].strip()[:120]}`"
