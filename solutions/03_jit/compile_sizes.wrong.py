"""What learners get wrong in compile_sizes; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% any_shape
# `jit` compiles for each new number of rows.
# Do: Compile for the given sizes, before the first batch arrives.
# Breaks: Returns 1, Returns 2
# At most half of the points.
# Fails: test_the_smallest_size_is_used, test_every_size_is_traced_ahead, test_no_call_traces,
# test_too_many_rows, test_details
def compile_sizes(f, sizes, m):
    return jax.jit(f)


# %% compiled_on_demand
# Each program is compiled when its size is first requested, so this request waits.
# Do: Compile all programs before you return the function.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_every_size_is_traced_ahead, test_no_call_traces
def compile_sizes(f, sizes, m, solution=compile_sizes):
    programs = {}

    def serve(x):
        if len(x) > sizes[-1]:
            raise ValueError
        size = min(size for size in sizes if size >= len(x))
        if size not in programs:
            programs[size] = solution(f, (size,), m)
        return programs[size](x)

    return serve


# %% jit_of_padded
# The batch is padded, but `jit` traces at the first request of each size.
# Do: Call `.lower(...).compile()` for each size, and keep what it returns.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_every_size_is_traced_ahead, test_no_call_traces, test_details
def compile_sizes(f, sizes, m):
    f = jax.jit(f)

    def serve(x):
        n = len(x)
        if n > sizes[-1]:
            raise ValueError
        size = next(size for size in sizes if size >= n)
        return f(jnp.pad(x, ((0, size - n), (0, 0))))[:n]

    return serve


# %% lowered_ahead
# Everything is traced ahead of time, but a program is compiled at the first request that needs it.
# Do: Also call `.compile()` ahead of time.
# Breaks: Returns 2
# Fails: test_no_call_traces
def compile_sizes(f, sizes, m):
    programs = {}
    for size in sizes:
        programs[size] = jax.jit(f).lower(jax.ShapeDtypeStruct((size, m), jnp.float32))

    def serve(x):
        n = len(x)
        if n > sizes[-1]:
            raise ValueError
        size = next(size for size in sizes if size >= n)
        if not callable(programs[size]):
            programs[size] = programs[size].compile()
        return programs[size](jnp.pad(x, ((0, size - n), (0, 0))))[:n]

    return serve


# %% lowered_for_jit
# The traced program of each size is discarded, and `jit` compiles at the first request of a size.
# Do: Keep the compiled programs and call them. `jit` doesn't reuse what you lowered.
# Breaks: Returns 2
# Fails: test_no_call_traces
def compile_sizes(f, sizes, m):
    f = jax.jit(f)
    for size in sizes:
        f.lower(jax.ShapeDtypeStruct((size, m), jnp.float32))

    def serve(x):
        n = len(x)
        if x.dtype != jnp.float32 or x.shape[1] != m:
            raise TypeError
        if n > sizes[-1]:
            raise ValueError
        size = next(size for size in sizes if size >= n)
        return f(jnp.zeros((size, m)).at[:n].set(x))[:n]

    return serve


# %% warmed_up
# `jit` is warmed up for each size, and then compiles for any other dtype and length.
# Do: Reject arrays that don't fit. `jit` compiles for any of them.
# Breaks: Details 1
# Fails: test_details
def compile_sizes(f, sizes, m):
    f = jax.jit(f)
    for size in sizes:
        f(jnp.zeros((size, m)))

    def serve(x):
        n = len(x)
        if n > sizes[-1]:
            raise ValueError
        size = next(size for size in sizes if size >= n)
        return f(jnp.pad(x, ((0, size - n), (0, 0))))[:n]

    return serve


# %% padding_returned
# The rows of padding are also returned.
# Do: Cut off the rows of padding.
# Breaks: Returns 1
# Fails: test_the_rows_that_count_come_back, test_the_smallest_size_is_used, test_details
def compile_sizes(f, sizes, m, solution=compile_sizes):
    programs = {size: solution(f, (size,), m) for size in sizes}

    def serve(x):
        n = len(x)
        if n > sizes[-1]:
            raise ValueError
        size = next(size for size in sizes if size >= n)
        return programs[size](jnp.pad(x, ((0, size - n), (0, 0))))

    return serve


# %% largest_size
# Every batch is padded to the largest size.
# Do: Make a program for each size, and choose the smallest that is large enough.
# Breaks: Returns 1
# Fails: test_every_size_is_traced_ahead, test_the_smallest_size_is_used
def compile_sizes(f, sizes, m, solution=compile_sizes):
    return solution(f, sizes[-1:], m)


# %% next_size
# A batch that already has a size is padded to the next one.
# Do: Don't pad a batch that already has a size.
# Breaks: Returns 1
# Fails: test_the_smallest_size_is_used
def compile_sizes(f, sizes, m, solution=compile_sizes):
    serve = {size: solution(f, (size,), m) for size in sizes}

    def choose(x):
        if len(x) > sizes[-1]:
            raise ValueError
        return serve[min([size for size in sizes if size > len(x)] or sizes[-1:])](x)

    return choose


# %% too_many_are_dropped
# Rows beyond the largest size are dropped.
# Do: Raise ValueError for a batch with too many rows.
# Breaks: Returns 3
# Fails: test_too_many_rows
def compile_sizes(f, sizes, m, solution=compile_sizes):
    serve = solution(f, sizes, m)
    return lambda x: serve(x[: sizes[-1]])


# %% converts
# The batch is converted to float32, instead of being rejected.
# Do: Leave the dtype unchanged, and let the program reject it.
# Breaks: Details 1
# Fails: test_details
def compile_sizes(f, sizes, m, solution=compile_sizes):
    serve = solution(f, sizes, m)
    return lambda x: serve(x.astype(jnp.float32))


# %% shared_programs
# The programs are stored outside, so a second function gets those of the first.
# Do: Store the programs in the function that you return, not outside.
# Breaks: Details 3
# Fails: test_details
_KEPT = {}


def compile_sizes(f, sizes, m, solution=compile_sizes):
    if (sizes, m) not in _KEPT:
        _KEPT[sizes, m] = solution(f, sizes, m)
    return _KEPT[sizes, m]


# %% once missed


# %% rows_of_floats
# The rows become float32, whatever dtype `f` returns.
# Breaks: Details 2
# Fails: test_the_smallest_size_is_used, test_details
def compile_sizes(f, sizes, m, solution=compile_sizes):
    serve = solution(f, sizes, m)
    return lambda x: serve(x).astype(jnp.float32)
