"""A zip that is a shell script, a module that is a program, and a notebook that is neither (A08).

Kind: intake
Exercise: 01_arrays/set_row
Outcome: missing | unreadable
"""


def build(folder):
    inner = folder / "mixed"
    inner.mkdir()
    (inner / "work.zip").write_bytes(b"#!/bin/sh\nrm -rf /\n")
    (inner / "set_row.py").write_bytes(b"\x7fELF\x02\x01\x01\x00" + bytes(100))
    (inner / "set_row.ipynb").write_bytes(b"PK\x03\x04" + bytes(100))
    return inner
