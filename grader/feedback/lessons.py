"""The words of feedback: what is wrong and why, what to change, and a page to read.

words/*.txt --read--> Lesson, by its cause --advice--> Advice for one student's line
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.records.model import Advice

SAME_RESULTS = "Your function gives the same results as this mistake: "
SAME_ERROR = "Your code fails like this mistake: "
"""What stands before the sentence of a known mistake."""
DOCS = "https://docs.jax.dev/en/latest/"


@dataclass(frozen=True)
class Lesson:
    """What is wrong and why; what to change; a page below `DOCS`, or an address.

    The sentence begins with a verb, because its subject is "Line 7", "Your code" or "The example at
    line 4 gives a result that". Words that replace the braces never come from a hidden test.
    """

    sentence: str
    todo: str
    page: str

    def advice(
        self, cause: str, subject: str, line: int | None = None, code: str = "", **words: Any
    ) -> Advice:
        """The lesson for one student."""
        sentence = f"{subject} {self.sentence.format(**words)}"
        page = self.page.format(**words)
        address = page if not page or page.startswith("https://") else DOCS + page
        title = page_title(address)
        return Advice(cause, sentence, self.todo.format(**words), line, code[:200], address, title)


def read(name: str) -> dict[str, Lesson]:
    """Lessons by cause. A paragraph is a cause and its page, a sentence, `->` and what to do."""
    text = _text(name)
    found = {}
    for paragraph in text.strip().split("\n\n"):
        if not paragraph.startswith("#"):
            head, rest = paragraph.split("\n", 1)
            cause, _, page = head.partition("  ")
            sentence, todo = " ".join(rest.split()).split(" -> ")
            found[cause] = Lesson(sentence, todo, page)
    return found


def _text(name: str) -> str:
    return (Path(__file__).parent / "words" / f"{name}.txt").read_text(encoding="utf-8")


def _table(name: str) -> list[list[str]]:
    """The cells of each row."""
    lines = (line for line in _text(name).splitlines() if line and not line.startswith("#"))
    return [line.split(" | ") for line in lines]


def page_title(address: str) -> str:
    """The title of a page of JAX's documents; empty for other pages."""
    page = address.removeprefix(DOCS).partition("#")[0]
    name = page.removeprefix("_autosummary/")
    return PAGES.get(page, "") if name == page else f"`{name.removesuffix('.html')}`"


PAGES = {row[0]: row[1] for row in _table("pages")}
"""Pages of JAX's documents, with their titles. What is below `_autosummary` isn't among them."""
LESSONS = read("traced") | read("arrays") | read("silent")
"""Lessons about code: about exceptions, and about mistakes that raise nothing."""
RELATIONS = read("relations")
"""Lessons about how a wrong result is related to the right one, the most telling relation first."""
REMOVED = {old: (new, page) for old, new, page in _table("removed")}
"""Names that were removed from JAX, what to use today, and a page. A method begins with a dot."""


def advice(cause: str, line: int | None = None, code: str = "", **words: Any) -> Advice:
    """The lesson about a cause, for one student's line."""
    subject = f"Line {line}" if line is not None else "Your code"
    return LESSONS[cause].advice(cause, subject, line, code, **words)
