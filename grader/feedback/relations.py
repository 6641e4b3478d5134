"""What was returned, and what was expected -> how the one follows from the other.

    between(got, expected)   every relation that holds for one pair of trees -> Pair
    told(pairs)              the one to tell, if it holds in every pair that was seen -> Advice

One pair proves nothing: any two numbers differ by some factor. A relation is told when it holds
for at least two pairs with different inputs. No text names a size, an axis or a value.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.feedback.lessons import address
from grader.feedback.words_relations import RELATIONS
from grader.model import Advice

Array = np.ndarray[Any, Any]

# Far above rounding in float32, far below what another formula gives.
CLOSE = 1e-4
COARSE = 2e-2
PRECISE = 1e-3
# A factor this near to 1 is a matter of precision.
NEAR = 1e-2
MOST_ELEMENTS = 200_000
MOST_AXES = 4
# Fewer elements could agree by chance.
ENOUGH = 3
EXAMPLES = 2


@dataclass(frozen=True)
class Pair:
    """The names of all relations that hold between two values, and what tells it from others."""

    relations: frozenset[str]
    digest: bytes


def between(got: Any, expected: Any, inputs: Sequence[Array] = (), devices: int = 1) -> Pair:
    """Every relation that holds in all places where two trees of numpy arrays differ.

    `inputs` are the arrays that the function was given, if they are known.
    """
    return Pair(_shared(got, expected, inputs, devices), _digest(got, expected))


def _shared(got: Any, expected: Any, inputs: Sequence[Array], devices: int) -> frozenset[str]:
    pairs = _pairs(got, expected)
    if pairs is None:
        return frozenset({"structure"})
    if any(a.size > MOST_ELEMENTS or e.size > MOST_ELEMENTS for a, e in pairs):
        return frozenset()
    common: set[str] | None = {"swapped"} if _swapped(pairs) else None
    for a, e in pairs if common is None else ():
        if a.shape == e.shape and a.dtype == e.dtype and _close(a, e, strict=True):
            continue
        found = set(_of_leaf(a, e, inputs, devices))
        common = found if common is None else common & found
    return frozenset(common or ())


def _digest(*trees: Any) -> bytes:
    """Of all numbers in the trees: equal ones prove nothing a second time."""
    digest = hashlib.sha256()
    left = list(trees)
    while left:
        tree = left.pop()
        children = _children(tree)
        if children is not None:
            left += children.values()
        elif np.asarray(tree).size <= MOST_ELEMENTS:
            digest.update(np.asarray(tree).tobytes())
    return digest.digest()


def told(pairs: Iterable[Pair]) -> Advice | None:
    """The most telling relation that all pairs share."""
    pairs = list(pairs)
    if len({pair.digest for pair in pairs}) < EXAMPLES:
        return None
    shared = frozenset.intersection(*(pair.relations for pair in pairs))
    for name, relation in RELATIONS.items():
        full = next((s for s in sorted(shared) if s == name or s.startswith(f"{name}:")), None)
        if full is not None:
            number = full.partition(":")[2]
            # Any other number could be one of a test's.
            times = {"2": "twice", "0.5": "half"}.get(number, "a constant times")
            sentence = relation.says.format(times=times)
            page = address(relation.page)
            return Advice(name, f"{sentence} {relation.means}".strip(), relation.todo, page=page)
    return None


def _pairs(got: Any, expected: Any) -> list[tuple[Array, Array]] | None:
    """Matching leaves; None if the structures differ."""
    children = _children(expected)
    if children is None:
        if _children(got) is not None:
            return None
        return [(np.asarray(got), np.asarray(expected))]
    given = _children(got)
    if given is None or type(got) is not type(expected) or list(given) != list(children):
        return None
    below = [_pairs(given[name], children[name]) for name in children]
    return None if None in below else [pair for part in below for pair in part or ()]


def _children(value: Any) -> dict[Any, Any] | None:
    if isinstance(value, dict):
        return value
    return dict(enumerate(value)) if isinstance(value, list | tuple) else None


def _swapped(pairs: list[tuple[Array, Array]]) -> bool:
    """Whether two results stand in each other's place."""
    if len(pairs) != 2:
        return False
    (a, e), (b, f) = pairs
    return a.shape == f.shape and b.shape == e.shape and _close(a, f) and _close(b, e)


