"""What a picture of an exercise shows: shapes that go in and come out, and lines.

    calls   recorded calls of the student's functions -> parts, each with its shape
    lines   `picture`, as the code under `## Picture` in TOPIC/STEM.md sets it -> numbers

This code runs after the student's file, with its names:

    x = jnp.linspace(-3, 3, 60)
    picture = {"title": "selu", "x": x, "yours": selu(x), "the formula": ...}

Every key but `title` and `x` is a line. All of it becomes plain lists, as JSON has them.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

MOST_CALLS = 3
MOST_PARTS = 6
MOST_POINTS = 400
MOST_LETTERS = 60

Recorded = tuple[str, dict[str, Any], Any]  # a function's name, its arguments, its result


def calls(recorded: Iterable[Recorded]) -> list[dict[str, Any]]:
    """The first calls that differ in their shapes: name, parts that went in, parts that came out.

    A part is a label, and the shape of an array, or None with a text for anything else.
    """
    distinct: list[dict[str, Any]] = []
    for name, arguments, result in recorded:
        inputs = [part for label, value in arguments.items() for part in _parts(label, value)]
        call = {"name": name, "given": inputs[:MOST_PARTS], "result": _parts("result", result)}
        if call not in distinct:
            distinct.append(call)
    return distinct[:MOST_CALLS]


def lines(picture: Any) -> dict[str, Any] | None:
    """The title, `x`, and the lines as lists of finite numbers or None. None if there are none."""
    if not isinstance(picture, dict) or "x" not in picture:
        return None
    x = np.ravel(np.asarray(picture["x"], float))[:MOST_POINTS]
    named = {str(k): v for k, v in picture.items() if k not in ("title", "x")}
    return {
        "title": str(picture.get("title", "")),
        "x": _numbers(x),
        "lines": {
            name: _numbers(np.ravel(np.asarray(v, float))[: len(x)]) for name, v in named.items()
        },
    }


def _numbers(values: Any) -> list[float | None]:
    return [float(value) if np.isfinite(value) else None for value in values]


def _parts(label: str, value: Any) -> list[list[Any]]:
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        if all(isinstance(length, int) for length in value.shape):
            return [[label, list(value.shape), str(value.dtype)]]
        # Of a program that is exported for any length.
        return [[label, None, f"{value.dtype}[{', '.join(map(str, value.shape))}]"]]
    if isinstance(value, dict):
        pairs = [(f"{label}[{key!r}]", part) for key, part in value.items()]
    elif isinstance(value, tuple | list):
        pairs = [(f"{label}[{number}]", part) for number, part in enumerate(value)]
    else:
        text = getattr(value, "__name__", "") or repr(value)
        return [[label, None, text[:MOST_LETTERS]]]
    return [part for name, inner in pairs for part in _parts(name, inner)][:MOST_PARTS]
