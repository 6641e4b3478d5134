"""What goes wrong in an expression: assignments, operators, names, truth values."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from grader.feedback.errors import Raised, Told
from grader.feedback.removed import METHODS, REMOVED
from grader.feedback.syntax import Module, results

# What a whole tree of parameters is usually called.
_TREES = {"params", "parameters", "grads", "gradients", "tree"}
_LEAF_BY_LEAF = (ast.Add, ast.Sub, ast.Mult, ast.Div)


def removed(raised: Raised) -> Told | None:
    module = raised.module
    node = raised.node
    for name in _names(module, node if node is not None else module.tree):
        for known in _prefixes(name):
            if known in REMOVED:
                new, page = REMOVED[known]
                words = {"old": raised.short(known), "new": new, "page": page}
                return Told("removed-api", words)
    if isinstance(node, ast.Attribute) and node.attr in METHODS:
        new, page = METHODS[node.attr]
        return Told("removed-api", {"old": f".{node.attr}", "new": new, "page": page})
    return None


def _names(module: Module, node: ast.AST) -> Iterable[str]:
    """The full names that a node imports or uses."""
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module}.{alias.name}" for alias in node.names]
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [module.dotted(node)] if isinstance(node, ast.Attribute) else []


def _prefixes(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(len(parts), 1, -1)]


def at_on_numpy(raised: Raised) -> Told | None:
    node = raised.node
    return Told("at-on-numpy") if isinstance(node, ast.Attribute) and node.attr == "at" else None


def unknown_name(raised: Raised) -> Told | None:
    for name in _names(raised.module, raised.node) if raised.node is not None else ():
        # The module is the student's to write, the rest is shown as they wrote it.
        if name.startswith("jax.") and name.isascii() and len(name) < 80:
            return Told("unknown-name", {"old": raised.short(name)})
    return None


def undefined_name(raised: Raised) -> Told | None:
    node = raised.node
    return Told("undefined-name", {"word": node.id}) if isinstance(node, ast.Name) else None


def donated(raised: Raised) -> Told | None:
    donates = any(
        isinstance(node, ast.keyword) and node.arg in ("donate_argnums", "donate_argnames")
        for node in raised.module.nodes
    )
    return Told("donated") if donates else None


def item_assignment(raised: Raised) -> Told | None:
    node = raised.node
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
        value = raised.module.value(node.value)
        return None if isinstance(value, ast.Tuple | ast.Constant) else Told("item-assignment")
    return None


def read_only(raised: Raised) -> Told | None:
    node = raised.node
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        return Told("read-only")
    in_place = raised.method in ("sort", "fill", "put", "partition", "itemset", "resize")
    return Told("read-only") if in_place else None


def no_axis(raised: Raised) -> Told | None:
    """`len(x)`, or a loop over x, where x is a single number."""
    node = raised.node
    parent = raised.module.parent(node) if node is not None else None
    looped = isinstance(parent, ast.For | ast.comprehension) and parent.iter is node
    plain = isinstance(node, ast.Name | ast.Attribute)
    if raised.callee in ("len", "enumerate", "zip", "iter") or (looped and plain):
        return Told("no-axis")
    return None


def list_index(raised: Raised) -> Told | None:
    node = raised.node
    if not isinstance(node, ast.Subscript):
        return None
    value = raised.module.value(node.slice)
    return Told("list-index") if is_list(value) else None


def is_list(node: ast.AST | None) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in ("list", "sorted")
    return isinstance(node, ast.List | ast.ListComp)


def device(raised: Raised) -> Told | None:
    is_call = isinstance(raised.node, ast.Call) and not raised.node.args
    return Told("device-call") if raised.method == "device" and is_call else None


def operands(raised: Raised) -> Told | None:
    node = raised.node
    if not isinstance(node, ast.BinOp | ast.Compare):
        return None
    sides = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.left]
    for side in sides:
        value = raised.module.value(side)
        function = raised.function(value.func) if isinstance(value, ast.Call) else None
        if function is not None and results(function) == [None]:
            return Told("no-return", {"word": _name_of(function)})
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return None
    tree = next((s.id for s in sides if isinstance(s, ast.Name) and s.id in _TREES), None)
    if tree is not None and isinstance(getattr(node, "op", None), _LEAF_BY_LEAF):
        return Told("tree-arithmetic", {"word": tree})
    product = isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)
    return Told("shapes-product" if product else "shapes-broadcast")


def _name_of(function: ast.AST) -> str:
    return str(getattr(function, "name", "a lambda"))


def truth(raised: Raised) -> Told | None:
    node = raised.node
    parent = raised.module.parent(node) if node is not None else None
    decides = (ast.If, ast.IfExp, ast.While, ast.Assert, ast.BoolOp)
    asks = isinstance(parent, decides) and not isinstance(node, ast.Call)
    asks = asks or isinstance(node, (*decides, ast.Compare))
    asks = asks or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))
    called = raised.callee in ("bool", "max", "min", "any", "all", "sorted")
    return Told("array-truth") if asks or called else None


def unpacked(raised: Raised) -> Told | None:
    statement = raised.statement
    if not isinstance(statement, ast.Assign) or not isinstance(raised.node, ast.Tuple | ast.List):
        return None
    value = raised.module.value(statement.value)
    is_split = raised.module.called(value) == "jax.random.split"
    return Told("split-unpack" if is_split else "unpack")
