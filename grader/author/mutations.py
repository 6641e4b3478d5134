"""Small wrong changes to a program, one at a time, from its syntax tree. Pure.

    source -> Mutation(change, line, text), Mutation(...), ...

They are like a student's mistakes: another operator, axis or constant, a missing keyword or
statement, two swapped arguments, no `jit` or `vmap`. Most mutation tools change files and start
pytest. Here a mutation is a text, since our judge grades texts.
"""

import ast
import copy
import functools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

# What each operator may become, by the names of their classes in `ast`.
_BECOMES = """
    Add Sub, Sub Add, Mult Div, Div Mult, FloorDiv Div, Mod FloorDiv, Pow Mult,
    Lt LtE Gt, LtE Lt GtE, Gt GtE Lt, GtE Gt LtE, Eq NotEq, NotEq Eq,
    Is IsNot, IsNot Is, In NotIn, NotIn In, And Or, Or And
"""
_OPERATORS = {name: others for name, *others in map(str.split, _BECOMES.split(","))}
_TURNS_AROUND = (ast.Sub, ast.Div, ast.MatMult, ast.Pow)
_PAIRS = (
    "mean sum, max min, maximum minimum, argmax argmin, zeros ones, zeros_like ones_like, "
    "psum pmean, set add, any all, std var, normal uniform, jacfwd jacrev, floor ceil, "
    "vstack hstack, sin cos, exp expm1, log log1p, multiply divide, add subtract"
)
_SWAPS: dict[str, set[str]] = {}
for _a, _b in map(str.split, _PAIRS.split(", ")):
    _SWAPS.setdefault(_a, set()).add(_b)
    _SWAPS.setdefault(_b, set()).add(_a)
_COMMUTES = frozenset(
    "maximum minimum fmax fmin add multiply equal not_equal logical_and logical_or logical_xor "
    "bitwise_and bitwise_or bitwise_xor hypot logaddexp logaddexp2 gcd lcm".split()
)
_BUILTIN_COMMUTES = frozenset(("max", "min"))  # `jnp.max(x, 0)` has an axis
# Calls that students forget. A mutation puts the first argument in place of the call.
_WRAPPERS = frozenset(
    "jit vmap pmap checkpoint stop_gradient sqrt square abs log exp tanh ravel transpose round "
    "flip cumsum clip mean".split()
)


@dataclass(frozen=True)
class Mutation:
    """One change: the statement before and after, its line, and the whole changed program."""

    change: str
    line: int
    text: str


def mutations(source: str) -> Iterator[Mutation]:
    """Every mutation of a program, each once. Raises `SyntaxError` if it isn't Python."""
    tree = ast.parse(source)
    seen = {ast.dump(tree)}
    named: Counter[str] = Counter()
    for put, node, statement in list(_nodes(tree, lambda _: None)):
        before = _header(statement)
        for new in _changes(node):
            put(new)
            # The statement itself may have been replaced.
            after = _header(new if node is statement else statement) or "nothing"
            dump, text = ast.dump(tree), ast.unparse(ast.fix_missing_locations(tree))
            put(node)
            if dump not in seen:
                seen.add(dump)
                change = f"{before} -> {after}"
                named[change] += 1
                # The same statement may stand in two places.
                again = f" (#{named[change]})" if named[change] > 1 else ""
                yield Mutation(change + again, node.lineno, text)


_Put = Callable[[ast.AST], None]


