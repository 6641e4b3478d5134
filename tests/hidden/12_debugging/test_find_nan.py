"""find_nan(step, state, xs): the first step whose result holds a NaN, and the state before it.

The state of `poisoned` has three leaves. Its x says which leaf gets a NaN in this step; a NaN
doesn't stay, so only a program that looks at every step finds the first.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case

LEAVES = ("a", "b", "c")


def poisoned(state, x):
    """Adds to each leaf. In one leaf the last element becomes NaN or infinite, for one step."""
    numbers, count = state
    new = {}
    for number, name in enumerate(LEAVES):
        value = jnp.nan_to_num(numbers[name], posinf=0.0, neginf=0.0) + x["add"]
        bad = jnp.where(x["leaf"] == number, x["bad"], value[..., -1])
        new[name] = value.at[..., -1].set(bad)
    return new, count + 1


def draw(rng, steps, bad_at=(), infinite_at=()):
    """A state, and the x of each step; the steps `bad_at` give NaN in one leaf."""
    shapes = dict(zip(LEAVES, [(3,), (1, 4), (2, 5)], strict=True))
    numbers = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    xs = {
        "leaf": np.full(steps, -1, np.int32),
        "add": rng.integers(1, 4, size=(steps, 1)).astype(np.float32),
        "bad": np.full(steps, np.nan, np.float32),
    }
    for t in (*bad_at, *infinite_at):
        xs["leaf"][t] = rng.integers(1, 3)
    for t in infinite_at:
        xs["bad"][t] = rng.choice([-np.inf, np.inf])
    return (numbers, np.int32(rng.integers(9))), xs


@jax.jit
def one_step(state, x):
    return poisoned(state, x)


def searched(state, xs):
    """The same by a Python loop."""
    for t in range(len(xs["leaf"])):
        new = one_step(state, {name: leaf[t] for name, leaf in xs.items()})
        if any(np.isnan(np.asarray(leaf, np.float32)).any() for leaf in jax.tree.leaves(new)):
            return np.asarray(t), state
        state = new
    return np.asarray(-1), state


def check(found, state, xs):
    assert_close(found, searched(state, xs), nonfinite=True)


def divided(state, x):
    return state / x


def search_poisoned(find_nan, state, xs):
    return find_nan(poisoned, state, xs)


@pytest.mark.hint("The state before the bad step is the one that was good.")
def test_the_first_nan_is_found(submission, rng):
    """The number is that of the first NaN, and the state is the one that went into that step."""
    for place in (0, 2, 5):
        xs = np.float32(rng.uniform(1, 4, size=6))
        xs[place] = 0
        state = np.zeros(3, np.float32)
        found = submission.find_nan(divided, state, xs)
        assert_close(found, (np.asarray(place), state))
    # Two steps are bad by themselves, and the one between them is not.
    state, xs = draw(rng, 5, [1, 3])
    check(submission.find_nan(poisoned, state, xs), state, xs)


@pytest.mark.hint("What do you return where nothing was found? A 0 would name the first step.")
def test_there_may_be_none(submission, rng):
    """Without a NaN the number is -1, and the state is the last one."""
    for steps in (1, 4, 30):
        state, xs = draw(rng, steps)
        check(submission.find_nan(poisoned, state, xs), state, xs)


@pytest.mark.points(3)
@pytest.mark.hint("A NaN may be in any leaf, and be gone after one step. Did you see every state?")
def test_a_nan_that_goes_away_is_found(submission, rng):
    """Under `jit`, one program finds the first of several NaN, in any leaf."""
    state, xs = draw(rng, 30)
    program = submission.find_nan.program(poisoned, state, xs)
    for bad_at in ([7, 8, 21], [21], [], [0, 29], [29]):
        state, xs = draw(rng, 30, bad_at)
        check(program.structured(poisoned, state, xs), state, xs)
    for leaf in range(3):
        state, xs = draw(rng, 30, [11])
        xs["leaf"][11] = leaf
        check(program.structured(poisoned, state, xs), state, xs)


@pytest.mark.points(3)
@pytest.mark.hint("Which loop holds its step once? And what do you need of the states before?")
def test_the_program_is_small(submission, rng):
    """The program for 800 steps has fewer operations, and no table holds all states."""
    state, xs = rng.normal(size=400).astype(np.float32), np.ones(806, np.float32)
    xs[:700] = rng.choice([-1, 1], size=700)
    xs[4] = -np.prod(xs[:4])
    xs[[5, 700]] = np.nan
    program = submission.find_nan.program(divided, state, xs[:800])
    assert program.size < 800
    assert program.elements < 100 * 400
    assert_close(program(state, xs[:800]), [np.asarray(5), state * np.prod(xs[:5])])
    assert_close(program(state, xs[6:]), [np.asarray(694), state * np.prod(xs[6:700])])


@pytest.mark.hint("Under vmap, one example may be bad while the others go on.")
def test_each_of_a_batch_is_searched(submission, rng):
    """Under `vmap`, each example has its own number and its own state."""
    pairs = [draw(rng, 6, bad_at) for bad_at in ([3], [], [0, 4], [5])]
    states, xss = (
        jax.tree.map(lambda *leaves: np.stack(leaves), *parts) for parts in zip(*pairs, strict=True)
    )
    found = submission.find_nan.used_by(search_poisoned).vmap().jit()(states, xss)
    expected = [searched(*pair) for pair in pairs]
    expected = jax.tree.map(lambda *leaves: np.stack(leaves), *expected)
    assert_close(found, expected, nonfinite=True)


def test_details(submission, rng):
    """It works for infinities of both signs, leaves of several dtypes, and without floats."""
    infinity = "Is everything that isn't finite a NaN?"
    with case("where an element is infinite", hint=infinity):
        state, xs = draw(rng, 9, [5], [0, 2, 7])
        check(submission.find_nan(poisoned, state, xs), state, xs)
    with case("where two infinities have other signs", hint=infinity):
        state = np.float32([np.inf, -np.inf, 1])
        found = submission.find_nan(divided, state, np.float32([2, -4, 1]))
        assert_close(found, (np.asarray(-1), state / -8), nonfinite=True)

    def step(state, x):
        (half, flag), whole, empty = state
        return [(half * x.astype(half.dtype), ~flag), whole + 1, empty]

    half = np.float16(rng.integers(1, 9, size=(3, 2)))
    whole = rng.integers(2**26, 2**30, size=2).astype(np.int32)
    flag = np.array([True, False])
    with case("for leaves of several dtypes", hint="Which dtype does a leaf have afterwards?"):
        state = [(half, flag), whole, np.zeros((0, 2), np.float32)]
        expected = [(half * np.float16(8), flag), whole + np.int32(2), state[2]]
        found = submission.find_nan(step, state, np.float32([2, 4, np.nan, 2]))
        assert_close(found, (np.asarray(2), expected), rtol=0, atol=0)

    def count(state, x):
        return {"count": state["count"] + x, "flag": ~state["flag"]}

    with case("without floats", hint="Integers and booleans hold no NaN. Can you ask them?"):
        state = {"count": whole, "flag": flag}
        found = submission.find_nan(count, state, np.array([1, 2, 3], np.int32))
        assert_close(found, (np.asarray(-1), {"count": whole + np.int32(6), "flag": ~flag}))
