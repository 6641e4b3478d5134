"""What learners get wrong in apply_rule; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% all_results
# All rules run, and an index picks one of the results.
# Do: Pass the functions themselves to `lax.switch`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_numbers_out_of_range, test_the_program_has_branches, test_the_other_rules_do_not_run
def apply_rule(number, rules, x):
    return jnp.stack([rule(x) for rule in rules])[number]


# %% index_into_the_list
# A Python list needs the number's value, which is unknown while tracing.
# Do: Let the program choose, with `lax.switch`.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_it_survives_jit_and_vmap, test_the_program_has_branches,
# test_the_other_rules_do_not_run
def apply_rule(number, rules, x):
    return rules[max(0, min(number, len(rules) - 1))](x)


# %% python_if
# A Python `if` needs the number's value, which is unknown while tracing.
# Do: Let the program choose, with `lax.switch`.
# Breaks: Returns 4
# Fails: test_it_survives_jit_and_vmap, test_the_program_has_branches,
# test_the_other_rules_do_not_run
def apply_rule(number, rules, x):
    for place, rule in enumerate(rules[:-1]):
        if number <= place:
            return rule(x)
    return rules[-1](x)


# %% results_for_functions
# `switch` gets results, but needs functions.
# Do: Don't call the rules. `switch` calls the one that it needs.
# Breaks: Returns 1
# Fails: test_the_rule_with_this_number_is_applied, test_numbers_out_of_range,
# test_it_survives_jit_and_vmap, test_the_program_has_branches, test_the_other_rules_do_not_run
def apply_rule(number, rules, x):
    return lax.switch(number, [rule(x) for rule in rules])


# %% no_argument
# `switch` gets no argument for the rules.
# Do: Pass `x` to `switch`, after the rules.
# Breaks: Returns 1
# Fails: test_the_rule_with_this_number_is_applied, test_numbers_out_of_range,
# test_it_survives_jit_and_vmap, test_the_program_has_branches, test_the_other_rules_do_not_run
def apply_rule(number, rules, x):
    return lax.switch(number, rules)


# %% rules_spread_out
# Each rule is a separate argument, but `switch` takes one list.
# Do: Pass the list of rules to `switch` as it is.
# Breaks: Returns 1
# Fails: test_the_rule_with_this_number_is_applied, test_numbers_out_of_range,
# test_it_survives_jit_and_vmap, test_the_program_has_branches, test_the_other_rules_do_not_run
def apply_rule(number, rules, x):
    return lax.switch(number, *rules, x)


# %% all_before
# There are branches, but all rules run before one is chosen.
# Do: Let the rules run inside the branches.
# Breaks: Returns 2
# Fails: test_the_program_has_branches, test_the_other_rules_do_not_run
def apply_rule(number, rules, x):
    results = [rule(x) for rule in rules]
    return lax.switch(number, [lambda r=r: r for r in results])


# %% last_function
# Each branch is a lambda that looks up `rule` when it is traced, and finds the last rule.
# Do: Pass the rules themselves to `switch`.
# Breaks: Returns 1
# Fails: test_the_rule_with_this_number_is_applied, test_numbers_out_of_range,
# test_it_survives_jit_and_vmap, test_the_program_has_branches, test_the_other_rules_do_not_run
def apply_rule(number, rules, x):
    branches = []
    for rule in rules:
        branches.append(lambda x: rule(x))  # noqa: B023
    return lax.switch(number, branches, x)


# %% from_the_end
# Negative numbers count from the end, as in a Python list.
# Do: Leave a number below 0 to `switch`, which takes rule 0.
# Breaks: Returns 3
# Fails: test_numbers_out_of_range
def apply_rule(number, rules, x):
    number = jnp.where(jnp.asarray(number) < 0, number + len(rules), number)
    return lax.switch(number, rules, x)


# %% around
# Numbers out of range wrap around: they are taken modulo the number of rules.
# Do: Leave a number out of range to `switch`, which clamps it.
# Breaks: Returns 3
# Fails: test_numbers_out_of_range
def apply_rule(number, rules, x):
    return lax.switch(number % len(rules), rules, x)


# %% from_one
# The rules are counted from 1.
# Do: Rule 0 is the first one.
# Breaks: Returns 1
# Fails: test_the_rule_with_this_number_is_applied, test_it_survives_jit_and_vmap,
# test_the_program_has_branches, test_the_other_rules_do_not_run
def apply_rule(number, rules, x):
    return lax.switch(number - 1, rules, x)


# %% first_or_second
# `cond` has only two branches: every number but 0 means rule 1.
# Do: Use `lax.switch`, which has any number of branches.
# Breaks: Returns 1
# Fails: test_the_rule_with_this_number_is_applied, test_numbers_out_of_range,
# test_it_survives_jit_and_vmap, test_the_program_has_branches, test_the_other_rules_do_not_run
def apply_rule(number, rules, x):
    return lax.cond(number <= 0, rules[0], rules[min(1, len(rules) - 1)], x)


# %% static
# The number is static, so it can't be an array.
# Do: Let the number be an ordinary argument that is traced.
# Breaks: Returns 4
# Fails: test_the_rule_with_this_number_is_applied, test_numbers_out_of_range,
# test_it_survives_jit_and_vmap, test_the_program_has_branches, test_the_other_rules_do_not_run
@partial(jax.jit, static_argnums=(0, 1))
def choose_statically(number, rules, x):
    return rules[max(0, min(number, len(rules) - 1))](x)


def apply_rule(number, rules, x):
    return choose_statically(number, tuple(rules), x)


# %% select
# `select_n` chooses between results, so all rules run.
# Do: Pass the functions themselves to `lax.switch`.
# Breaks: Returns 2
# Fails: test_the_program_has_branches, test_the_other_rules_do_not_run
def apply_rule(number, rules, x):
    number = jnp.clip(jnp.asarray(number), 0, len(rules) - 1)
    return sum(jnp.where(number == k, rule(x), 0) for k, rule in enumerate(rules))


# %% branches_of_results
# All rules run, each on `x` or on ones, and the branches pick one of the results.
# Do: Pass the rules themselves to `lax.switch`.
# Breaks: Returns 2
# Fails: test_the_program_has_branches
def apply_rule(number, rules, x):
    number = jnp.clip(jnp.asarray(number, jnp.int32), 0, len(rules) - 1)
    results = [rule(jnp.where(number == k, x, 1.0)) for k, rule in enumerate(rules)]
    return lax.switch(number, [lambda *r, k=k: r[k] for k in range(len(rules))], *results)
