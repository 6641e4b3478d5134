"""Turns on x64, debug_nans, disable_jit and coarse products, for all code that runs later (N18).

Exercise: 01_arrays/set_row
Outcome: failed | raised | crashed
"""

import os

import jax

os.environ.update(XLA_FLAGS="--xla_cpu_enable_fast_math=true", JAX_ENABLE_X64="1")
for name, value in (
    ("jax_enable_x64", True),
    ("jax_default_matmul_precision", "bfloat16"),
    ("jax_debug_nans", True),
    ("jax_disable_jit", True),
    ("jax_numpy_rank_promotion", "raise"),
    ("jax_compilation_cache_dir", os.getcwd()),
):
    jax.config.update(name, value)


def set_row(x, i, row):
    return x
