"""A zip of modules whose symbol table takes half a minute each, in one call of C (A10).

Kind: intake
Exercise: 01_arrays/set_row
Outcome: unreadable
Slow: it takes the machine some time to read
"""

import zipfile

NAMES = "=".join(f"n{i}" for i in range(19_000))
SLOW = f"def f():\n    {NAMES}=0\n    x = [{'lambda:0,' * 13_000}]\n"


def build(folder):
    path = folder / "slow.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for number in range(16):
            packed.writestr(f"{number}.py", SLOW)
    return path
