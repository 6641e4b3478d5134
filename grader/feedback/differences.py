"""What is special about a difference, in words: "part 2 of the result is 25 where 5 is ...".

`special` speaks of the first thing that differs: the container, the shape, the kind of number, or
the numbers. It shows values, so it is only for examples, which a student sees anyway.
"""

import itertools
from collections.abc import Iterable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

KINDS = {"b": "booleans", "i": "integers", "u": "integers", "f": "floats", "c": "complex numbers"}
CLOSE = 1e-5
MOST_TEXT, MOST_PARTS = 60, 6


def special(got: Any, wanted: Any, subject: str = "the result") -> str:
    """A clause; empty if nothing differs."""
    if isinstance(wanted, tuple | list | dict):
        if type(got) is not type(wanted):
            return f"{subject} is {described(got)}, where {described(wanted)} is expected"
        if isinstance(wanted, dict) and isinstance(got, dict):
            if got.keys() != wanted.keys():
                return f"{subject} has the keys {_keys(got)} where {_keys(wanted)} are expected"
            parts = ((f"entry {key!r}", got[key], wanted[key]) for key in wanted)
        else:
            if len(got) != len(wanted):
                return f"{subject} has {len(got)} parts where {len(wanted)} are expected"
            pairs = enumerate(zip(got, wanted, strict=True), start=1)
            parts = ((f"part {number}", *pair) for number, pair in pairs)
        clauses = (special(a, e, f"{place} of {subject}") for place, a, e in parts)
        return next(filter(None, clauses), "")
    if not (_is_number(got) and _is_number(wanted)):
        same = type(got) is type(wanted) and got == wanted
        return "" if same else f"{subject} is {_shown(got)} where {_shown(wanted)} is expected"
    return _of_arrays(np.asarray(got), np.asarray(wanted), subject)


def different_line(got: str, wanted: str) -> str:
    """A clause about the first line that differs in two texts; empty for texts of one line."""
    pairs = list(itertools.zip_longest(got.splitlines(), wanted.splitlines()))
    if len(pairs) < 2:
        return ""
    return next(
        (_line(number, *pair) for number, pair in enumerate(pairs, 1) if len({*pair}) > 1), ""
    )


def _line(number: int, got: str | None, wanted: str | None) -> str:
    if got is None:
        return f"line {number} is missing: {_shown(wanted)}"
    right = "nothing" if wanted is None else _shown(wanted)
    return f"line {number} is {_shown(got)} where {right} is expected"


def described(value: Any, *, is_part: bool = False) -> str:
    """What a value is, in a few words: "an array of shape (2, 3)". `is_part` leaves out
    what is inside it.
    """
    if value is None:
        return "None"
    if isinstance(value, dict):
        if empty := [key for key, part in value.items() if part is None]:
            return f"a dict whose {empty[0]!r} is None"
        return f"a dict with the keys {_keys(value)}" if value else "an empty dict"
    if isinstance(value, tuple | list):
        if is_part and value:
            return f"a {type(value).__name__} of {len(value)}"
        parts = [described(part, is_part=True) for part in value[:MOST_PARTS]]
        parts += ["..."] if len(value) > MOST_PARTS else []
        kind = type(value).__name__
        if len(value) > 2 and len(set(parts)) == 1:
            return f"a {kind} of {len(value)}, each of them {parts[0]}"
        return f"a {kind} of {len(value)}: {', '.join(parts)}" if value else f"an empty {kind}"
    # A class of arrays has the attributes, too, and no shape in them.
    if isinstance(shape := getattr(value, "shape", None), tuple) and hasattr(value, "dtype"):
        return f"an array of shape {shape}" if shape else "an array without axes"
    if isinstance(value, type):
        return f"the class `{value.__name__}`"
    if callable(value):
        return "a function"
    article = "an" if type(value) is int else "a"
    return f"{article} {type(value).__name__}"


def _of_arrays(a: Array, e: Array, subject: str) -> str:
    if a.shape != e.shape:
        return f"{subject} is {_table(a)}, where {_table(e)} is expected"
    if a.dtype.kind != e.dtype.kind:
        kinds = [KINDS.get(x.dtype.kind, "values") for x in (a, e)]
        return f"{subject} has {kinds[0]} where {kinds[1]} are expected"
    if a.dtype != e.dtype:
        return f"{subject} has dtype {a.dtype} where {e.dtype} is expected"
    wrong = (
        ~np.isclose(a, e, rtol=CLOSE, atol=0, equal_nan=True) if e.dtype.kind in "fc" else a != e
    )
    count = int(np.sum(wrong))
    if not count:
        return ""
    if not a.ndim:
        return f"{subject} is {_shown(a[()])} where {_shown(e[()])} is expected"
    place = tuple(np.argwhere(wrong)[0])
    index = f"[{', '.join(map(str, place))}]"
    many = f"all {count}" if count == a.size else f"{count} of {a.size}"
    first = f"{index} is {_shown(a[place])} where {_shown(e[place])} is expected"
    return f"{subject} differs in {many} numbers; {first}"


def _is_number(value: Any) -> bool:
    return isinstance(value, bool | int | float | complex | np.ndarray | np.generic)


def _table(a: Array) -> str:
    if not a.ndim:
        return f"the number {_shown(a[()])}"
    return f"a row of {a.size}" if a.ndim == 1 else f"a table of shape {a.shape}"


def _keys(parts: Iterable[Any]) -> str:
    return ", ".join(map(repr, list(parts)[:MOST_PARTS]))


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return _table(value)
    if isinstance(value, tuple | list | dict):
        return described(value)
    value = value.item() if isinstance(value, np.generic) else value
    text = f"{value:.6g}" if isinstance(value, float) else repr(value)
    return text if len(text) <= MOST_TEXT else f"{text[:MOST_TEXT]}..."
