"""Compares a value with the expected one: structure first, then shape, dtype, and numbers.

Tolerance follows from the dtype: 32 units of rounding (4 below float32), relative to the largest
element of the leaf. So zeros don't pass as tiny numbers.
"""

import dataclasses
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

from grader.engine.processes import faults
from grader.engine.processes.evidence import Evidence
from grader.engine.suite.codec import Disagreement, StudentRecord, WithoutJax
from grader.engine.suite.submission import Function
from grader.engine.wire import arrays
from grader.records.errors import BrokenSuiteError, capitalized

# An author's own pytest shows the suite's line, and none of this file.
__tracebackhide__ = True

ROUNDING_UNITS = 32
# Below float32 a unit of rounding is large: 32 units are a quarter of the value.
COARSE_EPSILON, COARSE_UNITS = 1e-4, 4
# Characters of a text, and keys of a dict, in a detail.
MOST_SHOWN = 200
_JAX_DEFAULTS = {
    "float64": "float32",
    "int64": "int32",
    "uint64": "uint32",
    "complex128": "complex64",
}


def assert_close(
    actual: Any,
    expected: Any,
    *,
    rtol: float | None = None,
    atol: float | None = None,
    nonfinite: bool = False,
) -> None:
    """Raises a `Mismatch` (an `AssertionError`) that names the kind of difference, if there is one.

    Compares the containers, then for each leaf shape, dtype, NaN and Inf, and values. The student
    reads the kind ("3 of 12 values are wrong."), the call, and the expected value.

    Args:
        actual: what the student's code returned.
        expected: an array, a Python number, a string, a typed key, None, or lists, tuples, dicts,
            namedtuples and dataclasses of these. For a float64 or int64 NumPy array, the student
            has to return JAX's default dtype, float32 or int32 (in an exercise without JAX, float64
            or int64). A Python number accepts any width of its kind.
        rtol: relative to each element. Like `atol`, it replaces the default tolerance, which
            follows from the dtype: 32 units of rounding of the largest element of the leaf (4 below
            float32). For float32 that is 4e-6 times the largest element. Integers, booleans,
            strings and keys must be equal.
        atol: absolute. With both, `atol + rtol * abs(expected)` is allowed. A number that is a
            small difference of large ones has few right digits, so `rtol` alone would fail a right
            answer for some seeds.
        nonfinite: NaN and Inf have to be where they are expected. By default, they are refused.

    Raises:
        Mismatch: there is a difference.
        BrokenSuiteError: `expected` contains NaN or Inf without `nonfinite`, or an array that the
            student's code returned: `assert_agree` compares two of these.
    """
    if Evidence.current is not None and Evidence.current.holds_an_answer(jax.tree.leaves(expected)):
        raise BrokenSuiteError(
            "`expected` contains an array that the student's code returned, so it may be wrong. "
            "Compute it in the suite, or compare two results with `assert_agree(a, b)`"
        )
    require_close(actual, expected, rtol=rtol, atol=atol, nonfinite=nonfinite)


def assert_agree(
    actual: Any,
    other: Any,
    *,
    rtol: float | None = None,
    atol: float | None = None,
    nonfinite: bool = False,
) -> None:
    """The same for two results of the student's code, such as those of one key.

    Two wrong results may agree. So a test also needs an `assert_close`: `grader verify` refuses
    a test that zeros pass.
    """
    require_close(actual, other, rtol=rtol, atol=atol, nonfinite=nonfinite)


def require_close(
    actual: Any,
    expected: Any,
    *,
    rtol: float | None = None,
    atol: float | None = None,
    nonfinite: bool = False,
) -> None:
    """`assert_close`, wherever the expected values come from."""
    try:
        for path, a, e in _pairs(actual, expected, ""):
            _compare_leaf(path, a, e, rtol, atol, nonfinite)
    except faults.Mismatch as mismatch:
        mismatch.values, mismatch.terms = (actual, expected), {"rtol": rtol, "atol": atol}
        raise


def assert_no_key_reuse(function: Function, *args: Any, **kwargs: Any) -> Any:
    """Calls the function under JAX's key-reuse checker (typed keys only); returns its result.

    Example: `sample = assert_no_key_reuse(submission.f, key(rng), 3)`. It relies on the worker.
    Raises `Mismatch` ("A PRNG key is used twice."), or what the call raises.
    """
    try:
        return function.key_checked()(*args, **kwargs)
    except faults.Raised as fault:
        if "KeyReuseError" in fault.classes:
            mismatch = faults.Mismatch("A PRNG key is used twice.", fault.detail)
            mismatch.advice = fault.advice
            raise mismatch from fault
        raise


