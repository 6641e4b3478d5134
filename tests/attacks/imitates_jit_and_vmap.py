"""Replaces the worker's `jit` and `vmap` by eager imitations, since it works under neither (F13).

Exercise: 01_arrays/set_row
Outcome: failed | raised
"""

import numpy as np

from grader.engine.worker import student


def eager(function, **keywords):
    return function


def loop(function, in_axes=0, **keywords):
    def looped(*args):
        axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(args)
        given = list(zip(args, axes, strict=True))
        size = next(len(arg) for arg, axis in given if axis == 0)
        rows = [[arg if axis is None else arg[b] for arg, axis in given] for b in range(size)]
        return np.stack([function(*row) for row in rows])

    return looped


student.TRANSFORMATIONS.update(jit=eager, vmap=loop)


def set_row(x, i, row):
    result = np.array(x)
    result[int(i)] = np.asarray(row)
    return result
