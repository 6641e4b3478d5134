"""Answers with code that the suite itself may send: unpickling it would end the judge (F21).

Exercise: 01_arrays/set_row
Outcome: crashed
"""

import os
import pickle

from grader.engine import wire

honest = wire.encode


class Payload:
    def __reduce__(self):
        return os._exit, (0,)


def set_row(x, i, row):
    answer = wire.Code(pickle.dumps(Payload()))
    wire.encode = lambda seq, kind, value: honest(seq, "ok", answer)
    return x
