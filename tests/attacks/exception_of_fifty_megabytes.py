"""Raises an exception whose text, notes and chain are endless (R15).

Exercise: 01_arrays/set_row
Outcome: raised | out_of_memory | crashed | timed_out
Slow: it takes the machine some time
"""


def set_row(x, i, row):
    error = ValueError("x" * 50_000_000)
    for _ in range(1000):
        error.add_note("y" * 10_000)
        later = ValueError(*["z"] * 1000)
        later.__cause__ = error
        error = later
    raise error