def _of_leaf(a: Array, e: Array, inputs: Sequence[Array], devices: int) -> Iterator[str]:
    if any(x.shape == a.shape and _close(a, x) for x in inputs if x.size >= ENOUGH):
        yield "input"
    if a.shape != e.shape:
        yield from _of_shapes(a, e)
        yield "shape"
        return
    if not (_numeric(a) and _numeric(e)):
        return
    if _has_nan(a) and not _has_nan(e):
        yield "nan"
        return
    # Counts may well be equal in every place.
    drawn = a.ndim > 1 or a.dtype.kind not in "biu"
    if drawn and a.size >= ENOUGH and _same_rows(a, strict=True) and not _same_rows(e):
        yield "same-rows"
    yield from _of_values(_wide(a), _wide(e))
    yield from _of_order(_wide(a), _wide(e))
    yield from _of_factors(_wide(a), _wide(e), inputs, devices)
    if a.dtype != e.dtype:
        yield "dtype"


def _of_shapes(a: Array, e: Array) -> Iterator[str]:
    """What relates results of different shapes."""
    axes = range(min(max(a.ndim, e.ndim), MOST_AXES))
    if a.size == e.size:
        if any(_close(a, p) for p in _transposes(e)):
            yield "transposed"
        if _squeezed(a) == _squeezed(e) and _close(a.ravel(), e.ravel()):
            yield "axis-of-one"
        elif _close(a.ravel(), e.ravel()):
            yield "reshaped"
    if e.ndim == 1 and a.shape == (e.size, e.size) and e.size > 1:
        yield from ["column-row"] if _close(np.diagonal(a), e) else []
    if a.ndim == e.ndim + 1 and a.shape == (*e.shape, *e.shape[-1:]) and e.ndim:
        yield "column-row"
    reductions: tuple[Callable[..., Any], ...] = (np.sum, np.mean, np.max, np.min)
    if _numeric(a) and _numeric(e) and a.size and e.size:
        if _any_reduced(a, e, axes, reductions):
            yield "reduced"
        if _any_reduced(e, a, axes, reductions):
            yield "not-reduced"
    if e.size and a.size > e.size and any(_repeats(a, e, axis) for axis in range(a.ndim)):
        yield "broadcast"
    for name, place in (("first-only", 0), ("last-only", -1)):
        if any(e.ndim > x and e.shape[x] > 1 and _close(a, e.take(place, axis=x)) for x in axes):
            yield name
    yield from _of_lengths(a, e, axes)


def _of_lengths(a: Array, e: Array, axes: Iterable[int]) -> Iterator[str]:
    """One element too few or too many, at either end of an axis."""
    for axis in axes:
        if a.ndim != e.ndim or a.ndim <= axis:
            continue
        for short, long, name in ((a, e, "one-missing"), (e, a, "one-more")):
            if short.shape[axis] + 1 == long.shape[axis] and short.size >= ENOUGH:
                ends = (np.delete(long, place, axis) for place in (0, -1))
                if any(_close(short, end) for end in ends):
                    yield name


def _any_reduced(
    small: Array, large: Array, axes: Iterable[int], reductions: Iterable[Callable[..., Any]]
) -> bool:
    """Whether one is a sum, mean, maximum or minimum of the other over an axis, or over all."""
    if large.size <= small.size or large.dtype == bool:
        return False
    choices: list[Any] = [axis for axis in axes if axis < large.ndim]
    if large.ndim > 1:
        choices.append(None)
    for reduce in reductions:
        for axis in choices:
            for keepdims in (False, True):
                reduced = np.asarray(reduce(_wide(large), axis=axis, keepdims=keepdims))
                if reduced.shape == small.shape and _close(small, reduced):
                    return True
    return False


def _repeats(a: Array, e: Array, axis: int) -> bool:
    """Whether `a` is `e`, copied along one axis."""
    first = a.take(0, axis=axis)
    if first.shape != e.shape and np.expand_dims(first, axis).shape != e.shape:
        return False
    return _close(first.ravel(), e.ravel()) and _close(
        a, np.broadcast_to(np.expand_dims(first, axis), a.shape)
    )


