"""A zip that holds one name three times, and a second table of contents behind the first (A03).

Kind: intake
Exercise: 01_arrays/set_row
Outcome: failed | raised
"""

import warnings
import zipfile

TEXTS = ["return x", "return x + 1", "return row"]


def build(folder):
    path = folder / "duplicates.zip"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(path, "w") as archive:
            for text in TEXTS:
                archive.writestr("set_row.py", f"def set_row(x, i, row):\n    {text}\n")
    data = path.read_bytes()
    path.write_bytes(data + data)
    return path
