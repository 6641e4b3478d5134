"""What was returned, and what was expected -> how the two are related.

    between(got, expected)   every relation that holds for one pair of trees -> Pair
    certain(pair)            what the pair proves

Any two numbers differ by some factor. So a factor counts only if several numbers have it.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.feedback.lessons import RELATIONS

Array = np.ndarray[Any, Any]

# Far above rounding in float32, far below the error of another formula.
CLOSE = 1e-4
COARSE = 2e-2
PRECISE = 1e-3
# A factor this near to 1 is a matter of precision.
NEAR = 1e-2
MOST_ELEMENTS = 200_000
MOST_AXES = 4
# Fewer elements could agree by chance.
ENOUGH = 3
_SIMPLE = {"2": "twice", "0.5": "half"}


@dataclass(frozen=True)
class Pair:
    """The names of all relations that hold between two values."""

    relations: frozenset[str]
    elements: int = 0
    """How many numbers differ, equal ones once, without those that should be 0: any factor gives
    these."""


def between(got: Any, expected: Any) -> Pair:
    """Every relation that holds where two trees differ."""
    right = list(_leaves(expected))
    # A tree of more parts has another structure, however many they are.
    given = list(itertools.islice(_leaves(got), len(right) + 1))
    if [place for place, _ in given] != [place for place, _ in right]:
        return Pair(frozenset())
    pairs = [(a, e) for (_, a), (_, e) in zip(given, right, strict=True)]
    return Pair(_shared(pairs), _count(pairs))


def _leaves(tree: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Array]]:
    """Every array of a tree with its place; a container counts as an array without elements."""
    if not isinstance(tree, dict | list | tuple):
        yield place, np.asarray(tree)
        return
    yield (*place, type(tree)), np.empty(0)
    for name, part in tree.items() if isinstance(tree, dict) else enumerate(tree):
        yield from _leaves(part, (*place, name))


def _shared(pairs: list[tuple[Array, Array]]) -> frozenset[str]:
    if any(a.size > MOST_ELEMENTS or e.size > MOST_ELEMENTS for a, e in pairs):
        return frozenset()
    if _swapped(pairs):
        return frozenset({"swapped"})
    wrong = ((a, e) for a, e in pairs if a.dtype != e.dtype or not _close(a, e, strict=True))
    found = [frozenset(_of_leaf(a, e)) for a, e in wrong]
    return frozenset.intersection(*found) if found else frozenset()


def certain(pair: Pair) -> tuple[str, str] | None:
    """What one pair proves: the name of a relation, and the `times` of its lesson.

    Any two numbers have a sum and a quotient, so few numbers prove no `offset` and no odd `factor`.
    """
    known = _named(pair)
    for name in RELATIONS:
        if name in known and pair.elements >= _proved_by(name, known[name]):
            return name, _SIMPLE.get(known[name], f"{known[name]} times")
    return None


def _proved_by(name: str, factor: str) -> int:
    """How many numbers prove a relation. Two have a round factor, such as 1.5, hardly by chance."""
    if name == "offset":
        return ENOUGH
    if name != "factor" or factor in _SIMPLE:
        return 0
    return 2 if len(factor.lstrip("-0.").replace(".", "")) <= 2 else ENOUGH


def _named(pair: Pair) -> dict[str, str]:
    """The relations by name, with the number behind the colon."""
    return {full.partition(":")[0]: full.partition(":")[2] for full in sorted(pair.relations)}


def _count(pairs: list[tuple[Array, Array]]) -> int:
    """How many numbers that aren't 0 differ, equal ones once, in leaves of the right shape."""
    small = [(a, e) for a, e in pairs if a.shape == e.shape and a.size <= MOST_ELEMENTS]
    return len({number for a, e in small for number in e[(a != e) & (e != 0)].tolist()})


def _swapped(pairs: list[tuple[Array, Array]]) -> bool:
    leaves = [(a, e) for a, e in pairs if a.size and e.size]
    if len(leaves) != 2:
        return False
    (a, e), (b, f) = leaves
    return _close(a, f) and _close(b, e)


