"""The examples in docstrings: their text, what they print and raise, and what they ask for.

file --examples--> each docstring's examples, with the paragraph above each
example --Output--> what it prints, and the values that it shows --agree--> right or wrong
        --is_same_error--> whether it raises what it asks for
"""

import ast
import contextlib
import difflib
import doctest
import io
from collections.abc import Iterator
from typing import Any

from grader.student import literals

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
# Not the exercise's own name: JAX may need a module of the same name.
MODULE = "submission"
Docstring = tuple[list[doctest.Example], list[str]]


def examples(tree: ast.Module, *, is_own: bool = True) -> Iterator[Docstring]:
    """The examples by docstring, each with the paragraph before it.

    `lineno` is the line in the student's file, 0 for the stub's.
    """
    owners: list[Any] = [tree]
    for owner in owners:
        if not isinstance(owner, ast.FunctionDef | ast.AsyncFunctionDef):
            kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
            owners += [node for node in owner.body if isinstance(node, kinds)]
        text = ast.get_docstring(owner, clean=False)
        if text is None:
            continue
        try:
            parts = doctest.DocTestParser().parse(text)
        except ValueError:  # a prompt without a space, or an indent that was changed
            continue
        held, texts, above = list[doctest.Example](), list[str](), ""
        for part in parts:
            if isinstance(part, str):
                above = part.strip().rpartition("\n\n")[2] or above
            else:
                part.lineno = owner.body[0].value.lineno + part.lineno if is_own else 0
                held.append(part)
                texts.append(" ".join(above.split()))
        if held:
            yield held, texts


def flags(example: doctest.Example) -> int:
    """The options of an example, and the options of all examples."""
    bits = FLAGS
    for flag, on in example.options.items():
        bits = bits | flag if on else bits & ~flag
    return bits


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


def agree(wanted: str, got: str, flags: int) -> bool:
    """Whether two texts are equal for doctest, or show equal values."""
    same = doctest.OutputChecker().check_output(wanted, got, flags)
    return same or literals.agree(wanted, got)


def is_same_error(wanted: str, error: BaseException, flags: int) -> bool:
    """Whether an exception is the one that an example asks for."""
    raised = f"{full_name(error)}: {text_of(error)}\n"
    is_brief = flags & doctest.IGNORE_EXCEPTION_DETAIL and class_of(wanted) == class_of(raised)
    return agree(wanted, raised, flags) or bool(is_brief)


def full_name(error: BaseException) -> str:
    """The name as Python prints it: builtin classes without their module."""
    module, name = type(error).__module__, type(error).__qualname__
    return name if module in ("builtins", MODULE) else f"{module}.{name}"


def class_of(message: str) -> str:
    return message.partition(":")[0].strip().rpartition(".")[2]


def text_of(error: BaseException) -> str:
    with contextlib.suppress(BaseException):  # a student's own class may fail here
        return str(error)
    return ""


def meant(error: BaseException) -> str:
    """The attribute that is most like one that isn't there, as Python's own traceback has it."""
    if not isinstance(error, AttributeError) or not isinstance(error.name, str):
        return ""
    with contextlib.suppress(Exception):  # a student's own class may fail here
        close = difflib.get_close_matches(error.name, dir(error.obj), n=1)
        return f". Did you mean `{close[0]}`?" if close else ""
    return ""
