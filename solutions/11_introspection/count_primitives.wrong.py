"""What learners get wrong in count_primitives; each cell is a suffix to the solution."""

import re
from collections import Counter

import jax


# %% top_only
# Only the equations of the outer program are counted.
# Do: Also look into the parameters of each equation.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_jitted_functions_are_looked_into, test_a_loop_counts_its_body_once,
# test_every_branch_counts, test_a_while_has_two_inner_programs, test_nesting_may_be_deep,
# test_details
def count_primitives(f, *args):
    return dict(Counter(eqn.primitive.name for eqn in jax.make_jaxpr(f)(*args).eqns))


# %% one_level_down
# Inner programs are searched, but not the programs inside them.
# Do: Let your function call itself for each inner program.
# Breaks: Returns 3
# Fails: test_nesting_may_be_deep
def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        for value in eqn.params.values():
            for inner in value if isinstance(value, tuple) else [value]:
                yield from getattr(inner, "eqns", [])


# %% leaves_only
# A primitive that contains a program isn't counted itself.
# Do: Count each equation, even one that contains a program.
# Breaks: Returns 3
# Fails: test_jitted_functions_are_looked_into, test_a_loop_counts_its_body_once,
# test_every_branch_counts, test_a_while_has_two_inner_programs, test_nesting_may_be_deep
def equations(jaxpr):
    for eqn in jaxpr.eqns:
        held = [
            inner
            for value in eqn.params.values()
            for inner in (value if isinstance(value, tuple) else [value])
            if hasattr(inner, "eqns")
        ]
        for inner in held:
            yield from equations(inner)
        if not held:
            yield eqn


# %% every_round
# The body of a scan is counted once per round.
# Do: Count the body of a loop once, where it is written.
# Breaks: Returns 3
# Fails: test_a_loop_counts_its_body_once
def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        for value in eqn.params.values():
            for inner in value if isinstance(value, tuple) else [value]:
                if hasattr(inner, "eqns"):
                    for _ in range(eqn.params.get("length", 1)):
                        yield from equations(inner)


# %% no_tuples
# Programs in tuples are missed, so the branches of `cond` aren't counted.
# Do: Also look into the elements of a tuple.
# Breaks: Returns 3
# Fails: test_every_branch_counts, test_nesting_may_be_deep
def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        for value in eqn.params.values():
            if hasattr(value, "eqns"):
                yield from equations(value)


# %% one_parameter_name
# Inner programs are taken from the parameter "jaxpr" only, but some primitives name it differently.
# Do: Go through all parameters, and keep the values that have `eqns`.
# Breaks: Returns 3
# Fails: test_every_branch_counts, test_a_while_has_two_inner_programs, test_nesting_may_be_deep,
# test_details
def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        if "jaxpr" in eqn.params:
            yield from equations(eqn.params["jaxpr"])


# %% known_parameter_names
# Inner programs are taken from a list of parameters, which doesn't name all of them.
# Do: Go through all parameters, and keep the values that have `eqns`.
# Breaks: Details 1
# Fails: test_details
def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        for name in ("jaxpr", "call_jaxpr", "cond_jaxpr", "body_jaxpr", "branches"):
            value = eqn.params.get(name, ())
            for inner in value if isinstance(value, tuple) else [value]:
                yield from equations(inner)


# %% kinds_only
# Each primitive counts once, however often it occurs.
# Do: Add one for each equation.
# Breaks: Returns 2
# Fails: test_each_operation_is_counted, test_jitted_functions_are_looked_into,
# test_a_loop_counts_its_body_once, test_every_branch_counts, test_a_while_has_two_inner_programs,
# test_nesting_may_be_deep, test_details
def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        for value in eqn.params.values():
            for inner in value if isinstance(value, tuple) else [value]:
                if hasattr(inner, "eqns"):
                    yield from equations(inner)


def count_primitives(f, *args):
    return {eqn.primitive.name: 1 for eqn in equations(jax.make_jaxpr(f)(*args))}


# %% printed_text
# A program that occurs twice is counted once, as in the printed text.
# Do: Go through `eqns`, and count an inner program each time it occurs.
# Breaks: Returns 3
# Fails: test_jitted_functions_are_looked_into, test_every_branch_counts
def count_primitives(f, *args):
    text = str(jax.make_jaxpr(f)(*args))
    return dict(Counter(re.findall(r"\] = (\w+)", text)))


