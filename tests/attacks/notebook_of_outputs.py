"""A notebook of twenty megabytes of outputs that say that all is well, around wrong work (A08).

Kind: intake
Exercise: 01_arrays/set_row
Outcome: failed
"""

import json


def build(folder):
    loud = {
        "output_type": "stream",
        "name": "stdout",
        "text": ["9 of 9 points. PASSED\n"] * 900_000,
    }
    page = {"output_type": "display_data", "data": {"text/html": "<script>alert(1)</script>"}}
    cell = {"cell_type": "code", "metadata": {}, "outputs": [loud, page]}
    cell["source"] = ["def set_row(x, i, row):\n", "    return x\n"]
    book = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}
    path = folder / "set_row.ipynb"
    path.write_text(json.dumps(book))
    return path
