"""What a student's syntax tree says: names as JAX knows them, functions, and what wraps them.

Module(source).at(spot)     -> the smallest node around a place in the source
.dotted(node)               -> "jax.numpy.zeros", whatever it was imported as
.chain(node)                -> the function that a call reaches, and the transformations on it
"""

from __future__ import annotations

import ast
import bisect
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

_USUAL = {"jax": "jax", "jnp": "jax.numpy", "lax": "jax.lax", "np": "numpy", "partial": "partial"}
TRANSFORMATIONS = {
    "jax.jit": "jit",
    "jax.grad": "grad",
    "jax.value_and_grad": "value_and_grad",
    "jax.vmap": "vmap",
    "jax.pmap": "pmap",
    "jax.jacfwd": "jacfwd",
    "jax.jacrev": "jacrev",
    "jax.jacobian": "jacrev",
    "jax.hessian": "hessian",
    "jax.checkpoint": "checkpoint",
    "jax.remat": "checkpoint",
    "jax.custom_vjp": "custom_vjp",
    "jax.custom_jvp": "custom_jvp",
    "jax.shard_map": "shard_map",
}
TRACING = {*TRANSFORMATIONS.values()} - {"custom_vjp", "custom_jvp"}
# Functions of JAX that trace the functions that they are given.
_TAKES_FUNCTIONS = {
    "jax.lax.scan",
    "jax.lax.cond",
    "jax.lax.switch",
    "jax.lax.while_loop",
    "jax.lax.fori_loop",
    "jax.lax.map",
    "jax.linearize",
    "jax.vjp",
    "jax.jvp",
    "jax.make_jaxpr",
}


@dataclass(frozen=True)
class Spot:
    """A place in a source: lines from 1, columns in bytes from 0, None where unknown."""

    line: int
    end_line: int | None = None
    column: int | None = None
    end_column: int | None = None


@dataclass(frozen=True)
class Layer:
    """A transformation on a function, and the keywords that it was given."""

    name: str
    keywords: dict[str, ast.expr] = field(default_factory=dict)


@dataclass(frozen=True)
class Chain:
    """What a call reaches: transformations, outermost first, and the function if it is known."""

    layers: tuple[Layer, ...]
    function: Function | None

    def layer(self, *names: str) -> Layer | None:
        """The outermost of the named transformations."""
        return next((layer for layer in self.layers if layer.name in names), None)


