"""What a test asked for: what its outcome rests on, and which call gave which result."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from grader.records.model import Basis


@dataclass
class Evidence:
    """What the tests of a submission have asked for."""

    kinds: set[Basis] = field(default_factory=set)
    """In the current test."""
    measured: set[bytes] = field(default_factory=set)
    """The programs whose facts the current test has used."""
    ran: set[bytes] = field(default_factory=set)
    """The programs that ran, in any test so far."""

    call: Any = None
    """The last call of the current test: a `grader.engine.suite.calls.Asked`."""
    result: Any = None
    """What it returned; None if it raised."""
    answers: str | None = None
    """In a proof of a suite: a digest of all arrays and numbers that the current test was given."""
    blanks: bool = False
    """Whether the current test is given zeros in their place."""
    current: ClassVar["Evidence | None"] = None
    """Of the test that runs in this process."""
    _answers: dict[int, tuple[Any, Any]] = field(default_factory=dict)

    def begin(self) -> None:
        """The next test begins."""
        Evidence.current = self
        self.kinds.clear()
        self.measured.clear()
        self.asks(None)
        self._answers.clear()
        if self.answers is not None:
            self.answers = ""

    def asks(self, call: Any) -> None:
        """A call begins."""
        self.call, self.result = call, None

    def answered(self, result: Any, arrays: Iterable[Any]) -> None:
        """What the last call returned, and the arrays in it."""
        self.result = result
        for array in arrays:
            self._answers |= {id(each): (each, self.call) for each in _with_bases(array)}

    def call_of(self, arrays: Iterable[Any]) -> Any:
        """The call that one of these came from, or is a view of; else the last one."""
        origins = filter(None, map(self._origin, arrays))
        return next((self._answers[origin][1] for origin in origins), self.call)

    def holds_an_answer(self, arrays: Iterable[Any]) -> bool:
        """Whether one of these came from a call, or is a view of what did."""
        return any(map(self._origin, arrays))

    def _origin(self, array: Any) -> int:
        """The key of the answer that an array is, or is a view of; 0 if there is none."""
        ids = map(id, _with_bases(array))
        return next((number for number in ids if number in self._answers), 0)

    @property
    def basis(self) -> Basis | None:
        """A fact of a program that never ran is a report: nothing shows what that one computes."""
        kinds = self.kinds | ({Basis.REPORT} if self.measured - self.ran else set())
        return next((kind for kind in Basis if kind in kinds), None)


def _with_bases(array: Any) -> Iterator[Any]:
    """An array of NumPy, and those that it is a view of: a view of a view has the same base."""
    while isinstance(array, np.ndarray):
        yield array
        array = array.base
