"""Mistakes that raise nothing, where the code shows lengths: rules of `grader.feedback.silent`."""

import ast
from collections.abc import Iterator

from grader.feedback.syntax import Module, elements

_MADE = {"jax.numpy.arange", "jax.numpy.zeros", "jax.numpy.ones"}


def column_against_row(module: Module) -> Iterator[tuple[str, int, str]]:
    for node in module.nodes:
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Sub | ast.Add | ast.Mult):
            continue
        if {_shape(module, node.left), _shape(module, node.right)} == {"column", "vector"}:
            yield "column-against-row", node.lineno, ""


def _shape(module: Module, node: ast.expr) -> str:
    """A column or a vector, if the code itself shows which."""
    value = module.value(node)
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
        return ""
    name, sizes = module.called(value), value.args
    if name in ("jax.numpy.reshape", "jax.numpy.ravel"):
        sizes = sizes[1:]
    elif name.startswith("jax."):
        return _made_shape(name, value)
    if value.func.attr in ("ravel", "flatten"):
        return "vector"
    if value.func.attr != "reshape":
        return ""
    known = [_number(part) for size in sizes for part in elements(size)]
    if len(known) == 2 and known[1] == 1:
        return "column"
    return "vector" if known == [-1] else ""


def _made_shape(name: str, call: ast.Call) -> str:
    if name not in _MADE or not call.args:
        return ""
    size = call.args[0]
    if name == "jax.numpy.arange" or not isinstance(size, ast.Tuple):
        return "vector" if isinstance(size, ast.Constant) else ""
    known = [_number(part) for part in size.elts]
    if len(known) == 2 and known[1] == 1 and known[0] != 1:
        return "column"
    return "vector" if len(known) == 1 and known[0] != 1 else ""


def out_of_bounds(module: Module) -> Iterator[tuple[str, int, str]]:
    """A constant index into an array whose length is written in the code."""
    for node in module.nodes:
        if not isinstance(node, ast.Subscript):
            continue
        held = node.value
        if isinstance(held, ast.Attribute) and held.attr == "at":
            held = held.value
        index, length = _number(node.slice), _length(module, module.value(held))
        if index is not None and length is not None and not -length <= index < length:
            word = held.id if isinstance(held, ast.Name) else "an array"
            yield "out-of-bounds", node.lineno, word


def _length(module: Module, node: ast.AST | None) -> int | None:
    name = module.called(node)
    if not isinstance(node, ast.Call) or len(node.args) != 1:
        return None
    parts = elements(node.args[0])
    if name in ("jax.numpy.array", "jax.numpy.asarray") and isinstance(node.args[0], ast.List):
        return None if any(isinstance(part, ast.Starred) for part in parts) else len(parts)
    return _number(parts[0]) if name in _MADE and parts else None


def _number(node: ast.AST | None) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _number(node.operand)
        return None if inner is None else -inner
    value = node.value if isinstance(node, ast.Constant) else None
    return value if type(value) is int else None
