"""A zip whose names hold newlines, terminal codes, leading dashes or thousands of folders (A06).

Kind: intake
Exercise: 01_arrays/set_row
Outcome: missing | unreadable
"""

import zipfile

NAMES = [
    "\x1b[2Jset_row.py",
    "set_row\n.py",
    "-rf.py",
    "\u202eyp.wor_tes",
    "a/" * 2000 + "set_row.py",
    ".",
]


def build(folder):
    path = folder / "odd.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in NAMES:
            archive.writestr(name, "def nothing():\n    pass\n")
    return path