# %% wrapped_in_jit
# The function is jitted before it is traced, which adds an extra `jit` around everything.
# Do: Trace the function itself.
# Breaks: Returns 1
# Fails: test_each_operation_is_counted, test_jitted_functions_are_looked_into,
# test_a_loop_counts_its_body_once, test_a_while_has_two_inner_programs, test_nesting_may_be_deep,
# test_details
def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        for value in eqn.params.values():
            for inner in value if isinstance(value, tuple) else [value]:
                if hasattr(inner, "eqns"):
                    yield from equations(inner)


def count_primitives(f, *args):
    jaxpr = jax.make_jaxpr(jax.jit(f))(*args)
    return dict(Counter(eqn.primitive.name for eqn in equations(jaxpr)))


# %% arguments_in_a_tuple
# The star is missing, so the function is traced with one tuple.
# Do: Pass on the arguments with a star, `*args`.
# Breaks: Returns 1
# Fails: test_each_operation_is_counted, test_jitted_functions_are_looked_into,
# test_a_loop_counts_its_body_once, test_every_branch_counts, test_a_while_has_two_inner_programs,
# test_nesting_may_be_deep, test_details
def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        for value in eqn.params.values():
            for inner in value if isinstance(value, tuple) else [value]:
                if hasattr(inner, "eqns"):
                    yield from equations(inner)


def count_primitives(f, *args):
    return dict(Counter(eqn.primitive.name for eqn in equations(jax.make_jaxpr(f)(args))))


# %% removed_class
# `jax.core.ClosedJaxpr`, the class of inner programs in older code, was removed from JAX.
# Do: Check whether a value has `eqns`. Then you need no class.
# Breaks: Returns 1
# Fails: test_each_operation_is_counted, test_jitted_functions_are_looked_into,
# test_a_loop_counts_its_body_once, test_every_branch_counts, test_a_while_has_two_inner_programs,
# test_nesting_may_be_deep, test_details
def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        for value in eqn.params.values():
            for inner in value if isinstance(value, tuple) else [value]:
                if isinstance(inner, jax.core.ClosedJaxpr):
                    yield from equations(inner.jaxpr)


# %% once missed
import jax.numpy as jnp


# %% shapes_only
# It traces with shapes and dtypes in place of the arguments, so a Python number is no longer one.
# Breaks: Details 3
# Fails: test_details
def count_primitives(f, *args):
    def spec(leaf):
        return jax.ShapeDtypeStruct(jnp.shape(leaf), jnp.result_type(leaf))

    traced = jax.make_jaxpr(f)(*jax.tree.map(spec, args))
    return dict(Counter(eqn.primitive.name for eqn in equations(traced)))


# %% needed_only
# Equations with unused results are left out, but they are in the program.
# Breaks: Details 2
# Fails: test_details
def equations(jaxpr):
    jaxpr = getattr(jaxpr, "jaxpr", jaxpr)
    needed = {id(variable) for variable in jaxpr.outvars}
    for eqn in reversed(jaxpr.eqns):
        if any(id(variable) in needed for variable in eqn.outvars):
            needed |= {id(variable) for variable in eqn.invars}
            yield eqn
            for value in eqn.params.values():
                for inner in value if isinstance(value, tuple) else [value]:
                    if hasattr(inner, "eqns"):
                        yield from equations(inner)


# %% equal_operations_once
# An operation that is written twice with the same operands counts once, as after compiling.
# Breaks: Details 2
# Fails: test_details
def equations(jaxpr):
    seen = set()
    for eqn in jaxpr.eqns:
        programs = [
            inner
            for value in eqn.params.values()
            for inner in (value if isinstance(value, tuple) else [value])
            if hasattr(inner, "eqns")
        ]
        key = eqn.primitive.name, tuple(map(str, eqn.invars)), str(eqn.params)
        if programs or key not in seen:
            yield eqn
        seen.add(key)
        for inner in programs:
            yield from equations(inner)


# %% equal_branches_once
# Two branches that do the same count once.
# Breaks: Returns 3
# Fails: test_every_branch_counts
def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        programs = {}
        for value in eqn.params.values():
            for inner in value if isinstance(value, tuple) else [value]:
                if hasattr(inner, "eqns"):
                    programs[str(inner)] = inner
        for inner in programs.values():
            yield from equations(inner)
