"""A notebook nested a hundred thousand deep, with endless numbers and every key twice (A08, F23).

Kind: intake
Exercise: 01_arrays/set_row
Outcome: missing | unreadable
"""


def build(folder):
    inner = folder / "books"
    inner.mkdir()
    (inner / "set_row.ipynb").write_bytes(b'{"cells":' + b"[" * 100_000)
    (inner / "deep.ipynb").write_bytes(b'{"cells":' * 100_000)
    (inner / "long.ipynb").write_bytes(b'{"cells": [], "nbformat": ' + b"9" * 1_000_000 + b"}")
    (inner / "twice.ipynb").write_bytes(b'{"cells": [1], "cells": {}, "cells": NaN}')
    return inner
