"""What a suite's function carries into a student's process, and that it still runs there."""

from __future__ import annotations

import dataclasses
import traceback
from collections.abc import Callable
from typing import Any

import cloudpickle
import pytest

from grader.judge.suite_code import FILE, pickled

SHARED = 3


def shared(x: Any) -> Any:
    """SECRET of a function that another uses."""
    return x * SHARED


@dataclasses.dataclass
class Box:
    """SECRET of a class."""

    value: int

    def double(self) -> int:
        """SECRET of a method."""
        return 2 * self.value


def made() -> Callable[..., Any]:
    """Around a body, as a test is."""
    plus = 1

    def body(f: Any, x: Any) -> Any:
        """SECRET of a body."""

        def inner(y: Any) -> Any:
            """SECRET of what is inside."""
            return f(y) + plus

        return shared(inner(x)) + Box(x).double()

    return body


def test_no_text_place_or_name_of_the_suite_crosses() -> None:
    sent = pickled(made())
    for secret in (b"SECRET", __file__.encode(), b"test_suite_code.py", b"made.<locals>"):
        assert secret not in sent
    assert pickled(made()) == sent


def test_what_crosses_computes_the_same() -> None:
    body = cloudpickle.loads(pickled(made()))
    assert body(lambda y: y * 10, 2) == made()(lambda y: y * 10, 2) == 67
    assert cloudpickle.loads(pickled(Box))(4).double() == 8


def test_a_text_that_is_used_is_no_docstring() -> None:
    def says() -> str:
        """Both."""
        return "Both."

    assert cloudpickle.loads(pickled(says))() == "Both."
    assert cloudpickle.loads(pickled(lambda: "only"))() == "only"


def test_an_error_in_a_body_still_has_a_traceback() -> None:
    body = cloudpickle.loads(pickled(made()))
    with pytest.raises(ZeroDivisionError) as caught:
        body(lambda y: y / 0, 2)
    frames = [(f.filename, f.lineno, f.name) for f in traceback.extract_tb(caught.tb)]
    assert (FILE, 1, "body") in frames
    assert (FILE, 1, "inner") in frames


def test_the_suite_keeps_its_docstrings() -> None:
    class Own:
        """Kept."""

    pickled(Own)
    pickled(shared)
    assert Own.__doc__ == "Kept."
    assert shared.__doc__
