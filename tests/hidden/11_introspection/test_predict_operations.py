"""predict_operations(): twelve predictions, compared with programs that are traced in the test.

The answer is a list of ints, so no program of a student's is judged. A report names the case that
is wrong, and not the right number.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import case

FLAG = True


def is_unused(x):
    jnp.sin(x)
    return jnp.cos(x)


def in_python(x):
    for _ in range(5):
        x = jnp.sin(x)
    return x


def in_program(x):
    return jax.lax.fori_loop(0, 5, lambda _, carried: jnp.sin(carried), x)


def negated(x):
    return jnp.sin(-x)


CASES = {
    0: lambda x: jnp.sin(x) + jnp.sin(x),
    1: is_unused,
    2: in_python,
    3: in_program,
    4: lambda x: jax.vmap(jnp.sin)(x * jnp.ones(100)),
    5: lambda x: np.sin(2.0) * x,
    6: lambda x: jnp.sin(2.0) * x,
    7: lambda x: jnp.sin(x) if FLAG else jnp.sin(-x),
    8: lambda x: jnp.where(x > 0, jnp.sin(x), jnp.sin(-x)),
    9: lambda x: jax.lax.cond(x > 0, jnp.sin, negated, x),
    10: jax.grad(in_python),
    11: jax.grad(in_program),
}

HINTS = {
    0: "How many calls does JAX see? Does it compare them?",
    1: "Did the call happen? Does JAX know here that nobody needs it?",
    2: "Who runs this loop, and how many calls does JAX see?",
    3: "How often is the function of the loop traced?",
    4: "How many operations does it take to compute many sines at once?",
    5: "Which library computes this sine, and when?",
    6: "Which library computes this sine, and when?",
    7: "Which sides does Python run, if `flag` is True?",
    8: "What is computed before `where` is called?",
    9: "Can the program know, before it runs, which branch it needs?",
    10: "How many sines does the function have? Each of them has a derivative.",
    11: "Is the derivative of a loop written out, or a loop as well?",
}


def equations(program):
    for eqn in program.eqns:
        yield eqn.primitive.name
        for value in eqn.params.values():
            for inner in value if isinstance(value, list | tuple) else [value]:
                if hasattr(inner, "eqns"):
                    yield from equations(inner)


def check(submission, *numbers):
    predicted = submission.predict_operations()
    for number in numbers:
        with case(f"in case {number}", hint=HINTS[number]):
            names = equations(jax.make_jaxpr(CASES[number])(jnp.float32(1)))
            right = predicted[number] == list(names).count("sin" if number < 10 else "cos")
            assert right, "The program has more of these equations or fewer than you predict."


@pytest.mark.words
@pytest.mark.hint("Return a list with one int per case, from case 0 to case 11.")
def test_there_is_a_number_for_each_case(submission):
    """The result is a list of twelve ints, none of which is negative."""
    predicted = submission.predict_operations()
    assert type(predicted) is list and len(predicted) == len(CASES), "It is no list of twelve."
    ints = all(type(number) is int and number >= 0 for number in predicted)
    assert ints, "An entry of the list is no Python int, or is negative."


@pytest.mark.words
@pytest.mark.points(2)
def test_each_call_is_recorded(submission):
    """Cases 0 and 1: one call comes twice, and one result is not used."""
    check(submission, 0, 1)


@pytest.mark.words
@pytest.mark.points(3)
def test_loops(submission):
    """Cases 2 to 4: many sines by a Python loop, a loop of the program, or vmap."""
    check(submission, 2, 3, 4)


@pytest.mark.words
def test_constants(submission):
    """Cases 5 and 6: the sine of a number that is known."""
    check(submission, 5, 6)


@pytest.mark.words
@pytest.mark.points(2)
def test_choices(submission):
    """Cases 7 to 9: Python, an operation or the program chooses between two sines."""
    check(submission, 7, 8, 9)


@pytest.mark.words
def test_derivatives_of_loops(submission):
    """Cases 10 and 11: both loops are differentiated."""
    check(submission, 10, 11)
