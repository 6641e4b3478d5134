"""Reads from address zero, after asking for a core dump of any size (R08).

Exercise: 01_arrays/set_row
Outcome: crashed
"""

import contextlib
import ctypes
import resource

with contextlib.suppress(OSError, ValueError):
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def set_row(x, i, row):
    return ctypes.string_at(0)
