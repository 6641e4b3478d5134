"""Looks for the folder of the solutions everywhere above the grader and above its scratch (H01).

Exercise: 01_arrays/set_row
Outcome: failed
Demo: beats a folder that is merely hidden
"""

import os
import sys

stolen = {}
starts = [
    os.getcwd(),
    *sys.path,
    *(getattr(m, "__file__", None) or "" for m in sys.modules.values()),
]
for start in starts:
    folder = os.path.abspath(start)
    while folder != "/":
        folder = os.path.dirname(folder)
        try:
            with open(os.path.join(folder, "solutions", "01_arrays", "set_row.py")) as file:
                exec(file.read(), stolen)
        except OSError:
            continue


def set_row(x, i, row):
    return stolen.get("set_row", lambda x, i, row: x)(x, i, row)
