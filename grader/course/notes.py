"""The notes on an exercise, `TOPIC/STEM.md`: hints, perhaps a picture, and an explanation.

    <details><summary>Hint 1</summary>

    What does 0 times NaN give?
    </details>

    ## Picture

    ```python
    picture = {"title": "selu", "x": x, "yours": selu(x)}
    ```

    ## Why it works

    The explanation begins with this heading, and goes to the end of the file.

A student may have what stands above the explanation at any time.
"""

import re
from dataclasses import dataclass
from pathlib import Path

EXPLANATION = "## Why it works"
_EXPLANATION = re.compile(rf"^{EXPLANATION}[ \t]*$", re.MULTILINE)
_HINT = re.compile(
    r"^<details>\s*<summary>[^\n]*</summary>\n((?:(?!</?details>)[^\n]*\n)*)</details>$",
    re.MULTILINE,
)
_PICTURE = re.compile(r"^## Picture\n+```python\n(.*?)^```$", re.M | re.S)


@dataclass(frozen=True)
class Notes:
    """What the file says; all of it is empty if there is no file."""

    hints: tuple[str, ...] = ()
    picture: str = ""
    """Python that sets `picture`; see `grader.student.pictures`."""
    explanation: str = ""
    """In Markdown, with its headings."""
    rest: str = ""
    """Above the explanation, what is neither a hint nor a picture: a fault of the author's."""


def read(path: Path) -> Notes:
    """The notes in a file, empty if it can't be read."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return Notes()
    above = without_explanation(text)
    pictures = _PICTURE.findall(above)
    rest = _PICTURE.sub("", _HINT.sub("", above))
    hints = (hint.strip("\n") for hint in _HINT.findall(above))
    return Notes(
        hints=tuple(hint for hint in hints if hint.strip()),
        picture=pictures[0] if pictures else "",
        explanation=text[len(above) :],
        rest=rest.strip(),
    )


def without_explanation(text: str) -> str:
    """The part that a student may have before the exercise is solved."""
    found = _EXPLANATION.search(text)
    return text if found is None else text[: found.start()]
