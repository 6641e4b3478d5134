"""What learners get wrong in read_cost; each cell is a suffix to the solution."""

import math

import jax
import jax.numpy as jnp
import numpy as np


def lengths(eqn):
    """Of the axes of a product's result, and of those that are summed over."""
    (summed, _), _ = eqn.params["dimension_numbers"]
    return eqn.outvars[0].aval.shape, [eqn.invars[0].aval.shape[axis] for axis in summed]


def product_cost(eqn):
    out, summed = lengths(eqn)
    return 2 * math.prod(out) * math.prod(summed)


def programs(eqn):
    for value in eqn.params.values():
        for inner in value if isinstance(value, list | tuple) else [value]:
            if hasattr(inner, "eqns"):
                yield inner


def counting(
    product=product_cost,
    branches=max,
    until=lambda costs: math.inf if any(costs) else 0,
    rounds=lambda eqn: eqn.params.get("length", 1),
):
    """The `cost_of` of the solution, with a mistake."""

    def cost_of(program):
        total = 0
        for eqn in program.eqns:
            costs = [cost_of(inner) for inner in programs(eqn)]
            if eqn.primitive.name == "dot_general":
                total += product(eqn)
            elif eqn.primitive.name == "cond":
                total += branches(costs)
            elif eqn.primitive.name == "while":
                total += until(costs)
            else:
                total += rounds(eqn) * sum(costs)
        return total

    return cost_of


# %% loop_body_once
# The body of a loop counts once, however often it runs.
# Do: Multiply the cost of the body by `params["length"]`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_a_loop_costs_each_of_its_rounds, test_of_several_branches_the_dearest_counts,
# test_details
cost_of = counting(rounds=lambda eqn: 1)


# %% top_level_only
# The programs in loops, branches and jitted functions are left out.
# Do: Also look into the parameters of each equation.
# Breaks: Details 1
# At most half of the points.
# Fails: test_a_loop_costs_each_of_its_rounds, test_inner_programs_are_looked_into,
# test_of_several_branches_the_dearest_counts, test_nobody_knows_the_rounds_of_a_while, test_details
def cost_of(program):
    return sum(product_cost(eqn) for eqn in program.eqns if eqn.primitive.name == "dot_general")


# %% cost_analysis
# The compiled program reports all kinds of operations, and the body of a loop once.
# Do: Go through the equations of the traced program.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_a_product_costs_twice_its_multiplications, test_a_loop_costs_each_of_its_rounds,
# test_inner_programs_are_looked_into, test_of_several_branches_the_dearest_counts,
# test_nobody_knows_the_rounds_of_a_while, test_shapes_are_enough, test_details
def read_cost(f, *args):
    return int(jax.jit(f).lower(*args).compile().cost_analysis().get("flops", 0))


# %% all_branches
# The operations of all branches are added up, but only one branch runs.
# Do: Take the maximum of the branches.
# Breaks: Returns 3
# Fails: test_of_several_branches_the_dearest_counts
cost_of = counting(branches=sum)


# %% while_once
# The body of a `while` counts once, although its number of rounds is unknown.
# Do: Return None if a `while` contains a product.
# Breaks: Returns 4
# Fails: test_nobody_knows_the_rounds_of_a_while
cost_of = counting(until=sum)


# %% every_while
# A `while` without any product also makes the cost unknown.
# Do: Check whether the programs of a `while` cost anything.
# Breaks: Returns 4
# Fails: test_nobody_knows_the_rounds_of_a_while
def cost_of(program, solution=cost_of):
    def has_while(program):
        return any(
            eqn.primitive.name == "while" or any(map(has_while, programs(eqn)))
            for eqn in program.eqns
        )

    return math.inf if has_while(program) else solution(program)


# %% multiplications_only
# Only multiplications count, not additions.
# Do: Count an addition for each multiplication.
# Breaks: Returns 1
# Fails: test_a_product_costs_twice_its_multiplications, test_a_loop_costs_each_of_its_rounds,
# test_inner_programs_are_looked_into, test_of_several_branches_the_dearest_counts,
# test_nobody_knows_the_rounds_of_a_while, test_shapes_are_enough, test_details
def read_cost(f, *args, solution=read_cost):
    cost = solution(f, *args)
    return None if cost is None else cost // 2


