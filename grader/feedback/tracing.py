"""What goes wrong because JAX traces: values, sizes and texts that aren't known yet."""

from __future__ import annotations

import ast

from grader.feedback.errors import Raised, Told

_SIZED = set(
    """
    where nonzero flatnonzero argwhere unique bincount extract compress union1d intersect1d
    setdiff1d setxor1d unique_values unique_counts unique_inverse unique_all repeat delete
    """.split()
)
_RANGES = {"arange", "linspace", "eye", "identity", "tri"}
_REDUCES = set(
    """
    sum mean prod max min amax amin any all argmax argmin std var median cumsum cumprod sort
    argsort expand_dims squeeze concatenate stack split softmax log_softmax logsumexp take
    roll flip swapaxes moveaxis norm nanmean nansum
    """.split()
)
_TO_NUMBER = {"float", "int", "complex", "round", "abs", "hex", "bin"}


def tracer_bool(raised: Raised) -> Told:
    word, fix = "a Python decision", "Choose with `jnp.where`, or branch with `lax.cond`."
    node = raised.node
    parent = raised.module.parent(node) if node is not None else None
    around = [node, parent]
    if any(isinstance(n, ast.While) for n in around):
        word, fix = "`while` decides by it", "Loop with `lax.while_loop`."
    elif any(isinstance(n, ast.Assert) for n in around):
        word, fix = "`assert` checks it", "Check outside of the function, or with `checkify`."
    elif isinstance(node, ast.Compare) and len(node.ops) > 1:
        word, fix = "a chain of comparisons", "Write `(a < x) & (x < b)`."
    elif bools := [n for n in around if isinstance(n, ast.BoolOp)]:
        sign = "and" if isinstance(bools[0].op, ast.And) else "or"
        word, fix = f"`{sign}` decides by it", "Combine arrays with `&` and `|`, in parentheses."
    elif any(isinstance(n, ast.UnaryOp) and isinstance(n.op, ast.Not) for n in around):
        word, fix = "`not` decides by it", "Negate an array with `~`."
    elif raised.callee in ("max", "min", "sorted", "any", "all", "bool"):
        word = f"`{raised.callee}` compares in Python"
        fix = "Use `jnp.maximum`, `jnp.minimum`, or the function of that name in `jnp`."
    elif any(isinstance(n, ast.If | ast.IfExp) for n in around):
        word = "`if` decides by it"
        fix = "Choose with `jnp.where`, branch with `lax.cond`, or make it a static argument."
    return Told("tracer-bool", {"word": word, "fix": fix})


def tracer_integer(raised: Raised) -> Told:
    if raised.callee == "range":
        return Told("tracer-range")
    if isinstance(raised.node, ast.Subscript):
        return Told("tracer-index")
    return Told("tracer-integer")


def tracer_array(raised: Raised) -> Told:
    callee = raised.callee if raised.callee.startswith("numpy") else ""
    return Told("numpy-on-tracer", {"word": raised.short(callee) or "np"})


def concrete(raised: Raised) -> Told:
    last = raised.callee.rpartition(".")[2] or raised.method
    if raised.method in ("item", "tolist"):
        return Told("tracer-to-number", {"word": f"`.{raised.method}()`"})
    if raised.callee in _TO_NUMBER or raised.callee.startswith(("math.", "cmath.")):
        return Told("tracer-to-number", {"word": f"`{raised.callee}`"})
    if last in _SIZED:
        return Told("data-dependent-size", {"word": raised.short(raised.callee) or last})
    if last in _RANGES:
        return Told("traced-arange", {"word": raised.short(raised.callee) or last})
    if last in _REDUCES:
        return Told("traced-axis")
    return Told("concrete-needed")


def leaked(raised: Raised) -> Told:
    return Told("leaked-tracer")


def mask(raised: Raised) -> Told:
    return Told("traced-mask")


def reused(raised: Raised) -> Told:
    return Told("key-reuse")


def nans(raised: Raised) -> Told:
    return Told("debug-nans")


def leak_found(raised: Raised) -> Told | None:
    """`jax.checking_leaks` raises a bare Exception; where we check, no code of theirs says so."""
    checks = any(
        raised.module.dotted(node) in ("jax.checking_leaks", "jax.check_tracer_leaks")
        or (isinstance(node, ast.Constant) and node.value == "jax_check_tracer_leaks")
        for node in raised.module.nodes
    )
    return Told("leak-found") if checks else None


def sliced(raised: Raised) -> Told | None:
    node = raised.node
    if not isinstance(node, ast.Subscript):
        return None
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    slices = [part for part in parts if isinstance(part, ast.Slice)]
    bounds = [b for s in slices for b in (s.lower, s.upper, s.step) if b is not None]
    variable = any(isinstance(n, ast.Name) for bound in bounds for n in ast.walk(bound))
    return Told("traced-slice") if variable else None


def formatted(raised: Raised) -> Told | None:
    node = raised.node
    # Inside of an f-string, places are exact only since Python 3.12.
    holders = (node, *raised.module.around(node)) if isinstance(node, ast.expr) else ()
    written = any(isinstance(n, ast.JoinedStr | ast.FormattedValue) for n in holders)
    percent = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)
    percent = percent and isinstance(getattr(node, "left", None), ast.Constant)
    func = raised.call.func if raised.call is not None else None
    filled = isinstance(func, ast.Attribute) and isinstance(func.value, ast.Constant)
    called = raised.callee == "format" or (raised.method == "format" and filled)
    return Told("format-tracer") if written or percent or called else None
