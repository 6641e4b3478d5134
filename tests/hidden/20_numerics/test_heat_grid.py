"""heat_grid(u, rate, steps, mesh): values on meshes of all forms, and what travels."""

import jax
import numpy as np
import pytest
from jax.sharding import PartitionSpec as P

from grader.suite import assert_close, case


def ask(heat_grid, sizes, u, rate, steps):
    """The grid on a mesh of these sizes: the last devices, in reverse."""
    kinds = (jax.sharding.AxisType.Auto,) * 2
    used = jax.devices()[::-1][: sizes[0] * sizes[1]]
    mesh = jax.make_mesh(sizes, ("y", "x"), axis_types=kinds, devices=used)
    return heat_grid(u, rate, steps, mesh)


def draw(rng, *shape):
    return rng.uniform(-10, 10, size=shape).astype(np.float32)


def steps_of(u, rate, steps):
    """The formula in float64."""
    u, rate = u.astype(np.float64), np.float64(rate)
    for _ in range(steps):
        wide = np.pad(u, 1)
        around = wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:]
        u = u + rate * (around - 4 * u)
    return u


def check(found, u, rate, steps):
    assert_close(found, steps_of(u, rate, steps), atol=2e-4, nonfinite=True)


def on_a_grid(program):
    """Each device gets its part of the grid, and nothing else of it."""
    return program.given({"y": 4, "x": 2}, P("y", "x"))


RATE = np.float32(0.2)


@pytest.mark.hint("Which edge comes from which side? And is it from this step or an old one?")
def test_the_temperatures_follow_the_formula(submission, rng):
    """On eight devices, the temperatures are those of the formula, at all edges."""
    run = submission.heat_grid.used_by(ask)
    u = draw(rng, 8, 12)
    for sizes, rate, steps in (((4, 2), RATE, 1), ((4, 2), RATE, 9), ((4, 2), 0.125, 3)):
        check(run(sizes, u, rate, steps), u, rate, steps)


@pytest.mark.points(3)
@pytest.mark.hint("Does a device need the whole grid, or four edges of its neighbours?")
def test_only_neighbours_exchange_edges(submission, rng):
    """The only collectives are permutations, and each device holds its part of the result."""
    u = draw(rng, 16, 24)
    program = on_a_grid(submission.heat_grid.used_by(ask).program((4, 2), u, RATE, 3))
    check(program(u, RATE), u, RATE, 3)
    # The edges of three steps have 384 bytes, and the parts of all others 1344.
    assert program.received_by_a_device < 700, "A device gets more than edges."
    assert set(program.collectives) == {"collective_permute"}, (
        f"The devices exchange by {sorted(program.collectives)}"
    )
    parts = [((4 * i, 4 * i + 4), (12 * j, 12 * j + 12)) for i in range(4) for j in range(2)]
    assert program.shards == (tuple(parts),)


@pytest.mark.hint("A Python loop puts a copy of a step into the program. Which loop doesn't?")
def test_the_program_does_not_grow(submission, rng):
    """The program for 250 steps has fewer operations than steps."""
    u = draw(rng, 8, 12)
    slow = np.float32(RATE / 50)  # so that not all heat is gone
    program = submission.heat_grid.used_by(ask).program((4, 2), u, slow, 250)
    assert program.size < 250
    check(program(u, slow), u, slow, 250)


@pytest.mark.points(2)
@pytest.mark.hint("How many rows and columns of its part does a device send?")
def test_only_edges_travel(submission, rng):
    """In a step, a device sends at most a row or a column in each of four directions."""
    u = draw(rng, 8, 12)
    program = on_a_grid(submission.heat_grid.used_by(ask).program((4, 2), u, RATE, 3))
    check(program(u, RATE), u, RATE, 3)
    # A part is [2, 6], of four bytes a number.
    assert program.sent_by_a_device <= 4 * 3 * (2 * 2 + 2 * 6)
    assert program.received_by_a_device <= 4 * 3 * (2 * 2 + 2 * 6)


@pytest.mark.hint("Is the number of devices or the size of a part hard-coded?")
def test_meshes_of_other_sizes(submission, rng):
    """Meshes of one, three and six devices have the same temperatures."""
    for sizes, shape in (((1, 1), (4, 5)), ((3, 1), (6, 5)), ((2, 3), (4, 9))):
        u = draw(rng, *shape)
        program = submission.heat_grid.used_by(ask).program(sizes, u, RATE, 3)
        check(program(u, RATE), u, RATE, 3)
        assert program.devices == sizes[0] * sizes[1]


def weighted(heat_grid, u, rate, weights):
    return (ask(heat_grid, (4, 2), u, rate, 4) * weights).sum()


@pytest.mark.hint("Does JAX know your loop's number of rounds while it traces?")
def test_gradients_travel_back(submission, rng):
    """The gradient is that of the formula."""
    u, weights = draw(rng, 8, 12), draw(rng, 8, 12)
    found = submission.heat_grid.used_by(weighted).grad().jit()(u, RATE, weights)
    # What a point gives to another one, it also gets from it.
    check(found, weights, RATE, 4)


def test_details(submission, rng):
    """It works without a step, where a part is one number, and where the grid has NaN."""
    run = submission.heat_grid.used_by(ask)
    with case("without a step", hint="What does your loop do in 0 rounds?"):
        u = draw(rng, 4, 4)
        check(run((4, 2), u, RATE, 0), u, RATE, 0)
    with case("where a part is one number", hint="Which row is first, and which is last?"):
        u = draw(rng, 4, 2)
        check(run((4, 2), u, RATE, 3), u, RATE, 3)
    with case("where the grid has NaN", hint="What is NaN times 0? How far does a NaN reach?"):
        u = draw(rng, 8, 12)
        u[0, 3] = u[5, 0] = u[7, 8] = np.nan
        check(run((4, 2), u, RATE, 1), u, RATE, 1)
