"""to_jax(values): a copy of a NumPy array as an array of JAX, and its device.

An array that the judge sends arrives as an array of JAX. So functions of this suite make NumPy
arrays of it, in the student's process, and no program is judged: a program has no NumPy arrays.
"""

import jax
import numpy as np
import pytest

from grader.suite import assert_close, case


def found(submission, function, *args):
    return submission.to_jax.used_by(function).reported()(*args)


def array_of(to_jax, x, dtype):
    """The first result, for a NumPy array of this dtype."""
    array, _device = to_jax(np.array(x).astype(dtype))
    return array


def with_a_new_number(to_jax, x, number):
    """An update that arrays of JAX have, and arrays of NumPy don't."""
    array, _device = to_jax(np.array(x))
    return array.at[0].set(number)


def changed_later(to_jax, x):
    """The first result, after a change of the NumPy array."""
    # JAX can share memory that begins at a multiple of 64.
    room = np.zeros(len(x) + 16, np.float32)
    start = -room.ctypes.data // 4 % 16
    values = room[start : start + len(x)]
    values[:] = x
    array, _device = to_jax(values)
    values[:] = 0
    return array


def knows_its_device(to_jax, x):
    """Whether the second result is the device of the first, and the default device."""
    array, device = to_jax(np.array(x))
    return device in jax.devices() and {device} == array.devices() == jax.numpy.zeros(1).devices()


@pytest.mark.points(2)
@pytest.mark.hint("Copy the numbers as they are. The first result is the array.")
def test_the_numbers_are_the_same(submission, rng):
    """The array has the numbers and the shape of a float64 array."""
    for shape in ((5,), (2, 3), ()):
        x = np.asarray(rng.normal(size=shape), np.float32)
        assert_close(found(submission, array_of, x, "float64"), x, rtol=0, atol=0)


@pytest.mark.points(2)
@pytest.mark.hint("What does JAX do if you don't specify the dtype?")
def test_only_64_bits_become_32(submission, rng):
    """64 bits become 32 bits, and other dtypes stay."""
    x = rng.integers(0, 2, size=6).astype(np.int32)
    for given, dtype in (
        ("int64", "int32"),
        ("float64", "float32"),
        ("float32", "float32"),
        ("float16", "float16"),
        ("int32", "int32"),
        ("bool", "bool"),
    ):
        with case(f"for {given}", hint="Which dtype does the first result have?"):
            array = found(submission, array_of, x, given)
            assert_close(array, x.astype(dtype), rtol=0, atol=0)


@pytest.mark.points(4)
@pytest.mark.hint("Is it a JAX array, with memory of its own? Which function always copies?")
def test_it_is_an_array_of_its_own(submission, rng):
    """The array is JAX's, and a later change to the NumPy array doesn't change it."""
    x, number = rng.normal(size=9).astype(np.float32), np.float32(rng.normal())
    with case("as a JAX array", hint="A JAX array has `.at`, and a NumPy array doesn't."):
        array = found(submission, with_a_new_number, x, number)
        assert_close(array, np.append(number, x[1:]), rtol=0, atol=0)
    with case("after a later change", hint="Does the array share NumPy's memory?"):
        assert_close(found(submission, changed_later, x), x, rtol=0, atol=0)


@pytest.mark.points(2)
@pytest.mark.hint("The second result is one device: neither its name nor a set.")
def test_the_device_is_known(submission, rng):
    """The second result is the device that holds the array."""
    x = rng.normal(size=4).astype(np.float32)
    right = found(submission, knows_its_device, x)
    assert right, "The second result is not the device of the array."
