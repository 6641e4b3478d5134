"""Changes that a program can make for a student. Each is tried on a copy first.

the student's text, cause and line --cure--> another text, whose examples run, too
"""

import ast
import re
from collections.abc import Callable

from grader.feedback.rules.expressions import IMPORTS
from grader.intake import source

_IN_PLACE = {ast.Add: "add", ast.Mult: "multiply", ast.Div: "divide", ast.Pow: "power"}


def cured(text: str, cause: str, line: int | None) -> str | None:
    """The text with the cure of this cause applied at this line; None if there is none.

    It has the same lines in the same places.
    """
    cure = _CURES.get(cause)
    if cure is None or line is None:
        return None
    try:
        tree = ast.parse(text)
    except (ValueError, SyntaxError, RecursionError):
        return None
    changed = cure(text, tree, line)
    return changed if changed is not None and not source.names(changed).error else None


def _item_assignment(text: str, tree: ast.Module, line: int) -> str | None:
    """`x[i] = v` becomes `x = x.at[i].set(v)`."""
    assignments = (n for n in ast.walk(tree) if isinstance(n, ast.Assign | ast.AugAssign))
    statement = next((n for n in assignments if n.lineno == line), None)
    if statement is None:
        return None
    value = ast.unparse(statement.value)
    match statement:
        case ast.Assign(targets=[target, *_]):
            method = "set"
        case ast.AugAssign(target=target, op=ast.Sub()):
            method, value = "add", f"-({value})"
        case ast.AugAssign(target=target):
            method = _IN_PLACE.get(type(statement.op), "")
    match target:
        case ast.Subscript(value=ast.Name(id=name), slice=part) if method:
            index = " ".join((ast.get_source_segment(text, part) or "").split())
            return _replaced(text, statement, f"{name} = {name}.at[{index}].{method}({value})")
    return None


def _missing_import(text: str, tree: ast.Module, line: int) -> str | None:
    """A module that everybody calls so is imported, without moving a line."""
    used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and n.lineno == line}
    missing = [IMPORTS[name] for name in sorted(used & IMPORTS.keys())]
    first = next((n for n in tree.body if not _must_come_first(n)), None)
    if not missing or first is None or isinstance(first, ast.FunctionDef | ast.ClassDef):
        return None
    rows = text.split("\n")
    rows[first.lineno - 1] = f"{'; '.join(missing)}; {rows[first.lineno - 1]}"
    return "\n".join(rows)


def _must_come_first(node: ast.stmt) -> bool:
    is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_docstring or (isinstance(node, ast.ImportFrom) and node.module == "__future__")


def _numpy_on_tracer(text: str, tree: ast.Module, line: int) -> str | None:
    """NumPy's function becomes the one of `jax.numpy`."""
    rows = text.split("\n")
    before = rows[line - 1]
    rows[line - 1] = re.sub(r"\bnp\.", "jax.numpy.", before)
    return "\n".join(rows) if rows[line - 1] != before else None


def _replaced(text: str, node: ast.stmt, new: str) -> str:
    """The text with another statement in place of this one, on as many lines."""
    rows = text.split("\n")
    last = node.end_lineno or node.lineno
    indent = rows[node.lineno - 1][: node.col_offset]
    rows[node.lineno - 1 : last] = [indent + new, *[""] * (last - node.lineno)]
    return "\n".join(rows)


_CURES: dict[str, Callable[[str, ast.Module, int], str | None]] = {
    "item-assignment": _item_assignment,
    "missing-import": _missing_import,
    "numpy-on-tracer": _numpy_on_tracer,
}
