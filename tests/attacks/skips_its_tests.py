"""Raises pytest's own Skipped and XFailed, which a runner counts as no failure (F28).

Exercise: 01_arrays/set_row
Outcome: raised
"""

import itertools

import pytest

outcomes = itertools.cycle([pytest.skip.Exception("skipped"), pytest.xfail.Exception("expected")])


def set_row(x, i, row):
    raise next(outcomes)
