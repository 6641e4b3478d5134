"""The line of a student's file that makes the first NaN, in words: what in it can make one."""

import ast
from typing import Any

from grader.feedback import lessons
from grader.records.model import Advice

_ZERO, _ROOT = "0 / 0", "a root of a negative number"
_PRODUCT, _DIFFERENCE = "0 times NaN or infinity", "infinity minus infinity"
_LOG = "a log of a negative number"
_BY_OPERATOR: dict[type[ast.operator], str] = {
    ast.Div: _ZERO,
    ast.FloorDiv: _ZERO,
    ast.Mod: _ZERO,
    ast.Mult: _PRODUCT,
    ast.MatMult: _PRODUCT,
    ast.Add: _DIFFERENCE,
    ast.Sub: _DIFFERENCE,
    ast.Pow: _ROOT,
}
_BY_NAME: dict[str, str] = {
    **dict.fromkeys(("divide", "true_divide"), _ZERO),
    **dict.fromkeys(("dot", "matmul", "einsum", "multiply", "vdot", "tensordot"), _PRODUCT),
    "subtract": _DIFFERENCE,
    **dict.fromkeys(("sqrt", "power", "float_power"), _ROOT),
    **dict.fromkeys(("log", "log2", "log10", "log1p"), _LOG),
}
# A reduction is named only if nothing else in the line can make a NaN.
_BY_REDUCTION: dict[str, str] = {
    **dict.fromkeys(("mean", "average", "var", "std", "softmax"), _ZERO),
    **dict.fromkeys(("sum", "cumsum", "logsumexp"), _DIFFERENCE),
}
_GIVEN = "a NaN in an input"
_ANY = (_ZERO, _DIFFERENCE, _PRODUCT, _LOG, _ROOT)


def advice(line: int, code: str, *, backwards: bool, given: bool) -> Advice:
    """About the line; `backwards` if its derivative is NaN first, `given` if inputs may be NaN."""
    if backwards:
        return lessons.advice("first-nan-backwards", line, code)
    ways = _either([*(_GIVEN,) * given, *(_ways(code) or _ANY)])
    return lessons.advice("first-nan", line, code, ways=ways)


def _ways(code: str) -> tuple[str, ...]:
    """How the operations of a line can make a NaN; none if it is a part of a statement only."""
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except SyntaxError:
        return ()
    called = [_called(n.func) for n in nodes if isinstance(n, ast.Call)]
    found = [_BY_OPERATOR.get(type(n.op)) for n in nodes if isinstance(n, ast.BinOp)]
    found += [_BY_NAME.get(name) for name in called]
    if not any(found):
        found = [_BY_REDUCTION.get(name) for name in called]
    return tuple(dict.fromkeys(way for way in found if way is not None))


def _either(words: list[str]) -> str:
    *others, last = words or [""]
    return f"{', '.join(others)} or {last}" if others else last


def _called(function: Any) -> str:
    return str(getattr(function, "attr", getattr(function, "id", "")))
