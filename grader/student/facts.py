"""What the process of the examples is asked and answers: records, each as a line of JSON.

    Question --> process --> Ready       once, when JAX is imported
                             RunningExample  before the file is loaded, and before each example
                             FileFacts   at the end of a file, with a Fact for each mistake
                             Ended       when no other answer will come

`grader.student.examples` makes the facts, `grader.student.check` puts them into words.
"""

from typing import Any

import msgspec

from grader.feedback.syntax import Spot


class Question(msgspec.Struct, frozen=True):
    """A file to run."""

    source: str
    prelude: str  #: the other cells of a notebook
    path: str
    pristine: str | None  #: the stub as it was given
    defines: tuple[str, ...]
    output_kb: int
    exercise: str = ""
    mistakes: str = ""  #: the path of the known mistakes, those of other exercises among them
    picture: str | None = None  #: code that sets `picture`; None if nothing is to be drawn
    only_stub: bool = False  #: the examples of the stub run, and the file's own don't
    answers: tuple[str, ...] | None = None  #: digests of right predictions


class ExampleText(msgspec.Struct, frozen=True):
    """An example as its docstring has it, and what was printed beside its answer."""

    line: int | None = None  #: in the file whose examples run; None if only the stub has any
    source: str = ""
    text_before: str = ""
    expected: str = ""
    printed: str = ""


# The facts


class _Fact(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """One mistake. `line` and `code` are its place in the student's file, if that is known."""

    example: ExampleText = ExampleText()  #: without a source while the file is loaded
    line: int | None = None
    code: str = ""


class NotPython(_Fact, frozen=True):
    text: str


class Undefined(_Fact, frozen=True):
    names: tuple[str, ...]


class NoExamples(_Fact, frozen=True):
    """Neither the file nor the stub has any."""


class Wrong(_Fact, frozen=True):
    """A result that isn't expected. If it is NaN, `line` makes the first one."""

    got: str
    difference: str = ""  #: in words
    relation: tuple[str, str] | None = None  #: to the right result: a cause, and its `times`
    is_claim: bool = False  #: the right result is a truth value
    nan: "FirstNan | None" = None


class FirstNan(msgspec.Struct, frozen=True):
    """How a line makes a NaN."""

    given: bool  #: the inputs may hold some
    backwards: bool  #: its derivative is NaN first


class Mispredicted(_Fact, frozen=True):
    """Entries of a list of predictions that are wrong."""

    entries: tuple[int, ...]


class Nothing(_Fact, frozen=True):
    """No result."""

    none: str = ""  #: the function that returned None


class Quiet(_Fact, frozen=True):
    """A result, where an exception is expected."""

    got: str


class _Broken(_Fact, frozen=True):
    """An exception that the example doesn't ask for."""

    classes: tuple[str, ...]  #: its own first, then those that it derives from


class Uncaught(_Broken, frozen=True):
    """Any exception that is neither of the next two."""

    text: str
    spots: tuple[Spot, ...]  #: the student's own frames, innermost last
    by_example: bool = False  #: the example raised it itself
    module: str = ""  #: that is not there
    none: str = ""  #: the function that returned None, if the example could not use that
    returned: tuple[str, str] | None = None  #: the last function, and what it returned


class ToDo(_Broken, frozen=True):
    """The line `raise NotImplementedError` of the stub."""


class Flood(_Broken, frozen=True):
    """Too much was printed."""


class Stopped(_Fact, frozen=True):
    """Nobody wants the answer any more."""


class Hung(_Fact, frozen=True):
    """There was no answer in time."""


class Died(_Fact, frozen=True):
    """The process ended, or closed its pipe; then there is no exit code."""

    exit: int | None


Broken = Uncaught | ToDo | Flood
Lost = Stopped | Hung | Died
Fact = NotPython | Undefined | NoExamples | Wrong | Mispredicted | Nothing | Quiet | Broken | Lost


# The answers


class Ready(msgspec.Struct, frozen=True, tag=True):
    """JAX is imported."""


class RunningExample(msgspec.Struct, frozen=True, tag=True):
    """What runs now: an example, or all that stands outside functions."""

    example: ExampleText = ExampleText()  #: without a source while the file is loaded
    examples: int = 0  #: how many the file has


class FileFacts(msgspec.Struct, frozen=True, tag=True):
    """All that was found out about one file."""

    facts: tuple[Fact, ...]
    examples: int  #: how many it has
    spoiled: bool  #: the process can't be used any more
    known: tuple[str, str] = ("", "")  #: the known mistake that shows the same, and what to do
    answers: tuple[str, ...] = ()  #: digests of the file's own predictions
    picture: dict[str, Any] = {}  #: see `grader.student.pictures`


class Ended(msgspec.Struct, frozen=True, tag=True):
    """The process has ended; `why` if JAX can't be imported."""

    why: str = ""


Message = Ready | RunningExample | FileFacts | Ended
