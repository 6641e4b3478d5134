"""Returns an array at once, and computes it when it is read (T02).

Exercise: races/power_live
Outcome: failed | raised
"""

import numpy as np


class Lazy(np.ndarray):
    """Its buffer is filled when it is read: in some graders, after the clock has stopped."""

    def filled(self):
        result = self.x
        for _ in range(255):
            result = result @ self.x
        self.view(np.ndarray)[:] = result
        return self.view(np.ndarray)

    def block_until_ready(self):
        return self

    def __array__(self, dtype=None, copy=None):
        return self.filled()

    def __getitem__(self, key):
        return self.filled()[key]

    def __eq__(self, other):
        return self.filled() == other

    def tobytes(self, order="C"):
        return self.filled().tobytes(order)


def power_live(x):
    result = np.empty(x.shape, np.float32).view(Lazy)
    result.x = np.asarray(x)
    return result
