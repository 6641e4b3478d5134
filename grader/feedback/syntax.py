"""What a student's syntax tree says: names as JAX knows them, functions, and what wraps them.

Module(source).at(spot)     -> the smallest node around a place in the source
.dotted(node)               -> "jax.numpy.zeros", whatever it was imported as
.chain(node)                -> the function that a call reaches, and the transformations on it
"""

import ast
import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

_USUAL = {"jax": "jax", "jnp": "jax.numpy", "lax": "jax.lax", "np": "numpy", "partial": "partial"}
_SHORT = {"jax.numpy.": "jnp.", "jax.lax.": "lax.", "numpy.": "np."}
_PARTIAL = {"functools.partial", "partial"}
_TRANSFORMATIONS = (
    "jit grad value_and_grad vmap pmap jacfwd jacrev hessian checkpoint custom_vjp custom_jvp "
    "shard_map"
)
TRANSFORMATIONS = {
    **{f"jax.{name}": name for name in _TRANSFORMATIONS.split()},
    "jax.jacobian": "jacrev",
    "jax.remat": "checkpoint",
}
# Functions of JAX that trace the functions that they are given.
_TAKES_FUNCTIONS = {
    *(f"jax.lax.{name}" for name in "scan cond switch while_loop fori_loop map".split()),
    *(f"jax.{name}" for name in "linearize vjp jvp make_jaxpr".split()),
    "jax.experimental.pallas.pallas_call",
}
# Of a name. Each part of a longer one is a name, too, and all of them would take too long.
_MOST_PARTS = 16
# Loops without a fixed number of rounds, by their usual names.
LOOPS = {"jax.lax.while_loop": "while_loop", "jax.lax.fori_loop": "fori_loop"}


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

    layers: tuple[Layer, ...] = ()
    function: Function | None = None
    is_partial: bool = False
    """Whether `functools.partial` fills in some of the arguments."""

    def layer(self, *names: str) -> Layer | None:
        """The outermost of the named transformations."""
        return next((layer for layer in self.layers if layer.name in names), None)


