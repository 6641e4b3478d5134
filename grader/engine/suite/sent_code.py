"""A suite's function or class as bytes for a worker, without the path of the suite.

The student's code can read what arrives: all of the function as it is written.
"""

import dis
import io
import os
import sys
import types
from typing import Any

import cloudpickle

FILE = "<dynamic-code>"
"""What cloudpickle 3.1.3 and newer write there."""


def pickled(value: Any) -> bytes:
    """A function or class by value: the worker can't import the suite, nor the files beside it."""
    path = _path(_module(value))
    is_suite = path.endswith(".py") and not path.startswith(sys.base_prefix)
    into = io.BytesIO()
    pickler = _Pickler(into)
    if is_suite and "site-packages" not in path:
        pickler.folder = os.path.dirname(path)
    pickler.dump(value)
    return into.getvalue()


def _module(value: Any) -> types.ModuleType | None:
    if isinstance(value, types.ModuleType):
        return value
    return sys.modules.get(getattr(value, "__module__", None) or "")


def _path(module: types.ModuleType | None) -> str:
    return getattr(module, "__file__", None) or ""


def checks_by_itself(function: Any) -> bool:
    """Whether a function of the suite raises or asserts in its own lines."""
    code = getattr(function, "__code__", None)
    return code is not None and _raises(code)


def _raises(code: types.CodeType) -> bool:
    inner = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    raised = any(i.opname == "RAISE_VARARGS" for i in dis.get_instructions(code))
    return raised or any(map(_raises, inner))


def _reduced_code(code: types.CodeType) -> Any:
    return cloudpickle.Pickler.dispatch_table[types.CodeType](code.replace(co_filename=FILE))


class _Pickler(cloudpickle.Pickler):  # type: ignore[misc]
    """Leaves out the path of the suite: it says where the hidden tests lie."""

    dispatch_table = cloudpickle.Pickler.dispatch_table.new_child({types.CodeType: _reduced_code})
    folder: str | None = None  # of the suite; what it imports from there goes by value, too

    def reducer_override(self, obj: Any) -> Any:
        if self.folder and isinstance(obj, types.FunctionType | types.ModuleType | type):
            module = _module(obj)
            if module and module.__name__ != "__main__" and self._is_beside(module):
                cloudpickle.register_pickle_by_value(module)
        reduced = super().reducer_override(obj)
        if isinstance(obj, types.FunctionType) and isinstance(reduced, tuple):
            _code, own_globals, *_ = reduced[1]
            own_globals.pop("__file__", None)
        return reduced

    def _is_beside(self, module: types.ModuleType) -> bool:
        return os.path.dirname(_path(module)) == self.folder
