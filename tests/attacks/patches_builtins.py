"""Replaces builtins that an assertion depends on: AssertionError, isinstance, all, any, abs (F13).

Exercise: 01_arrays/set_row
Outcome: failed | raised | crashed
"""

import builtins


class Nothing(BaseException):
    def __init_subclass__(cls):
        pass


def set_row(x, i, row):
    builtins.AssertionError = Nothing
    builtins.all = builtins.any = lambda values: True
    builtins.abs = builtins.sum = lambda *values: 0
    return x
