"""The exported program races against a compiled loop of 255 products."""

import jax
import numpy as np

from grader.suite import assert_close


@jax.jit
def one_by_one(x):
    return jax.lax.fori_loop(0, 255, lambda _, result: result @ x, x)


def rotation(rng):
    return np.linalg.qr(rng.normal(size=(64, 64)))[0].astype(np.float32)


def check(result, x):
    assert_close(result, np.linalg.matrix_power(np.asarray(x, np.float64), 256), atol=1e-3)


def test_it_is_fast(submission, race):
    """It takes at most two fifths of the time of 255 compiled products."""
    race(submission.power_program, baseline=one_by_one, args=rotation, at_least=2.5, check=check)
