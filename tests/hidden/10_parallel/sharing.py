"""How the suites of this topic see that devices share the work."""

import numpy as np


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
