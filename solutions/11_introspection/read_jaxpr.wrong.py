"""What learners get wrong in read_jaxpr; each cell is a suffix to the solution."""

import re

import jax


# %% called_without_tracing
# `make_jaxpr` gets the function's result. A value no longer has a program.
# Do: Call `jax.make_jaxpr(f)` first, and its result with `x`.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_operations_are_in_order, test_what_is_done_twice_is_there_twice,
# test_python_leaves_no_trace, test_a_program_inside_is_one_equation
def read_jaxpr(f, x):
    return [eqn.primitive.name for eqn in jax.make_jaxpr(f(x)).eqns]


# %% compiled_first
# The function is compiled before it is traced, so its whole program is one `jit`.
# Do: Trace the function itself.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_operations_are_in_order, test_what_is_done_twice_is_there_twice,
# test_python_leaves_no_trace, test_a_program_inside_is_one_equation
def read_jaxpr(f, x):
    return [eqn.primitive.name for eqn in jax.make_jaxpr(jax.jit(f))(x).eqns]


# %% kinds_only
# A set forgets the order, and how often an operation occurs.
# Do: Collect the names in a list.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_operations_are_in_order, test_what_is_done_twice_is_there_twice,
# test_python_leaves_no_trace, test_a_program_inside_is_one_equation
def read_jaxpr(f, x):
    return sorted({eqn.primitive.name for eqn in jax.make_jaxpr(f)(x).eqns})


# %% each_kind_once
# A dict keeps the order, but only one of each name.
# Do: Collect the names in a list.
# Breaks: Returns 1
# Fails: test_what_is_done_twice_is_there_twice, test_python_leaves_no_trace
def read_jaxpr(f, x):
    return list(dict.fromkeys(eqn.primitive.name for eqn in jax.make_jaxpr(f)(x).eqns))


# %% primitives_themselves
# The primitives themselves are returned, which are objects, not strings.
# Do: Take the `name` of each primitive.
# Breaks: Returns 1
# Fails: test_operations_are_in_order, test_what_is_done_twice_is_there_twice,
# test_python_leaves_no_trace, test_a_program_inside_is_one_equation
def read_jaxpr(f, x):
    return [eqn.primitive for eqn in jax.make_jaxpr(f)(x).eqns]


# %% whole_lines
# The text of each equation is returned, with its variables.
# Do: Take only the name of the primitive.
# Breaks: Returns 2
# Fails: test_operations_are_in_order, test_what_is_done_twice_is_there_twice,
# test_python_leaves_no_trace, test_a_program_inside_is_one_equation
def read_jaxpr(f, x):
    return [str(eqn) for eqn in jax.make_jaxpr(f)(x).eqns]


# %% goes_inside
# The operations of inner programs are also listed.
# Do: Read only the equations of the outer program.
# Breaks: Returns 3
# Fails: test_a_program_inside_is_one_equation
def names(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn.primitive.name
        for value in eqn.params.values():
            if hasattr(value, "eqns"):
                yield from names(value)


def read_jaxpr(f, x):
    return list(names(jax.make_jaxpr(f)(x)))


# %% printed_text
# The printed text is searched, which also includes inner programs.
# Do: Go through `eqns` instead of the text.
# Breaks: Returns 3
# Fails: test_a_program_inside_is_one_equation
def read_jaxpr(f, x):
    return re.findall(r" = (\w+)", str(jax.make_jaxpr(f)(x)))
