"""What goes wrong because JAX traces: values, sizes and texts that aren't known yet."""

import ast

from grader.feedback.raised import Diagnosis, RaisedException
from grader.feedback.syntax import short, used_names

_SIZED = set(
    "where nonzero flatnonzero argwhere unique bincount extract compress union1d intersect1d "
    "setdiff1d setxor1d unique_values unique_counts unique_inverse unique_all repeat delete".split()
)
_RANGES = {"arange", "linspace", "eye", "identity", "tri"}
REDUCES = set(
    "sum mean prod max min amax amin any all argmax argmin std var median cumsum cumprod sort "
    "argsort expand_dims squeeze concatenate stack split softmax log_softmax logsumexp take "
    "roll flip swapaxes moveaxis norm nanmean nansum".split()
)
_TO_NUMBER = {"float", "int", "complex", "round", "abs", "hex", "bin"}


def tracer_bool(raised: RaisedException) -> Diagnosis:
    word, fix = _decision(raised)
    return Diagnosis("tracer-bool", {"word": word, "fix": fix})


def _decision(raised: RaisedException) -> tuple[str, str]:
    """The code that asks for the truth value, and what to use instead."""
    node, around = raised.node, [raised.node, raised.parent]
    if any(isinstance(n, ast.While) for n in around):
        return "`while` branches on it", "Loop with `lax.while_loop`."
    if any(isinstance(n, ast.Assert) for n in around):
        return "`assert` checks it", "Check it outside the function, or use `checkify`."
    outside = raised.module.around(node) if node is not None else ()
    decides = isinstance(raised.statement, ast.If | ast.While) or any(
        isinstance(n, ast.IfExp) for n in outside
    )
    then = " Then choose with `jnp.where` instead of `if`." if decides else ""
    if isinstance(node, ast.Compare) and len(node.ops) > 1:
        return "a chain of comparisons uses it", f"Write `(a < x) & (x < b)`.{then}"
    if bools := [n for n in around if isinstance(n, ast.BoolOp)]:
        sign = "and" if isinstance(bools[0].op, ast.And) else "or"
        fix = f"Use `&` and `|`, with each comparison in parentheses.{then}"
        return f"`{sign}` tests it", fix
    if any(isinstance(n, ast.UnaryOp) and isinstance(n.op, ast.Not) for n in around):
        return "`not` tests it", "Negate an array with `~`."
    if raised.callee in ("max", "min", "sorted", "any", "all", "bool"):
        return (
            f"`{raised.callee}` tests it",
            "Use `jnp.maximum`, `jnp.minimum`, or the function of the same name in `jnp`.",
        )
    if tests := [n.test for n in around if isinstance(n, ast.If | ast.IfExp)]:
        # What is computed from an array can't be static.
        is_computed = any(isinstance(n, ast.Call) for test in tests for n in ast.walk(test))
        fix = "branch with `lax.cond`, or make it a static argument."
        fix = f"Choose with `jnp.where`, {'or branch with `lax.cond`.' if is_computed else fix}"
        return "`if` branches on it", fix
    return "Python branches on it", "Choose with `jnp.where`, or branch with `lax.cond`."


def tracer_integer(raised: RaisedException) -> Diagnosis:
    if raised.callee == "range":
        return Diagnosis("tracer-range")
    is_index = isinstance(raised.node, ast.Subscript)
    return Diagnosis("tracer-index" if is_index else "tracer-integer")


def tracer_array(raised: RaisedException) -> Diagnosis:
    if raised.callee.startswith("numpy."):
        return Diagnosis("numpy-on-tracer", {"word": short(raised.callee)})
    if raised.node is None:  # the student's code has returned
        return Diagnosis("traced-result")
    uses_numpy = any(raised.module.dotted(n).startswith("numpy.") for n in ast.walk(raised.node))
    return Diagnosis(*(("numpy-on-tracer", {"word": "np"}) if uses_numpy else ("concrete-needed",)))


def concrete(raised: RaisedException) -> Diagnosis:
    callee, last = raised.callee, raised.last
    if raised.method in ("item", "tolist"):
        return Diagnosis("tracer-to-number", {"word": f".{raised.method}()"})
    if callee in _TO_NUMBER or callee.startswith(("math.", "cmath.")):
        return Diagnosis("tracer-to-number", {"word": callee})
    if last in _SIZED:
        fix = "`length=`" if last == "bincount" else "`size=` and `fill_value=`"
        return Diagnosis("data-dependent-size", {"word": short(callee) or last, "fix": fix})
    if last in _RANGES:
        return Diagnosis("traced-arange", {"word": short(callee) or last})
    return Diagnosis("traced-axis" if last in REDUCES else "concrete-needed")


def leak_found(raised: RaisedException) -> Diagnosis | None:
    """`jax.checking_leaks` raises a bare Exception, so the code has to show that it is on."""
    module, names = raised.module, {"jax.checking_leaks", "jax.check_tracer_leaks"}
    is_checked = any(
        module.dotted(node) in names
        or (isinstance(node, ast.Constant) and node.value == "jax_check_tracer_leaks")
        for node in module.nodes
    )
    return Diagnosis("leak-found") if is_checked else None


def sliced(raised: RaisedException) -> Diagnosis | None:
    node = raised.node
    if not isinstance(node, ast.Subscript):
        return None
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    slices = [part for part in parts if isinstance(part, ast.Slice)]
    return Diagnosis("traced-slice") if used_names(*slices) else None


def formatted(raised: RaisedException) -> Diagnosis | None:
    node = raised.node
    # Inside an f-string, lines and columns are exact only since Python 3.12.
    holders = (node, *raised.module.around(node)) if isinstance(node, ast.expr) else ()
    is_written = any(isinstance(n, ast.JoinedStr | ast.FormattedValue) for n in holders)
    is_modulo = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)
    is_percent = is_modulo and isinstance(getattr(node, "left", None), ast.Constant)
    func = raised.call.func if raised.call is not None else None
    is_method = isinstance(func, ast.Attribute) and isinstance(func.value, ast.Constant)
    is_format = raised.callee == "format" or (raised.method == "format" and is_method)
    return Diagnosis("format-tracer") if is_written or is_percent or is_format else None
