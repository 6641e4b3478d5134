"""Fills shared memory and unmaps the pages, so that they don't count for the process (R02).

Exercise: 01_arrays/set_row
Outcome: raised | out_of_memory | crashed
"""

import mmap

SIZE, STEP = 2200 << 20, 50 << 20


def set_row(x, i, row):
    global kept
    kept = mmap.mmap(-1, SIZE)
    for start in range(0, SIZE, STEP):
        for page in range(start, start + STEP, mmap.PAGESIZE):
            kept[page] = 1
        kept.madvise(mmap.MADV_DONTNEED, start, STEP)
    return x.at[i].set(row)
