"""export_roundtrip(f, spec): bytes that hold the function, and the function read from them.

The bench reads the bytes, and runs what is in them on values that the student's process never sees.
The returned function is used in the student's process, by a function of the suite which is exported
once more. That this function comes from the bytes shows in a single thing: a change of `f` doesn't
change it.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export

from grader.suite import assert_close, raises


def normal(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def wave(x):
    return jnp.sin(x) * x


def slope(x):
    """The derivative of `wave`, in float64 or complex128."""
    x = x.astype(np.complex128 if np.iscomplexobj(x) else np.float64)
    return np.cos(x) * x + np.sin(x)


def value_of(x):
    return np.sin(x.astype(np.float64)) * x


def spec_of(x):
    return jax.ShapeDtypeStruct(x.shape, x.dtype)


def returned(export_roundtrip, x, f=wave):
    """Uses the returned function."""
    _, function = export_roundtrip(f, spec_of(x))
    return function(x)


def returned_for_each(export_roundtrip, xs):
    """Uses the functions returned for several arrays: of a function, jitted, and another one."""
    functions = (wave, jax.jit(wave), lasting)
    return [returned(export_roundtrip, x, f) for x in xs for f in functions]


def lasting(x):
    """Minus `wave`. Its `__wrapped__`, as a decorator leaves it, is another function."""
    return -wave(x)


lasting.__wrapped__ = jnp.cos


def bytes_of(export_roundtrip, x):
    return export_roundtrip(wave, spec_of(x))[0]


def gradients(export_roundtrip, xs, weights):
    """The gradients of a weighted sum of what is computed; weights make them uneven."""

    def gradient(x):
        return jax.grad(lambda x: (weights * returned(export_roundtrip, x)).real.sum())(x)

    return [gradient(x) for x in xs]


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
    """The returned function computes the same as its `f`, jitted or not, for any arrays."""
    xs = [normal(rng, *shape) for shape in ((2, 3), (), (0, 2))]
    xs += [normal(rng, 3).astype(jnp.bfloat16), rng.integers(-9, 9, 3).astype(np.int32)]
    found = submission.export_roundtrip.used_by(returned_for_each).jit()(xs)
    for x, *of_each in zip(xs, *(found[start::3] for start in range(3)), strict=True):
        # A function of integers returns float32.
        dtype = np.float32 if x.dtype == np.int32 else x.dtype
        expected = value_of(x.astype(np.float32)).astype(dtype)
        assert_close(of_each, [expected, expected, -expected])


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
    half, z = x.astype(jnp.bfloat16), (1 + 0.5j) * x
    found, of_half, of_z = submission.export_roundtrip.used_by(gradients).jit()(
        [x, half, z], weights
    )
    assert_close(found, weights * slope(x))
    assert_close(of_z, (weights * slope(z)).astype(np.complex64), atol=1e-4)
    # A sum of two rounded terms, each of them below 3.
    assert_close(of_half, (weights * slope(half)).astype(jnp.bfloat16), rtol=0.02, atol=0.1)
    program = submission.export_roundtrip.used_by(bytes_of).stored_program(x)
    assert_close(program.derivative(x, weights), weights * slope(x))


@pytest.mark.hint("A symbol in the shape isn't a number: pass the spec on as it is.")
def test_the_batch_size_may_stay_open(submission, rng):
    """With a symbol for a size, one program works for every size, and two symbols may differ."""
    matrix = normal(rng, 3, 2)
    batches = [(normal(rng, n, 3), normal(rng, n, 2)) for n in (1, 5)]
    found = submission.export_roundtrip.used_by(for_batches).reported()(
        lambda x: x @ matrix, batches
    )
    for k, (value, gradient) in enumerate(found):
        x, weights = batches[k // 2]
        assert_close(value, x.astype(np.float64) @ matrix, atol=1e-5)
        assert_close(gradient, weights.astype(np.float64) @ matrix.T, atol=1e-5)
    assert len(found) == 4
    # Two symbols are two sizes, one symbol is one, and the dtype stays that of the spec.
    xs = [rng.integers(-9, 9, size).astype(np.int32) for size in ((2, 3, 2), (3, 1, 3))]
    found = submission.export_roundtrip.used_by(for_sizes).reported()(xs)
    assert_close(found, [x + x.swapaxes(0, 2) for x in xs])


def for_sizes(export_roundtrip, xs):
    """A round trip with two open sizes, one of them twice: values for several arrays."""
    shape = export.symbolic_shape("n, m, n")
    spec = jax.ShapeDtypeStruct(shape, xs[0].dtype)
    function = export_roundtrip(lambda x: x + x.swapaxes(0, 2), spec)[1]
    return [function(x) for x in xs]


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
            return function(x), len(runs)

    x = normal(rng, 4, 3)
    assert_close(submission.export_roundtrip.used_by(use).jit().reported()(x), (2 * x, 0))


@pytest.mark.points(2)
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
    half = x.astype(np.float16)
    for other in (normal(rng, 1), normal(rng, 3, 1), np.arange(3, dtype=np.int32), half):
        with raises(ValueError):
            used(x, other)
