"""A notebook that brings its test cells, its points and its passing results along (A09).

Kind: intake
Exercise: 01_arrays/set_row
Outcome: failed
"""

import json

GRADE = {
    "nbgrader": {"grade": True, "points": 9, "score": 9, "locked": False, "grade_id": "set_row"}
}


def build(folder):
    cells = [
        {"source": "def set_row(x, i, row):\n    return x", "metadata": GRADE},
        {"source": 'score = max_score = 9\noutcome = "passed"', "metadata": GRADE},
        {
            "source": "def test_set_row():\n    assert True",
            "metadata": {"tags": ["hidden", "passed"]},
        },
    ]
    for cell in cells:
        cell |= {"cell_type": "code", "outputs": [], "execution_count": 1}
    book = {"nbformat": 4, "nbformat_minor": 5, "metadata": GRADE, "cells": cells}
    path = folder / "set_row.ipynb"
    path.write_text(json.dumps(book))
    return path
