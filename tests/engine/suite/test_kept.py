"""`submission.f.kept(x)`: two programs, and the arrays that go from one to the other."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.course.course import Course
from grader.engine.judge.standalone import DirectSeat
from grader.engine.processes.faults import Raised
from grader.engine.suite.submission import Function, SubmissionProxy
from grader.records.model import Basis, Source

TEXT = """
import jax
import jax.numpy as jnp

def sines(x, n=1):
    for _ in range(n):
        x = jnp.sin(x)
    return x

def again(x):
    return jax.checkpoint(lambda x: sines(x, 3))(x)

def mixed(x, count, key, tree):
    noise = jax.random.normal(key, x.shape)
    return {"value": x * tree["w"] * noise, "count": count + 1}

LEFT = []

@jax.custom_vjp
def hidden(x):
    return x * x

def forward(x):
    LEFT.append(x)
    return x * x, ()

hidden.defvjp(forward, lambda _, g: (2 * LEFT[-1] * g,))
"""
X = np.linspace(-1, 2, 12, dtype=np.float32).reshape(3, 4)
G = np.linspace(1, 3, 12, dtype=np.float32).reshape(3, 4)


@pytest.fixture
def seat(foreign: Course) -> DirectSeat:
    return DirectSeat(foreign.exercises[0], Source("01_first/double", "double.py", TEXT))


def test_the_bytes_of_all_that_waits_are_counted(seat: DirectSeat) -> None:
    submission = SubmissionProxy(seat)
    value, kept = submission.sines.kept(X)
    np.testing.assert_allclose(value, np.sin(X), rtol=1e-6)
    assert kept.bytes == X.nbytes
    assert submission.sines.kept(X, 3)[1].bytes == 3 * X.nbytes
    assert submission.again.kept(X)[1].bytes == X.nbytes
    assert seat.evidence.kinds == {Basis.PROGRAM}


def test_the_gradients_come_from_what_is_kept(seat: DirectSeat) -> None:
    _, kept = SubmissionProxy(seat).sines.kept(X)
    (gradient,) = kept.gradients(G)
    np.testing.assert_allclose(gradient, G * np.cos(X), rtol=1e-5)
    # Other kept arrays give other gradients.
    kept.arrays[:] = [np.zeros_like(array) for array in kept.arrays]
    assert not np.allclose(kept.gradients(G)[0], gradient)


def test_only_floats_have_gradients(seat: DirectSeat) -> None:
    key, weights = jax.random.key(3), {"w": 2 * G}
    value, kept = SubmissionProxy(seat).mixed.kept(X, np.array([1, 2], np.int32), key, weights)
    noise = np.asarray(jax.random.normal(key, X.shape))
    np.testing.assert_allclose(value["value"], X * 2 * G * noise, rtol=1e-5)
    np.testing.assert_array_equal(value["count"], [2, 3])
    in_x, in_w = kept.gradients(G)
    np.testing.assert_allclose(in_x, G * 2 * G * noise, rtol=1e-5)
    np.testing.assert_allclose(in_w, G * X * noise, rtol=1e-5)


def test_a_function_of_the_suite_may_use_it(seat: DirectSeat) -> None:
    def loss(f: Function, x: Any, w: Any) -> Any:
        return jnp.sum(f(x @ w))

    w = np.ones((4, 2), np.float32)
    value, kept = SubmissionProxy(seat).sines.used_by(loss).jit().kept(X, w)
    np.testing.assert_allclose(value, np.sin(X @ w).sum(), rtol=1e-5)
    # Both factors of the product, and its result.
    assert kept.bytes == X.nbytes + w.nbytes + 4 * 3 * 2
    assert kept.forward.size and kept.backward.size
    assert [part.shape for part in kept.gradients(np.float32(1))] == [X.shape, w.shape]


def test_what_is_kept_elsewhere_does_not_arrive(seat: DirectSeat) -> None:
    with pytest.raises(Raised, match="pass on"):
        SubmissionProxy(seat).hidden.kept(X)
