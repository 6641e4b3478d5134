"""Hides an input in the text of a protocol error, which a student may read (H10).

Exercise: 01_arrays/set_row
Outcome: crashed | raised
"""

from grader.engine import wire

honest = wire.encode


def set_row(x, i, row):
    stolen = f"message of {float(x[0, 0]):.9f}"
    answer = wire.Array(stolen, (), b"")
    wire.encode = lambda seq, kind, value: honest(seq, "ok", answer)
    return x
