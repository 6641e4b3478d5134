"""Returns what is long to compare and to describe: texts, dicts of many names, lists (F23).

Exercise: 01_arrays/set_row
Outcome: failed | raised
"""

import itertools

RESULTS = itertools.cycle(
    [
        "\0" * 3_000_000,
        {f"{k}": k for k in range(60_000)},
        [[[]] * 20_000] * 3,
        b"\0" * 50_000_000,
        {"x": ["y\n" * 20] * 40_000},
    ]
)


def set_row(x, i, row):
    return next(RESULTS)
