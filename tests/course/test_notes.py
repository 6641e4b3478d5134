"""The notes on an exercise: what a student may have at any time, and what explains the solution."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.course import notes
from grader.course.notes import Notes

TEXT = """<details>
<summary>Hint 1</summary>

Which function
picks?

    jnp.where

</details>

<details>
<summary>Another one</summary>

Guard it.

</details>

## Picture

```python
picture = {"x": 1}
```

## Why it works

Both branches are computed.

## What else works

<details>
<summary>More</summary>

</details>
"""


def read(folder: Path, text: str) -> Notes:
    (folder / "selu.md").write_text(text, encoding="utf-8")
    return notes.read(folder / "selu.md")


def test_hints_picture_and_explanation_are_told_apart(tmp_path: Path) -> None:
    found = read(tmp_path, TEXT)
    assert found.hints == ("Which function\npicks?\n\n    jnp.where", "Guard it.")
    assert found.picture == 'picture = {"x": 1}\n'
    assert found.explanation.startswith("## Why it works\n\nBoth")
    assert found.explanation.endswith("</details>\n")
    assert found.rest == ""
    assert notes.without_explanation(TEXT) + found.explanation == TEXT


@pytest.mark.parametrize("text", ["", "## Why it works\n\nIt does.\n"])
def test_hints_may_be_missing(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text) == Notes(explanation=text)
    assert notes.read(tmp_path / "missing.md") == Notes()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("## Why it works", "## Why it works!"),
        ("## Why it works", "### Why it works"),
        ("</details>\n\n<details>", "<details>"),
        ("## Picture", "## Drawing"),
        ("<details>\n<summary>Hint 1", "Think first.\n\n<details>\n<summary>Hint 1"),
    ],
)
def test_text_that_belongs_to_nothing_is_told(tmp_path: Path, old: str, new: str) -> None:
    assert read(tmp_path, TEXT.replace(old, new, 1)).rest
