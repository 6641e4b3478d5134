"""A zip whose members are named from the root, by drive letter and with backslashes (A01).

Kind: intake
Exercise: 01_arrays/set_row
Outcome: missing | unreadable
"""

import zipfile

NAMES = [
    "/tmp/set_row.py",
    "C:/set_row.py",
    "C:\\set_row.py",
    "..\\..\\set_row.py",
    "//host/set_row.py",
]


def build(folder):
    path = folder / "absolute.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in NAMES:
            archive.writestr(name, "def set_row(x, i, row):\n    return x.at[i].set(row)\n")
    return path
