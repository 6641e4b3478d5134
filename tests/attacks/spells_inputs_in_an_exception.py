"""Raises exceptions whose class and text spell the inputs, so that the message repeats them (H10).

Exercise: 01_arrays/set_row
Outcome: raised
"""


def set_row(x, i, row):
    stolen = repr(x.tolist())
    raise type(stolen, (ValueError,), {})(stolen)
