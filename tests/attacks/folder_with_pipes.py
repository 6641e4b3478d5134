"""A folder of named pipes, which would make a reader wait for ever (A04).

Kind: intake
Exercise: 01_arrays/set_row
Outcome: missing | unreadable
"""

import os


def build(folder):
    inner = folder / "pipes"
    (inner / "01_arrays").mkdir(parents=True)
    os.mkfifo(inner / "set_row.py")
    os.mkfifo(inner / "01_arrays" / "set_row.ipynb")
    os.mkfifo(inner / "work.zip")
    return inner