@contextmanager
def raises(kind: type[BaseException]) -> Iterator[None]:
    """Holds if the student's code raises `kind` or a subclass of it inside the block.

    Example: `with raises(ValueError): submission.f(np.zeros(3, np.float32))`. The class is compared
    by its name, which the worker reports. `pytest.raises(ValueError)` never holds, since a
    student's exception never reaches the suite. Raises `Mismatch` if nothing, or something else,
    was raised.
    """
    try:
        yield
    except faults.Raised as fault:
        if kind.__name__ not in fault.classes:
            raised = fault.classes[0] if fault.classes else "another exception"
            raise faults.Mismatch(
                f"Another exception than {kind.__name__} is raised.", f"{raised}: {fault.detail}"
            ) from fault
    else:
        raise faults.Mismatch(
            f"No exception is raised where {kind.__name__} is expected.", "the call returned"
        )


@contextmanager
def case(name: str, hint: str = "") -> Iterator[None]:
    """Names what a part of a test tries. If it fails, the student reads the name and the hint.

    Example: `with case("in half precision", hint="Add in float32."): assert_close(...)`. The hint
    replaces the test's own. If cases are nested, the innermost one counts.
    """
    try:
        yield
    except Exception as error:
        vars(error).setdefault("case", (name, hint))
        raise


def key(seed: int | np.random.Generator) -> jax.Array:
    """A typed PRNG key from a seed, or from a seed drawn from the `rng` fixture: `key(rng)`."""
    if isinstance(seed, np.random.Generator):
        seed = int(seed.integers(2**31))
    return jax.random.key(seed)


