"""Whether a function takes as many arguments as it is called with, by whom it is called."""

from __future__ import annotations

import ast

from grader.feedback.errors import Raised, Told
from grader.feedback.syntax import Function

# Where JAX's loops take functions, and with how many arguments they call each.
_CALLS_BACK: dict[str, list[tuple[int, str, int]]] = {
    "jax.lax.scan": [(0, "f", 2)],
    "jax.lax.map": [(0, "f", 1)],
    "jax.lax.fori_loop": [(2, "body_fun", 2)],
    "jax.lax.while_loop": [(0, "cond_fun", 1), (1, "body_fun", 1)],
}


def arity(raised: Raised) -> Told | None:
    """A TypeError of a call whose function can't take what it is given."""
    call = raised.call
    if call is None or any(isinstance(arg, ast.Starred) for arg in call.args):
        return None
    for place, name, count in _CALLS_BACK.get(raised.callee, ()):
        given = raised.arg(place, name)
        if _refuses(_plain(raised, given), count, set()):
            return Told("body-arguments", {"word": raised.short(raised.callee)})
    if raised.callee == "jax.lax.cond" and len(call.args) >= 3 and not call.keywords:
        branches = [_plain(raised, branch) for branch in call.args[1:3]]
        if any(_refuses(branch, len(call.args) - 3, set()) for branch in branches):
            return Told("body-arguments", {"word": "lax.cond"})
    if raised.callee.startswith("jax."):
        return None
    names = {keyword.arg for keyword in call.keywords}
    function = _plain(raised, call.func)
    if None not in names and _refuses(function, len(call.args), {n for n in names if n}):
        return Told("argument-count", {"word": getattr(function, "name", "a lambda")})
    return None


def _plain(raised: Raised, node: ast.AST | None) -> Function | None:
    """The function behind an expression, unless something may have filled in arguments."""
    value = raised.module.value(node)
    parts = [part for part in (node, value) if part is not None]
    if any("partial" in ast.dump(part) for part in parts) or isinstance(node, ast.Attribute):
        return None
    return raised.function(node)


def _refuses(function: Function | None, count: int, keywords: set[str]) -> bool:
    if function is None:
        return False
    given = function.args
    places = [arg.arg for arg in (*given.posonlyargs, *given.args)]
    if places[:1] == ["self"]:
        return False
    too_many = count > len(places) and given.vararg is None
    needed = places[: len(places) - len(given.defaults)][count:]
    return too_many or any(name not in keywords for name in needed)
