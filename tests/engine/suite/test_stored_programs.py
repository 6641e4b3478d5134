"""What a submission stored with `jax.export` is read and run by the bench."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grader.course.course import Course
from grader.engine.judge.standalone import DirectSeat
from grader.engine.processes.faults import Mismatch, Refused
from grader.engine.suite.submission import SubmissionProxy
from grader.records.errors import BrokenSuiteError
from grader.records.model import Basis, Source

TEXT = """
import jax
from jax import export

def save(f, x, order=1):
    spec = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return export.export(jax.jit(f))(spec).serialize(vjp_order=order)

def save_open(f):
    spec = jax.ShapeDtypeStruct(export.symbolic_shape("n"), "float32")
    return export.export(jax.jit(f))(spec).serialize()

def number():
    return 3

def words():
    return b"no program"

def constant(f, x):
    return save(lambda _: f(x), x)
"""
X = np.array([1, 2, 3], np.float32)


def square(x: Any) -> Any:
    return x * x


@pytest.fixture
def seat(foreign: Course) -> DirectSeat:
    return DirectSeat(foreign.exercises[0], Source("01_first/double", "double.py", TEXT))


def test_stored_bytes_are_a_program_with_a_derivative(seat: DirectSeat) -> None:
    program = SubmissionProxy(seat).save.stored_program(square, X)
    np.testing.assert_array_equal(program(X), X * X)
    np.testing.assert_array_equal(
        program.derivative(X, np.array([1, 0, 2], np.float32)), [2, 0, 12]
    )
    assert program.operations == {"stablehlo.multiply": 1}
    assert seat.evidence.kinds == {Basis.PROGRAM}


def test_a_derivative_that_is_not_stored_is_refused(seat: DirectSeat) -> None:
    program = SubmissionProxy(seat).save.stored_program(square, X, 0)
    with pytest.raises(Refused, match="no derivative"):
        program.derivative(X, X)


def test_what_is_no_program_is_a_mismatch(seat: DirectSeat) -> None:
    submission = SubmissionProxy(seat)
    with pytest.raises(Mismatch, match="Bytes are expected, but this is of type int"):
        submission.number.stored_program()
    with pytest.raises(Refused):
        submission.words.stored_program()
    with pytest.raises(Refused):
        submission.save_open.stored_program(square)


def test_a_function_that_checks_by_itself_is_no_program(seat: DirectSeat) -> None:
    def checking(save: Any, x: Any) -> Any:
        assert save
        return x

    def raising(save: Any, x: Any) -> Any:
        def inner() -> Any:
            raise ValueError

        return inner() if save is None else x

    for function in (checking, raising):
        used = SubmissionProxy(seat).save.used_by(function)
        with pytest.raises(BrokenSuiteError, match="reported"):
            used.jit()(X)
        np.testing.assert_array_equal(used.reported()(X), X)


def test_the_worker_does_not_see_the_arrays(seat: DirectSeat) -> None:
    program = SubmissionProxy(seat).constant.stored_program(square, X)
    np.testing.assert_array_equal(program(X), [0, 0, 0])
