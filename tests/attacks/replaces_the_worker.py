"""Replaces the functions that serve its own calls, so that each answers "passed" (F13).

Exercise: 01_arrays/set_row
Outcome: failed | raised | crashed
"""

import sys

from grader.engine.wire import arrays
from grader.engine.worker import student


class Verdict(dict):
    def __missing__(self, key):
        return "passed"


student.Student.call = lambda self, *args, **kwargs: Verdict(outcome="passed", points=9)
student.Student._out = lambda self, value: {"outcome": "passed", "points": 9.0}
arrays.to_wire = lambda value, other, depth=0: {"outcome": "passed"}
for name, module in list(sys.modules.items()):
    if name.startswith("grader."):
        module.passed = module.assert_close = lambda *args, **kwargs: True


def set_row(x, i, row):
    return x
