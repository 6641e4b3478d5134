"""Whether a course is used where it was proved: what to tell, where it isn't.

    installed JAX, the course's proved range --> a sentence, or none

It is a word of advice and no refusal: most of a course works on a JAX that nobody has tried.
"""

from __future__ import annotations

import importlib.metadata
import re

from grader.course import Course


def unproved(course: Course, installed: str | None = None) -> str | None:
    """What to say about the JAX that is installed, if the course was not proved on it."""
    if course.proved_jax is None:
        return None
    installed = installed or _installed()
    if installed is None:
        return (
            "JAX is not installed for this Python, and no exercise runs without it: "
            '`python -m pip install "jax[cpu]"`.'
        )
    oldest, newest = course.proved_jax
    is_older = _release(installed) < _release(oldest)
    if not is_older and _release(installed)[: len(_release(newest))] <= _release(newest):
        return None
    return (
        f"This is JAX {installed}, and the course was proved on {oldest} to {newest}. Most of it "
        "works all the same; should an example fail that looks right, install one of those: "
        f'`python -m pip install "jax[cpu]=={newest}.*"`.'
    )


def _installed() -> str | None:
    try:
        return importlib.metadata.version("jax")
    except importlib.metadata.PackageNotFoundError:
        return None


def _release(version: str) -> tuple[int, ...]:
    """The leading numbers: 0.10.2 for "0.10.2.dev5"."""
    found = re.match(r"\d+(\.\d+)*", version)
    return tuple(map(int, found[0].split("."))) if found else ()
