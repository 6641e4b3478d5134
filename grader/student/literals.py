"""The values that an example shows, read from its text: `(Array([1., 2.], dtype=float32), 3)`.

    value   a text -> numbers, arrays, texts and containers of these
    agree   whether two texts show equal values; floats are equal up to rounding

Only literals are read. Nothing of a text is executed.
"""

import ast
from typing import Any

import numpy as np

# 32 units of rounding in float32, as in hidden tests.
ROUNDING = 32 * 2.0**-23
_NAMES = {"nan": float("nan"), "inf": float("inf")}
_ARRAYS = {"Array", "array"}


def value(text: str) -> Any:
    """What a text shows. Lists of numbers are arrays, and several lines are a list.

    Raises `ValueError` if it shows anything else.
    """
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, MemoryError, RecursionError):
        lines = text.strip().splitlines()
        if len(lines) < 2:
            raise ValueError("it is not a literal") from None
        return _as_array([value(line) for line in lines])
    return _read(tree.body)


def agree(wanted: str, got: str) -> bool:
    """Whether two texts show the same value."""
    try:
        return same(value(got), value(wanted))
    except ValueError:
        return False


def holds(value: Any, kinds: str) -> bool:
    """Whether a number of these kinds is in it, as NumPy names them: "b" for booleans."""
    if isinstance(value, tuple | list | dict):
        parts = value.values() if isinstance(value, dict) else value
        return any(holds(part, kinds) for part in parts)
    return np.asarray(value).dtype.kind in kinds


def _read(node: ast.expr) -> Any:
    match node:
        case ast.Constant():
            return node.value
        case ast.Name() if node.id in _NAMES:
            return _NAMES[node.id]
        case ast.UnaryOp(op=ast.USub()):
            inner = _read(node.operand)
            if isinstance(inner, int | float | complex):
                return -inner
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            left, right = _read(node.left), _read(node.right)
            if isinstance(right, complex) and isinstance(left, int | float):
                return left + right if isinstance(node.op, ast.Add) else left - right
        case ast.Tuple():
            return tuple(map(_read, node.elts))
        case ast.List():
            return _as_array(list(map(_read, node.elts)))
        case ast.Dict() if None not in node.keys:
            keys = [_read(key) for key in node.keys if key is not None]
            try:
                return dict(zip(keys, map(_read, node.values), strict=True))
            except TypeError:
                raise ValueError("it has a key that can't be one") from None
        case ast.Call(func=ast.Name(id=name), args=[shown]) if name in _ARRAYS:
            dtypes = [k.value for k in node.keywords if k.arg == "dtype"]
            return _typed(_read(shown), dtypes)
    raise ValueError("it is not a literal")


def _typed(read: Any, dtypes: list[ast.expr]) -> Any:
    try:
        array = np.asarray(read)
        # NumPy doesn't know JAX's narrow floats. Their values are those of float32.
        name = ast.unparse(dtypes[0]).strip("'\"") if dtypes else array.dtype.name
        return array.astype("float32" if name == "bfloat16" else name)
    except (TypeError, ValueError):
        raise ValueError("it is not an array") from None


def _as_array(items: list[Any]) -> Any:
    """A list as an array if it is a full table of numbers."""
    shapes = {np.shape(item) for item in items}
    numbers = all(isinstance(item, bool | int | float | complex | np.ndarray) for item in items)
    if not items or not numbers or len(shapes) > 1:
        return items
    # Python's True isn't 1 here, and 1 isn't 1.0.
    kinds = {np.asarray(item).dtype.kind for item in items}
    array = np.asarray(items)
    return array if len(kinds) == 1 and array.dtype != object else items


def same(one: Any, other: Any, rounding: float = ROUNDING) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[k], other[k], rounding) for k in other)
    if isinstance(other, tuple | list):
        return (
            type(one) is type(other)
            and len(one) == len(other)
            and all(same(a, e, rounding) for a, e in zip(one, other, strict=True))
        )
    a, e = np.asarray(one), np.asarray(other)
    if type(one) is not type(other) or a.dtype != e.dtype or a.shape != e.shape:
        return False
    if a.dtype.kind not in "fc":
        return bool(np.array_equal(a, e))
    largest = float(np.max(np.abs(e[np.isfinite(e)]), initial=0.0)) or 1.0
    return bool(np.allclose(a, e, rtol=0, atol=rounding * largest, equal_nan=True))
