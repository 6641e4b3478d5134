"""Wrong answers to count_primitives; each cell is a suffix to the solution."""

import re
from collections import Counter

import jax
import jax.numpy as jnp


# %% arguments_in_a_tuple
# The star is missing, so the function is traced with one tuple.
# Fails: test_each_operation_is_counted, test_any_arguments_will_do,
# test_jitted_functions_are_looked_into, test_a_loop_counts_its_body_once,
# test_every_branch_counts, test_every_kind_of_inner_program_is_found, test_nesting_may_be_deep
def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        for value in eqn.params.values():
            for inner in value if isinstance(value, tuple) else [value]:
                if hasattr(inner, "eqns"):
                    yield from equations(inner)


def count_primitives(f, *args):
    return dict(Counter(eqn.primitive.name for eqn in equations(jax.make_jaxpr(f)(args))))


# %% every_round
# The body of a scan is counted once per round.
# Fails: test_a_loop_counts_its_body_once
def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        for value in eqn.params.values():
            for inner in value if isinstance(value, tuple) else [value]:
                if hasattr(inner, "eqns"):
                    for _ in range(eqn.params.get("length", 1)):
                        yield from equations(inner)


# %% kinds_only
# Each primitive counts once, however often it occurs.
# Fails: test_each_operation_is_counted, test_jitted_functions_are_looked_into,
# test_every_branch_counts, test_nesting_may_be_deep
def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        for value in eqn.params.values():
            for inner in value if isinstance(value, tuple) else [value]:
                if hasattr(inner, "eqns"):
                    yield from equations(inner)


def count_primitives(f, *args):
    return {eqn.primitive.name: 1 for eqn in equations(jax.make_jaxpr(f)(*args))}


# %% leaves_only
# A primitive that holds a program isn't counted itself.
# Fails: test_jitted_functions_are_looked_into, test_a_loop_counts_its_body_once,
# test_every_branch_counts, test_every_kind_of_inner_program_is_found, test_nesting_may_be_deep
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


# %% no_tuples
# Programs in tuples are missed, so the branches of `cond` aren't counted.
# Fails: test_every_branch_counts, test_every_kind_of_inner_program_is_found,
# test_nesting_may_be_deep
def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        for value in eqn.params.values():
            if hasattr(value, "eqns"):
                yield from equations(value)


# %% known_parameter_names
# Inner programs are taken from a list of parameters, which doesn't name all of them.
# Fails: test_every_kind_of_inner_program_is_found
def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        for name in ("jaxpr", "call_jaxpr", "cond_jaxpr", "body_jaxpr", "branches"):
            value = eqn.params.get(name, ())
            for inner in value if isinstance(value, tuple) else [value]:
                yield from equations(inner)


# %% one_level_down
# Inner programs are searched, but not the programs inside them.
# Fails: test_nesting_may_be_deep
def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        for value in eqn.params.values():
            for inner in value if isinstance(value, tuple) else [value]:
                yield from getattr(inner, "eqns", [])


# %% one_parameter_name
# Inner programs are taken from the parameter "jaxpr" only, but some primitives name it differently.
# Fails: test_every_branch_counts, test_every_kind_of_inner_program_is_found,
# test_nesting_may_be_deep
def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        if "jaxpr" in eqn.params:
            yield from equations(eqn.params["jaxpr"])


# %% plain_tuples
# Programs in tuples are found, but not those in namedtuples.
# Fails: test_every_kind_of_inner_program_is_found
def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        for value in eqn.params.values():
            for inner in value if type(value) in (list, tuple) else [value]:
                if hasattr(inner, "eqns"):
                    yield from equations(inner)


# %% printed_text
# The printed program is searched, but a program that occurs twice is printed once.
# Fails: test_jitted_functions_are_looked_into, test_every_branch_counts
def count_primitives(f, *args):
    text = str(jax.make_jaxpr(f)(*args))
    return dict(Counter(re.findall(r"\] = (\w+)", text)))


# %% remembered
# The counts of a function are kept, and returned for all other arguments as well.
# Fails: test_any_arguments_will_do
KNOWN = {}


def count_primitives(f, *args):
    if f not in KNOWN:
        names = [eqn.primitive.name for eqn in equations(jax.make_jaxpr(f)(*args))]
        KNOWN[f] = dict(Counter(names))
    return KNOWN[f]


# %% removed_class
# `jax.core.ClosedJaxpr`, the class of inner programs in older code, was removed from JAX.
# Fails: test_each_operation_is_counted, test_any_arguments_will_do,
# test_jitted_functions_are_looked_into, test_a_loop_counts_its_body_once,
# test_every_branch_counts, test_every_kind_of_inner_program_is_found, test_nesting_may_be_deep
def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        for value in eqn.params.values():
            for inner in value if isinstance(value, tuple) else [value]:
                if isinstance(inner, jax.core.ClosedJaxpr):
                    yield from equations(inner.jaxpr)


# %% top_only
# Only the equations of the outer program are counted.
# At most half of the points.
# Fails: test_jitted_functions_are_looked_into, test_a_loop_counts_its_body_once,
# test_every_branch_counts, test_every_kind_of_inner_program_is_found, test_nesting_may_be_deep
def count_primitives(f, *args):
    return dict(Counter(eqn.primitive.name for eqn in jax.make_jaxpr(f)(*args).eqns))


# %% wrapped_in_jit
# The function is jitted before it is traced, which adds one more `jit` around everything.
# Fails: test_each_operation_is_counted, test_any_arguments_will_do,
# test_jitted_functions_are_looked_into, test_a_loop_counts_its_body_once,
# test_every_kind_of_inner_program_is_found, test_nesting_may_be_deep
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


# %% shapes_only
# It traces with shapes and dtypes in place of the arguments, so a Python number isn't one any more.
# Fails: test_any_arguments_will_do
def count_primitives(f, *args):
    def spec(leaf):
        return jax.ShapeDtypeStruct(jnp.shape(leaf), jnp.result_type(leaf))

    traced = jax.make_jaxpr(f)(*jax.tree.map(spec, args))
    return dict(Counter(eqn.primitive.name for eqn in equations(traced)))


# %% needed_only
# Equations whose result nobody needs are left out, but they are in the program.
# Fails: test_each_operation_is_counted
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
# Fails: test_each_operation_is_counted
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


# %% remembered_by_shape
# The counts are kept for a function and its shapes, though another dtype makes another program.
# Fails: test_any_arguments_will_do
BY_SHAPE = {}


def count_primitives(f, *args, solution=count_primitives):
    leaves, tree = jax.tree.flatten(args)
    key = f, tree, tuple(map(jnp.shape, leaves))
    if key not in BY_SHAPE:
        BY_SHAPE[key] = solution(f, *args)
    return BY_SHAPE[key]


# %% five_levels
# The search ends five levels down.
# Fails: test_nesting_may_be_deep
def equations(jaxpr, depth=0):
    for eqn in jaxpr.eqns:
        yield eqn
        for value in eqn.params.values():
            for inner in value if isinstance(value, tuple) else [value]:
                if hasattr(inner, "eqns") and depth < 5:
                    yield from equations(inner, depth + 1)


# %% rules_left_out
# The program in a reduction, which combines two numbers, is not looked into.
# Fails: test_every_kind_of_inner_program_is_found
def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        if eqn.primitive.name.startswith(("reduce", "scatter")):
            continue
        for value in eqn.params.values():
            for inner in value if isinstance(value, tuple) else [value]:
                if hasattr(inner, "eqns"):
                    yield from equations(inner)
