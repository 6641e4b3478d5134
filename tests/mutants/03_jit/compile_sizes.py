"""Wrong answers to compile_sizes; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% any_shape
# `jit` compiles for each number of rows that comes.
# At most half of the points.
# Fails: test_every_size_is_traced_ahead, test_no_call_traces, test_the_smallest_size_is_used,
# test_too_many_rows, test_other_arrays_are_refused, test_two_services
def compile_sizes(f, sizes, m):
    return jax.jit(f)


# %% compiled_on_demand
# Each program is compiled when its size is asked for the first time, so this request waits.
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


# %% converts
# The batch is converted to float32, in place of being refused.
# Fails: test_other_arrays_are_refused
def compile_sizes(f, sizes, m, solution=compile_sizes):
    serve = solution(f, sizes, m)
    return lambda x: serve(x.astype(jnp.float32))


# %% jit_of_padded
# The batch is padded, but `jit` traces at the first request of each size.
# At most half of the points.
# Fails: test_every_size_is_traced_ahead, test_no_call_traces, test_other_arrays_are_refused
def compile_sizes(f, sizes, m):
    f = jax.jit(f)

    def serve(x):
        n = len(x)
        if n > sizes[-1]:
            raise ValueError
        size = next(size for size in sizes if size >= n)
        return f(jnp.pad(x, ((0, size - n), (0, 0))))[:n]

    return serve


# %% largest_size
# Every batch is padded to the largest size.
# Fails: test_every_size_is_traced_ahead, test_the_smallest_size_is_used
def compile_sizes(f, sizes, m, solution=compile_sizes):
    return solution(f, sizes[-1:], m)


# %% next_size
# A batch that has a size already is padded to the next one.
# Fails: test_the_smallest_size_is_used
def compile_sizes(f, sizes, m, solution=compile_sizes):
    serve = {size: solution(f, (size,), m) for size in sizes}

    def choose(x):
        if len(x) > sizes[-1]:
            raise ValueError
        return serve[min([size for size in sizes if size > len(x)] or sizes[-1:])](x)

    return choose


# %% padding_returned
# The rows of padding come back, too.
# Fails: test_the_rows_that_count_come_back, test_no_call_traces, test_the_smallest_size_is_used,
# test_other_arrays_are_refused, test_two_services
def compile_sizes(f, sizes, m, solution=compile_sizes):
    programs = {size: solution(f, (size,), m) for size in sizes}

    def serve(x):
        n = len(x)
        if n > sizes[-1]:
            raise ValueError
        size = next(size for size in sizes if size >= n)
        return programs[size](jnp.pad(x, ((0, size - n), (0, 0))))

    return serve


# %% shared_programs
# The programs are kept outside, so a second function gets those of the first.
# Fails: test_two_services
_KEPT = {}


def compile_sizes(f, sizes, m, solution=compile_sizes):
    if (sizes, m) not in _KEPT:
        _KEPT[sizes, m] = solution(f, sizes, m)
    return _KEPT[sizes, m]


# %% too_many_are_dropped
# Rows beyond the largest size are dropped.
# Fails: test_too_many_rows
def compile_sizes(f, sizes, m, solution=compile_sizes):
    serve = solution(f, sizes, m)
    return lambda x: serve(x[: sizes[-1]])


# %% warmed_up
# `jit` is warmed up for each size, and then compiles for any other dtype and length.
# Fails: test_no_call_traces, test_other_arrays_are_refused
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


# %% warmed_up_strictly
# `jit` is warmed up, and other dtypes are refused, but it traces again for a weak type.
# Fails: test_no_call_traces
def compile_sizes(f, sizes, m):
    f = jax.jit(f)
    for size in sizes:
        f(jnp.zeros((size, m)))

    def serve(x):
        n = len(x)
        if n > sizes[-1]:
            raise ValueError
        if x.dtype != jnp.float32 or x.shape[1] != m:
            raise TypeError
        size = next(size for size in sizes if size >= n)
        return f(jnp.pad(x, ((0, size - n), (0, 0))))[:n]

    return serve


# %% lowered_ahead
# Everything is traced ahead, but a program is compiled at the first request that needs it.
# Fails: test_every_size_is_traced_ahead, test_no_call_traces
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


# %% rows_of_floats
# The rows become float32, whatever dtype `f` returns.
# Fails: test_the_smallest_size_is_used, test_two_services
def compile_sizes(f, sizes, m, solution=compile_sizes):
    serve = solution(f, sizes, m)
    return lambda x: serve(x).astype(jnp.float32)


# %% padded_in_front
# The padding comes before the batch, and the last rows are returned in place of the first.
# Fails: test_the_smallest_size_is_used, test_two_services
def compile_sizes(f, sizes, m):
    programs = {}
    for size in sizes:
        programs[size] = jax.jit(f).lower(jnp.zeros((size, m))).compile()

    def serve(x):
        n = len(x)
        if n > sizes[-1]:
            raise ValueError
        size = next(size for size in sizes if size >= n)
        return programs[size](jnp.pad(x, ((size - n, 0), (0, 0))))[size - n :]

    return serve


# %% half_precision_converted
# float16 is converted to float32, in place of being refused.
# Fails: test_other_arrays_are_refused
def compile_sizes(f, sizes, m, solution=compile_sizes):
    serve = solution(f, sizes, m)
    return lambda x: serve(x.astype(jnp.float32) if x.dtype == jnp.float16 else x)


# %% lowered_for_jit
# The traced program of each size is thrown away, and `jit` compiles at the first request of a size.
# Fails: test_every_size_is_traced_ahead, test_no_call_traces
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


# %% kept_for_a_function
# The programs of a function are kept for its sizes, whatever the length of the rows is.
# Fails: test_two_services
_OF_A_FUNCTION = {}


def compile_sizes(f, sizes, m, solution=compile_sizes):
    if (f, sizes) not in _OF_A_FUNCTION:
        _OF_A_FUNCTION[f, sizes] = solution(f, sizes, m)
    return _OF_A_FUNCTION[f, sizes]


# %% real_parts
# Complex rows lose their imaginary parts, in place of being refused.
# Fails: test_other_arrays_are_refused
def compile_sizes(f, sizes, m, solution=compile_sizes):
    serve = solution(f, sizes, m)
    return lambda x: serve(x.real)