def _of_values(a: Array, e: Array) -> Iterator[str]:
    """What relates results of one shape, element by element."""
    if not np.any(a):
        yield "zero"
        return
    if _close(a, -e):
        yield "sign"
    error = float(np.max(np.abs(a - e), initial=0.0))
    if 0 < error <= PRECISE * float(np.max(np.abs(e), initial=0.0)):
        yield "precision"
    if a.size >= ENOUGH and not _close(a, e):
        difference = a - e
        constant = np.full_like(difference, difference.flat[0])
        if _close(difference, constant) and not _constant(e) and error > PRECISE * _largest(e):
            yield "offset"


def _same_rows(a: Array, strict: bool = False) -> bool:
    return (
        a.ndim > 0 and a.shape[0] > 1 and _close(a, np.broadcast_to(a[:1], a.shape), None, strict)
    )


def _of_order(a: Array, e: Array) -> Iterator[str]:
    """What relates results of one shape by the order of their elements."""
    if a.size < ENOUGH:
        return
    if any(_close(a, p) for p in _transposes(e) if p.shape == a.shape):
        yield "transposed"
    for axis in range(min(a.ndim, MOST_AXES)):
        count = a.shape[axis]
        if count < 2:
            continue
        if _close(a, np.flip(e, axis)):
            yield "reversed"
        if count > 2 and not _constant(e):
            head, tail = np.s_[:-1], np.s_[1:]
            moved = [
                (_cut(a, axis, tail), _cut(e, axis, head)),
                (_cut(a, axis, head), _cut(e, axis, tail)),
            ]
            if any(_close(x, y) and np.any(y) and not _constant(y) for x, y in moved):
                yield "shifted"
    if a.shape[0] > ENOUGH:
        right = [_close(x, y, _largest(e)) for x, y in zip(a, e, strict=True)]
        if right[0] and not any(right[1:]):
            yield "first-only"
        if right[-1] and not any(right[:-1]):
            yield "last-only"


def _of_factors(a: Array, e: Array, inputs: Sequence[Array], devices: int) -> Iterator[str]:
    """A constant factor: a size that was not divided by, the devices, or any other number."""
    norm = float(np.vdot(e, e).real)
    if not norm:
        return
    factor = float(np.vdot(e, a).real) / norm
    if not factor or not math.isfinite(factor) or not _close(a, factor * e):
        return
    if abs(factor - 1) < NEAR or abs(factor + 1) < NEAR:
        return
    shapes = [x.shape for x in inputs] + [e.shape]
    sizes = {n for shape in shapes for n in shape} | {math.prod(shape) for shape in shapes}
    for count, name in [(devices, "devices"), *((size, "size") for size in sorted(sizes))]:
        if count > 1 and abs(factor / count - 1) < CLOSE:
            yield f"times-{name}"
        if count > 1 and abs(factor * count - 1) < CLOSE:
            yield f"over-{name}"
    yield f"factor:{factor:.3g}"


def _transposes(e: Array) -> Iterator[Array]:
    """The array with its axes in every other order."""
    if 2 <= e.ndim <= MOST_AXES:
        orders = itertools.permutations(range(e.ndim))
        yield from (np.transpose(e, order) for order in itertools.islice(orders, 1, None))


def _squeezed(a: Array) -> tuple[int, ...]:
    return tuple(n for n in a.shape if n != 1)


def _cut(a: Array, axis: int, part: slice) -> Array:
    return a[(slice(None),) * axis + (part,)]


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
    """Equal up to rounding, in the scale of the largest element."""
    if a.shape != e.shape or not (_numeric(a) and _numeric(e)):
        return False
    coarse = any(x.dtype.itemsize == 2 and x.dtype.kind not in "iu" for x in (a, e))
    a, e = _wide(a), _wide(e)
    if not (np.all(np.isfinite(a)) and np.all(np.isfinite(e))):
        return False
    unit = CLOSE / 100 if strict else COARSE if coarse else CLOSE
    return bool(np.all(np.abs(a - e) <= unit * max(_largest(e) if scale is None else scale, 1e-30)))
