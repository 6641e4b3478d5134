"""Why a derivative can't be taken, by the function that it is taken of."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.feedback.errors import Raised, Told
from grader.feedback.syntax import Chain, Function, results

_GRADS = ("grad", "value_and_grad")
_JACOBIANS = ("jacfwd", "jacrev", "hessian")
_INTEGERS = {
    "argmax",
    "argmin",
    "argsort",
    "round",
    "floor",
    "sign",
    "searchsorted",
    "astype",
    "count_nonzero",
    "bincount",
    "digitize",
}
_MAKES_INTEGERS = {"jax.numpy.arange", "jax.random.randint", "range", "len", "int"}
_LOOPS = {"jax.lax.while_loop": "while_loop", "jax.lax.fori_loop": "fori_loop"}


def derivative(raised: Raised) -> Told | None:
    """A TypeError of `jax.grad(f)(x)`, or of one that was asked for from outside."""
    chain = _taken(raised, _GRADS + _JACOBIANS)
    if chain is None:
        return None
    function, layer = chain.function, chain.layer(*_GRADS)
    if _any_integer(raised):
        return Told("grad-of-integer")
    # Of a function that somebody else passed in, nothing is known.
    if function is None:
        return None
    if layer is None:
        return Told("grad-of-integer")
    returned = results(function)
    if returned == [None]:
        return Told("no-return", {"word": str(getattr(function, "name", "a lambda"))})
    line = None if raised.nodes else getattr(returned[0], "lineno", None)
    pairs = [isinstance(raised.module.value(r), ast.Tuple) for r in returned]
    if "has_aux" in layer.keywords:
        return None if any(pairs) else Told("needless-has-aux", line=line)
    if any(pairs):
        return Told("missing-has-aux", line=line)
    if any(_is_integer(raised, r) for r in returned):
        return Told("grad-of-integer-output", line=line)
    return Told("grad-of-vector", line=line)


def reverse_loop(raised: Raised) -> Told | None:
    """A ValueError of `jax.grad(f)(x)`, where a loop without a fixed count is in reach of f."""
    chain = _taken(raised, (*_GRADS, "jacrev", "hessian"))
    if chain is None or chain.function is None:
        return None
    for node in _reached(raised, chain.function):
        name = _LOOPS.get(raised.module.called(node))
        if name is not None:
            return Told("grad-of-while", {"word": name})
    return None


def _taken(raised: Raised, names: tuple[str, ...]) -> Chain | None:
    """The chain with one of these transformations: that of the call, or of an outer frame."""
    chains = [raised.chain]
    chains += [raised.module.chain(n.func) for n in raised.nodes[1:] if isinstance(n, ast.Call)]
    return next((chain for chain in chains if chain.layer(*names) is not None), None)


def _reached(raised: Raised, function: Function) -> Iterator[ast.AST]:
    """The nodes of a function, and of those of the file that it calls."""
    seen: set[int] = set()
    left: list[ast.AST] = [function]
    while left:
        start = left.pop()
        if id(start) in seen:
            continue
        seen.add(id(start))
        for node in ast.walk(start):
            yield node
            if isinstance(node, ast.Call):
                called = raised.module.chain(node.func).function
                if called is not None:
                    left.append(called)


def _any_integer(raised: Raised) -> bool:
    """Whether what it is differentiated by is an integer: the first argument, where seen."""
    first = raised.arg(0)
    value = raised.module.value(first)
    if isinstance(value, ast.Constant):
        return type(value.value) in (int, bool)
    name = raised.module.called(value)
    if name in ("jax.numpy.array", "jax.numpy.asarray") and isinstance(value, ast.Call):
        if any(keyword.arg == "dtype" for keyword in value.keywords) or len(value.args) > 1:
            return "int" in ast.dump(value)
        numbers = [n.value for n in ast.walk(value) if isinstance(n, ast.Constant)]
        return bool(numbers) and all(type(number) is int for number in numbers)
    if name == "jax.numpy.arange" and isinstance(value, ast.Call):
        return not any(
            keyword.arg == "dtype" and "float" in ast.dump(keyword.value)
            for keyword in value.keywords
        ) and not any(isinstance(getattr(a, "value", None), float) for a in value.args)
    return name in _MAKES_INTEGERS


def _is_integer(raised: Raised, node: ast.expr | None) -> bool:
    value = raised.module.value(node)
    if isinstance(value, ast.Compare):
        return True
    if not isinstance(value, ast.Call):
        return False
    name = raised.module.called(value).rpartition(".")[2] or getattr(value.func, "attr", "")
    if name == "astype":
        return "int" in ast.dump(value) or "bool" in ast.dump(value)
    if name in ("sum", "mean") and (value.args or isinstance(value.func, ast.Attribute)):
        inner = value.args[0] if value.args else value.func.value  # type: ignore[attr-defined]
        return name == "sum" and _is_integer(raised, inner)
    return name in _INTEGERS