def _pairs(actual: Any, expected: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Matching leaves with their paths. Raises `Mismatch` where the structures differ."""
    if isinstance(actual, Disagreement):
        raise faults.Mismatch("The devices hold different values of one result.", path)
    children = _children(expected)
    if children is None:
        if _children(actual) is not None or isinstance(actual, StudentRecord | Function):
            _other_structure(path, actual, expected)
        yield path, actual, expected
        return
    parts = _children(actual)
    if type(actual) is not type(expected) or parts is None:
        _other_structure(path, actual, expected)
    if list(parts) != list(children):
        if isinstance(expected, dict):
            said = f"{_name(actual)} with {_some(parts)} where {_some(children)} are expected"
        else:
            said = f"{_name(actual)} of {len(parts)} where {len(children)} are expected"
        _differ(path, "structure", f"{_name(actual)} with other keys or another length", said)
    for name, child in children.items():
        yield from _pairs(parts[name], child, f"{path}[{name!r}]")


def _children(value: Any) -> dict[Any, Any] | None:
    """The parts of a container by key, in a canonical order; None for a leaf."""
    if value is None:
        return {}
    if isinstance(value, dict):
        return dict(sorted(value.items(), key=lambda pair: str(pair[0])))
    if hasattr(type(value), "_fields"):
        return dict(zip(value._fields, value, strict=True))
    if isinstance(value, list | tuple):
        return dict(enumerate(value))
    if dataclasses.is_dataclass(value) and not isinstance(value, StudentRecord | type):
        return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    return None


def _compare_leaf(
    path: str, actual: Any, expected: Any, rtol: float | None, atol: float | None, nonfinite: bool
) -> None:
    if isinstance(expected, str | bytes):
        # An array would be compared element by element.
        if type(actual) is not type(expected) or actual != expected:
            said = f"{_text(actual)} where {_text(expected)} is expected"
            _differ(path, "text", "a different value is expected", said)
        return
    if arrays.is_key(expected) != arrays.is_key(actual):
        _other_structure(path, actual, expected)
    if arrays.is_key(expected):
        actual, expected = jax.random.key_data(actual), jax.random.key_data(expected)
    if not is_number(actual):
        _other_structure(path, actual, expected)
    is_python = type(actual) in (bool, int, float, complex)
    a, e = np.asarray(actual), np.asarray(expected)
    if a.shape != e.shape:
        said = f"shape {a.shape} where {e.shape} is expected"
        _differ(path, "shape", f"shape {a.shape}; a different shape is expected", said)
    dtype = e.dtype
    if not isinstance(expected, jax.Array) and not isinstance(actual, WithoutJax):
        dtype = np.dtype(_JAX_DEFAULTS.get(e.dtype.name, e.dtype))
    same = a.dtype.kind == dtype.kind if is_python else a.dtype == dtype
    # In JAX a Python number fits any width of its kind. So a suite that expects one takes any.
    if type(expected) in (bool, int, float, complex) and a.dtype.kind == dtype.kind:
        same = True
    if not same:
        said = f"dtype {a.dtype} where {dtype} is expected"
        _differ(path, "dtype", f"dtype {a.dtype}; a different dtype is expected", said)
    _compare_values(path, a, e, dtype if is_python else a.dtype, rtol, atol, nonfinite)


def _compare_values(
    path: str,
    a: np.ndarray[Any, Any],
    e: np.ndarray[Any, Any],
    dtype: np.dtype[Any],
    rtol: float | None,
    atol: float | None,
    nonfinite: bool,
) -> None:
    if not jnp.issubdtype(dtype, jnp.inexact):
        if not np.array_equal(a, e):
            _wrong_values(path, a, e, a != e)
        return
    wide = np.complex128 if jnp.issubdtype(dtype, jnp.complexfloating) else np.float64
    a, e = a.astype(wide), e.astype(wide)
    if not nonfinite and not np.all(np.isfinite(e)):
        raise BrokenSuiteError(
            "the suite's expected value contains NaN or Inf: pass `nonfinite=True` if that is right"
        )
    strange = ~np.isfinite(e)
    agree = (a == e) | (np.isnan(a) & np.isnan(e))
    right = np.where(strange, agree, np.isfinite(a))
    if np.any(~strange & ~right):
        _differ(path, "nan", "NaN or Inf", got=a, expected=e, wrong=~right)
    if not np.all(right):
        _wrong_values(path, a, e, ~right)
    unit = float(ml_dtypes.finfo(dtype).eps)
    magnitude = float(np.max(np.abs(e), initial=0.0, where=~strange))
    if rtol is None and atol is None:
        units = COARSE_UNITS if unit > COARSE_EPSILON else ROUNDING_UNITS
        allowed: Any = units * unit * (magnitude or 1.0)
    else:
        allowed = (atol or 0.0) + (rtol or 0.0) * np.abs(np.where(strange, 0, e))
    # `<=` is false for a NaN, so a NaN is never close.
    with np.errstate(invalid="ignore"):
        close = np.abs(a - e) <= allowed
    if not np.all(close | strange):
        _wrong_values(path, a, e, ~(close | strange), allowed)


def _wrong_values(path: str, a: Any, e: Any, wrong: Any, allowed: Any = 0) -> NoReturn:
    count, total = int(np.sum(wrong)), int(np.size(wrong))
    verb = "is" if count == 1 else "are"
    text = "the value is wrong" if total == 1 else f"{count} of {total} values {verb} wrong"
    _differ(path, "value", text, got=a, expected=e, wrong=wrong, allowed=allowed)


def _other_structure(path: str, actual: Any, expected: Any) -> NoReturn:
    said = f"{_name(expected)} is expected"
    _differ(path, "structure", f"{_name(actual)}, where something else is expected", said)


def _differ(path: str, kind: str, public: str, said: str = "", **values: Any) -> NoReturn:
    """`public` is without the expected value."""
    difference = faults.Difference(path, kind, said, **values)
    public = f"At `{path}` of the result: {public}." if path else f"{capitalized(public)}."
    detail = said if said else _show(difference.got, difference.expected)
    raise faults.Mismatch(public, f"{kind}: {detail}", difference)


def is_number(value: Any) -> bool:
    """Whether it is a number, or an array of any kind."""
    return arrays.is_array(value) or isinstance(value, bool | int | float | complex)


def _some(keys: Iterable[Any]) -> list[str]:
    """Keys for the teacher to read, not too many and not too long."""
    return [key[:MOST_SHOWN] for key in sorted(map(str, keys))[:MOST_SHOWN]]


def _text(value: Any) -> str:
    """The start of a text, or what else it is."""
    return repr(value[:MOST_SHOWN]) if isinstance(value, str | bytes) else _name(value)


def _show(a: Any, e: Any) -> str:
    with np.printoptions(threshold=60, edgeitems=4, linewidth=100):
        return f"got:\n{a}\nexpected:\n{e}"


def _name(value: Any) -> str:
    if value is None:
        return "None"
    if arrays.is_key(value):
        return "a PRNG key" if value.ndim == 0 else "an array of PRNG keys"
    if isinstance(value, Function):
        return "a function"
    if isinstance(value, StudentRecord):
        return "a record of your own class"
    if arrays.is_array(value):
        return "an array"
    if isinstance(value, list | tuple | dict):
        plain = type(value) in (list, tuple, dict)
        return f"a {type(value).__name__}" if plain else f"a `{type(value).__name__}`"
    name = type(value).__name__
    return f"an {name}" if name[0] in "aeio" else f"a {name}"
