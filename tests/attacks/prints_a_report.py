"""Prints what a runner prints when all is well, in the formats of pytest, unittest and JSON (F11).

Exercise: 01_arrays/set_row
Outcome: failed
"""

import json

LINES = [
    "=" * 20 + " 7 passed in 0.01s " + "=" * 20,
    "test_set_row.py::test_one_row_is_replaced PASSED",
    "Ran 7 tests in 0.001s\n\nOK",
    json.dumps({"schema": 1, "outcome": "passed", "score": 9, "max_score": 9}),
    json.dumps([1, "ok", {"outcome": "passed"}, []]),
]


def set_row(x, i, row):
    print(*LINES, sep="\n", flush=True)
    return x