def _nodes(node: ast.AST, put: _Put, statement: Any = None) -> Iterator[tuple[_Put, Any, Any]]:
    """Every node that can be changed: what puts another in its place, the node, its statement."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return
    if isinstance(node, ast.stmt):
        statement = node
    if hasattr(node, "lineno"):
        yield put, node, statement
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "ctx", "type_comment"):
            continue
        if isinstance(value, ast.AST):
            yield from _nodes(value, functools.partial(setattr, node, name), statement)
        elif isinstance(value, list):
            for number, child in enumerate(value):
                if isinstance(child, ast.AST) and not _is_docstring(child):
                    place = functools.partial(value.__setitem__, number)
                    yield from _nodes(child, place, statement)


def _header(statement: Any) -> str:
    """A statement on one line, without its body if it has one; "" for `pass`."""
    shown = copy.copy(statement)
    for name in ("body", "orelse", "finalbody", "handlers"):
        if hasattr(shown, name):
            setattr(shown, name, [ast.Pass()] if name == "body" else [])
    return " ".join(ast.unparse(ast.fix_missing_locations(shown)).removesuffix("pass").split())


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


@functools.singledispatch
def _changes(node: ast.AST) -> Iterator[ast.AST]:
    """What a node can become. Each kind of node that can be changed is registered below."""
    yield from ()


def _others(operator: ast.AST) -> list[ast.AST]:
    return [getattr(ast, name)() for name in _OPERATORS.get(type(operator).__name__, ())]


def _with(node: ast.AST, **fields: Any) -> ast.AST:
    """A copy of the node with other values for some of its fields."""
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


@_changes.register
def _of_operator(node: ast.BoolOp | ast.BinOp) -> Iterator[ast.AST]:
    for operator in _others(node.op):
        yield _with(node, op=operator)
    if isinstance(node, ast.BinOp) and isinstance(node.op, _TURNS_AROUND):
        yield _with(node, left=node.right, right=node.left)


@_changes.register
def _of_comparison(node: ast.Compare) -> Iterator[ast.AST]:
    for number, old in enumerate(node.ops):
        for operator in _others(old):
            yield _with(node, ops=[*node.ops[:number], operator, *node.ops[number + 1 :]])


@_changes.register
def _of_unary(node: ast.UnaryOp) -> Iterator[ast.AST]:
    yield node.operand


@_changes.register
def _of_constant(node: ast.Constant) -> Iterator[ast.AST]:
    match node.value:
        case bool(value):
            yield _with(node, value=not value)
        case int(value):
            yield _with(node, value=value + 1)
        case float(value):
            yield _with(node, value=2 * value if value else 1.0)


@_changes.register
def _of_call(node: ast.Call) -> Iterator[ast.AST]:
    for number, keyword in enumerate(node.keywords):
        if keyword.arg is not None:
            yield _with(node, keywords=_without(node.keywords, number))
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    plain = node.func.id if isinstance(node.func, ast.Name) else ""
    commutes = name in _COMMUTES or plain in _BUILTIN_COMMUTES
    starred = any(isinstance(argument, ast.Starred) for argument in node.args[:2])
    if len(node.args) > 1 and not starred and not commutes:
        yield _with(node, args=_turned(node.args))
    for other in sorted(_SWAPS.get(name, ())):
        yield _with(node, func=_with(node.func, attr=other))
    if name in _WRAPPERS and node.args and not isinstance(node.args[0], ast.Starred):
        yield node.args[0]


@_changes.register
def _of_attribute(node: ast.Attribute) -> Iterator[ast.AST]:
    if node.attr in ("T", "mT"):
        yield node.value


@_changes.register
def _of_slice(node: ast.Slice) -> Iterator[ast.AST]:
    for end in ("lower", "upper", "step"):
        if getattr(node, end) is not None:
            yield _with(node, **{end: None})


@_changes.register
def _of_condition(node: ast.If | ast.While | ast.IfExp) -> Iterator[ast.AST]:
    yield _with(node, test=ast.UnaryOp(op=ast.Not(), operand=node.test))


@_changes.register
def _of_decorators(node: ast.FunctionDef) -> Iterator[ast.AST]:
    for number in range(len(node.decorator_list)):
        yield _with(node, decorator_list=_without(node.decorator_list, number))


@_changes.register
def _of_assignment(node: ast.Assign) -> Iterator[ast.AST]:
    """Only one like `x = f(x)`: without `x = 1`, the name would just be missing."""
    names = {t.id for t in node.targets if isinstance(t, ast.Name)}
    if names & {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}:
        yield ast.Pass()


@_changes.register
def _of_statement(node: ast.AugAssign | ast.Expr) -> Iterator[ast.AST]:
    yield ast.Pass()


@_changes.register
def _of_tuple(node: ast.Tuple) -> Iterator[ast.AST]:
    """Two results or operands that change places; not the targets of an assignment."""
    if len(node.elts) > 1 and isinstance(node.ctx, ast.Load):
        yield _with(node, elts=_turned(node.elts))


def _without(parts: list[Any], number: int) -> list[Any]:
    return [*parts[:number], *parts[number + 1 :]]


def _turned(parts: list[Any]) -> list[Any]:
    """The parts, with the first two swapped."""
    return [parts[1], parts[0], *parts[2:]]
