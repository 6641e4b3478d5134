"""What the suite of read_cost once missed; each cell is a suffix to the solution."""

import math
from functools import reduce
from operator import mul


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


# %% nothing_to_multiply
# The numbers of elements are multiplied without a 1 to begin with, but a product may sum over no
# axis.
# Fails: test_details
def of_axes(eqn):
    out, summed = lengths(eqn)
    return 2 * math.prod(out) * reduce(mul, summed)


cost_of = counting(product=of_axes)


# %% once_inside
# The number of rounds is handed down to a loop in a loop, but not into other inner programs.
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
