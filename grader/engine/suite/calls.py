"""A call in the student's words, and values as a person writes them.

Asked.of(target, stack, args, kwargs)   what a suite asked
lines(call, source)                    `jit(masked_mean)(x, mask) with`, `  x = float32 [...]`
value(anything)                        a small array whole, a large one by its shape and ends
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import itertools
import re
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import numpy as np

from grader.engine.wire import arrays

# Numbers of an array that is shown whole, and of a larger one's beginning.
WHOLE, BEGINNING = 24, 5
# Characters of a line.
WIDTH = 76
# Lines of a call, if nobody asks for fewer.
MOST = 12
# Lines of a function of the suite, and leaves of an argument, that are shown.
MOST_LINES, MOST_LEAVES = 6, 6
# Parts of a list, a tuple or a dict.
MOST_PARTS = 12
# How a suite asks. The student's own code would look the same.
_UNSEEN = ("observed", "timed", "reported", "key_checked")


@dataclass(frozen=True)
class Asked:
    """What a suite asked: a function under transformations, on values that only the judge knows."""

    target: str | int
    """The student's function, or the number of one that came back from an earlier call."""
    stack: tuple[Any, ...]
    """Its transformations with their keywords, from first to last."""
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]

    @classmethod
    def of(cls, target: str | int, stack: tuple[Any, ...], args: Any, kwargs: Any) -> Asked:
        """A suite may change a small array after the call, so those are copied."""
        return cls(target, stack, *jax.tree.map(_kept, (tuple(args), dict(kwargs))))

    def on(self, given: list[Any]) -> Asked:
        """The same with these arrays in place of its own: a program runs on any."""
        leaves, tree = jax.tree.flatten((self.args, self.kwargs))
        places = [place for place, leaf in enumerate(leaves) if arrays.is_array(leaf)]
        if len(places) != len(given):
            return self
        for place, leaf in zip(places, given, strict=True):
            leaves[place] = _kept(leaf)
        return Asked(self.target, self.stack, *jax.tree.unflatten(tree, leaves))


def _kept(leaf: Any) -> Any:
    return leaf.copy() if isinstance(leaf, np.ndarray) and leaf.size <= WHOLE else leaf


def lines(call: Asked, source: str, most: int = MOST) -> list[str]:
    """A call, a line for each argument that is long. `source` has the names of the parameters.

    So that there are at most `most` lines, large matrices are shown by their beginnings.
    """
    given = [*zip(_parameters(call, source), call.args, strict=True), *call.kwargs.items()]
    meaning = [row for function in _used(call) for row in _meaning(function, call)]
    plain = [*map(value, call.args), *(f"{k}={value(v)}" for k, v in call.kwargs.items())]
    said = f"{_head(call)}({', '.join(plain)})"
    if len(said) <= WIDTH and "\n" not in said and not any(_is_long(arg) for _, arg in given):
        return [said, *meaning]
    head = f"{_head(call)}({', '.join(name for name, _ in given)}) with"
    rows: list[str] = []
    left = most - len(meaning) - 1
    for whole in (WHOLE, WHOLE // 2, 0):
        rows = [f"  {row}" for name, arg in given for row in _assigned(name, arg, whole)]
        if len(rows) <= left:
            break
    else:
        rows = [*rows[: max(left - 1, 1)], "  ..."]
    return [head, *rows, *meaning]


def value(given: Any, whole: int = WHOLE) -> str:
    """A value in one line, or a matrix of at most `whole` numbers in several."""
    if arrays.is_key(given):
        return _key(given)
    if isinstance(given, np.generic) or (arrays.is_array(given) and np.ndim(given) == 0):
        return _number(np.asarray(given))
    if arrays.is_array(given):
        return array(np.asarray(given), whole)
    if isinstance(given, float):
        return f"{given:.6g}"
    if isinstance(given, dict):
        return "{" + _listed(f"{k!r}: {value(v)}" for k, v in given.items()) + "}"
    if hasattr(given, "_fields"):
        parts = (f"{k}={value(v)}" for k, v in zip(given._fields, given, strict=True))
        return f"{type(given).__name__}({', '.join(parts)})"
    if isinstance(given, list | tuple):
        inside = _listed(map(value, given))
        if isinstance(given, list):
            return f"[{inside}]"
        return f"({inside},)" if len(given) == 1 else f"({inside})"
    if dataclasses.is_dataclass(given) and not isinstance(given, type):
        parts = (f"{f.name}={value(getattr(given, f.name))}" for f in dataclasses.fields(given))
        return f"{type(given).__name__}({', '.join(parts)})"
    if isinstance(given, partial):
        return value(given.func)
    if callable(given):
        return str(getattr(given, "__name__", type(given).__name__))
    text = repr(given)
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 3]}..."


