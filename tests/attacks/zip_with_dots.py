"""A zip whose members climb out of it with `..`, into the solutions among others (A01).

Kind: intake
Exercise: 01_arrays/set_row
Outcome: missing | unreadable
"""

import zipfile

NAMES = ["../set_row.py", "../../../set_row.py", "a/../../../solutions/01_arrays/set_row.py"]


def build(folder):
    path = folder / "dots.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in NAMES:
            archive.writestr(name, "def set_row(x, i, row):\n    return x.at[i].set(row)\n")
    return path