class Module:
    """A parsed source. Raises `SyntaxError` or `ValueError` for what is not Python."""

    def __init__(self, source: str) -> None:
        self.lines = source.splitlines()
        self.tree = ast.parse(source)
        self.nodes = list(ast.walk(self.tree))
        self._transformations: dict[int, set[str]] = {}
        self._local: dict[int, set[str]] = {}
        self._parents = {
            id(child): node for node in self.nodes for child in ast.iter_child_nodes(node)
        }

    def code(self, line: int | None) -> str:
        """The text of a line."""
        return self.lines[line - 1].strip() if line and 0 < line <= len(self.lines) else ""

    @cached_property
    def names(self) -> dict[str, str]:
        """What the imports bind, by its full name; the usual short names even without."""
        found = dict(_USUAL)
        for node in self.nodes:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    full = alias.name if alias.asname else alias.name.partition(".")[0]
                    found[alias.asname or full] = full
            elif isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        return found

    def dotted(self, node: ast.AST | None) -> str:
        """The full name of `jnp.zeros`, or "" for what is no name."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            base = self.dotted(node.value)
            return f"{base}.{node.attr}" if base else ""
        return ""

    def called(self, node: ast.AST | None) -> str:
        """The full name of what a call calls."""
        return self.dotted(node.func) if isinstance(node, ast.Call) else ""

    def parent(self, node: ast.AST) -> ast.AST | None:
        return self._parents.get(id(node))

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes that hold this one, from the inside out."""
        above = self.parent(node)
        while above is not None:
            yield above
            above = self.parent(above)

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The statement that a node is part of."""
        found = (n for n in (node, *self.around(node)) if isinstance(n, ast.stmt))
        return next(found, None)

    def function_of(self, node: ast.AST) -> Function | None:
        """The innermost function that a node stands in."""
        return next((n for n in self.around(node) if isinstance(n, FUNCTIONS)), None)

    def at(self, spot: Spot) -> ast.AST | None:
        """The smallest node around a place; without columns, the statement of its line."""
        if spot.column is None or spot.end_column is None or spot.end_line is None:
            return self._statement_at(spot.line)
        start, end = (spot.line, spot.column), (spot.end_line, spot.end_column)
        # Of nodes with the same range the inner one, which `walk` has found later.
        nodes = reversed(self.nodes)
        holding = [n for n in nodes if (r := _range(n)) and r[0] <= start and end <= r[1]]
        return max(holding, key=_range_key, default=None)

    def _statement_at(self, line: int) -> ast.AST | None:
        there = [
            n
            for n in self.nodes
            if isinstance(n, ast.stmt) and n.lineno <= line <= (n.end_lineno or n.lineno)
        ]
        return max(there, key=lambda n: n.lineno, default=None)

    @cached_property
    def functions(self) -> dict[str, Function]:
        """Functions by name, a lambda by the name that it is bound to."""
        found: dict[str, Function] = {}
        for node in self.nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found[node.name] = node
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        found[target.id] = node.value
        return found

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        return {node.name: node for node in self.nodes if isinstance(node, ast.ClassDef)}

    @cached_property
    def _bindings(self) -> dict[tuple[str, int], list[ast.Assign]]:
        """By name and the function that binds it, in the order of lines."""
        found: dict[tuple[str, int], list[ast.Assign]] = {}
        assigned = [node for node in self.nodes if isinstance(node, ast.Assign)]
        for node in sorted(assigned, key=lambda n: n.lineno):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    home = id(self.function_of(node))
                    found.setdefault((target.id, home), []).append(node)
        return found

    def value(self, node: ast.AST | None) -> ast.AST | None:
        """What a name was last bound to before its use, in the same function or around it."""
        if not isinstance(node, ast.Name):
            return node
        homes = [n for n in self.around(node) if isinstance(n, FUNCTIONS)] + [None]
        here = self.function_of(node)
        for home in homes:
            own = self._bindings.get((node.id, id(home)), [])
            before = bisect.bisect_left(own, node.lineno, key=lambda a: a.lineno)
            last = before - 1 if home is here and before else -1
            if own and own[last].value is not node:
                return own[last].value
            if home is not None and node.id in parameters(home):
                return None
        return None

    def chain(self, node: ast.AST | None, depth: int = 0) -> Chain:
        """The function behind an expression, and the transformations around it."""
        if depth > 12 or node is None:
            return Chain((), None)
        if isinstance(node, ast.Lambda):
            return Chain((), node)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return Chain(tuple(self._decorators(node)), node)
        if isinstance(node, ast.Call):
            layer = self._layer(node)
            if layer is None and self.called(node) in ("functools.partial", "partial"):
                return self.chain(node.args[0] if node.args else None, depth + 1)
            if layer is None:
                return self.chain(self._call_method(node), depth + 1)
            inner = self.chain(node.args[0] if node.args else None, depth + 1)
            return Chain((layer, *inner.layers), inner.function)
        name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
        bound = self.value(node) if isinstance(node, ast.Name) else None
        if isinstance(bound, ast.Call | ast.Lambda | ast.Name):
            return self.chain(bound, depth + 1)
        known = self.functions.get(name)
        return self.chain(known, depth + 1) if known is not None else Chain((), None)

    def _call_method(self, made: ast.Call) -> ast.AST | None:
        """`__call__` of the class that a call makes an object of."""
        name = made.func.id if isinstance(made.func, ast.Name) else ""
        body = self.classes[name].body if name in self.classes else ()
        own = (n for n in body if isinstance(n, ast.FunctionDef) and n.name == "__call__")
        return next(own, None)

    def _layer(self, call: ast.Call) -> Layer | None:
        name = TRANSFORMATIONS.get(self.called(call))
        keywords = {k.arg: k.value for k in call.keywords if k.arg}
        return Layer(name, keywords) if name else None

    def _decorators(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Layer]:
        for decorator in node.decorator_list:
            if (name := TRANSFORMATIONS.get(self.dotted(decorator))) is not None:
                yield Layer(name)
            elif isinstance(decorator, ast.Call):
                called = decorator
                keywords = {k.arg: k.value for k in called.keywords if k.arg}
                if self.called(called) in ("functools.partial", "partial") and called.args:
                    name = TRANSFORMATIONS.get(self.dotted(called.args[0]))
                else:
                    name = TRANSFORMATIONS.get(self.called(called))
                if name:
                    yield Layer(name, keywords)

    @cached_property
    def _given_away(self) -> dict[int, set[str]]:
        """The functions that a transformation or a loop of JAX is given somewhere, by id."""
        found: dict[int, set[str]] = {}
        for node in self.nodes:
            if not isinstance(node, ast.Call):
                continue
            name = self.called(node)
            kind = TRANSFORMATIONS.get(name) or (name if name in _TAKES_FUNCTIONS else "")
            for arg in node.args if kind else ():
                for part in arg.elts if isinstance(arg, ast.List | ast.Tuple) else (arg,):
                    function = self.chain(part).function
                    if function is not None:
                        found.setdefault(id(function), set()).add(kind)
        return found

    def transformations(self, function: Function) -> set[str]:
        """What this file itself does to a function: "jit", "vmap", "jax.lax.scan"."""
        if id(function) not in self._transformations:
            own: set[str] = set()
            if not isinstance(function, ast.Lambda):
                own = {layer.name for layer in self._decorators(function)}
            self._transformations[id(function)] = own | self._given_away.get(id(function), set())
        return self._transformations[id(function)]

    def local(self, function: Function) -> set[str]:
        """The names that a function binds itself: all others come from outside."""
        if id(function) not in self._local:
            nodes = list(own_nodes(function))
            names = (n for n in nodes if isinstance(n, ast.Name))
            stored = {n.id for n in names if isinstance(n.ctx, ast.Store)}
            declared = (n for n in nodes if isinstance(n, ast.Global | ast.Nonlocal))
            outside = {name for n in declared for name in n.names}
            self._local[id(function)] = (stored | set(parameters(function))) - outside
        return self._local[id(function)]

    def traced_by(self, node: ast.AST) -> set[str]:
        """The transformations on the functions that a node stands in."""
        around = [n for n in (node, *self.around(node)) if isinstance(n, FUNCTIONS)]
        return {name for function in around for name in self.transformations(function)}


def parameters(function: Function) -> list[str]:
    """The names of a function's parameters, starred ones last."""
    given = function.args
    named = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    starred = [arg for arg in (given.vararg, given.kwarg) if arg is not None]
    return [arg.arg for arg in (*named, *starred)]


def own_nodes(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function's body, those of functions inside it left out."""
    body = [function.body] if isinstance(function, ast.Lambda) else list(function.body)
    left: list[ast.AST] = list(reversed(body))
    while left:
        node = left.pop()
        yield node
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            left += reversed(list(ast.iter_child_nodes(node)))


def results(function: Function) -> list[ast.expr | None]:
    """The expressions that a function returns; [None] if it never does."""
    if isinstance(function, ast.Lambda):
        return [function.body]
    found = [node.value for node in own_nodes(function) if isinstance(node, ast.Return)]
    return found or [None]


def _range(node: ast.AST) -> tuple[tuple[int, int], tuple[int, int]] | None:
    line, end = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    if line is None or end is None:
        return None
    return (line, node.col_offset), (end, node.end_col_offset)  # type: ignore[attr-defined]


def _range_key(node: ast.AST) -> tuple[tuple[int, int], tuple[int, int]]:
    """Greater for what begins later and ends earlier."""
    found = _range(node)
    assert found is not None
    (line, column), (end, end_column) = found
    return (line, column), (-end, -end_column)