def _listed(parts: Iterator[str]) -> str:
    few = list(itertools.islice(parts, MOST_PARTS + 1))
    return ", ".join([*few[:MOST_PARTS], "..."] if len(few) > MOST_PARTS else few)


def array(given: np.ndarray[Any, Any], whole: int = WHOLE) -> str:
    """`float32[3] [1, 2, 3]`; of a large one the beginning."""
    shape = f"{given.dtype}[{', '.join(map(str, given.shape))}]"
    if given.size <= (whole if given.ndim > 1 else WHOLE):
        return f"{shape} {numbers(given, f'{shape} ')}" if given.size else shape
    beginning = ", ".join(_plain(given.dtype, number) for number in given.flat[:BEGINNING])
    return f"{shape} of {beginning}, ..."


def numbers(given: np.ndarray[Any, Any], before: str = "") -> str:
    """Only the numbers. A matrix has a line for each row, which stands below the text `before`."""
    texts = [_plain(given.dtype, number) for number in given.flat]
    width = max(map(len, texts), default=0) if given.ndim > 1 else 0
    form: Any = {"all": lambda number: _plain(given.dtype, number).rjust(width)}
    return np.array2string(
        given, max_line_width=WIDTH, separator=", ", prefix=before, formatter=form
    )


def two(one: Any, other: Any) -> tuple[str, str]:
    """Two numbers with so many digits that they differ."""
    first, second = np.asarray(one), np.asarray(other)
    for digits in (6, 9):
        texts = (_plain(first.dtype, first[()], digits), _plain(second.dtype, second[()], digits))
        if texts[0] != texts[1]:
            return texts
    return _plain(first.dtype, first[()], 17), _plain(second.dtype, second[()], 17)


def _plain(dtype: np.dtype[Any], given: Any, digits: int = 6) -> str:
    if dtype.kind in "biu":
        return str(given)
    if dtype.kind == "c":
        return f"{complex(given):.{digits}g}"
    with suppress(TypeError, ValueError):
        return f"{float(given):.{digits}g}"
    return str(given)


def _number(given: np.ndarray[Any, Any]) -> str:
    text = _plain(given.dtype, given[()])
    return text if given.dtype in (np.float32, np.int32, np.bool_) else f"{given.dtype} {text}"


def _key(given: Any) -> str:
    words = np.asarray(jax.random.key_data(given))
    if words.ndim == 1 and words.size == 2:
        if words[0] == 0:
            return f"jax.random.key({words[1]})"
        return f"jax.random.wrap_key_data(jnp.uint32([{words[0]}, {words[1]}]))"
    return f"{int(np.prod(given.shape))} keys" if given.ndim else f"a key of {words.tolist()}"


def _is_long(given: Any) -> bool:
    """Whether it is better told by its name."""
    leaves = jax.tree.leaves(given)
    return any(arrays.is_array(leaf) and not arrays.is_key(leaf) and leaf.ndim for leaf in leaves)


