"""apply_rule(number, rules, x): one of several branches of the program."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def square(x):
    return x * x


def twice(x):
    return x + x


def below(x):
    return 1 - x


def root(x):
    return jnp.sqrt(x)


def repeated(f):
    return lambda x: jax.lax.fori_loop(0, ROUNDS, lambda _, x: f(x), x)


RULES = [square, below, twice]
# These cost much, so that it shows how many of them run.
ROUNDS = 100
LONG_RULES = [repeated(f) for f in (jnp.sin, jnp.cos, jnp.tanh)]


def draw(rng, *shape):
    return np.asarray(rng.uniform(2, 4, size=shape), np.float32)


def check(found, number, x):
    assert_close(found, RULES[number](x.astype(np.float64)))


@pytest.mark.points(2)
@pytest.mark.hint("Rule 0 is the first function of the list.")
def test_the_rule_with_this_number_is_applied(submission, rng):
    """Each number gives the result of its rule, from Python or in an array."""
    for shape in ((), (4,)):
        x = draw(rng, *shape)
        for number in range(3):
            check(submission.apply_rule(number, RULES, x), number, x)
            check(submission.apply_rule(np.int32(number), RULES, x), number, x)
    with case("for a single rule", hint="Does your code require a second rule?"):
        check(submission.apply_rule(np.int32(0), RULES[:1], x), 0, x)


@pytest.mark.hint("A Python list counts -1 from the end. What does `jax.lax.switch` do?")
def test_numbers_out_of_range(submission, rng):
    """A number below 0 means rule 0, and one that is too large means the last rule."""
    x = draw(rng, 4)
    for number, meant in ((-1, 0), (-3, 0), (3, 2), (70_000, 2)):
        check(submission.apply_rule(number, RULES, x), meant, x)
        check(submission.apply_rule(np.int32(number), RULES, x), meant, x)


def by_its_sum(apply_rule, x):
    total = x.sum()
    return apply_rule((total > 0).astype(jnp.int32) + (total > 100), RULES, x)


def one_of_these(apply_rule, number, x):
    return apply_rule(number, RULES, x)


@pytest.mark.points(2)
@pytest.mark.hint("Under jit, the number has no value that Python could use as an index.")
def test_it_survives_jit_and_vmap(submission, rng):
    """Under `jit`, the program may compute the number, and under `vmap` each example has one."""
    x = draw(rng, 4)
    jitted = submission.apply_rule.used_by(by_its_sum).jit()
    for number, factor in enumerate((-1, 1, 100)):
        given = np.float32(factor) * x
        check(jitted(given), number, given)
    with case("under vmap", hint="Is the number one of a batch that also has other numbers?"):
        xs, numbers = draw(rng, 5, 4), np.int32([2, 0, 1, 1, 2])
        found = submission.apply_rule.used_by(one_of_these).vmap()(numbers, xs)
        wide = xs.astype(np.float64)
        expected = [RULES[number](each) for number, each in zip(numbers, wide, strict=True)]
        assert_close(found, np.stack(expected))


@pytest.mark.points(2)
@pytest.mark.hint("An index into all results needs all results. What chooses between functions?")
def test_the_program_has_branches(submission, rng):
    """The program has a branch for each rule, so that the others can be skipped."""
    x = draw(rng, 1000)
    program = submission.apply_rule.program(np.int32(0), LONG_RULES, x)
    for number, f in enumerate((np.sin, np.cos, np.tanh)):
        expected = x.astype(np.float64)
        for _ in range(ROUNDS):
            expected = f(expected)
        assert_close(program(np.int32(number), x), expected, rtol=1e-4)
    branches = {"stablehlo.case", "stablehlo.if"} & set(program.operations)
    assert branches, "There are no branches in the program."
    assert program.flops < 1.8 * ROUNDS * x.size, "More than one rule runs."


def weighted(apply_rule, number, rules, x, weights):
    return (apply_rule(number, rules, x) * weights).sum()


@pytest.mark.points(3)
@pytest.mark.hint("The root of a negative number has slope NaN. Does your program compute it?")
def test_the_other_rules_do_not_run(submission, rng):
    """The gradient is right, even where another rule isn't defined."""
    x, weights = -draw(rng, 4), draw(rng, 4)
    slope = submission.apply_rule.used_by(weighted).grad(argnums=2)
    for place in range(3):
        rules = [root, root, root]
        rules[place] = square
        right = 2 * x.astype(np.float64) * weights
        assert_close(slope(np.int32(place), rules, x, weights), right)
