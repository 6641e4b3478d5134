"""A zip whose headers say that a member is small, while it is not (A03).

Kind: intake
Exercise: 01_arrays/set_row
Outcome: missing | unreadable
"""

import zipfile


def build(folder):
    path = folder / "lies.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("set_row.py", b"#" * (50 << 20))
    data = bytearray(path.read_bytes())
    true = (50 << 20).to_bytes(4, "little")
    path.write_bytes(data.replace(true, (100).to_bytes(4, "little")))
    return path
