"""What goes wrong in a call of a JAX function: arguments, shapes, bodies, axes, trees."""

import ast
from collections.abc import Collection

from grader.feedback import wording
from grader.feedback.raised import Diagnosis, RaisedException
from grader.feedback.rules.expressions import is_list
from grader.feedback.rules.tracing import REDUCES
from grader.feedback.syntax import (
    LOOPS,
    Function,
    elements,
    name_of,
    name_parts,
    parameters,
    results,
    short,
    used_names,
)

_SHAPED = set(
    "zeros ones full empty broadcast_to tile eye iota broadcasted_iota full_like zeros_like "
    "ones_like".split()
)
_PRODUCTS = {"dot", "matmul", "vdot", "inner", "tensordot", "einsum", "vecdot", "dot_general"}
_JOINS = {"concatenate", "stack", "vstack", "hstack", "column_stack", "dstack", "append", "block"}
# Where JAX's loops take functions, and with how many arguments they call each.
_CALLS_BACK: dict[str, list[tuple[int, str, int]]] = {
    "jax.lax.scan": [(0, "f", 2)],
    "jax.lax.map": [(0, "f", 1)],
    "jax.lax.fori_loop": [(2, "body_fun", 2)],
    "jax.lax.while_loop": [(0, "cond_fun", 1), (1, "body_fun", 1)],
}
_BY_FUNCTION: dict[str, str] = {
    **dict.fromkeys(_SHAPED, "traced-shape"),
    **dict.fromkeys(_PRODUCTS, "shapes-product"),
    **dict.fromkeys(_JOINS, "shapes-join"),
}
_TAKES_AN_ARRAY = {*REDUCES, *"exp log sqrt abs dot reshape transpose".split()} - _JOINS
_COLLECTIVES = set(
    "psum pmean pmax pmin all_gather axis_index axis_size ppermute all_to_all psum_scatter pvary "
    "pcast".split()
)
_TRANSFORMS = {f"jax.{name}" for name in "grad value_and_grad vmap jacfwd jacrev hessian".split()}
_TREE_MAPS = {"jax.tree.map", "jax.tree_util.tree_map", "jax.tree_map"}
# These attributes of an array are known while JAX traces.
_STATIC = {"shape", "size", "ndim"}


def at_called(raised: RaisedException) -> Diagnosis | None:
    """`x.at(i)` in place of `x.at[i]`."""
    return Diagnosis("at-called") if raised.method == "at" else None


def collective(raised: RaisedException) -> Diagnosis | None:
    last = raised.callee.rpartition(".")[2]
    return Diagnosis("unbound-axis", {"word": f"lax.{last}"}) if last in _COLLECTIVES else None


def in_a_tree(raised: RaisedException) -> Diagnosis | None:
    """An error in the function that a tree map calls: it used None, or a whole tree."""
    outer = {raised.module.called(node) for node in raised.nodes[1:2]}
    inside = isinstance(raised.node, ast.BinOp | ast.Compare | ast.UnaryOp | ast.Call)
    if not inside or not _TREE_MAPS & outer:
        return None
    return Diagnosis("tree-whole" if wording.names_a_container(raised.text) else "tree-none")


def transformed(raised: RaisedException) -> Diagnosis | None:
    """`jax.grad(f, x)`: what is given by place after the function is no number of an argument."""
    if raised.callee not in _TRANSFORMS or raised.call is None or not raised.call.args[1:]:
        return None
    values = [raised.module.value(arg) for arg in raised.call.args[1:]]
    are_numbers = all(isinstance(n, ast.Constant | ast.Tuple | ast.List) for n in values)
    return None if are_numbers else Diagnosis("transform-arguments", {"word": short(raised.callee)})


def tree_structure(raised: RaisedException) -> Diagnosis | None:
    return Diagnosis("tree-structure") if raised.callee in _TREE_MAPS else None


def random_call(raised: RaisedException) -> Diagnosis | None:
    if not raised.callee.startswith("jax.random."):
        return None
    if _is_key(raised, raised.arg(0, "key")) and used_names(raised.arg(1, "shape")):
        return Diagnosis("traced-shape")
    return Diagnosis("seed-for-key", {"word": raised.callee.removeprefix("jax.")})


def _is_key(raised: RaisedException, node: ast.expr | None) -> bool:
    """Whether a name says that it is a key, and nothing shows that it is a seed."""
    if not isinstance(node, ast.Name):
        return False
    made = raised.module.value(node)
    is_number = isinstance(made, ast.Constant | ast.BinOp)
    is_seed = is_number or "seed" in name_parts(raised.module.dotted(made))
    return not is_seed and any(word.endswith(("key", "keys")) for word in name_parts(node.id))


def batch_of_keys(raised: RaisedException) -> Diagnosis | None:
    if not raised.callee.startswith("jax.random."):
        return None
    return Diagnosis("batch-of-keys", {"word": raised.callee.removeprefix("jax.")})


def shapes(raised: RaisedException) -> Diagnosis | None:
    """A mistake with shapes in a function of `jnp` or a method of an array."""
    call, last, is_jax = raised.call, raised.last, raised.callee.startswith("jax.")
    if call is None or not (is_jax or raised.method):
        return None
    if is_jax and last in _TAKES_AN_ARRAY and is_list(raised.module.value(raised.arg(0))):
        return Diagnosis("list-for-array", {"word": short(raised.callee)})
    if last == "reshape":
        return Diagnosis(_reshape(raised, call, raised.args[1:] if is_jax else raised.args))
    if last in _BY_FUNCTION:
        return Diagnosis(_BY_FUNCTION[last])
    if raised.callee.startswith("jax.numpy.") and len(raised.args) > 1 and last not in REDUCES:
        return Diagnosis("shapes-broadcast")
    return None