def _of_leaf(a: Array, e: Array) -> Iterator[str]:
    if a.shape != e.shape:
        yield from _of_shapes(a, e)
        return
    if not (_numeric(a) and _numeric(e)) or _close(a, e, strict=True):  # only the dtype is wrong
        return
    if _has_nan(a) and not _has_nan(e):
        yield "nan"
        return
    # Counts can rightly be equal in every place.
    drawn = a.ndim > 1 or a.dtype.kind not in "biu"
    if drawn and a.size >= ENOUGH and _same_rows(a, strict=True) and not _same_rows(e):
        yield "same-rows"
    yield from _of_values(_wide(a), _wide(e))
    yield from _of_order(_wide(a), _wide(e))
    # Any two counts have a ratio.
    if e.size > 1 or e.dtype.kind not in "iu":
        yield from _of_factors(_wide(a), _wide(e))


def _of_shapes(a: Array, e: Array) -> Iterator[str]:
    axes = range(min(max(a.ndim, e.ndim), MOST_AXES))
    if a.size == e.size:
        if any(_close(a, p) for p in _transposes(e)):
            yield "transposed"
        if _squeezed(a) == _squeezed(e) and _close(a.ravel(), e.ravel()):
            yield "axis-of-one"
        elif _close(a.ravel(), e.ravel()):
            yield "reshaped"
    is_square = e.ndim > 1 and e.shape[0] == e.shape[1] > 1
    if is_square and a.ndim == e.ndim - 1 and _close(a, np.moveaxis(np.diagonal(e), -1, 0)):
        yield "diagonal"
    if e.ndim == 1 and a.shape == (e.size, e.size) and e.size > 1 and _close(np.diagonal(a), e):
        yield "column-row"
    if a.ndim == e.ndim + 1 and a.shape == (*e.shape, *e.shape[-1:]) and e.ndim:
        yield "column-row"
    if _numeric(a) and _numeric(e) and a.size and e.size:
        if _any_reduced(a, e, axes):
            yield "reduced"
        if _any_reduced(e, a, axes):
            yield "not-reduced"
    if e.size and a.size > e.size and any(_repeats(a, e, axis) for axis in range(a.ndim)):
        yield "broadcast"
    for name, place in (("first-only", 0), ("last-only", -1)):
        if any(e.ndim > x and e.shape[x] > 1 and _close(a, e.take(place, axis=x)) for x in axes):
            yield name
    yield from _of_lengths(a, e, axes)


def _of_lengths(a: Array, e: Array, axes: Iterable[int]) -> Iterator[str]:
    """One element too few or too many, at either end of an axis."""
    for axis in axes if a.ndim == e.ndim else ():
        given, right = np.moveaxis(a, axis, 0), np.moveaxis(e, axis, 0)
        for short, long, name in ((given, right, "one-missing"), (right, given, "one-more")):
            if short.size >= ENOUGH and (_close(short, long[1:]) or _close(short, long[:-1])):
                yield name


def _any_reduced(small: Array, large: Array, axes: Iterable[int]) -> bool:
    """Whether one is a sum, mean, maximum or minimum of the other over an axis, or over all."""
    if large.size <= small.size or large.dtype == bool:
        return False
    reductions: tuple[Callable[..., Any], ...] = (np.sum, np.mean, np.max, np.min)
    choices = [axis for axis in axes if axis < large.ndim] + ([None] if large.ndim > 1 else [])
    return any(
        _close(small, np.asarray(reduce(_wide(large), axis=axis, keepdims=keepdims)))
        for reduce, axis, keepdims in itertools.product(reductions, choices, (False, True))
    )


def _repeats(a: Array, e: Array, axis: int) -> bool:
    """Whether `a` is `e`, copied along one axis."""
    first = a.take([0], axis=axis)
    if e.shape not in (first.shape, first.squeeze(axis).shape):
        return False
    return _close(first.ravel(), e.ravel()) and _close(a, np.broadcast_to(first, a.shape))


def _of_values(a: Array, e: Array) -> Iterator[str]:
    if not np.any(a):
        yield "zero"
        return
    if _close(a, -e):
        yield "sign"
    elif _close(a, 1 - e):
        yield "complement"
    with np.errstate(over="ignore"):
        if _close(a, e**2) and not _close(a, e):
            yield "squared"
        elif np.all(a >= 0) and _close(a**2, e) and not _close(a, e):
            yield "rooted"
    error, small = _largest(a - e), PRECISE * _largest(e)
    if 0 < error <= small < math.inf:
        yield "precision"
    is_moved = a.size >= ENOUGH and error > small and not _close(a, e)
    if is_moved and _constant(a - e) and not _constant(e):
        yield "offset"


