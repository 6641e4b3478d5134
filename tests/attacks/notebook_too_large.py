"""A notebook of forty megabytes (A08).

Kind: intake
Exercise: 01_arrays/set_row
Outcome: missing | unreadable
"""


def build(folder):
    path = folder / "set_row.ipynb"
    path.write_bytes(b'{"cells": ["' + b"x" * (40 << 20) + b'"]}')
    return path
