"""Small wrong changes to a program, one at a time, from its syntax tree. Pure.

    source -> Mutation(change, line, text), Mutation(...), ...

What a student's slip changes: an operator, an axis, a keyword that is left out, a constant, a
statement, two arguments, `jit` or `vmap`. Most mutation tools change files and run pytest beside
them; these are texts, for a judge that grades texts.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

_OPERATORS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Div,),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
}
_TURNS_AROUND = (ast.Sub, ast.Div, ast.MatMult, ast.Pow)
_PAIRS = (
    "mean sum, max min, maximum minimum, argmax argmin, zeros ones, zeros_like ones_like, "
    "psum pmean, set add, any all, std var, normal uniform, jacfwd jacrev, floor ceil, "
    "vstack hstack, sin cos, exp expm1, log log1p, multiply divide, add subtract"
)
_SWAPS: dict[str, set[str]] = {}
for _pair in _PAIRS.split(", "):
    _a, _b = _pair.split()
    _SWAPS.setdefault(_a, set()).add(_b)
    _SWAPS.setdefault(_b, set()).add(_a)
_COMMUTES = frozenset(
    "maximum minimum add multiply logical_and logical_or logical_xor equal not_equal".split()
)
# Calls that can be forgotten: what they are given comes through unchanged.
_WRAPPERS = frozenset(
    "jit vmap pmap checkpoint stop_gradient sqrt square abs log exp tanh ravel transpose round "
    "flip cumsum clip mean".split()
)


@dataclass(frozen=True)
class Mutation:
    """One change: the statement before and after, its line, and the whole program with it."""

    change: str
    line: int
    text: str


def mutations(source: str) -> Iterator[Mutation]:
    """Every mutation of a program, each once. Raises `SyntaxError` for what is no program."""
    tree = ast.parse(source)
    seen = {ast.dump(tree)}
    told: Counter[str] = Counter()
    for path, node, place in _nodes(tree):
        for change in _changes(node):
            changed = copy.deepcopy(tree)
            change(_at(changed, path))
            ast.fix_missing_locations(changed)
            if (dump := ast.dump(changed)) in seen:
                continue
            seen.add(dump)
            before, after = _header(_at(tree, place)), _header(_at(changed, place))
            change_told = f"{before} -> {after or 'nothing'}"
            told[change_told] += 1
            # The same statement may stand in two places.
            again = f" (#{told[change_told]})" if told[change_told] > 1 else ""
            yield Mutation(change_told + again, node.lineno, ast.unparse(changed))


_Path = tuple[tuple[str, int | None], ...]
_Change = Callable[[Any], None]


def _nodes(tree: ast.Module) -> Iterator[tuple[_Path, Any, _Path]]:
    """The way to every node that can be changed, the node, and the way to its statement."""

    def walk(node: ast.AST, path: _Path, place: _Path) -> Iterator[tuple[_Path, Any, _Path]]:
        if isinstance(node, ast.Import | ast.ImportFrom):
            return
        if isinstance(node, ast.stmt):
            place = path
        if hasattr(node, "lineno"):
            yield path, node, place
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "ctx", "type_comment"):
                continue
            if isinstance(value, ast.AST):
                yield from walk(value, (*path, (name, None)), place)
            elif isinstance(value, list):
                for number, child in enumerate(value):
                    if isinstance(child, ast.AST) and not _is_docstring(child):
                        yield from walk(child, (*path, (name, number)), place)

    yield from walk(tree, (), ())


def _at(tree: ast.AST, path: _Path) -> Any:
    node: Any = tree
    for name, number in path:
        node = getattr(node, name) if number is None else getattr(node, name)[number]
    return node


def _header(statement: ast.stmt) -> str:
    """A statement on one line, of a compound one what stands before its body; "" for `pass`."""
    shown: Any = copy.copy(statement)
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


def _changes(node: Any) -> Iterator[_Change]:
    """What can be done to a node; each change is applied to a copy of it."""
    kind = type(node).__name__
    known: dict[str, Callable[[Any], Iterator[_Change]]] = {
        "BinOp": _of_binary,
        "BoolOp": _of_operator,
        "Compare": _of_comparison,
        "UnaryOp": _of_unary,
        "Constant": _of_constant,
        "Call": _of_call,
        "Attribute": _of_attribute,
        "Slice": _of_slice,
        "If": _of_condition,
        "While": _of_condition,
        "IfExp": _of_condition,
        "FunctionDef": _of_decorators,
        "Assign": _of_assignment,
        "AugAssign": _without,
        "Expr": _without,
        "Tuple": _of_tuple,
    }
    if kind in known:
        yield from known[kind](node)


def _become(node: Any, other: ast.AST) -> None:
    """Turns a node into a copy of another, in place: whoever holds it need not know."""
    other = copy.deepcopy(other)
    node.__class__ = other.__class__
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
    node.__dict__.clear()
    node.__dict__.update(other.__dict__)
    node.lineno, node.col_offset = line, column


def _setting(name: str, value: Any) -> _Change:
    """Gives a node another value for one of its fields."""
    return lambda node: setattr(node, name, copy.deepcopy(value))


def _of_operator(node: Any) -> Iterator[_Change]:
    for operator in _OPERATORS.get(type(node.op), ()):
        yield _setting("op", operator())


def _of_binary(node: ast.BinOp) -> Iterator[_Change]:
    yield from _of_operator(node)
    if isinstance(node.op, _TURNS_AROUND):

        def turn(new: Any) -> None:
            new.left, new.right = new.right, new.left

        yield turn


def _of_comparison(node: ast.Compare) -> Iterator[_Change]:
    for number, old in enumerate(node.ops):
        for operator in _OPERATORS.get(type(old), ()):
            yield _setting("ops", [*node.ops[:number], operator(), *node.ops[number + 1 :]])


def _of_unary(node: ast.UnaryOp) -> Iterator[_Change]:
    yield lambda new: _become(new, new.operand)


def _of_constant(node: ast.Constant) -> Iterator[_Change]:
    value = node.value
    if isinstance(value, bool):
        other: Any = not value
    elif isinstance(value, int):
        other = value + 1
    elif isinstance(value, float):
        other = 2 * value if value else 1.0
    else:
        return
    yield _setting("value", other)


def _of_call(node: ast.Call) -> Iterator[_Change]:
    for number, keyword in enumerate(node.keywords):
        if keyword.arg is not None:
            yield _setting("keywords", [*node.keywords[:number], *node.keywords[number + 1 :]])
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    starred = any(isinstance(argument, ast.Starred) for argument in node.args[:2])
    if len(node.args) > 1 and not starred and name not in _COMMUTES:

        def turn(new: Any) -> None:
            new.args[0], new.args[1] = new.args[1], new.args[0]

        yield turn
    for other in sorted(_SWAPS.get(name, ())):
        assert isinstance(node.func, ast.Attribute)
        yield _setting("func", ast.Attribute(node.func.value, other, ast.Load()))
    if name in _WRAPPERS and node.args and not isinstance(node.args[0], ast.Starred):
        yield lambda new: _become(new, new.args[0])


def _of_attribute(node: ast.Attribute) -> Iterator[_Change]:
    if node.attr in ("T", "mT"):
        yield lambda new: _become(new, new.value)


def _of_slice(node: ast.Slice) -> Iterator[_Change]:
    for end in ("lower", "upper", "step"):
        if getattr(node, end) is not None:
            yield _setting(end, None)


def _of_condition(node: Any) -> Iterator[_Change]:
    yield _setting("test", ast.UnaryOp(op=ast.Not(), operand=node.test))


def _of_decorators(node: ast.FunctionDef) -> Iterator[_Change]:
    for number in range(len(node.decorator_list)):
        rest = [*node.decorator_list[:number], *node.decorator_list[number + 1 :]]
        yield _setting("decorator_list", rest)


def _of_assignment(node: ast.Assign) -> Iterator[_Change]:
    """Only what overwrites: without its first value a name would just be missing."""
    names = {t.id for t in node.targets if isinstance(t, ast.Name)}
    if names & {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}:
        yield from _without(node)


def _without(node: Any) -> Iterator[_Change]:
    yield lambda new: _become(new, ast.Pass())


def _of_tuple(node: ast.Tuple) -> Iterator[_Change]:
    """Two results or operands that change places; not the targets of an assignment."""
    if len(node.elts) > 1 and isinstance(node.ctx, ast.Load):

        def turn(new: Any) -> None:
            new.elts[0], new.elts[1] = new.elts[1], new.elts[0]

        yield turn