def _reshape(raised: RaisedException, call: ast.Call, sizes: list[ast.expr]) -> str:
    module = raised.module
    written = [part for size in sizes for part in elements(size)]
    values = [value for part in written if (value := module.value(part)) is not None]
    inner = [node for value in values for node in ast.walk(value)]
    if any(module.called(node).startswith("jax.numpy.") for node in inner):
        return "traced-reshape"
    is_static = any(isinstance(n, ast.Attribute) and n.attr in _STATIC for n in inner)
    function = module.function_of(call)
    given = set(parameters(function)) if function is not None else set()
    is_given = bool(used_names(*written, *values) & given)
    is_traced = is_given and not is_static and "jit" in module.traced_by(call)
    return "traced-shape" if is_traced else "shapes-reshape"


def loops(raised: RaisedException) -> Diagnosis | None:
    bodies = [body for body in _CALLS_BACK.get(raised.callee, ()) if body[1] != "cond_fun"]
    body = raised.function(raised.arg(*bodies[0][:2])) if bodies else None
    returned = results(body) if body is not None else []
    if body is not None and returned == [None]:
        return Diagnosis("no-return", {"word": name_of(body)}, line=body.lineno)
    if raised.callee == "jax.lax.scan":
        if body is None:
            return Diagnosis("scan-body")
        carry = parameters(body)[:1]
        is_pair = all(r is not None and _may_be_pair(raised, r, carry) for r in returned)
        return Diagnosis("scan-carry" if is_pair else "scan-pair")
    if raised.callee in LOOPS:
        return Diagnosis("while-carry", {"word": LOOPS[raised.callee]})
    return None


def _may_be_pair(raised: RaisedException, node: ast.expr, carry: list[str]) -> bool:
    if isinstance(node, ast.Name) and node.id in carry:
        return False
    value = raised.module.value(node)
    if isinstance(value, ast.Tuple):
        return len(value.elts) == 2
    if isinstance(value, ast.IfExp):
        return _may_be_pair(raised, value.body, carry)
    # Arithmetic gives one array. A name or a call may hold anything.
    return not isinstance(value, ast.BinOp | ast.UnaryOp | ast.Compare | ast.Constant | ast.Dict)


def conditional(raised: RaisedException) -> Diagnosis | None:
    if raised.callee not in ("jax.lax.cond", "jax.lax.switch"):
        return None
    branches = [raised.function(raised.arg(place)) for place in (1, 2)]
    kinds = {_kind(r) for branch in branches if branch is not None for r in results(branch)}
    alike = raised.callee == "jax.lax.cond" and len(kinds) <= 1
    cause = "cond-predicate" if alike and _by_element(raised) else "cond-branches"
    return Diagnosis(cause, {"word": short(raised.callee)})


def _kind(node: ast.expr | None) -> str:
    """How a result is written: constants and containers differ from computed arrays."""
    if isinstance(node, ast.Constant):
        return type(node.value).__name__
    if isinstance(node, ast.Tuple):
        return f"tuple of {len(node.elts)}"
    return "None" if node is None else "computed"


def _by_element(raised: RaisedException) -> bool:
    """Whether a predicate is likely an array: a comparison that nothing reduces."""
    value = raised.module.value(raised.arg(0, "pred"))
    if isinstance(value, ast.Name):
        return True
    if not isinstance(value, ast.Compare | ast.BinOp | ast.UnaryOp):
        return False
    return not any(isinstance(node, ast.Call) for node in ast.walk(value))


def arity(raised: RaisedException) -> Diagnosis | None:
    """A TypeError of a call whose function can't take these arguments."""
    call, callee = raised.call, raised.callee
    if call is None or any(isinstance(arg, ast.Starred) for arg in call.args):
        return None
    given = [(raised.arg(place, name), n) for place, name, n in _CALLS_BACK.get(callee, ())]
    if callee == "jax.lax.cond" and len(call.args) >= 3 and not call.keywords:
        given = [(branch, len(call.args) - 3) for branch in call.args[1:3]]
    if any(_refuses(_plain(raised, function), count) for function, count in given):
        return Diagnosis("body-arguments", {"word": short(callee)})
    names = {keyword.arg for keyword in call.keywords}
    function = _plain(raised, call.func)
    if callee.startswith("jax.") or None in names:
        return None
    if _refuses(function, len(call.args), names):
        return Diagnosis("argument-count", {"word": name_of(function)})
    return None


def _plain(raised: RaisedException, node: ast.AST | None) -> Function | None:
    """The function behind an expression, unless something may have filled in arguments."""
    chain = raised.module.chain(node)
    return None if chain.is_partial or isinstance(node, ast.Attribute) else chain.function


def _refuses(function: Function | None, count: int, names: Collection[str | None] = ()) -> bool:
    """Whether a function can't be called with `count` places and these names."""
    if function is None:
        return False
    given = function.args
    places = [arg.arg for arg in (*given.posonlyargs, *given.args)]
    if places[:1] == ["self"]:
        return False
    too_many = count > len(places) and given.vararg is None
    needed = places[: len(places) - len(given.defaults)][count:]
    return too_many or any(name not in names for name in needed)
