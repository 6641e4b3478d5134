"""What goes wrong in a call of JAX's: arguments, shapes, bodies, axes, trees."""

from __future__ import annotations

import ast

from grader.feedback.errors import Raised, Told
from grader.feedback.expressions import is_list
from grader.feedback.syntax import parameters, results

_SHAPED = set(
    """
    zeros ones full empty broadcast_to tile eye iota broadcasted_iota full_like zeros_like
    ones_like
    """.split()
)
_REDUCES = set(
    """
    sum mean prod max min amax amin any all argmax argmin std var median cumsum cumprod sort
    argsort expand_dims squeeze concatenate stack split softmax log_softmax logsumexp take
    roll flip swapaxes moveaxis norm nanmean nansum
    """.split()
)
_PRODUCTS = {"dot", "matmul", "vdot", "inner", "tensordot", "einsum", "vecdot", "dot_general"}
_JOINS = {"concatenate", "stack", "vstack", "hstack", "column_stack", "dstack", "append", "block"}
_COLLECTIVES = set(
    """
    psum pmean pmax pmin all_gather axis_index axis_size ppermute all_to_all psum_scatter
    pvary pcast
    """.split()
)
_LOOPS = {"jax.lax.while_loop": "while_loop", "jax.lax.fori_loop": "fori_loop"}
_TREE_MAPS = {"jax.tree.map", "jax.tree_util.tree_map", "jax.tree_map"}


def collective(raised: Raised) -> Told | None:
    last = raised.callee.rpartition(".")[2]
    return Told("unbound-axis", {"word": f"lax.{last}"}) if last in _COLLECTIVES else None


def in_a_tree(raised: Raised) -> Told | None:
    """What fails inside of a function that a tree is mapped with, as None meets a leaf."""
    outer = [raised.module.called(node) for node in raised.nodes[1:2]]
    inside = isinstance(raised.node, ast.BinOp | ast.Compare | ast.UnaryOp | ast.Call)
    return Told("tree-none") if inside and _TREE_MAPS & set(outer) else None


def tree_structure(raised: Raised) -> Told | None:
    return Told("tree-structure") if raised.callee in _TREE_MAPS else None


def random_call(raised: Raised) -> Told | None:
    if not raised.callee.startswith("jax.random."):
        return None
    first = raised.module.value(raised.arg(0, "key"))
    shape = raised.arg(1, "shape")
    named = isinstance(first, ast.Constant) or "seed" in ast.dump(first or ast.Pass())
    is_key = isinstance(raised.arg(0, "key"), ast.Name) and "key" in getattr(
        raised.arg(0, "key"), "id", ""
    )
    if not named and is_key and _depends_on_names(shape):
        return Told("traced-shape")
    return Told("seed-for-key", {"word": raised.callee.removeprefix("jax.")})


def batch_of_keys(raised: Raised) -> Told | None:
    if not raised.callee.startswith("jax.random."):
        return None
    return Told("batch-of-keys", {"word": raised.callee.removeprefix("jax.")})


def shapes(raised: Raised) -> Told | None:
    """Functions of `jnp` and methods of arrays, by what they can't do."""
    last = raised.callee.rpartition(".")[2] or raised.method
    ours = raised.callee.startswith("jax.") or bool(raised.method)
    if not ours:
        return None
    if last in _REDUCES | {"exp", "log", "sqrt", "abs", "dot", "reshape", "transpose"}:
        first = raised.module.value(raised.arg(0)) if raised.callee.startswith("jax.") else None
        if is_list(first) and last not in _JOINS:
            return Told("list-for-array", {"word": raised.short(raised.callee)})
    if last == "reshape":
        return _reshape(raised)
    if last in _SHAPED:
        return Told("traced-shape")
    if last in _PRODUCTS:
        return Told("shapes-product")
    if last in _JOINS:
        return Told("shapes-join")
    if raised.callee.startswith("jax.numpy.") and len(raised.args) > 1 and last not in _REDUCES:
        return Told("shapes-broadcast")
    return None


def _reshape(raised: Raised) -> Told:
    sizes = (
        raised.args
        if raised.callee == "" or not raised.callee.startswith("jax.")
        else (raised.args[1:])
    )
    values = [raised.module.value(part) for size in sizes for part in _parts(size)]
    for value in values:
        names = [raised.module.called(n) for n in ast.walk(value)] if value is not None else []
        if any(name.startswith("jax.numpy.") for name in names):
            return Told("traced-reshape")
    function = raised.module.function_of(raised.node) if raised.node is not None else None
    given = set(parameters(function)) if function is not None else set()
    used = {n.id for v in values if v is not None for n in ast.walk(v) if isinstance(n, ast.Name)}
    plain = {part.id for size in sizes for part in _parts(size) if isinstance(part, ast.Name)}
    traced = "jit" in raised.module.traced_by(raised.node) if raised.node is not None else False
    if traced and (used | plain) & given and not any("shape" in ast.dump(v) for v in values if v):
        return Told("traced-shape")
    return Told("shapes-reshape")


def _parts(node: ast.expr) -> list[ast.expr]:
    return list(node.elts) if isinstance(node, ast.Tuple | ast.List) else [node]


def _depends_on_names(node: ast.AST | None) -> bool:
    return node is not None and any(isinstance(n, ast.Name) for n in ast.walk(node))


def loops(raised: Raised) -> Told | None:
    if raised.callee == "jax.lax.scan":
        body = raised.function(raised.arg(0, "f"))
        returned = results(body) if body is not None else []
        single = [r for r in returned if r is not None and not _may_be_pair(raised, r)]
        missing = any(r is None for r in returned)
        return Told("scan-pair" if single or missing else "scan-carry")
    if raised.callee in _LOOPS:
        return Told("while-carry", {"word": _LOOPS[raised.callee]})
    return None


def _may_be_pair(raised: Raised, node: ast.expr) -> bool:
    value = raised.module.value(node)
    if isinstance(value, ast.Tuple):
        return len(value.elts) == 2
    if isinstance(value, ast.IfExp):
        return _may_be_pair(raised, value.body)
    # Arithmetic gives one array; what a name or a call holds, nobody knows.
    return not isinstance(value, ast.BinOp | ast.UnaryOp | ast.Compare | ast.Constant | ast.Dict)


def conditional(raised: Raised) -> Told | None:
    if raised.callee not in ("jax.lax.cond", "jax.lax.switch"):
        return None
    word = raised.callee.replace("jax.lax", "lax")
    branches = [raised.function(raised.arg(place)) for place in (1, 2)]
    if raised.callee == "jax.lax.switch":
        return Told("cond-branches", {"word": word})
    kinds = [_kind(r) for branch in branches if branch is not None for r in results(branch)]
    if len(set(kinds)) > 1:
        return Told("cond-branches", {"word": word})
    return Told("cond-predicate" if _by_element(raised) else "cond-branches", {"word": word})


def _kind(node: ast.expr | None) -> str:
    """How a result is written: constants and containers differ from computed arrays."""
    if isinstance(node, ast.Constant):
        return type(node.value).__name__
    if isinstance(node, ast.Tuple):
        return f"tuple of {len(node.elts)}"
    return "None" if node is None else "computed"


def _by_element(raised: Raised) -> bool:
    """Whether a predicate is likely an array: a comparison that nothing reduces."""
    value = raised.module.value(raised.arg(0, "pred"))
    if isinstance(value, ast.Name):
        return True
    calls = [n for n in ast.walk(value) if isinstance(n, ast.Call)] if value is not None else []
    return isinstance(value, ast.Compare | ast.BinOp | ast.UnaryOp) and not calls