def _same_rows(a: Array, strict: bool = False) -> bool:
    has_rows = a.ndim > 0 and a.shape[0] > 1
    return has_rows and _close(a, np.broadcast_to(a[:1], a.shape), strict=strict)


def _of_order(a: Array, e: Array) -> Iterator[str]:
    if a.size < ENOUGH:
        return
    if any(_close(a, p) for p in _transposes(e) if p.shape == a.shape):
        yield "transposed"
    for axis in range(min(a.ndim, MOST_AXES)):
        given, right = np.moveaxis(a, axis, 0), np.moveaxis(e, axis, 0)
        if len(given) > 1 and _close(given, right[::-1]):
            yield "reversed"
        if len(given) > ENOUGH and not _constant(e):
            moved = [(given[1:], right[:-1]), (given[:-1], right[1:])]
            if any(_close(x, y) and np.any(y) and not _constant(y) for x, y in moved):
                yield "shifted"
    if a.shape[0] > ENOUGH:
        same = [_close(x, y, _largest(e)) for x, y in zip(a, e, strict=True)]
        if same[0] and not any(same[1:]) and _is_rare(e[0]):
            yield "first-only"
        if same[-1] and not any(same[:-1]) and _is_rare(e[-1]):
            yield "last-only"


def _of_factors(a: Array, e: Array) -> Iterator[str]:
    """A constant factor: a size, or any other number."""
    norm = float(np.vdot(e, e).real)
    if not norm:
        return
    factor = float(np.vdot(e, a).real) / norm
    is_telling = factor != 0 and math.isfinite(factor) and abs(abs(factor) - 1) >= NEAR
    if not is_telling or not _close(a, factor * e):
        return
    for size in {*e.shape, e.size} - {0, 1}:
        if abs(factor / size - 1) < CLOSE:
            yield "times-size"
        if abs(factor * size - 1) < CLOSE:
            yield "over-size"
    yield f"factor:{factor:.3g}"


def _transposes(e: Array) -> Iterator[Array]:
    """The array with its axes in every other order."""
    if 2 <= e.ndim <= MOST_AXES:
        orders = itertools.permutations(range(e.ndim))
        yield from (np.transpose(e, order) for order in itertools.islice(orders, 1, None))


def _is_rare(row: Array) -> bool:
    """Whether a wrong program hardly gives this row: one that repeats a number comes by chance."""
    return not _constant(row) or (row.size == 1 and bool(np.any(row)))


def _squeezed(a: Array) -> tuple[int, ...]:
    return tuple(n for n in a.shape if n != 1)


def _numeric(a: Array) -> bool:
    return a.dtype.kind in "biufc" or a.dtype.name in ("bfloat16", "float16")


def _wide(a: Array) -> Array:
    return a.astype(np.complex128 if a.dtype.kind == "c" else np.float64)


def _has_nan(a: Array) -> bool:
    return not np.all(np.isfinite(_wide(a)))


def _largest(a: Array) -> float:
    return float(np.max(np.abs(a), initial=0.0))


def _constant(a: Array) -> bool:
    return a.size == 0 or _close(a, np.full_like(a, a.flat[0]))


def _close(a: Array, e: Array, scale: float | None = None, strict: bool = False) -> bool:
    """Equal up to rounding, relative to `scale`, or else to the largest element."""
    if a.shape != e.shape or not (_numeric(a) and _numeric(e)):
        return False
    coarse = any(x.dtype.itemsize == 2 and x.dtype.kind not in "iu" for x in (a, e))
    a, e = _wide(a), _wide(e)
    if not (np.all(np.isfinite(a)) and np.all(np.isfinite(e))):
        return False
    unit = CLOSE / 100 if strict else COARSE if coarse else CLOSE
    allowed = unit * max(_largest(e) if scale is None else scale, 1e-30)
    return bool(np.all(np.abs(a - e) <= allowed))
