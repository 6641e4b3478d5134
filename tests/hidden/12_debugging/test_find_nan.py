"""find_nan(step, state, xs): the first step whose result holds a NaN, and the state before it.

The state of `poisoned` has three leaves. Its x says which leaf gets a NaN in this step; a NaN
doesn't stay, so only a program that looks at every step finds the first.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.tree_util import Partial

from grader.suite import assert_close

LEAVES = ("a", "b", "c")


def poisoned(state, x):
    """Adds to each leaf; in leaf number `x["leaf"]` the last element becomes NaN or infinite."""
    numbers, count = state
    # A NaN that stays inside of the step is none of the result.
    zeros = jnp.nan_to_num(jnp.sqrt(1 - x["add"]))
    new = {}
    for number, name in reversed(list(enumerate(LEAVES))):
        # A step that gets a NaN replaces it.
        old = jnp.nan_to_num(numbers[name], posinf=0.0, neginf=0.0)
        value = (old + x["add"][number] + zeros[number]).astype(old.dtype)
        bad = jnp.where(x["leaf"] == number, x["bad"], value[..., -1].astype(jnp.float32))
        new[name] = value.at[..., -1].set(bad.astype(old.dtype))
    return new, count + 1


def draw(rng, steps, bad_at=(), infinite_at=()):
    """A state, and the x of each step; the steps `bad_at` give NaN in one leaf."""
    numbers = {
        "a": rng.normal(size=3).astype(np.float32),
        "b": np.float32(rng.normal(size=(1, 4))),
        "c": rng.normal(size=(2, 5)).astype(jnp.bfloat16),
    }
    xs = {
        "leaf": np.full(steps, -1, np.int32),
        "add": rng.integers(1, 4, size=(steps, len(LEAVES), 1)).astype(np.float32),
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


def turned(state, x):
    """The sign changes if x is 3, and not if x is 0."""
    return state * jnp.sign(jnp.cos(x))


def search_poisoned(find_nan, state, xs):
    """With a state of a kind that only JAX knows."""

    def step(state, x):
        return Partial(min, *poisoned(state.args, x))

    t, before = find_nan(step, Partial(min, *state), xs)
    return t, before.args


@pytest.mark.hint("The state before the bad step is the one that was good.")
def test_the_first_nan_is_found(submission, rng):
    """The number is that of the first NaN, and the state is the one that went into that step."""
    for place in (0, 2, 5):
        xs = np.float32(rng.uniform(1, 4, size=6))
        xs[place] = 0
        state = np.zeros(3, np.float32)
        found = submission.find_nan(divided, state, xs)
        assert_close(found, (np.asarray(place), state))
    # The second step of two that are bad by themselves.
    state = np.float32(6)
    xs = np.float32([0.5, np.nan, 4, np.nan])
    assert_close(submission.find_nan(divided, state, xs), (np.asarray(1), 2 * state))


@pytest.mark.hint("What do you return where nothing was found? A 0 would name the first step.")
def test_there_may_be_none(submission, rng):
    """Without a NaN the number is -1, and the state is the last one."""
    for steps in (1, 4, 300):
        state, xs = draw(rng, steps)
        check(submission.find_nan(poisoned, state, xs), state, xs)
    state, xs = draw(rng, 1, [0])
    check(submission.find_nan(poisoned, state, xs), state, xs)


@pytest.mark.points(3)
@pytest.mark.hint("A NaN may be in any leaf, and be gone after one step. Did you see every state?")
def test_a_nan_that_goes_away_is_found(submission, rng):
    """Under `jit`, one program finds the first of several NaN, in any leaf, wherever it is."""
    steps = 270
    state, xs = draw(rng, steps)
    program = submission.find_nan.program(poisoned, state, xs)
    # A loop that is written out takes a minute to compile.
    assert program.size < 2 * steps
    early, late = int(rng.integers(1, 20)), int(rng.integers(257, steps - 2))
    for bad_at in ([early, early + 1, late], [late], [], [0, steps - 1], [steps - 1]):
        state, xs = draw(rng, steps, bad_at)
        check(program.structured(poisoned, state, xs), state, xs)
    for leaf in range(3):
        state, xs = draw(rng, steps, [early])
        xs["leaf"][early] = leaf
        check(program.structured(poisoned, state, xs), state, xs)


@pytest.mark.hint("Is everything that isn't finite a NaN?")
def test_infinity_is_not_nan(submission, rng):
    """An infinite element is no NaN, and neither are tiny and huge ones."""
    for bad_at in ([], [5]):
        state, xs = draw(rng, 9, bad_at, [0, 2, 7])
        check(submission.find_nan(poisoned, state, xs), state, xs)
    state = np.float32([np.inf, -np.inf, 1e-30, 1e30, -0.0, 0])
    xs = np.float32([2, -4, 1])
    found = submission.find_nan(divided, state, xs)
    assert_close(found, (np.asarray(-1), state / -8), rtol=1e-6, nonfinite=True)
    small = rng.uniform(1, 2, size=(2, 4)).astype(np.float32)
    found = submission.find_nan(divided, small * np.float32(1e-30), small[0] * np.float32(1e-9))
    last = small * 1e-30 / np.prod(small[0] * 1e-9, dtype=np.float64)
    assert_close(found, (np.asarray(-1), last), rtol=1e-5)
    # Infinity divided by infinity.
    xs[1] = np.inf
    found = submission.find_nan(divided, state, xs)
    assert_close(found, (np.asarray(1), state / 2), nonfinite=True)


@pytest.mark.points(2)
@pytest.mark.hint("Which loop holds its step once? And what do you need of the states before?")
def test_the_program_is_small(submission, rng):
    """The step is in the program once for a thousand steps, and no table holds all states."""
    # A byte counts 65536 NaN as 0, and so do two.
    lengths, blanks = (8, 1100), (np.zeros(65536, np.float32), np.zeros(400, np.float32))
    short, long = (
        submission.find_nan.program(turned, blank, np.zeros(steps, np.float32))
        for blank, steps in zip(blanks, lengths, strict=True)
    )
    assert long.size <= 2 * short.size
    assert long.size < 256
    assert long.largest_intermediate < 100 * blanks[1].size
    assert {program.operations.get("stablehlo.cosine") for program in (short, long)} == {1}
    for program, blank, steps in zip((short, long), blanks, lengths, strict=True):
        state = rng.uniform(1, 2, size=blank.size).astype(np.float32)
        bad = steps - steps // 16 - 1
        turns = rng.random(steps) < 0.5
        turns[0] ^= turns[:bad].sum() % 2 == 0
        xs = np.where(turns, 3, 0).astype(np.float32)
        xs[bad] = np.nan
        assert_close(program(state, xs), [np.asarray(bad), -state])


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


@pytest.mark.hint("A leaf keeps its dtype, and integers and booleans hold no NaN.")
def test_any_tree_is_kept(submission, rng):
    """Trees of any kind are kept, also those with empty leaves, and those without floats."""

    def step(state, x):
        (half, flag), whole, nothing, empty = state
        return [(half * x.astype(half.dtype), ~flag), whole + 1, nothing, empty]

    half = np.float16(rng.integers(1, 9, size=(3, 2)))
    whole = rng.integers(2**26, 2**30, size=2).astype(np.int32)
    state = [(half, np.array([True, False])), whole, None, np.zeros((0, 2), np.float32)]
    expected = [(half * np.float16(8), state[0][1]), whole + np.int32(2), None, state[3]]
    for dtype in (np.float32, np.float16, jnp.bfloat16):
        found = submission.find_nan(step, state, np.array([2, 4, np.nan, 2], dtype))
        assert_close(found, (np.asarray(2), expected), rtol=0, atol=0)

    def count(state, x):
        return {"count": state["count"] + x, "flag": ~state["flag"], "small": -state["small"]}

    small = np.arange(-9, 9, dtype=np.int8)
    state = {"count": whole[0], "flag": np.array([True, False]), "small": small}
    last = {"count": whole[0] + np.int32(6), "flag": ~state["flag"], "small": -small}
    found = submission.find_nan(count, state, np.array([1, 2, 3], np.int32))
    assert_close(found, (np.asarray(-1), last))
