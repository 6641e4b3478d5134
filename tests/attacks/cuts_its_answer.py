"""Sends half an answer, then the other half of another one (F06).

Exercise: 01_arrays/set_row
Outcome: crashed | timed_out
"""

from grader.engine import wire

honest = wire.encode


def set_row(x, i, row):
    wire.encode = lambda seq, kind, value: (
        honest(seq, kind, value)[:-3] + honest(seq, "ok", "passed")[5:]
    )
    return x
