"""What goes wrong in an expression: assignments, operators, names, truth values."""

import ast
from collections.abc import Iterable

from grader.feedback import wording
from grader.feedback.lessons import REMOVED
from grader.feedback.raised import Diagnosis, RaisedException
from grader.feedback.silent import is_reference
from grader.feedback.syntax import Module, name_of, results, short

# Usual names for a whole tree of parameters.
_TREES = {"params", "parameters", "grads", "gradients", "tree"}
_LEAF_BY_LEAF = (ast.Add, ast.Sub, ast.Mult, ast.Div)
IMPORTS = {
    "jnp": "import jax.numpy as jnp",
    "np": "import numpy as np",
    "jax": "import jax",
    "lax": "from jax import lax",
    "math": "import math",
    "partial": "from functools import partial",
}
"""How a module is imported that everybody calls so."""


def removed(raised: RaisedException) -> Diagnosis | None:
    module, node = raised.module, raised.node
    for name in _names(module, node if node is not None else module.tree):
        parts = name.split(".")
        prefixes = (".".join(parts[:count]) for count in range(len(parts), 1, -1))
        known = next((prefix for prefix in prefixes if prefix in REMOVED), None)
        if known is not None:
            new, page = REMOVED[known]
            return Diagnosis("removed-api", {"old": short(known), "new": new, "page": page})
    if isinstance(node, ast.Attribute) and f".{node.attr}" in REMOVED:
        new, page = REMOVED[f".{node.attr}"]
        return Diagnosis("removed-api", {"old": f".{node.attr}", "new": new, "page": page})
    return None


def _names(module: Module, node: ast.AST | None) -> Iterable[str]:
    """The full names that a node imports or uses."""
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module}.{alias.name}" for alias in node.names]
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [module.dotted(node)] if isinstance(node, ast.Attribute) else []


def at_on_numpy(raised: RaisedException) -> Diagnosis | None:
    is_at = isinstance(raised.node, ast.Attribute) and raised.node.attr == "at"
    return Diagnosis("at-on-numpy") if is_at else None


def unknown_name(raised: RaisedException) -> Diagnosis | None:
    for name in _names(raised.module, raised.node):
        missing = not raised.text or f"'{name.rpartition('.')[2]}'" in raised.text
        # The name is shown as the student wrote it, so it has to be short and plain.
        if missing and name.startswith("jax.") and name.isascii() and len(name) < 80:
            return Diagnosis("unknown-name", {"old": short(name)})
    return None


def undefined_name(raised: RaisedException) -> Diagnosis | None:
    node = raised.node
    if not isinstance(node, ast.Name):
        return None
    if node.id in IMPORTS:
        return Diagnosis("missing-import", {"word": node.id, "fix": IMPORTS[node.id]})
    return Diagnosis("undefined-name", {"word": node.id})


def donated(raised: RaisedException) -> Diagnosis | None:
    given = {node.arg for node in raised.module.nodes if isinstance(node, ast.keyword)}
    return Diagnosis("donated") if given & {"donate_argnums", "donate_argnames"} else None


def item_assignment(raised: RaisedException) -> Diagnosis | None:
    node = raised.node
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
        value = raised.module.value(node.value)
        return None if isinstance(value, ast.Tuple | ast.Constant) else Diagnosis("item-assignment")
    return None


def read_only(raised: RaisedException) -> Diagnosis | None:
    node = raised.node
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        name = node.value
        is_ref = isinstance(name, ast.Name) and is_reference(raised.module, name)
        return Diagnosis("ref-write" if is_ref else "read-only")
    in_place = raised.method in ("sort", "fill", "put", "partition", "itemset", "resize")
    return Diagnosis("read-only") if in_place else None


def no_axis(raised: RaisedException) -> Diagnosis | None:
    """`len(x)`, or a loop over x, where x is a single number."""
    node, parent = raised.node, raised.parent
    is_looped = isinstance(parent, ast.For | ast.comprehension) and parent.iter is node
    is_plain = isinstance(node, ast.Name | ast.Attribute)
    called = raised.callee in ("len", "enumerate", "zip", "iter")
    return Diagnosis("no-axis") if called or (is_looped and is_plain) else None


def list_index(raised: RaisedException) -> Diagnosis | None:
    index = raised.node.slice if isinstance(raised.node, ast.Subscript) else None
    return Diagnosis("list-index") if is_list(raised.module.value(index)) else None


def is_list(node: ast.AST | None) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in ("list", "sorted")
    return isinstance(node, ast.List | ast.ListComp)


def device(raised: RaisedException) -> Diagnosis | None:
    is_call = isinstance(raised.node, ast.Call) and not raised.node.args
    return Diagnosis("device-call") if raised.method == "device" and is_call else None


def operands(raised: RaisedException) -> Diagnosis | None:
    node = raised.node
    if not isinstance(node, ast.BinOp | ast.Compare):
        return None
    sides = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.left]
    for side in sides:
        value = raised.module.value(side)
        function = raised.function(value.func) if isinstance(value, ast.Call) else None
        if function is not None and results(function) == [None]:
            return Diagnosis("no-return", {"word": name_of(function)})
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return None
    tree = next((s.id for s in sides if isinstance(s, ast.Name) and s.id in _TREES), None)
    operator = node.op if isinstance(node, ast.BinOp) else None
    if tree is not None and isinstance(operator, _LEAF_BY_LEAF):
        return Diagnosis("tree-arithmetic", {"word": tree})
    if wording.is_of_python(raised.text):
        return Diagnosis("not-arrays")
    is_product = isinstance(operator, ast.MatMult)
    return Diagnosis("shapes-product" if is_product else "shapes-broadcast")


def truth(raised: RaisedException) -> Diagnosis | None:
    node = raised.node
    decides = (ast.If, ast.IfExp, ast.While, ast.Assert, ast.BoolOp)
    is_asked = isinstance(raised.parent, decides) and not isinstance(node, ast.Call)
    asks = isinstance(node, (*decides, ast.Compare))
    negates = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    called = raised.callee in ("bool", "max", "min", "any", "all", "sorted")
    return Diagnosis("array-truth") if is_asked or asks or negates or called else None


def unpacked(raised: RaisedException) -> Diagnosis | None:
    statement = raised.statement
    if not isinstance(statement, ast.Assign) or not isinstance(raised.node, ast.Tuple | ast.List):
        return None
    value = raised.module.value(statement.value)
    is_split = raised.module.called(value) == "jax.random.split"
    return Diagnosis("split-unpack" if is_split else "unpack")
