"""A zip of under a megabyte that unpacks to seven hundred (A03).

Kind: intake
Exercise: 01_arrays/set_row
Outcome: missing | unreadable
Slow: it takes the machine some time
"""

import zipfile


def build(folder):
    path = folder / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("set_row.py", "w", force_zip64=True) as member:
            for _ in range(300):
                member.write(bytes(1 << 20))
        for k in range(200):
            archive.writestr(f"part{k}.py", bytes(2 << 20))
    return path
