"""A notebook that runs shells, installs packages and loads extensions on its way (A08).

Kind: intake
Exercise: 01_arrays/set_row
Outcome: failed | raised
"""

import json

CELLS = [
    "!touch owned; rm -rf ..",
    "%%bash\ntouch owned",
    "%load_ext autoreload\n%run -i /etc/passwd\n%pip install answers",
    "%%script python\nimport os; os._exit(0)",
    'get_ipython().system("touch owned") if False else None',
    "files = !ls solutions\nnames = %who_ls",
    "def set_row(x, i, row):\n    return x",
]


def build(folder):
    cells = [{"cell_type": "code", "source": text, "metadata": {}, "outputs": []} for text in CELLS]
    book = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
    path = folder / "set_row.ipynb"
    path.write_text(json.dumps(book))
    return path
