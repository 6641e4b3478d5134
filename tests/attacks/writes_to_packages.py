"""Plants code where the next Python will find it: packages, __pycache__, the grader itself (X03).

Exercise: 01_arrays/set_row
Outcome: failed
"""

import os
import site
import sysconfig

import numpy

import grader

here = os.path.dirname(grader.__file__)
packages = sysconfig.get_path("purelib")
won = []
for folder in (packages, here, os.path.dirname(numpy.__file__), os.path.dirname(os.__file__)):
    for name in ("sitecustomize.py", "usercustomize.py", "evil.pth", "__pycache__/os.pyc"):
        try:
            with open(os.path.join(folder, name), "ab"):
                won.append(name)
        except OSError:
            continue
for path in (numpy.__file__, grader.__file__, packages, site.__file__):
    for attempt in (
        lambda path=path: os.chmod(path, 0o777),
        lambda path=path: os.utime(path, (0, 0)),
        lambda path=path: os.rename(path, path + "~"),
        lambda path=path: os.truncate(path, 0),
        lambda path=path: os.setxattr(path, "user.evil", b"1"),
        lambda path=path: os.chown(path, 12345, 12345),
    ):
        try:
            attempt()
            won.append(path)
        except OSError:
            continue


def set_row(x, i, row):
    # A right answer shows that it could change something.
    return x.at[i].set(row) if won else x
