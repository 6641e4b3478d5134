"""Mistakes that a course knows, and what each of them shows in the examples of a stub.

    known_mistakes.jsonl   a line for each mistake, sorted; the sentences are those of the wrong
                           answers in `solutions/TOPIC/STEM.wrong.py`

If a student's examples come out exactly so, the sentence says why. `grader mistakes` writes the
file. It holds no code.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from grader.course.course import mistakes_of
from grader.records.model import unpack
from grader.student import literals
from grader.student.facts import Broken, Fact, Wrong

_CODE = re.compile(r"`([^`]+)`")
_MODULES = {"jax", "jnp", "lax", "np"}
_NAME = re.compile(r"[A-Za-z_]\w*")

# A longer list of mistakes with the same results would not help.
MOST = 3

Shows = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Mistake:
    """A wrong answer: what is wrong, and what its failing examples show, each with its code."""

    exercise: str
    says: str
    todo: str
    shows: Shows
    digest: str = ""
    """Of what this was made from; see `grader.author.known_mistakes`."""


def read(path: Path, exercise: str) -> tuple[Mistake, ...]:
    """The mistakes in one exercise; none if there is no such file, or it can't be read."""
    try:
        lines = mistakes_of(path.read_bytes(), [exercise])
        return tuple(unpack(line, Mistake) for line in lines.splitlines())
    except (OSError, ValueError):
        return ()


def shows(facts: Iterable[Fact]) -> Shows:
    """What the failing examples show: a value, or the class of an exception."""
    return tuple((fact.example.source, _outcome(fact)) for fact in facts)


def recognised(found: Shows, known: Iterable[Mistake], source: str) -> tuple[str, str]:
    """What is wrong and what to do, if one mistake of all shows exactly this; else empty.

    If a few mistakes show it, what is wrong is one of them.
    """
    if not any(_telling(outcome) for _, outcome in found):
        return "", ""
    words = set(_NAME.findall(source))
    shown = {(m.says, m.todo): None for m in known if agree(m.shows, found)}
    fitting = [pair for pair in shown if _is_about(pair[0], words)]
    if len(fitting) == 1:
        return fitting[0]
    return (" Or: ".join(says for says, _ in fitting), "") if len(fitting) <= MOST else ("", "")


def _is_about(says: str, words: set[str]) -> bool:
    """A sentence whose names are all unknown to the student's file is about other code."""
    named = {name for code in _CODE.findall(says) for name in _NAME.findall(code)} - _MODULES
    return not named or bool(named & words)


def _outcome(fact: Fact) -> str:
    if isinstance(fact, Wrong):
        return fact.got.rstrip()
    return fact.classes[0] if isinstance(fact, Broken) else "None"


def agree(one: Shows, other: Shows) -> bool:
    """Whether the same examples show the same, but for rounding."""
    pairs = zip(one, other, strict=False)
    return len(one) == len(other) and all(
        example == same and (wanted == got or literals.agree(wanted, got))
        for (example, wanted), (same, got) in pairs
    )


def _telling(outcome: str) -> bool:
    """Whether few mistakes can show this: it holds a number that isn't 0, or several lines."""
    try:
        found = literals.value(outcome)
    except ValueError:
        return "\n" in outcome  # what was printed
    return literals.holds(found, "iufc") and bool(re.search("[1-9]", outcome))
