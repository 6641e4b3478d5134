"""Answers with a record that brings its class, pickled so that loading it ends the judge (F21).

Exercise: 01_arrays/set_row
Outcome: crashed | failed
"""

import os
import pickle

from grader.engine import wire

honest = wire.encode


class Payload:
    def __reduce__(self):
        return os._exit, (0,)


def set_row(x, i, row):
    answer = wire.Named("Row", ("w",), (1.0,), 0, pickle.dumps(Payload()))
    wire.encode = lambda seq, kind, value: honest(seq, "ok", answer)
    return x
