"""Returns functions that do not exist, by numbers far out of range (F22).

Exercise: 01_arrays/set_row
Outcome: failed | raised | crashed
"""

from grader.engine import wire

honest = wire.encode


def set_row(x, i, row):
    answer = wire.Handle([-1, 1 << 62, 0][i % 3 if isinstance(i, int) else 0])
    wire.encode = lambda seq, kind, value: honest(seq, "ok", answer)
    return x
