"""What learners get wrong in traced_print; each cell is a suffix to the solution."""

import jax

DONE = []


# %% python_prints_both
# Python's `print` prints the sum: once, while JAX traces, and as a tracer.
# Do: Let the program print the sum, with `jax.debug.print`.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_the_sum_is_printed_and_returned, test_every_call_prints_its_sum
@jax.jit
def traced_print(x):
    print("traced")
    total = (x**2).sum()
    print(f"sum: {total}")
    return total


# %% program_prints_both
# `jax.debug.print` prints both lines, so `traced` appears in every call.
# Do: Use Python's `print` for the line that belongs to the trace.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_it_is_traced_once, test_another_length_is_traced_again
@jax.jit
def traced_print(x):
    jax.debug.print("traced")
    total = (x**2).sum()
    jax.debug.print("sum: {}", total)
    return total


# %% not_compiled
# The function isn't compiled, so its Python code runs in every call.
# Do: Write `@jax.jit` above the function.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_it_is_traced_once, test_another_length_is_traced_again
def traced_print(x):
    print("traced")
    total = (x**2).sum()
    print(f"sum: {total}")
    return total


# %% f_string
# An f-string puts the tracer into the text, before there is a value.
# Do: Write `{}` in the text, and pass the sum as the second argument.
# Breaks: Returns 3
# Fails: test_the_sum_is_printed_and_returned, test_every_call_prints_its_sum
@jax.jit
def traced_print(x):
    print("traced")
    total = (x**2).sum()
    jax.debug.print(f"sum: {total}")
    return total


# %% value_while_tracing
# `float` asks a tracer for its value, which raises an error.
# Do: Pass the sum to `jax.debug.print` as it is.
# Breaks: Returns 3
# Fails: test_the_sum_is_printed_and_returned, test_every_call_prints_its_sum,
# test_it_is_traced_once, test_another_length_is_traced_again
@jax.jit
def traced_print(x):
    print("traced")
    total = (x**2).sum()
    print("sum:", float(total))
    return total


# %% jit_in_each_call
# Each call compiles a new function, which is traced again.
# Do: Compile the function once, outside it.
# Breaks: Returns 2
# Fails: test_it_is_traced_once, test_another_length_is_traced_again
def traced_print(x):
    def inner(x):
        print("traced")
        total = (x**2).sum()
        jax.debug.print("sum: {}", total)
        return total

    return jax.jit(inner)(x)


# %% printed_once_ever
# A flag makes `traced` appear only once for all lengths.
# Do: Print without a condition. Python runs only once for each trace.
# Breaks: Returns 2
# Fails: test_it_is_traced_once, test_another_length_is_traced_again
@jax.jit
def traced_print(x):
    if not DONE:
        print("traced")
        DONE.append(True)
    total = (x**2).sum()
    jax.debug.print("sum: {}", total)
    return total


# %% prints_the_vector
# The vector is printed instead of its sum.
# Do: Pass the sum to `jax.debug.print`.
# Breaks: Returns 3
# Fails: test_the_sum_is_printed_and_returned, test_every_call_prints_its_sum
@jax.jit
def traced_print(x):
    print("traced")
    jax.debug.print("sum: {}", x)
    return (x**2).sum()


# %% nothing_returned
# The sum is printed, and None is returned.
# Do: Also return the sum.
# Breaks: Returns 1
# Fails: test_the_sum_is_printed_and_returned
@jax.jit
def traced_print(x):
    print("traced")
    jax.debug.print("sum: {}", (x**2).sum())
