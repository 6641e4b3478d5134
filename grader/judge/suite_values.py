"""Values of classes that are made for suites: what they pass, and what they get."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np


class Callback:
    """A function of the suite's that stays in the judge. The student's code can call it.

    It can't read it, and what it does, the judge sees itself: when it was called, how often, with
    what. Pass it as an argument of a call; a function that can't be traced needs `.observed()`.

    It gets and returns what a call of the submission may get and return. Meanwhile the student's
    process waits, and its time goes on. It may not ask the submission. What it raises ends the
    test.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function


@dataclasses.dataclass(frozen=True)
class StudentRecord:
    """A namedtuple or dataclass of a student's own class: its name, fields and values.

    Its fields are attributes: `result.loss`. A class of the suite, of which an instance was an
    argument, comes back as that class. `assert_close` compares no whole record: give it the fields.
    """

    name: str
    fields: tuple[str, ...]
    values: tuple[Any, ...]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self.values[self.fields.index(name)]
        except ValueError:
            raise AttributeError(name) from None


class WithoutJax(np.ndarray[Any, Any]):
    """An array from code without JAX. Its dtype is compared with NumPy's, not with JAX's."""


class Disagreement:
    """Stands for an output that every device should hold, and that they hold differently.

    `assert_close` says so.
    """
