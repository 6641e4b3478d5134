"""Errors in calls of transformed functions: static, mapped, custom."""

import ast

from grader.feedback import wording
from grader.feedback.raised import Diagnosis, RaisedException
from grader.feedback.syntax import Module, name_parts, results, used_names

# Words in the names of what makes a class a pytree: `register_dataclass`, `flax.struct`.
_PYTREE = {"register", "pytree", "struct"}


def plain_object(raised: RaisedException) -> Diagnosis | None:
    """A jitted function, or another that takes trees, is given an object that isn't a tree."""
    if not raised.chain.layers:
        return None
    plain = _plain_classes(raised.module)
    function = raised.chain.function
    made = [raised.module.value(arg) for arg in raised.args]
    names = [node.func for node in made if isinstance(node, ast.Call)]
    asked = [arg.annotation for arg in function.args.args] if function is not None else []
    for node in (*names, *asked):
        if isinstance(node, ast.Name) and node.id in plain:
            return Diagnosis("unregistered-class", {"word": node.id})
    return None


def jitted(raised: RaisedException) -> Diagnosis | None:
    return Diagnosis("not-an-array") if raised.chain.layer("jit") is not None else None


def _plain_classes(module: Module) -> set[str]:
    """The classes of the file that are nowhere registered as pytrees."""
    given = [call.args for call in module.calls if _PYTREE & name_parts(module.called(call))]
    registered = {arg.id for args in given for arg in args if isinstance(arg, ast.Name)}
    plain = (name for name, node in module.classes.items() if not _is_pytree(module, node))
    return set(plain) - registered


def _is_pytree(module: Module, node: ast.ClassDef) -> bool:
    bases = {module.dotted(base).rpartition(".")[2] for base in node.bases}
    decorators = [module.dotted(n) for d in node.decorator_list for n in ast.walk(d)]
    return bool({"NamedTuple", "Module"} & bases or _PYTREE & name_parts(".".join(decorators)))


def custom_rule(raised: RaisedException) -> Diagnosis | None:
    """`f.defvjp(fwd, bwd)` whose `bwd` returns no tuple."""
    for call in raised.module.calls:
        if getattr(call.func, "attr", "") == "defvjp" and len(call.args) > 1:
            bwd = raised.function(call.args[1])
            returned = results(bwd) if bwd is not None else []
            said = "bwd-tuple" in wording.causes(raised.text)
            if bwd is not None and (said or not all(_may_be_tuple(raised, r) for r in returned)):
                return Diagnosis("bwd-tuple", line=getattr(returned[0], "lineno", bwd.lineno))
    return None


def _may_be_tuple(raised: RaisedException, node: ast.expr | None) -> bool:
    value = raised.module.value(node)
    return isinstance(value, ast.Tuple | ast.Call) or (isinstance(node, ast.Name) and value is None)


def static_name(raised: RaisedException) -> Diagnosis | None:
    for keyword in raised.call.keywords if raised.call else ():
        if keyword.arg in ("static_argnames", "static_argnums", "donate_argnames"):
            return Diagnosis("static-argname", {"word": keyword.arg})
    return None


def static_value(raised: RaisedException) -> Diagnosis | None:
    layer = raised.chain.layer("jit")
    is_static = layer is not None and {"static_argnums", "static_argnames"} & set(layer.keywords)
    return Diagnosis("unhashable-static") if is_static else None


def pmap_size(raised: RaisedException) -> Diagnosis | None:
    return Diagnosis("pmap-size") if raised.chain.layer("pmap") is not None else None


def pmap_of_number(raised: RaisedException) -> Diagnosis | None:
    return Diagnosis("pmap-of-number") if raised.chain.layer("pmap") is not None else None


def mapped(raised: RaisedException) -> Diagnosis | None:
    layer = raised.chain.layer("vmap")
    if layer is None:
        return None
    axes, out = layer.keywords.get("in_axes"), layer.keywords.get("out_axes")
    count = len(raised.call.args) if raised.call is not None else 0
    if isinstance(axes, ast.Tuple | ast.List):
        is_starred = any(isinstance(arg, ast.Starred) for arg in raised.args)
        if len(axes.elts) != count and not is_starred:
            return Diagnosis("vmap-in-axes-length")
        if any(isinstance(part, ast.Dict | ast.List | ast.Tuple) for part in axes.elts):
            return Diagnosis("vmap-in-axes-tree")
    if isinstance(axes, ast.Dict | ast.List):
        return Diagnosis("vmap-in-axes-tree")
    if out is not None and not (isinstance(out, ast.Constant) and out.value in (0, None)):
        return Diagnosis("vmap-out-axes")
    is_scalar = any(isinstance(raised.module.value(arg), ast.Constant) for arg in raised.args)
    return Diagnosis("vmap-scalar" if is_scalar or count == 1 else "vmap-sizes")


def cotangent(raised: RaisedException) -> Diagnosis | None:
    """A call of what `jax.vjp` returned: by its name, or as `jax.vjp(f, x)[1](g)`."""
    module, func = raised.module, raised.call.func if raised.call is not None else None
    assigned = [node for node in module.nodes if isinstance(node, ast.Assign)]
    made = [node for node in assigned if module.called(node.value) == "jax.vjp"]
    is_named = used_names(func) & used_names(*(target for node in made for target in node.targets))
    at_once = isinstance(func, ast.Subscript) and module.called(func.value) == "jax.vjp"
    return Diagnosis("cotangent") if (is_named and isinstance(func, ast.Name)) or at_once else None