class Module:
    """A parsed source. Raises `SyntaxError` or `ValueError` for what is not Python."""

    def __init__(self, source: str) -> None:
        self.lines = source.splitlines()
        # With a file's name, an error would open that file, if the current folder has one.
        self.tree = ast.parse(source, filename="")
        self.nodes = list(ast.walk(self.tree))
        self.calls = [node for node in self.nodes if isinstance(node, ast.Call)]
        self._parents = {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}

    def code(self, line: int | None) -> str:
        return self.lines[line - 1].strip() if line and 0 < line <= len(self.lines) else ""

    @cached_property
    def names(self) -> dict[str, str]:
        """Full names by the names that imports bind. The usual short names need no import."""
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
        """The full name of `jnp.zeros`, or "" for what is no name, or one of too many parts."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute) and len(parts) < _MOST_PARTS:
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return ""
        return ".".join((self.names.get(node.id, node.id), *reversed(parts)))

    def called(self, node: ast.AST | None) -> str:
        """The full name of what a call calls."""
        return self.dotted(node.func) if isinstance(node, ast.Call) else ""

    def parent(self, node: ast.AST | None) -> ast.AST | None:
        return None if node is None else self._parents.get(node)

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes that hold this one, from the inside out."""
        above = self.parent(node)
        while above is not None:
            yield above
            above = self.parent(above)

    def functions_around(self, node: ast.AST) -> list[Function]:
        """The functions that a node stands in, from the inside out."""
        return [n for n in self.around(node) if isinstance(n, FUNCTIONS)]

    def function_of(self, node: ast.AST) -> Function | None:
        """The innermost function that a node stands in."""
        return next(iter(self.functions_around(node)), None)

    def at(self, spot: Spot) -> ast.AST | None:
        """The smallest node around a place; without columns, the statement of its line."""
        if spot.column is None or spot.end_column is None or spot.end_line is None:
            return self._statement_at(spot.line)
        start, end = (spot.line, spot.column), (-spot.end_line, -spot.end_column)
        # Of two nodes with the same range, `max` takes the inner one: `walk` finds it later.
        ranges = ((_range(node), node) for node in reversed(self.nodes))
        holding = [(r, node) for r, node in ranges if r and r[:2] <= start and r[2:] <= end]
        return max(holding, key=lambda found: found[0], default=(None, None))[1]

    def _statement_at(self, line: int) -> ast.AST | None:
        statements = (n for n in self.nodes if isinstance(n, ast.stmt))
        there = (n for n in statements if n.lineno <= line <= (n.end_lineno or n.lineno))
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
    def _bindings(self) -> dict[tuple[str, Function | None], list[tuple[int, ast.expr]]]:
        """Lines and values by name and the function that they stand in, in the order of lines."""
        found: dict[tuple[str, Function | None], list[tuple[int, ast.expr]]] = {}
        assigned = [node for node in self.nodes if isinstance(node, ast.Assign)]
        for node in sorted(assigned, key=lambda n: n.lineno):
            home = self.function_of(node)
            for target, value in (pair for to in node.targets for pair in _pairs(to, node.value)):
                if isinstance(target, ast.Name):
                    found.setdefault((target.id, home), []).append((node.lineno, value))
        return found

    def value(self, node: ast.AST | None) -> ast.AST | None:
        """What a name was last bound to before its use, in the same function or around it."""
        if not isinstance(node, ast.Name):
            return node
        homes = [*self.functions_around(node), None]
        for home in homes:
            own = self._bindings.get((node.id, home), [])
            before = bisect.bisect_left(own, node.lineno, key=lambda bound: bound[0])
            last = before - 1 if home is homes[0] and before else -1
            if own and own[last][1] is not node:
                return own[last][1]
            if home is not None and node.id in parameters(home):
                return None
        return None

    def chain(self, node: ast.AST | None, depth: int = 0) -> Chain:
        """The function behind an expression, and the transformations around it."""
        if depth > 12 or node is None:
            return Chain()
        if isinstance(node, FUNCTIONS):
            return Chain(tuple(self._decorators(node)), node)
        if isinstance(node, ast.Call):
            return self._chain_of_call(node, depth + 1)
        bound = self.value(node) if isinstance(node, ast.Name) else None
        if isinstance(bound, ast.Call | ast.Lambda | ast.Name):
            return self.chain(bound, depth + 1)
        name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
        return self.chain(self.functions.get(name), depth + 1)

    def _chain_of_call(self, call: ast.Call, depth: int) -> Chain:
        layer = self._layer(call)
        is_partial = self.called(call) in _PARTIAL
        if layer is None and not is_partial:
            return self.chain(self._call_method(call), depth)
        inner = self.chain(call.args[0] if call.args else None, depth)
        if is_partial:
            return replace(inner, is_partial=True)
        return inner if layer is None else replace(inner, layers=(layer, *inner.layers))

    def _call_method(self, made: ast.Call) -> ast.AST | None:
        """The method `__call__` of the class that a call instantiates."""
        name = made.func.id if isinstance(made.func, ast.Name) else ""
        body = self.classes[name].body if name in self.classes else ()
        methods = (n for n in body if isinstance(n, ast.FunctionDef))
        return next((n for n in methods if n.name == "__call__"), None)

    def _layer(self, node: ast.expr) -> Layer | None:
        """The transformation in `jax.jit`, `jax.jit(...)` or `partial(jax.jit, ...)`."""
        if not isinstance(node, ast.Call):
            name = TRANSFORMATIONS.get(self.dotted(node))
            return Layer(name) if name else None
        is_partial = self.called(node) in _PARTIAL and node.args
        name = TRANSFORMATIONS.get(self.dotted(node.args[0] if is_partial else node.func))
        return Layer(name, keywords(node)) if name else None

    def _decorators(self, node: Function) -> Iterator[Layer]:
        layers = map(self._layer, getattr(node, "decorator_list", ()))
        return (layer for layer in layers if layer is not None)

    @cached_property
    def transformations(self) -> dict[Function, set[str]]:
        """What this file itself does to each function: "jit", "vmap", "jax.lax.scan"."""
        functions = (node for node in self.nodes if isinstance(node, FUNCTIONS))
        found = {node: {layer.name for layer in self._decorators(node)} for node in functions}
        for call in self.calls:
            name = self.called(call)
            kind = TRANSFORMATIONS.get(name) or (name if name in _TAKES_FUNCTIONS else "")
            for part in (p for arg in call.args for p in elements(arg)) if kind else ():
                function = self.chain(part).function
                if function is not None:
                    found[function].add(kind)
        return found

    def traced_by(self, node: ast.AST) -> set[str]:
        """The transformations on the functions that a node stands in, or on itself."""
        around = [n for n in (node, *self.around(node)) if isinstance(n, FUNCTIONS)]
        return {name for function in around for name in self.transformations[function]}

    @cached_property
    def local(self) -> dict[Function, set[str]]:
        """The names that each function binds itself: all others come from outside."""
        return {node: _local(node) for node in self.nodes if isinstance(node, FUNCTIONS)}


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """What an assignment binds to what: `a, b = f(x), g(y)` binds two names."""
    both = (target, value)
    parts = [part for one in both if isinstance(one, ast.Tuple) for part in one.elts]
    has_star = any(isinstance(part, ast.Starred) for part in parts)
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and not has_star:
        return list(zip(target.elts, value.elts, strict=False))
    return [(target, value)]


