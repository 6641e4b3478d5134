"""What the suites of this topic share: work of devices, and data of other sizes."""

import numpy as np

from grader.suite import assert_close

SIZES = (1, 1), (1, 1e-6), (1, 1e5), (1e-6, 1), (1e4, 1)
"""Sizes of x and y. The parameters and the rate follow from them."""


def resized(params, xs, ys, lr, x_size, y_size):
    """The same line and examples, with x and y in other units: (params, xs, ys, lr)."""
    weight, bias = params
    # For huge x a step of the same rate would be far too long.
    rate = lr / max(1, x_size) ** 2
    numbers = weight * y_size / x_size, bias * y_size, xs * x_size, ys * y_size, rate
    weight, bias, xs, ys, rate = (np.asarray(number, np.float32) for number in numbers)
    return (weight, bias), xs, ys, rate


def check_resized(found, expected, x_size, y_size):
    """Compares weights and biases, which are of order one but for the sizes."""
    for part, right, size in zip(found, expected, (y_size / x_size, y_size), strict=True):
        assert_close(part, right, atol=2e-5 * size)


def one_changed(rng, xs):
    """The same examples but for one, which a single device uses if the devices share them."""
    change = np.zeros_like(xs)
    change[rng.integers(len(xs))] = 1
    return xs + change


def check_shares(few, many):
    """The arithmetic of one of eight devices, for 800 examples and for 1600."""
    # An example takes at least eight operations, so one for each device; here it was never over 3.
    assert 0 < many - few < 5 * 800
    # The difference alone could be that of a program which is padded for few examples.
    assert many < 5 * 1600
