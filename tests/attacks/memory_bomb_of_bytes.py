"""Doubles a byte string until there is no memory left (R02).

Exercise: 01_arrays/set_row
Outcome: out_of_memory | timed_out | crashed | raised
Slow: it waits for a limit, or fills something first
"""


def set_row(x, i, row):
    text = b"x" * 1024
    while True:
        text += text
