"""The sections of a Google-style docstring, which is the text of an exercise."""

import re
import textwrap
from collections.abc import Iterator

_HEADING = re.compile(r"^(\w+):[ ]*\n", re.MULTILINE)


def sections(docstring: str) -> list[tuple[str, str]]:
    """Each heading (`Args`, `Returns`, ...) with its text, without indentation.

    What stands before the first heading has an empty one. `docstring` is as `ast.get_docstring`
    returns it.
    """
    parts = _HEADING.split(f"{docstring}\n")
    pairs = zip(["", *parts[1::2]], parts[::2], strict=True)
    texts = [(heading, textwrap.dedent(text).strip()) for heading, text in pairs]
    return [(heading, text) for heading, text in texts if text]


def entries(text: str) -> Iterator[str]:
    """The entries of a section such as `Args`, each in one line."""
    for entry in re.split(r"\n(?!\s)", text):
        yield " ".join(entry.split())