# %% one_summed_axis
# Only the first of the summed axes counts.
# Do: Multiply the lengths of all axes that are summed over.
# Breaks: Returns 1
# Fails: test_a_product_costs_twice_its_multiplications, test_details
def first_axis(eqn):
    out, summed = lengths(eqn)
    return 2 * math.prod(out) * summed[0]


cost_of = counting(product=first_axis)


# %% numpy_product
# `np.prod` counts in 64 bits, which is too few for large shapes.
# Do: Multiply Python ints, as `math.prod` does.
# Breaks: Details 2
# Fails: test_shapes_are_enough
def in_numpy(eqn):
    out, summed = lengths(eqn)
    return int(2 * np.prod(np.array([*out, *summed], np.int64)))


cost_of = counting(product=in_numpy)


# %% runs_it
# The function runs before it is traced.
# Do: Only trace the function: `jax.make_jaxpr`.
# Breaks: Returns 5
# Fails: test_shapes_are_enough
def read_cost(f, *args, solution=read_cost):
    f(*args)
    return solution(f, *args)


# %% jit_only
# An equation's inner program is looked up under only one name.
# Do: Go through all parameters, and keep the values that have `eqns`.
# Breaks: Returns 3
# Fails: test_of_several_branches_the_dearest_counts, test_nobody_knows_the_rounds_of_a_while,
# test_details
def inner_programs(eqn):
    if "jaxpr" in eqn.params:
        yield eqn.params["jaxpr"]


# %% array_result
# The count is an array, which isn't a Python number.
# Do: Return the Python int itself.
# Breaks: Returns 1
# Fails: test_a_product_costs_twice_its_multiplications, test_a_loop_costs_each_of_its_rounds,
# test_inner_programs_are_looked_into, test_of_several_branches_the_dearest_counts,
# test_nobody_knows_the_rounds_of_a_while, test_shapes_are_enough, test_details
def read_cost(f, *args, solution=read_cost):
    cost = solution(f, *args)
    return None if cost is None else jnp.asarray(cost)


# %% once missed
from functools import reduce
from operator import mul


# %% nothing_to_multiply
# The numbers of elements are multiplied without a 1 to begin with, but a product may sum over no
# axis.
# Breaks: Details 3
# Fails: test_details
def of_axes(eqn):
    out, summed = lengths(eqn)
    return 2 * math.prod(out) * reduce(mul, summed)


cost_of = counting(product=of_axes)


# %% once_inside
# The number of rounds is passed down to a loop in a loop, but not into other inner programs.
# Breaks: Returns 2
# Fails: test_a_loop_costs_each_of_its_rounds, test_of_several_branches_the_dearest_counts
def cost_of(program, rounds=1):
    total = 0
    for eqn in program.eqns:
        if eqn.primitive.name == "dot_general":
            total += rounds * product_cost(eqn)
        elif eqn.primitive.name == "scan":
            total += cost_of(*programs(eqn), rounds * eqn.params["length"])
        elif eqn.primitive.name == "cond":
            total += max(map(cost_of, programs(eqn)))
        elif eqn.primitive.name == "while":
            total += math.inf if any(map(cost_of, programs(eqn))) else 0
        else:
            total += sum(map(cost_of, programs(eqn)))
    return total


# %% none_times_rounds
# The None of a `while` is multiplied by the rounds of the `scan` around it.
# Breaks: Returns 4
# Fails: test_nobody_knows_the_rounds_of_a_while
def cost_of(program):
    total = 0
    for eqn in program.eqns:
        costs = [cost_of(inner) for inner in programs(eqn)]
        if eqn.primitive.name == "dot_general":
            total += product_cost(eqn)
        elif eqn.primitive.name == "scan":
            total += eqn.params["length"] * costs[0]
        elif (eqn.primitive.name == "while" and any(costs)) or None in costs:
            return None
        else:
            total += max(costs) if eqn.primitive.name == "cond" else sum(costs)
    return total
