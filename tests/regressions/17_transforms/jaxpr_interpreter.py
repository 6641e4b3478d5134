"""What the suite of jaxpr_interpreter once missed; each cell is a suffix to the solution."""

import jax
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


# %% rule_gives_a_list
# The output of a rule counts as a list where the primitive gives one.
# Fails: test_details
replace_primitives = interpreter(
    of_rule=lambda eqn, output: output if eqn.primitive.multiple_results else [output]
)


# %% gradient_stopped
# The result of a rule counts as a constant, so it has no gradient.
# Fails: test_the_result_can_be_transformed
def replace_primitives(f, rules, solution=replace_primitives):
    def stopped(rule):
        return lambda *inputs: jax.lax.stop_gradient(rule(*inputs))

    return solution(f, {name: stopped(rule) for name, rule in rules.items()})


# %% constants_of_numpy
# NumPy holds the constants, but what the function has from outside may be traced.
# Fails: test_details
replace_primitives = interpreter(of_consts=lambda consts: list(map(np.asarray, consts)))


# %% traced_once
# The function is traced in the first call only, but another call may have other shapes.
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
