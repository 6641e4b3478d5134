"""expert_exchange(x, w, mesh): values, and what travels between the devices."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import PartitionSpec as P

from grader.suite import assert_close, case


def ask(exchange, x, w):
    """The results on a mesh of as many devices as x has parts: the last ones, in reverse."""
    kinds, devices = (jax.sharding.AxisType.Auto,), jax.devices()[::-1][: len(x)]
    mesh = jax.make_mesh((len(x),), ("expert",), axis_types=kinds, devices=devices)
    return exchange(x, w, mesh)


def program(submission, x, w):
    found = submission.expert_exchange.used_by(ask).program(x, w)
    return found.given({"expert": len(x)}, P("expert"), P("expert"))


def draw(rng, n=8, experts=8, slots=3, d=4, h=5):
    shapes = (n, experts, slots, d), (experts, d, h)
    return [rng.normal(size=shape).astype(np.float32) for shape in shapes]


def right(x, w):
    return np.einsum("iecd,edh->iech", np.float64(x), np.float64(w))


def check(found, x, w):
    assert_close(found, right(x, w), atol=5e-5)


@pytest.mark.points(2)
@pytest.mark.hint("Which slots does each device have after the first exchange, and in which order?")
def test_each_token_meets_its_expert(submission, rng):
    """On eight devices with one expert each, each token is multiplied by its expert's matrix."""
    for slots, d, h in ((3, 4, 5), (2, 6, 3)):
        x, w = draw(rng, 8, 8, slots, d, h)
        check(program(submission, x, w)(x, w), x, w)


@pytest.mark.points(4)
@pytest.mark.hint("Which device needs which tokens? Does any device need the same as all others?")
def test_only_all_to_all_is_used(submission, rng):
    """There are two all-to-all and no other collective, and each device has its results."""
    x, w = draw(rng, 8, 16, 2, 30, 30)
    found = program(submission, x, w)
    check(found(x, w), x, w)
    assert found.collectives == {"all_to_all": 2}, f"The exchanges are {found.collectives}"
    assert found.shards == (tuple(((i, i + 1), (0, 16), (0, 2), (0, 30)) for i in range(8)),)
    # The tokens come and the results do. All matrices have 7.5 times as many numbers.
    assert found.received_by_a_device < 4 * x[0].nbytes, "More than the tokens travels."


@pytest.mark.hint("By how many matrices does a device multiply?")
def test_each_device_multiplies_by_its_own_matrices(submission, rng):
    """A device does an eighth of the products."""
    x, w = draw(rng, 8, 16, 6, 12, 10)
    found = program(submission, x, w)
    check(found(x, w), x, w)
    assert found.flops_of_a_device < 1.3 * 2 * x.size * 10 / 8


@pytest.mark.hint("Are the numbers of devices and experts hard-coded?")
def test_meshes_of_any_size(submission, rng):
    """On two, three and four devices, with one or several experts for each, the values are right.

    Each of them has one part of the result.
    """
    for n, experts in ((2, 2), (3, 6), (4, 12)):
        x, w = draw(rng, n, experts)
        found = program(submission, x, w)
        check(found(x, w), x, w)
        assert found.collectives == {"all_to_all": 2}, f"The exchanges are {found.collectives}"


def weighted(exchange, x, w, factors):
    return (ask(exchange, x, w) * factors).sum()


@pytest.mark.hint("Does each token and each matrix affect the results?")
def test_gradients_travel_back(submission, rng):
    """The gradients with respect to the tokens and the matrices are those of one device."""
    x, w = draw(rng, 8, 16, 2, 3, 4)
    factors = rng.normal(size=(8, 16, 2, 4)).astype(np.float32)
    wide = np.float64(factors)
    expected = np.einsum("iech,edh->iecd", wide, w), np.einsum("iecd,iech->edh", x, wide)
    found = submission.expert_exchange.used_by(weighted).grad(argnums=(0, 1))(x, w, factors)
    assert_close(found, expected, atol=1e-4)


def test_details(submission, rng):
    """It works for several experts on a device, sizes of 1, one device, and half precision."""
    run = submission.expert_exchange.used_by(ask)
    with case("for several experts on a device", hint="Which slots belong to the same expert?"):
        x, w = draw(rng, 8, 24, 2)
        check(run(x, w), x, w)
    for slots, d, h in ((1, 3, 2), (2, 1, 3), (2, 3, 1)):
        with case("for sizes of 1", hint="Does one of your operations drop axes of length 1?"):
            x, w = draw(rng, 8, 8, slots, d, h)
            check(run(x, w), x, w)
    with case("on one device", hint="Nothing has to be sent there."):
        x, w = draw(rng, 1, 4)
        check(run(x, w), x, w)
    with case("in half precision", hint="Which dtypes do the matrices and the results have?"):
        # All of these sums are exact.
        x, w = (np.sign(part).astype(jnp.bfloat16) for part in draw(rng))
        assert_close(run(x, w), right(x, w).astype(jnp.bfloat16))
