"""Why a derivative can't be taken, as the code of the function shows."""

import ast
from collections.abc import Iterator

from grader.feedback.raised import Diagnosis, RaisedException
from grader.feedback.syntax import LOOPS, Chain, Function, Module, keywords, name_of, results

_GRADS = ("grad", "value_and_grad")
_JACOBIANS = ("jacfwd", "jacrev", "hessian")
_GIVES_INTEGERS = set(
    "argmax argmin argsort round floor sign searchsorted count_nonzero bincount digitize".split()
)
_MAKES_INTEGERS = {"jax.random.randint", "range", "len", "int"}
_INTEGER_DTYPES = {"int", "bool", "bool_"} | {
    f"{sign}int{bits}" for sign in ("", "u") for bits in (4, 8, 16, 32, 64)
}


def derivative(raised: RaisedException) -> Diagnosis | None:
    """A TypeError of `jax.grad(f)(x)`, or of a derivative that was called from outside."""
    chain = _taken(raised, _GRADS + _JACOBIANS)
    if chain is None:
        return None
    if _is_integer(raised.module, raised.arg(0)):
        return Diagnosis("grad-of-integer")
    # Nothing is known of a function that was passed to the student's own.
    if chain.function is None:
        return None
    layer = chain.layer(*_GRADS)
    if layer is None:
        return Diagnosis("grad-of-integer")
    returned = results(chain.function)
    if returned == [None]:
        return Diagnosis("no-return", {"word": name_of(chain.function)})
    line = None if raised.nodes else getattr(returned[0], "lineno", None)
    is_tuple = any(isinstance(raised.module.value(r), ast.Tuple) for r in returned)
    if "has_aux" in layer.keywords:
        return None if is_tuple else Diagnosis("needless-has-aux", line=line)
    if is_tuple:
        return Diagnosis("missing-has-aux", line=line)
    if any(_gives_integer(raised.module, r) for r in returned):
        return Diagnosis("grad-of-integer-output", line=line)
    return Diagnosis("grad-of-vector", line=line)


def reverse_loop(raised: RaisedException) -> Diagnosis | None:
    """A ValueError of `jax.grad(f)(x)`, where f can reach a loop without a fixed count."""
    chain = _taken(raised, (*_GRADS, "jacrev", "hessian"))
    if chain is None or chain.function is None:
        return None
    names = (LOOPS.get(raised.module.called(n)) for n in _reached(raised, chain.function))
    name = next(filter(None, names), None)
    return Diagnosis("grad-of-while", {"word": name}) if name is not None else None


def _taken(raised: RaisedException, names: tuple[str, ...]) -> Chain | None:
    """The chain with one of these transformations: that of the call, or of an outer frame."""
    chains = [raised.chain]
    chains += [raised.module.chain(n.func) for n in raised.nodes[1:] if isinstance(n, ast.Call)]
    return next((chain for chain in chains if chain.layer(*names) is not None), None)


def _reached(raised: RaisedException, function: Function) -> Iterator[ast.AST]:
    """The nodes of a function, and of those of the file that it calls."""
    seen: set[Function] = set()
    left = [function]
    while left:
        start = left.pop()
        if start in seen:
            continue
        seen.add(start)
        for node in ast.walk(start):
            yield node
            called = raised.function(node.func) if isinstance(node, ast.Call) else None
            left += [] if called is None else [called]


def _is_integer(module: Module, node: ast.AST | None) -> bool:
    """Whether an argument is surely an integer, or an array of them."""
    value = module.value(node)
    if isinstance(value, ast.Constant):
        return type(value.value) in (int, bool)
    if not isinstance(value, ast.Call):
        return False
    name = module.called(value)
    if name not in ("jax.numpy.array", "jax.numpy.asarray", "jax.numpy.arange"):
        return name in _MAKES_INTEGERS
    is_range = name == "jax.numpy.arange"
    place = 3 if is_range else 1
    dtype = keywords(value).get("dtype") or next(iter(value.args[place:]), None)
    if dtype is not None:
        return _is_integer_dtype(module, dtype)
    inner = (n for arg in value.args for n in ast.walk(arg))
    numbers = [n.value for n in inner if isinstance(n, ast.Constant)]
    return (is_range or bool(numbers)) and all(type(number) is int for number in numbers)


def _gives_integer(module: Module, node: ast.AST | None) -> bool:
    """Whether a result is surely an integer or a truth value."""
    value = module.value(node)
    if not isinstance(value, ast.Call):
        return isinstance(value, ast.Compare)
    last = value.args[-1] if value.args else None
    name = module.called(value).rpartition(".")[2] or getattr(value.func, "attr", "")
    if name == "astype":
        return _is_integer_dtype(module, keywords(value).get("dtype", last))
    if name == "sum":
        first = value.args[0] if value.args else getattr(value.func, "value", None)
        return _gives_integer(module, first)
    return name in _GIVES_INTEGERS


def _is_integer_dtype(module: Module, node: ast.AST | None) -> bool:
    """Whether `jnp.int32`, `int`, `"int32"` or `jnp.dtype("int32")` is written there."""
    if isinstance(node, ast.Call) and node.args:
        return _is_integer_dtype(module, node.args[0])
    name = node.value if isinstance(node, ast.Constant) else module.dotted(node)
    return str(name).rpartition(".")[2] in _INTEGER_DTYPES
