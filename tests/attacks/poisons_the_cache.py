"""Overwrites, links and adds entries of the compile cache with programs of its own (X02).

Exercise: 01_arrays/set_row
Outcome: failed
"""

import os

import jax

folder = jax.config.jax_compilation_cache_dir or "/"
name = "jit_set_row-" + "0" * 64 + "-cache"
won = []
for attempt in (
    lambda: open(os.path.join(folder, name), "wb").close(),
    lambda: open(os.path.join(folder, "lowered-" + "0" * 64), "wb").close(),
    lambda: os.symlink("/etc/passwd", os.path.join(folder, name)),
    lambda: os.rename(folder, folder + "-old"),
    lambda: os.rmdir(folder),
    lambda: os.mkdir(os.path.join(folder, name)),
    lambda: os.truncate(os.path.join(folder, os.listdir(folder)[0]), 0),
    lambda: os.link(__file__, os.path.join(folder, name)),
    lambda: os.chmod(folder, 0o777),
):
    try:
        attempt()
        won.append(attempt)
    except OSError:
        continue


def set_row(x, i, row):
    # A right answer shows that it could change the cache.
    return x.at[i].set(row) if won else x
