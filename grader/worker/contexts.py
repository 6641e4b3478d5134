"""Prepares what JAX needs to lower a program, once for all processes that are forked from this one.

jax 0.10 makes a new MLIR context for each program. That takes two thirds of the time in which it
lowers a small one. Here it lowers many programs in one context, as jax 0.12 does.
"""

import contextlib
import functools
import importlib
import threading
from typing import Any

# A context keeps every type, attribute and location that a program in it had.
PROGRAMS = 50


def prepare() -> None:
    """Makes the first context, and what finds a program's lines. Neither starts a thread.

    There is no public way. Where JAX has changed, it does all this later and by itself.
    """
    with contextlib.suppress(ImportError, AttributeError):
        importlib.import_module("jax._src.source_info_util").is_user_filename("")
    try:
        mlir: Any = importlib.import_module("jax._src.interpreters.mlir")
        make = mlir.make_ir_context
    except (ImportError, AttributeError):
        return
    if not hasattr(mlir, "_thread_local_context") and not hasattr(make, "__wrapped__"):
        mlir.make_ir_context = _reusing(make)
    mlir.make_ir_context()


def _reusing(make: Any) -> Any:
    used = threading.local()

    @functools.wraps(make)
    def make_ir_context() -> Any:
        used.programs = getattr(used, "programs", 0) + 1
        if used.programs % PROGRAMS == 1:
            used.context = make()
        return used.context

    return make_ir_context
