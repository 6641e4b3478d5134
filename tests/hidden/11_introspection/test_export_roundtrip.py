"""export_roundtrip(f, spec): bytes that hold the function, and the function read from them.

The bench reads the bytes, and runs what is in them on values that the student's process never sees.
The returned function is used in the student's process, by a function of the suite which is exported
once more. That this function comes from the bytes shows in two things: a change of `f` doesn't
change it, and JAX's trace of it calls an exported program.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export

from grader.suite import assert_close, case, raises


def normal(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def wave(x):
    return jnp.sin(x) * x


def slope(x):
    """The derivative of `wave`, in float64."""
    x = x.astype(np.float64)
    return np.cos(x) * x + np.sin(x)


def value_of(x):
    return np.sin(x.astype(np.float64)) * x


def spec_of(x):
    return jax.ShapeDtypeStruct(x.shape, x.dtype)


def returned(export_roundtrip, x, is_jitted=False):
    """Uses the returned function."""
    _, function = export_roundtrip(jax.jit(wave) if is_jitted else wave, spec_of(x))
    return function(x)


def bytes_of(export_roundtrip, x):
    return export_roundtrip(wave, spec_of(x))[0]


def gradient(export_roundtrip, x, weights):
    """The gradient of a weighted sum of what is computed; weights make it uneven."""
    return jax.grad(lambda x: (weights * returned(export_roundtrip, x)).sum())(x)


def for_batches(export_roundtrip, f, batches):
    """A round trip with an open batch size: values and weighted gradients for several batches."""
    shape = export.symbolic_shape(f"batch, {batches[0][0].shape[1]}")
    data, function = export_roundtrip(f, jax.ShapeDtypeStruct(shape, jnp.float32))
    read = export.deserialize(bytearray(data)).call
    results = []
    for x, weights in batches:
        for call in (function, read):
            value, pullback = jax.vjp(call, x)
            results.append((value, *pullback(weights)))
    return results


@pytest.mark.hint("The function has to compute the same before and after its round trip.")
def test_the_function_comes_back(submission, rng):
    """The returned function computes the same as its `f`, jitted or not."""
    x = normal(rng, 2, 3)
    used = submission.export_roundtrip.used_by(returned).jit(static_argnums=1)
    for is_jitted in (False, True):
        assert_close(used(x, is_jitted), value_of(x))


@pytest.mark.hint("The bytes are those of an exported program, and nothing else.")
def test_the_bytes_hold_the_function(submission, rng):
    """Anyone can read the bytes with `jax.export.deserialize` and call what is in them."""
    x = normal(rng, 6)
    program = submission.export_roundtrip.used_by(bytes_of).stored_program(x)
    assert_close(program(x), value_of(x))


@pytest.mark.points(4)
@pytest.mark.hint("A derivative is a program of its own. Is it stored with the function?")
def test_the_gradient_comes_back(submission, rng):
    """The returned function has a gradient, and so has the one in the bytes."""
    x, weights = normal(rng, 6), normal(rng, 6)
    found = submission.export_roundtrip.used_by(gradient).jit()(x, weights)
    assert_close(found, weights * slope(x))
    program = submission.export_roundtrip.used_by(bytes_of).stored_program(x)
    assert_close(program.derivative(x, weights), weights * slope(x))


@pytest.mark.hint("A symbol in the shape isn't a number: pass the spec on as it is.")
def test_the_batch_size_may_stay_open(submission, rng):
    """With a symbol for the batch size, one program and its gradient work for every batch."""
    matrix = normal(rng, 3, 2)
    batches = [(normal(rng, n, 3), normal(rng, n, 2)) for n in (1, 5)]
    found = submission.export_roundtrip.used_by(for_batches).reported()(
        lambda x: x @ matrix, batches
    )
    expected = [
        (x.astype(np.float64) @ matrix, weights.astype(np.float64) @ matrix.T)
        for x, weights in batches
        for _ in range(2)
    ]
    assert_close(found, expected, atol=1e-5)


@pytest.mark.hint(
    "Which function do you return: the one from the bytes, or one that still calls f?"
)
def test_the_source_is_not_needed_any_more(submission, rng):
    """After the round trip `f` isn't run again: a change of `f` changes nothing."""

    def use(export_roundtrip, x):
        factors, runs = [2], []

        def f(x):
            runs.append(1)
            return factors[-1] * x

        _, function = export_roundtrip(f, spec_of(x))
        factors.append(3)
        runs.clear()
        # With another precision `jit` doesn't reuse what it knows of `f`, and would run it again.
        with jax.default_matmul_precision("highest"):
            is_read = "call_exported" in str(jax.make_jaxpr(function)(x))
            return function(x), len(runs), is_read

    x = normal(rng, 4, 3)
    assert_close(submission.export_roundtrip.used_by(use).jit().reported()(x), (2 * x, 0, True))


@pytest.mark.hint(
    "A program has one shape and one dtype. Don't convert the argument to make it fit."
)
def test_what_does_not_fit_is_refused(submission, rng):
    """Another shape or another dtype raises ValueError."""

    def use(export_roundtrip, spec_like, x):
        _, function = export_roundtrip(wave, spec_of(spec_like))
        return function(x)

    used = submission.export_roundtrip.used_by(use)
    x = normal(rng, 3)
    assert_close(used(x, x), value_of(x))
    for other in (normal(rng, 1), normal(rng, 3, 1), np.arange(3, dtype=np.int32), np.float16(x)):
        with (
            case(f"for {other.dtype} of shape {other.shape}, where float32 of (3,) fits"),
            raises(ValueError),
        ):
            used(x, other)


def test_details(submission, rng):
    """It works for other shapes and dtypes, and in the gradient."""
    used = submission.export_roundtrip.used_by(returned).jit()
    for name, x in {
        "for a single number": normal(rng),
        "for an empty array": normal(rng, 0, 2),
        "in half precision": normal(rng, 3).astype(jnp.bfloat16),
    }.items():
        with case(name, hint="Pass the spec on as it is: both its shape and its dtype."):
            assert_close(used(x), value_of(x.astype(np.float32)).astype(x.dtype))
    with case("for integers", hint="Pass the spec on as it is: both its shape and its dtype."):
        # The sine of an integer is float32.
        x = rng.integers(-9, 9, 3).astype(np.int32)
        assert_close(used(x), value_of(x).astype(np.float32))
    with case("in the gradient in half precision", hint="For which dtypes is it stored?"):
        x, weights = normal(rng, 6).astype(jnp.bfloat16), normal(rng, 6)
        found = submission.export_roundtrip.used_by(gradient).jit()(x, weights)
        # A sum of two rounded terms, each of them below 3.
        assert_close(found, (weights * slope(x)).astype(jnp.bfloat16), rtol=0.02, atol=0.1)
