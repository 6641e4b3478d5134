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

    <!-- answers: 3f0c2a91 ... -->

A student may have what stands above the explanation at any time. `answers` are digests of the
entries that a `predict` exercise asks for. `grader mistakes` writes them below the explanation, so
whoever has no explanation has no digests.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

EXPLANATION = "## Why it works"
_EXPLANATION = re.compile(rf"^{EXPLANATION}[ \t]*$", re.MULTILINE)
_HINT = re.compile(
    r"^<details>\s*<summary>[^\n]*</summary>\n((?:(?!</?details>)[^\n]*\n)*)</details>$",
    re.MULTILINE,
)
_ANSWERS = re.compile(r"\n*^<!-- answers: ([0-9a-f ]+) -->$", re.MULTILINE)
_PICTURE = re.compile(r"^## Picture\n+```python\n(.*?)^```$", re.M | re.S)


@dataclass(frozen=True)
class Notes:
    """What the file says; all of it is empty if there is no file."""

    hints: tuple[str, ...] = ()
    picture: str = ""
    """Python that sets `picture`; see `grader.student.pictures`."""
    explanation: str = ""
    """In Markdown, with its headings."""
    answers: tuple[str, ...] = ()
    """Of a `predict` exercise: the digest of each entry."""
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
        explanation=_ANSWERS.sub("", text[len(above) :]),
        answers=tuple(" ".join(_ANSWERS.findall(text[len(above) :])).split()),
        rest=rest.strip(),
    )


def with_answers(text: str, answers: Iterable[str]) -> str:
    """The text with these digests at its end, below the explanation."""
    return f"{_ANSWERS.sub('', text).rstrip()}\n\n<!-- answers: {' '.join(answers)} -->\n"


def without_explanation(text: str) -> str:
    """The part that a student may have before the exercise is solved."""
    found = _EXPLANATION.search(text)
    return text if found is None else text[: found.start()]
