"""Prepares what JAX needs to trace and lower a program, once for all that is forked from here.

jax 0.10 makes a new MLIR context for each program. That takes two thirds of the time in which it
lowers a small one. Here it lowers many programs in one context, as jax 0.12 does.
"""

import contextlib
import functools
import importlib
import os
import sys
import threading
import types
from typing import Any

import jax
import jax.numpy as jnp

# A context keeps every type, attribute and location that a program in it had.
PROGRAMS = 50


def prepare() -> None:
    """Traces common operations, makes the first context, and what finds a program's lines.

    None of it starts a thread. The last two have no public way: where JAX has changed, it does
    them later and by itself.
    """
    jax.make_jaxpr(_common_operations)(
        jax.ShapeDtypeStruct((), jnp.uint32), jax.ShapeDtypeStruct((3,), jnp.float32)
    )
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


def find_lapack() -> None:
    """Shows JAX where LAPACK is, which it asks before it reads any program. Starts threads.

    It is in two modules of SciPy. Their package imports much more, and takes 30 times as long.
    Where JAX has changed, it finds LAPACK later and by itself.
    """
    package = "scipy.linalg"
    if package in sys.modules:
        return
    with contextlib.suppress(ImportError, AttributeError):
        scipy = importlib.import_module("scipy")
        stand_in = types.ModuleType(package)
        stand_in.__path__ = [os.path.join(folder, "linalg") for folder in scipy.__path__]
        sys.modules[package] = stand_in
        try:
            for name in ("cython_blas", "cython_lapack"):
                importlib.import_module(f"{package}.{name}")
            importlib.import_module("jaxlib.lapack")._lapack.initialize()
        finally:
            del sys.modules[package]  # who needs the package imports it as usual


def _reusing(make: Any) -> Any:
    used = threading.local()

    @functools.wraps(make)
    def make_ir_context() -> Any:
        used.programs = getattr(used, "programs", 0) + 1
        if used.programs % PROGRAMS == 1:
            used.context = make()
        return used.context

    return make_ir_context


def _common_operations(seed: Any, x: Any) -> Any:
    """What most programs use. The first trace of each takes JAX longer than all later ones."""
    key, _ = jax.random.split(jax.random.key(seed))
    noise = jax.random.normal(key, (3,)) * jnp.arange(3)
    slopes = jax.vmap(jax.grad(lambda y: jnp.sin(y) * jnp.where(y > 0, y, 0.0)))(x)
    last, sums = jax.lax.scan(lambda carry, y: (carry + y, carry), 0.0, jnp.zeros(3) + x)
    return x.at[0].set(last)[1:] + jnp.dot(noise, slopes) + jnp.mean(sums)
