"""How notebooks become Python: old ones, broken ones, cells that are no Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.course.course import Course
from grader.intake import reader
from tests.conftest import write
from tests.intake.conftest import SET_ROW, cells, taken, text_of

# Error texts


def test_a_notebook_that_is_not_json_is_a_problem(here: Path, course: Course) -> None:
    write(here, {"work.ipynb": '{\n"cells": oops'})
    assert reader.read(here / "work.ipynb", course).problem == (
        "`work.ipynb` is not a notebook: it isn't JSON (line 2: Expecting value). "
        "Save it again in Jupyter."
    )


# Notebooks


def test_a_notebook_becomes_the_text_of_its_code_cells(here: Path, course: Course) -> None:
    book = {
        "cells": [
            {"cell_type": "markdown", "source": "def split_many(): ..."},
            {"cell_type": "code", "source": ["import jax\n", "x = 1"]},
            {"cell_type": "code", "source": "  \n"},
            {"cell_type": "raw", "source": "no"},
            {"cell_type": "code", "source": SET_ROW},
        ]
    }
    write(here, {"work.ipynb": json.dumps(book)})
    submission = reader.read(here / "work.ipynb", course)
    assert taken(submission) == {"01_arrays/set_row": "work.ipynb"}
    assert text_of(submission) == f"# cell 1\nimport jax\nx = 1\n# cell 2\n{SET_ROW}"


def test_an_old_notebook_with_worksheets_is_read(here: Path, course: Course) -> None:
    book = {"worksheets": [{"cells": [{"cell_type": "code", "input": [SET_ROW]}]}], "nbformat": 3}
    write(here, {"set_row.ipynb": json.dumps(book)})
    assert text_of(reader.read(here / "set_row.ipynb", course)) == f"# cell 1\n{SET_ROW}"


@pytest.mark.parametrize(
    ("cell", "python"),
    [
        ("%matplotlib inline\nset_row = 1", "# %matplotlib inline\nset_row = 1"),
        ("!pip install \\\n  jax\nset_row = 1", "# !pip install \\\n#   jax\nset_row = 1"),
        ("set_row = 1\njnp.where?", "set_row = 1\npass  # jnp.where?"),
        ("set_row = !ls\nset_row = 2", "pass  # set_row = !ls\nset_row = 2"),
        ("if 1:\n    %cd x\nset_row = 1", "if 1:\n    pass  # %cd x\nset_row = 1"),
        ("%%time\nset_row = 1", "# %%time\nset_row = 1"),
        ("\n%%capture out\n%cd x\nset_row = 1", "\n# %%capture out\n# %cd x\nset_row = 1"),
        ("set_row = (7\n% 3)", "set_row = (7\n% 3)"),
        ("%cd x\nset_row = (7\n% 3)", "# %cd x\nset_row = (7\n% 3)"),
        ("%cd x\nset_row = 7 \\\n% 3", "# %cd x\nset_row = 7 \\\n% 3"),
        ("%cd x\nset_row = '''\n%s ' \" (\n'''", "# %cd x\nset_row = '''\n%s ' \" (\n'''"),
        ("%cd x\nset_row = '[' # (\n%cd y", "# %cd x\nset_row = '[' # (\n# %cd y"),
    ],
)
def test_only_what_is_a_magic_becomes_a_comment(
    here: Path, course: Course, cell: str, python: str
) -> None:
    write(here, {"work.ipynb": cells(cell)})
    submission = reader.read(here / "work.ipynb", course)
    assert text_of(submission) == f"# cell 1\n{python}\n"
    assert submission.notes == ()


def test_a_cell_that_is_not_python_is_left_out_and_reported(here: Path, course: Course) -> None:
    write(here, {"work.ipynb": cells("%%bash\nrm -rf /", SET_ROW, "def f(:", "split_many = 1")})
    submission = reader.read(here / "work.ipynb", course)
    assert list(taken(submission)) == ["01_arrays/set_row", "02_random/split_many"]
    assert "# %%bash\n# rm -rf /\n" in text_of(submission)
    assert "# cell 3\n# def f(:\n" in text_of(submission)
    assert [note.reason for note in submission.notes] == [
        "is graded without its code cell 1: it begins with `%%bash`",
        "is graded without its code cell 3: line 1: invalid syntax",
    ]


def test_a_notebook_whose_own_function_is_broken_shows_where(here: Path, course: Course) -> None:
    write(here, {"set_row.ipynb": cells("x = 1", "def set_row(:")})
    submission = reader.read(here / "set_row.ipynb", course)
    assert text_of(submission) == "# cell 1\nx = 1\n# cell 2\ndef set_row(:\n"


def test_a_future_import_of_a_late_cell_comes_first(here: Path, course: Course) -> None:
    write(here, {"work.ipynb": cells("x = 1", f"from __future__ import annotations\n{SET_ROW}")})
    text = text_of(reader.read(here / "work.ipynb", course))
    compile(text, "work.ipynb", "exec")
    assert text.startswith("from __future__ import annotations  # cell 1\nx = 1\n# cell 2\n# from")


@pytest.mark.parametrize(
    "document",
    [
        b"null",
        b"[]",
        b'"cells"',
        b"1e999",
        b"NaN",
        b"{}",
        b'{"cells": 5}',
        b'{"cells": [5, null, [], {}, {"cell_type": "code"}]}',
        b'{"cells": [{"cell_type": "code", "source": 5}, {"cell_type": [], "source": "x=1"}]}',
        b'{"cells": [{"cell_type": "code", "source": [1, null, {}]}]}',
        b'{"worksheets": [1, {}, {"cells": 2}, {"cells": [3]}]}',
        b'{"cells": null, "worksheets": null}',
        b'{"cells": [' + b"[" * 200_000,
        b'{"cells": ' + b"9" * 10_000 + b"}",
        b"\xff\xfe{\0}\0",
        b'{"cells": [{"cell_type": "code", "source": "' + b"x\\n" * 200_000 + b'"}]}',
        cells(*["x = 1"] * 2_001).encode(),
        cells("def other(: \ud800 \0").encode(),
    ],
)
def test_a_notebook_of_any_shape_is_a_problem_and_no_crash(
    here: Path, course: Course, document: bytes
) -> None:
    write(here, {"work.ipynb": document})
    submission = reader.read(here / "work.ipynb", course)
    assert submission.sources == ()
    assert submission.problem is not None
    assert "work.ipynb" in submission.problem
    assert len(submission.problem) < 1000


def test_outputs_nan_and_doubled_keys_do_not_matter(here: Path, course: Course) -> None:
    book = cells(SET_ROW, outputs=[{"data": {"image/png": "A" * 5_000_000}, "x": float("nan")}])
    doubled = book.replace('{"cells"', '{"cells": [], "cells"')
    write(here, {"work.ipynb": "\ufeff" + doubled})
    submission = reader.read(here / "work.ipynb", course)
    assert taken(submission) == {"01_arrays/set_row": "work.ipynb"}


def test_a_cell_with_half_a_character_can_be_encoded(here: Path, course: Course) -> None:
    write(here, {"work.ipynb": cells("set_row = '\ud83d'\n# \0\n")})
    text = text_of(reader.read(here / "work.ipynb", course))
    compile(text.encode(), "work.ipynb", "exec")
