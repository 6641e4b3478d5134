"""What a test asked for: what its outcome rests on, and which call gave which result."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

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
    questions: str | None = None
    """In a proof of a suite: a digest of everything that the current test has asked."""
    _answers: dict[int, tuple[Any, Any]] = field(default_factory=dict)

    def begin(self) -> None:
        """The next test begins."""
        self.kinds.clear()
        self.measured.clear()
        self.asks(None)
        self._answers.clear()
        if self.questions is not None:
            self.questions = ""

    def asks(self, call: Any) -> None:
        """A call begins."""
        self.call, self.result = call, None

    def answered(self, result: Any, arrays: Iterable[Any]) -> None:
        """What the last call returned, and the arrays in it."""
        self.result = result
        self._answers |= {id(array): (array, self.call) for array in arrays}

    def call_of(self, arrays: Iterable[Any]) -> Any:
        """The call that one of these came from, or is a view of; else the last one."""
        for array in arrays:
            while isinstance(array, np.ndarray):
                if id(array) in self._answers:
                    return self._answers[id(array)][1]
                array = array.base
        return self.call

    @property
    def basis(self) -> Basis | None:
        """A fact of a program that never ran is a report: nothing shows what that one computes."""
        kinds = self.kinds | ({Basis.REPORT} if self.measured - self.ran else set())
        return next((kind for kind in Basis if kind in kinds), None)
