"""Writes one file without end (R03).

Exercise: 01_arrays/set_row
Outcome: crashed | raised
"""


def set_row(x, i, row):
    with open("large", "wb") as file:
        while True:
            file.write(bytes(1 << 20))