def _local(function: Function) -> set[str]:
    nodes = list(own_nodes(function))
    names = (n for n in nodes if isinstance(n, ast.Name))
    stored = {n.id for n in names if isinstance(n.ctx, ast.Store)}
    declared = (n for n in nodes if isinstance(n, ast.Global | ast.Nonlocal))
    return (stored | set(parameters(function))) - {name for n in declared for name in n.names}


def parameters(function: Function) -> list[str]:
    """The names of a function's parameters, starred ones last."""
    given = function.args
    named = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    starred = [arg for arg in (given.vararg, given.kwarg) if arg is not None]
    return [arg.arg for arg in (*named, *starred)]


def own_nodes(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function's body, without those of functions inside it."""
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
    return [node.value for node in own_nodes(function) if isinstance(node, ast.Return)] or [None]


def name_of(function: Function | None) -> str:
    """A function's name for a sentence."""
    return str(getattr(function, "name", "a lambda"))


def keywords(call: ast.Call) -> dict[str, ast.expr]:
    return {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}


def elements(node: ast.expr) -> list[ast.expr]:
    """The parts of a tuple or a list. Anything else counts as one part."""
    return list(node.elts) if isinstance(node, ast.Tuple | ast.List) else [node]


def used_names(*nodes: ast.AST | None) -> set[str]:
    walked = (inner for node in nodes if node is not None for inner in ast.walk(node))
    return {inner.id for inner in walked if isinstance(inner, ast.Name)}


def name_parts(name: str) -> set[str]:
    """The words of a name: `init_params2` and `initParams` have two, `points` has no "int"."""
    return {word.lower() for word in re.findall("[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def short(name: str) -> str:
    """A full name as it is usually written."""
    for full, usual in _SHORT.items():
        if name.startswith(full):
            return usual + name.removeprefix(full)
    return name


def _range(node: Any) -> tuple[int, ...]:
    """The start of a node and its negated end, so that an inner node has the greater range."""
    if getattr(node, "end_lineno", None) is None:
        return ()
    return node.lineno, node.col_offset, -node.end_lineno, -node.end_col_offset
