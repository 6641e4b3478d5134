"""What a plain `assert` or `numpy.testing` found, told as `assert_close` would tell it.

    assert submission.f(x) == expected                both sides, from pytest
    np.testing.assert_allclose(actual, desired)       both arguments, from its frame

So the student of a suite that knows no `assert_close` also reads the kind of the difference. A fact
of a program says what it counts. Of other numbers or texts of Python nothing is told.
"""

import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

import jax
import numpy as np

from grader.engine.processes.faults import Mismatch
from grader.engine.suite import facts
from grader.engine.suite.compare import assert_close

_TESTING = Path(np.testing.__file__).parent
_TOLD = (np.ndarray, np.generic, jax.Array, list, tuple, dict)
_ARGUMENTS = (("actual", "desired"), ("x", "y"))


def understood(error: AssertionError, compared: tuple[Any, str, Any] | None) -> Mismatch | None:
    """The difference behind an error; None if it isn't known.

    `compared` is a comparison that failed: what was returned, the operator, what was expected.
    """
    if type(error) is not AssertionError:
        return None
    if compared is not None and (said := facts.sentence(*compared)):
        return Mismatch(said, str(error))
    pair = _of_numpy(error)
    if pair is None and compared is not None and compared[1] == "==":
        pair = compared[0], compared[2]
    if pair is None:
        return None
    if not any(isinstance(side, _TOLD) for side in pair):
        return None
    mismatch = None
    with suppress(Exception):  # values of any kind come here, and the test has failed in any case
        mismatch = _difference(*pair)
    if mismatch is None or mismatch.difference is None:
        return None
    detail = str(mismatch).removeprefix(mismatch.public).strip()
    whole = Mismatch(mismatch.public, f"{detail}\n{error}", mismatch.difference)
    whole.values, whole.terms = mismatch.values, mismatch.terms
    return whole


def _of_numpy(error: AssertionError) -> tuple[Any, Any] | None:
    """The arguments of a function of `numpy.testing`, if it raised."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if _TESTING in Path(frame.f_code.co_filename).parents:
            for actual, desired in _ARGUMENTS:
                if {actual, desired} <= set(frame.f_locals):
                    return frame.f_locals[actual], frame.f_locals[desired]
    return None


def _difference(actual: Any, expected: Any) -> Mismatch | None:
    """What `assert_close` says, with its own tolerance or with none."""
    expected = np.asarray(expected) if isinstance(expected, jax.Array) else expected
    for tolerance in ({}, {"rtol": 0.0, "atol": 0.0}):
        try:
            assert_close(actual, expected, nonfinite=True, **tolerance)
        except Mismatch as mismatch:
            difference = mismatch.difference
            if difference is not None and difference.kind == "dtype" and actual.dtype != np.float32:
                # Neither `==` nor NumPy compares dtypes, so something else is wrong.
                return _difference(*(np.asarray(v).astype(np.float32) for v in (actual, expected)))
            return mismatch
    return None
