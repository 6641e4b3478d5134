"""In a notebook, a line is a line of its cell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.records.model import Advice, CheckResult, Finding, Status
from grader.student import notebooks, workspace
from grader.student.check import check
from grader.student.start import start

HELPER = "# mine\n\ndef helper(x, i, row):\n    x[i] = row\n    return x\n"


def result(*findings: Finding) -> CheckResult:
    return CheckResult("t/e", "t.ipynb", Status.TO_FIX, 1, findings)


def test_lines_of_the_first_cell_stay_as_they_are() -> None:
    told = result(Finding("Line 4 raises KeyError: line 9.", line=4))
    assert notebooks.in_cells(told, (0, 4)) == told
    assert notebooks.in_cells(told, ()) == told


def test_a_line_is_counted_from_the_top_of_its_cell() -> None:
    told = notebooks.in_cells(
        result(
            Finding("Line 9 uses the key that line 5 has used: see line 3.", line=9),
            Finding("Line 4 is wrong.", line=4),
            Finding("It is wrong."),
        ),
        (0, 4, 8),
    )
    assert [(one.sentence, one.line) for one in told.findings] == [
        ("Line 1 of cell 3 uses the key that line 1 of cell 2 has used: see line 3.", 1),
        ("Line 4 of cell 1 is wrong.", 4),
        ("It is wrong.", None),
    ]


def test_hints_have_lines_too() -> None:
    found = CheckResult("t/e", "", Status.PASSED, 1, (), (Advice("c", "Line 6 prints.", line=6),))
    assert notebooks.in_cells(found, (0, 4)).hints == (
        Advice("c", "Line 2 of cell 2 prints.", line=2),
    )


@pytest.mark.parametrize("is_first", [True, False])
def test_a_mistake_is_found_in_the_cell_that_has_it(tmp_path: Path, is_first: bool) -> None:
    course = start(tmp_path, as_notebooks=True).course
    path = tmp_path / "01_arrays.ipynb"
    book = json.loads(path.read_text())
    place = next(n for n, cell in enumerate(book["cells"]) if cell["id"] == "set_row-code")
    stub = book["cells"][place]
    stub["source"] = "".join(stub["source"]).replace(
        "raise NotImplementedError", "return helper(x, i, row)"
    )
    added = {**stub, "id": "mine", "source": HELPER}
    book["cells"].insert(place if is_first else place + 1, added)
    path.write_text(json.dumps(book))
    (found,) = check(course, [course["set_row"]])
    assert found.findings[0].code.strip() == "x[i] = row"
    assert found.findings[0].line == 4
    said = "Line 4 assigns" if is_first else "Line 4 of cell 2 assigns"
    assert found.findings[0].sentence.startswith(said)
    assert (
        len(workspace.read(workspace.path(course, course["set_row"]), course["set_row"]).cells) == 3
    )
