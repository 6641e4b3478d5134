"""Zips in zips, twenty deep, with the work at the bottom (A03).

Kind: intake
Exercise: 01_arrays/set_row
Outcome: missing | unreadable
"""

import io
import zipfile


def build(folder):
    data = b"def set_row(x, i, row):\n    return x.at[i].set(row)\n"
    name = "set_row.py"
    for depth in range(20):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr(name, data)
        data, name = packed.getvalue(), f"inner{depth}.zip"
    path = folder / "outer.zip"
    path.write_bytes(data)
    return path
