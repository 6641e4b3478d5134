"""What goes wrong when a transformed function is called: static, mapped, custom."""

from __future__ import annotations

import ast

from grader.feedback.errors import Raised, Told
from grader.feedback.syntax import results


def plain_object(raised: Raised) -> Told | None:
    """A jitted function, or another that takes trees, and an object that is none."""
    if not raised.chain.layers:
        return None
    plain = _plain_classes(raised)
    function = raised.chain.function
    made = [raised.module.value(arg) for arg in raised.args]
    names = [node.func for node in made if isinstance(node, ast.Call)]
    asked = [arg.annotation for arg in function.args.args] if function is not None else []
    for node in (*names, *asked):
        if isinstance(node, ast.Name) and node.id in plain:
            return Told("unregistered-class", {"word": node.id})
    return None


def jitted(raised: Raised) -> Told | None:
    return Told("not-an-array") if raised.chain.layer("jit") is not None else None


def _plain_classes(raised: Raised) -> set[str]:
    """The classes of the file that nothing registers as a pytree."""
    found = set()
    registered = {
        arg.id
        for node in raised.module.nodes
        if isinstance(node, ast.Call) and "register" in raised.module.called(node)
        for arg in node.args
        if isinstance(arg, ast.Name)
    }
    for name, node in raised.module.classes.items():
        decorators = [ast.dump(decorator) for decorator in node.decorator_list]
        bases = [raised.module.dotted(base).rpartition(".")[2] for base in node.bases]
        known = any("register" in d or "struct" in d or "pytree" in d for d in decorators)
        if not known and not {"NamedTuple", "Module"} & set(bases) and name not in registered:
            found.add(name)
    return found


def custom_rule(raised: Raised) -> Told | None:
    """`f.defvjp(fwd, bwd)` whose `bwd` returns no tuple."""
    for node in raised.module.nodes:
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "defvjp":
            bwd = raised.function(node.args[1]) if len(node.args) > 1 else None
            returned = results(bwd) if bwd is not None else []
            if any(not _may_be_tuple(raised, r) for r in returned):
                assert bwd is not None
                return Told("bwd-tuple", line=getattr(returned[0], "lineno", bwd.lineno))
    return None


def _may_be_tuple(raised: Raised, node: ast.expr | None) -> bool:
    value = raised.module.value(node)
    return isinstance(value, ast.Tuple | ast.Call) or (isinstance(node, ast.Name) and value is None)


def static_name(raised: Raised) -> Told | None:
    for keyword in raised.call.keywords if raised.call else ():
        if keyword.arg in ("static_argnames", "static_argnums", "donate_argnames"):
            return Told("static-argname", {"word": keyword.arg})
    return None


def static_value(raised: Raised) -> Told | None:
    layer = raised.chain.layer("jit")
    static = layer is not None and {"static_argnums", "static_argnames"} & set(layer.keywords)
    return Told("unhashable-static") if static else None


def mapped(raised: Raised) -> Told | None:
    if raised.chain.layer("pmap") is not None:
        return Told("pmap-size")
    layer = raised.chain.layer("vmap")
    if layer is None:
        return None
    axes, out = layer.keywords.get("in_axes"), layer.keywords.get("out_axes")
    count = len(raised.call.args) if raised.call is not None else 0
    if isinstance(axes, ast.Tuple | ast.List):
        starred = any(isinstance(arg, ast.Starred) for arg in raised.args)
        if len(axes.elts) != count and not starred:
            return Told("vmap-in-axes-length")
        if any(isinstance(part, ast.Dict | ast.List | ast.Tuple) for part in axes.elts):
            return Told("vmap-in-axes-tree")
    if isinstance(axes, ast.Dict | ast.List):
        return Told("vmap-in-axes-tree")
    if out is not None and not (isinstance(out, ast.Constant) and out.value in (0, None)):
        return Told("vmap-out-axes")
    numbers = [raised.module.value(arg) for arg in raised.args]
    scalar = any(isinstance(value, ast.Constant) for value in numbers)
    return Told("vmap-scalar" if scalar or count == 1 else "vmap-sizes")


def cotangent(raised: Raised) -> Told | None:
    """A call of what `jax.vjp` returned."""
    name = raised.call.func.id if raised.call and isinstance(raised.call.func, ast.Name) else ""
    for node in raised.module.nodes:
        if isinstance(node, ast.Assign) and raised.module.called(node.value) == "jax.vjp":
            names = [n.id for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name)]
            if name in names:
                return Told("cotangent")
    return Told("cotangent") if raised.module.called(_func(raised)) == "jax.vjp" else None


def _func(raised: Raised) -> ast.AST | None:
    """`jax.vjp(f, x)` in `jax.vjp(f, x)[1](g)`."""
    func = raised.call.func if raised.call is not None else None
    return func.value if isinstance(func, ast.Subscript) else None
