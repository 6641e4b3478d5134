"""The random inputs of a program: they follow from a secret, the exercise and the program's text.

    seed(secret, source)  ->  generator(seed, suite, test)

The same program gets the same inputs, whoever submits it, and whenever. Any other program gets
others, so what a failing program is told is of no use to the next one. The digest is over exactly
the text that the worker runs: a program could read anything else, and act on it. The secret has 128
bits (`secret()`): who sees inputs could find a short one by trying.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from grader.records import digests
from grader.records.model import Source

if TYPE_CHECKING:
    import numpy as np

AGAIN = "These are the inputs of a second draw, since the solution fails on the first one."
"""Begins the teacher's text of such a test."""


def secret() -> str:
    """A new one for a class, or for a run."""
    return secrets.token_hex(16)


def seed(secret: str, source: Source) -> str:
    """The seed of a program, or the one that its source names."""
    kind = source.file.rpartition(".")[2]  # a notebook's cells are loaded one by one
    return source.seed or digests.of(secret, source.exercise, kind, source.text)[:32]


def second(first: str) -> str:
    """Another draw for the same program, where the solution fails on the first one."""
    return digests.of(first, "second")[:32]


def generator(seed: str, suite: str, test: str, use: str = "") -> np.random.Generator:
    """Random numbers of one test, for one use; `suite` is the name of its file."""
    import numpy as np

    text = f"{seed}:{suite}:{test}{use}"
    return np.random.default_rng(int.from_bytes(digests.plain(text)[:16], "big"))
