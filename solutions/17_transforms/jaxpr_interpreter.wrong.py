"""What learners get wrong in jaxpr_interpreter; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import Literal


def interpreter(
    enter=True,
    outputs_of=lambda outputs: outputs,
    read_output=None,
    of_rule=lambda eqn, output: [output],
    of_consts=lambda consts: consts,
    for_rule=lambda atom: True,
    of_literal=lambda atom: atom.val,
):
    """The solution, with a mistake."""

    def replace_primitives(f, rules):
        def evaluate(jaxpr, consts, args):
            values = dict(
                zip([*jaxpr.constvars, *jaxpr.invars], [*of_consts(consts), *args], strict=True)
            )

            def read(atom):
                return of_literal(atom) if isinstance(atom, Literal) else values[atom]

            for eqn in jaxpr.eqns:
                inputs = [read(atom) for atom in eqn.invars]
                if eqn.primitive.name in rules:
                    given = [read(atom) for atom in eqn.invars if for_rule(atom)]
                    outputs = of_rule(eqn, rules[eqn.primitive.name](*given))
                elif "jaxpr" in eqn.params and enter:
                    inner = eqn.params["jaxpr"]
                    outputs = evaluate(inner.jaxpr, inner.consts, inputs)
                else:
                    outputs = eqn.primitive.bind(*inputs, **eqn.params)
                    outputs = outputs if eqn.primitive.multiple_results else [outputs]
                values.update(zip(eqn.outvars, outputs_of(outputs), strict=False))
            return [
                read_output(values, atom) if read_output else read(atom) for atom in jaxpr.outvars
            ]

        def replaced(*args):
            traced = jax.make_jaxpr(f)(*args)
            return evaluate(traced.jaxpr, traced.consts, args)[0]

        return replaced

    return replace_primitives


# %% top_level_alone
# Calls of jitted functions stay as they are, so nothing is replaced in them.
# Do: Evaluate the jaxpr of a jitted call with the function that you are writing.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_jitted_functions_are_entered, test_jitted_functions_are_entered_at_any_depth
replace_primitives = interpreter(enter=False)


# %% one_level
# Jitted functions are entered, but not those that are called in them.
# Do: Evaluate an inner jaxpr with the same function, so that it enters the next one, too.
# Breaks: Returns 1
# Fails: test_jitted_functions_are_entered_at_any_depth
def replace_primitives(f, rules):
    flat = interpreter(enter=False)

    def replaced(*args):
        closed = jax.make_jaxpr(f)(*args)
        values = dict(
            zip(
                [*closed.jaxpr.constvars, *closed.jaxpr.invars],
                [*closed.consts, *args],
                strict=True,
            )
        )

        def read(atom):
            return atom.val if isinstance(atom, Literal) else values[atom]

        for eqn in closed.jaxpr.eqns:
            inputs = [read(atom) for atom in eqn.invars]
            if eqn.primitive.name in rules:
                outputs = [rules[eqn.primitive.name](*inputs)]
            elif "jaxpr" in eqn.params:
                inner = jax.extend.core.jaxpr_as_fun(eqn.params["jaxpr"])
                outputs = [
                    flat(lambda *args, inner=inner, k=k: inner(*args)[k], rules)(*inputs)
                    for k in range(len(eqn.outvars))
                ]
            else:
                outputs = eqn.primitive.bind(*inputs, **eqn.params)
                outputs = outputs if eqn.primitive.multiple_results else [outputs]
            values.update(zip(eqn.outvars, outputs, strict=True))
        return read(closed.jaxpr.outvars[0])

    return replaced


# %% nothing_replaced
# The function is evaluated as it is.
# Do: Trace f by `jax.make_jaxpr`, and evaluate its equations.
# Breaks: Returns 1
# Fails: test_an_operation_is_replaced, test_jitted_functions_are_entered,
# test_jitted_functions_are_entered_at_any_depth, test_a_rule_may_use_what_it_replaces,
# test_the_result_can_be_transformed, test_details
def replace_primitives(f, rules):
    return f


# %% constants_forgotten
# Only the arguments have values at the start, so arrays from outside have none.
# Do: Give the `constvars` their values, which are in `consts`.
# Breaks: Returns 3
# Fails: test_without_a_rule_nothing_changes, test_details
def replace_primitives(f, rules):
    def evaluate(jaxpr, args):
        values = dict(zip(jaxpr.invars, args, strict=True))

        def read(atom):
            return atom.val if isinstance(atom, Literal) else values[atom]

        for eqn in jaxpr.eqns:
            inputs = [read(atom) for atom in eqn.invars]
            if eqn.primitive.name in rules:
                outputs = [rules[eqn.primitive.name](*inputs)]
            elif "jaxpr" in eqn.params:
                outputs = evaluate(eqn.params["jaxpr"].jaxpr, inputs)
            else:
                outputs = eqn.primitive.bind(*inputs, **eqn.params)
                outputs = outputs if eqn.primitive.multiple_results else [outputs]
            values.update(zip(eqn.outvars, outputs, strict=True))
        return [read(atom) for atom in jaxpr.outvars]

    return lambda *args: evaluate(jax.make_jaxpr(f)(*args).jaxpr, args)[0]


# %% one_output
# Only the first output of an equation is kept.
# Do: Store all outputs of an equation, each under its variable.
# Breaks: Returns 3
# Fails: test_without_a_rule_nothing_changes
replace_primitives = interpreter(outputs_of=lambda outputs: outputs[:1])


# %% no_literal_output
# An output is always looked up as a variable, but it can be a literal.
# Do: Read outputs as you read inputs: they may be literals.
# Breaks: Details 3
# Fails: test_details
replace_primitives = interpreter(read_output=lambda values, atom: values[atom])


# %% inputs_reversed
# A rule gets the inputs of its equation in the opposite order.
# Do: Give the inputs to the rule in the order of `eqn.invars`.
# Breaks: Returns 1
# Fails: test_an_operation_is_replaced
def replace_primitives(f, rules, solution=replace_primitives):
    return solution(f, {name: lambda *a, rule=rule: rule(*a[::-1]) for name, rule in rules.items()})


# %% variables_alone
# A rule gets the variables of its equation, and not its literals.
# Do: Give all inputs to the rule. Of a literal, give its `.val`.
# Breaks: Returns 1
# Fails: test_an_operation_is_replaced
replace_primitives = interpreter(for_rule=lambda atom: not isinstance(atom, Literal))


# %% rule_of_values
# NumPy's values are given to a rule, but a tracer has none.
# Do: Give the inputs to the rule as they are: a tracer has no values.
# Breaks: Returns 4
# Fails: test_an_operation_is_replaced, test_jitted_functions_are_entered,
# test_jitted_functions_are_entered_at_any_depth, test_a_rule_may_use_what_it_replaces,
# test_the_result_can_be_transformed, test_details
def replace_primitives(f, rules, solution=replace_primitives):
    def of_values(rule):
        return lambda *inputs: jnp.asarray(rule(*map(np.asarray, inputs)))

    return solution(f, {name: of_values(rule) for name, rule in rules.items()})


# %% replaced_twice
# What a rule computes is replaced as well.
# Do: Call the rule, and use its result as it is.
# Breaks: Returns 2
# Fails: test_a_rule_may_use_what_it_replaces
def replace_primitives(f, rules, solution=replace_primitives):
    return solution(solution(f, rules), rules)


# %% one_rule_after_the_other
# The rules are applied one after the other, so a later one changes what an earlier one made.
# Do: Go through the equations once, and look up the rule for each of them.
# Breaks: Returns 2
# Fails: test_a_rule_may_use_what_it_replaces
def replace_primitives(f, rules, solution=replace_primitives):
    for name in sorted(rules):
        f = solution(f, {name: rules[name]})
    return f


# %% all_float32
# The arguments become float32, so a function of bfloat16 is another function.
# Do: Leave the arguments as they are.
# Breaks: Returns 3
# Fails: test_details
def replace_primitives(f, rules, solution=replace_primitives):
    g = solution(f, rules)
    return lambda *args: g(*(jnp.asarray(x, jnp.float32) for x in args))


# %% once missed


# %% rule_gives_a_list
# The output of a rule counts as a list where the primitive gives one.
# Breaks: Details 4
# Fails: test_details
replace_primitives = interpreter(
    of_rule=lambda eqn, output: output if eqn.primitive.multiple_results else [output]
)


# %% gradient_stopped
# The result of a rule counts as a constant, so it has no gradient.
# Breaks: Returns 4
# Fails: test_the_result_can_be_transformed
def replace_primitives(f, rules, solution=replace_primitives):
    def stopped(rule):
        return lambda *inputs: jax.lax.stop_gradient(rule(*inputs))

    return solution(f, {name: stopped(rule) for name, rule in rules.items()})


# %% constants_of_numpy
# NumPy holds the constants, but what the function has from outside may be traced.
# Breaks: Details 2
# Fails: test_details
replace_primitives = interpreter(of_consts=lambda consts: list(map(np.asarray, consts)))


# %% traced_once
# The function is traced in the first call only, but another call may have other shapes.
# Breaks: Details 1
# Fails: test_details
def replace_primitives(f, rules, solution=replace_primitives):
    kept = []

    def replaced(*args):
        if not kept:
            kept.append(jax.make_jaxpr(f)(*args))
        return solution(lambda *args: jax.extend.core.jaxpr_as_fun(kept[0])(*args)[0], rules)(*args)

    return replaced


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "values = dict(zip([*jaxpr.constvars, *jaxpr.invars], [*consts, *args], strict=True)) -> values = dict(zip([*jaxpr.constvars, *jaxpr.invars], [*consts, *args]))": "Both lists have the same length.",
    "values = dict(zip([*jaxpr.constvars, *jaxpr.invars], [*consts, *args], strict=True)) -> values = dict(zip([*jaxpr.constvars, *jaxpr.invars], [*consts, *args], strict=False))": "Both lists have the same length.",
    "values.update(zip(eqn.outvars, outputs, strict=True)) -> values.update(zip(eqn.outvars, outputs, strict=False))": "Both lists have the same length.",
    "values.update(zip(eqn.outvars, outputs, strict=True)) -> values.update(zip(eqn.outvars, outputs))": "Both lists have the same length.",
}
