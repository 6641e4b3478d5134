"""Prints every input, for a student who reads what the tests print (H08).

Exercise: 01_arrays/set_row
Outcome: failed
"""


def set_row(x, i, row):
    print(x, i, row, flush=True)
    return x