def _assigned(name: str, given: Any, whole: int) -> Iterator[str]:
    """`x = ...`; a container whose parts are long has a line for each of them."""
    text = value(given, whole)
    if "\n" in text or len(f"{name} = {text}") > WIDTH:
        paths, _ = jax.tree_util.tree_flatten_with_path(given)
        if len(paths) > 1:
            for path, leaf in paths[:MOST_LEAVES]:
                yield from _assigned(f"{name}{jax.tree_util.keystr(path)}", leaf, whole)
            if len(paths) > MOST_LEAVES:
                yield f"... and {len(paths) - MOST_LEAVES} more"
            return
    first, *rest = text.splitlines() or [""]
    yield f"{name} = {first}"
    yield from (" " * len(f"{name} = ") + row for row in rest)


def _head(call: Asked) -> str:
    """`jit(grad(loss, argnums=1))`."""
    name = _target(call)
    for layer, keywords in call.stack:
        if layer == "used_by":
            name = value(keywords["function"])
            name = "test" if name == "<lambda>" else name
        elif layer not in _UNSEEN:
            given = "".join(f", {k}={value(v)}" for k, v in keywords.items())
            name = f"{layer}({name}{given})"
    return name


def place(call: Asked, path: str, source: str) -> str:
    """Which argument's gradient stands at a path such as `[1][0]` of the result; else ""."""
    layers = [each for each in call.stack if each[0] not in ("jit", "vmap")]
    layer, keywords = layers[-1] if layers else ("", {})
    numbers = keywords.get("argnums")
    found = re.match(r"\[1\]\[(\d+)\]" if layer == "value_and_grad" else r"\[(\d+)\]", path)
    is_known = layer in ("grad", "value_and_grad") and not keywords.get("has_aux")
    if not is_known or not found or not isinstance(numbers, tuple):
        return ""
    name = _parameters(call, source)[numbers[int(found[1])]]
    return f"`{found[0]}` is the gradient with respect to `{name}`."


def _target(call: Asked) -> str:
    return call.target if isinstance(call.target, str) else "returned"


def _used(call: Asked) -> list[Any]:
    """The suite's functions that use the student's."""
    return [keywords["function"] for layer, keywords in call.stack if layer == "used_by"]


def _parameters(call: Asked, source: str) -> list[str]:
    """The names of the arguments: as the student's function calls them, or the suite's."""
    names: list[str] = []
    if used := _used(call):
        with suppress(TypeError, ValueError):
            names = list(inspect.signature(used[-1]).parameters)[1:]
    else:
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            names = _defined(ast.parse(source), call.target)
    count = range(len(call.args))
    return [names[place] if place < len(names) else f"argument {place + 1}" for place in count]


def _defined(tree: ast.Module, target: str | int) -> list[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == target:
            return [arg.arg for arg in (*node.args.posonlyargs, *node.args.args)]
    return []


def _meaning(function: Any, call: Asked) -> Iterator[str]:
    """The suite's function that uses the student's. The student's process has it anyway."""
    function = function.func if isinstance(function, partial) else function
    name = value(function)
    code = ""
    if name != "<lambda>":
        with suppress(OSError, TypeError):
            code = _without_docstring(textwrap.dedent(inspect.getsource(function)))
    if code and len(code.splitlines()) <= MOST_LINES:
        first, *rest = code.splitlines()
        name = next(iter(inspect.signature(function).parameters), "")
        is_clear = name in ("", _target(call))
        yield f"  {first}" + ("" if is_clear else f"  # {name} is your {_target(call)}")
        yield from (f"  {row}" for row in rest)
        return
    name = "test" if name == "<lambda>" else name
    yield f"  Here `{name}` is a function of the test, which calls your `{_target(call)}`."


def _without_docstring(code: str) -> str:
    with suppress(SyntaxError):
        tree = ast.parse(code)
        function = tree.body[0]
        if isinstance(function, ast.FunctionDef) and ast.get_docstring(function):
            function.body = function.body[1:]
            return ast.unparse(tree) if function.body else ""
    return code
