"""`%%check` in a real kernel: the same words as `grader check`, and the cell defines its names."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from grader.intake.notebook import read
from grader.student.start import start

pytestmark = pytest.mark.slow  # a kernel is for CI only
RIGHT = "import jax\n\ndef set_row(x, i, row):\n    return x.at[i].set(row)\n"
WRONG = RIGHT.replace(".set(", ".add(")


@pytest.fixture
def ran(tmp_path: Path) -> Any:
    """Runs cells after one another; returns what each shows."""
    import nbformat
    from nbclient import NotebookClient

    start(tmp_path / "mine")

    def run(*cells: str) -> list[str]:
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        NotebookClient(book, resources={"metadata": {"path": tmp_path / "mine"}}).execute()
        shown = ("".join(map(_text, cell.outputs)) for cell in book.cells)
        return [re.sub(r"\x1b\[[0-9;]*m", "", text) for text in shown]

    return run


def _text(output: Any) -> str:
    return str(output.get("text") or output.get("data", {}).get("text/plain", ""))


def test_a_cell_is_checked_where_it_stands(ran: Any) -> None:
    _, wrong, right, used, unknown, broken, other, unnamed = ran(
        "%load_ext grader",
        f"%%check set_row\n{WRONG}",
        f"%%check 01_arrays/set_row\n{RIGHT}",
        "import jax.numpy as jnp\nset_row(jnp.zeros((2, 2)), 0, jnp.ones(2)).tolist()",
        "%%check set_rwo\n1",
        "%%check set_row\ndef set_row(x, i, row)\n    return x",
        f"%%check set_row\n{RIGHT.replace('set_row', 'setrow')}",
        f"%%check\n{RIGHT}",
    )
    assert wrong.startswith("to fix       01_arrays/set_row\n    Your function gives the same")
    assert right.startswith("passed       01_arrays/set_row  (2 examples)")
    assert used == "[[1.0, 1.0], [0.0, 0.0]]"
    assert "Did you mean `set_row`" in unknown
    assert "Line 1 is not Python" in broken
    assert "this cell defines `setrow`, but `set_row` requires `set_row`" in other
    assert unnamed.startswith("passed       01_arrays/set_row")


def test_earlier_cells_count_and_the_page_is_rich(ran: Any, tmp_path: Path) -> None:
    import nbformat
    from nbclient import NotebookClient

    helper = "def helper(x, i, row):\n    return x.at[i].set(row)"
    cells = [
        "%load_ext grader",
        helper,
        "%%check set_row\ndef set_row(x, i, row):\n    return helper(x, i, row)",
    ]
    assert "passed" in ran(*cells)[-1]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(book, resources={"metadata": {"path": tmp_path / "mine"}}).execute()
    shown = book.cells[-1].outputs[0]["data"]
    assert re.search("<pre[^>]*>.*passed", shown["text/html"], re.DOTALL)


def test_a_cell_with_the_magic_is_still_handed_in() -> None:
    cell = {"cell_type": "code", "source": f"%%check set_row\n{RIGHT}", "metadata": {}}
    found = read(json.dumps({"cells": [cell]}).encode())
    assert found.left_out == ()
    assert "def set_row" in found.text
