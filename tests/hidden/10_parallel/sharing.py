"""What the suites of this topic share: a line to fit, and the work of devices.

The examples are sorted, so that the shards differ as much as possible.
"""

from typing import Any, NamedTuple

import numpy as np


class Line(NamedTuple):
    """The texts give no names to its fields."""

    slope: Any
    offset: Any


def problem(rng, n):
    """A line to start from, and n sorted examples of another one with noise: (params, xs, ys)."""
    x = np.sort(rng.uniform(-2, 2, size=n))
    y = rng.uniform(1, 3) * x + rng.uniform(1, 3) + 0.3 * rng.normal(size=n)
    params = (np.asarray(p, np.float32) for p in rng.uniform(-1, 1, size=2))
    return tuple(params), *(data.astype(np.float32).reshape(n, 1) for data in (x, y))


def descend(params, xs, ys, lr, steps):
    """Full-batch descent in float64: (params, losses)."""
    weight, bias = (p.astype(np.float64) for p in params)
    xs, ys = xs.astype(np.float64), ys.astype(np.float64)
    losses = []
    for _ in range(steps):
        error = weight * xs + bias - ys
        losses.append(np.mean(error**2))
        weight, bias = weight - lr * np.mean(2 * error * xs), bias - lr * np.mean(2 * error)
    return (np.asarray(weight), np.asarray(bias)), np.array(losses)


def one_changed(rng, xs):
    """The same examples but for one, which a single device uses if the devices share them."""
    change = np.zeros_like(xs)
    change[rng.integers(len(xs))] = 1
    return xs + change
