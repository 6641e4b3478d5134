"""A zip whose table of contents names two hundred thousand members (A03).

Kind: intake
Exercise: 01_arrays/set_row
Outcome: missing | unreadable
"""

import struct

MANY = 200_000


def build(folder):
    """Written by hand: all members share one local header, and `zipfile` would take a minute."""
    local = struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, 0, 0, 0, 0, 0, 0, 1, 0) + b"a"
    entry = struct.Struct("<4s4B4H3L5H2L")
    table = bytearray()
    for k in range(MANY):
        name = f"x{k}.py".encode()
        sizes = (0, 0, 0, len(name), 0, 0, 0, 0, 0, 0)
        table += entry.pack(b"PK\1\2", 20, 3, 20, 0, 0, 0, 0, 0, *sizes) + name
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 65535, 65535, len(table), len(local), 0)
    path = folder / "many.zip"
    path.write_bytes(local + table + end)
    return path
