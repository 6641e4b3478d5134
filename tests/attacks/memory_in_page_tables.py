"""Touches one page in each of a million places, so that page tables fill up (R02).

Exercise: 01_arrays/set_row
Outcome: failed | raised | out_of_memory | crashed | timed_out
"""

import mmap

FLAGS = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000
kept = []


def set_row(x, i, row):
    total = 0
    for _ in range(16):
        part = mmap.mmap(-1, 128 << 30, flags=FLAGS)
        kept.append(part)
        for place in range(0, len(part), 2 << 20):
            total += part[place]
    return x
