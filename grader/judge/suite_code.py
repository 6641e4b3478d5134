"""A suite's function or class as bytes for a worker, without what it doesn't need to run.

The student's code can read what arrives. So files, numbers of lines, docstrings and the names of
the tests around a function stay here. Its own name, its variables and its constants arrive.
"""

import dis
import io
import sys
import types
from typing import Any

import cloudpickle

FILE = "<dynamic-code>"
"""What cloudpickle 3.1.3 and newer write there."""


def pickled(value: Any) -> bytes:
    """A function or class by value: the worker can't import the suite."""
    module = sys.modules.get(getattr(value, "__module__", ""))
    path = getattr(module, "__file__", None) or ""
    if module is not None and "site-packages" not in path and module.__name__ != "__main__":
        is_suite = path.endswith(".py") and not path.startswith(sys.base_prefix)
        if is_suite and module.__name__ not in cloudpickle.list_registry_pickle_by_value():
            cloudpickle.register_pickle_by_value(module)
    into = io.BytesIO()
    _Pickler(into).dump(value)
    return into.getvalue()


def checks_by_itself(function: Any) -> bool:
    """Whether a function of the suite raises or asserts in its own lines."""
    code = getattr(function, "__code__", None)
    return code is not None and _raises(code)


def _raises(code: types.CodeType) -> bool:
    inner = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    raised = any(i.opname == "RAISE_VARARGS" for i in dis.get_instructions(code))
    return raised or any(map(_raises, inner))


def _reduced_code(code: types.CodeType) -> Any:
    return cloudpickle.Pickler.dispatch_table[types.CodeType](_bare(code))


class _Pickler(cloudpickle.Pickler):  # type: ignore[misc]
    dispatch_table = cloudpickle.Pickler.dispatch_table.new_child({types.CodeType: _reduced_code})

    def reducer_override(self, obj: Any) -> Any:
        reduced = super().reducer_override(obj)
        if not isinstance(reduced, tuple) or len(reduced) < 3 or not isinstance(reduced[2], tuple):
            return reduced
        for part in (*reduced[1], *reduced[2]):
            if isinstance(part, dict):
                _strip(part)
        return reduced


def _strip(attributes: dict[str, Any]) -> None:
    """Attributes or globals of a function or class; the dicts are cloudpickle's own copies."""
    attributes.pop("__file__", None)
    if "__doc__" in attributes:
        attributes["__doc__"] = None
    if isinstance(attributes.get("__qualname__"), str):
        attributes["__qualname__"] = attributes["__qualname__"].rpartition(".")[2]


def _bare(code: types.CodeType) -> types.CodeType:
    """The same code, all of it in line 1 of a file without a path."""
    consts = code.co_consts
    if consts and isinstance(consts[0], str) and not _loads_first(code):
        consts = (None, *consts[1:])  # the docstring
    return code.replace(
        co_consts=consts,
        co_filename=FILE,
        co_qualname=code.co_name,
        co_firstlineno=1,
        co_linetable=_one_line(len(code.co_code) // 2),
    )


def _loads_first(code: types.CodeType) -> bool:
    """Whether the code uses its first constant: then it may be more than a docstring."""
    return any(i.arg == 0 and i.opcode in dis.hasconst for i in dis.get_instructions(code))


def _one_line(units: int) -> bytes:
    """A table of lines that puts all code into one. An empty table breaks `traceback`.

    The format is CPython's `Objects/locations.md`: an entry of kind 13 (a line without columns)
    covers at most 8 units of code, and the difference to the line before it follows.
    """
    whole, rest = divmod(units, 8)
    last = bytes([0x80 | 13 << 3 | rest - 1, 0]) if rest else b""
    return bytes([0x80 | 13 << 3 | 7, 0]) * whole + last
