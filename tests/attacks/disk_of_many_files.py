"""Makes files without end, each of them empty (R03).

Exercise: 01_arrays/set_row
Outcome: crashed
Slow: it waits for a limit, or fills something first
"""

import itertools


def set_row(x, i, row):
    for k in itertools.count():
        open(f"file{k}", "w").close()
