"""A zip of symbolic links that point at the solution and at the password file (A02).

Kind: intake
Exercise: 01_arrays/set_row
Outcome: missing | unreadable
"""

import stat
import zipfile
from pathlib import Path

SOLUTION = Path(__file__).resolve().parents[2] / "solutions" / "01_arrays" / "set_row.py"
LINKS = {"set_row.py": "/etc/passwd", "01_arrays/set_row.py": str(SOLUTION), "01_arrays": "/"}


def build(folder):
    path = folder / "links.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, target in LINKS.items():
            member = zipfile.ZipInfo(name)
            member.create_system = 3
            member.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(member, target)
    return path
