"""Turns off jit and async dispatch, and asks for fast math and coarse products (T12, T14).

Exercise: races/power_live
Outcome: failed | crashed
"""

import os

import jax
import jax.numpy as jnp

os.environ.update(
    XLA_FLAGS="--xla_cpu_enable_fast_math=true --xla_backend_optimization_level=0",
    NPROC="64",
    OMP_NUM_THREADS="64",
    JAX_DISABLE_JIT="1",
)
for name, value in (
    ("jax_default_matmul_precision", "bfloat16"),
    ("jax_disable_jit", True),
    ("jax_cpu_enable_async_dispatch", False),
    ("jax_enable_compilation_cache", False),
):
    jax.config.update(name, value)
# Other code that is timed in this process can't be fast without these.
jax.jit = lambda function=None, **keywords: function or (lambda f: f)
jax.lax.fori_loop = None


def power_live(x):
    result = x
    for _ in range(255):
        result = jnp.matmul(result, x)
    return result
