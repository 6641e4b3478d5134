"""tensor_parallel_mlp(params, x, mesh): values, and what the devices exchange for them."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import PartitionSpec as P

from grader.suite import assert_close, case

WIDE = ("data", "model"), (1, 8)


def ask(network, axes, params, x):
    """The output on a mesh of these axes."""
    names, sizes = axes
    kinds = (jax.sharding.AxisType.Auto,) * 2
    devices = jax.devices()[: sizes[0] * sizes[1]]
    return network(params, x, jax.make_mesh(sizes, names, axis_types=kinds, devices=devices))


def program(submission, axes, params, x):
    found = submission.tensor_parallel_mlp.used_by(ask).program(axes, params, x)
    # The biases are whole; the other leaves are w1, w2 and x.
    cut = P(), P(), P(None, "model"), P("model"), P("data")
    return found.given(dict(zip(*axes, strict=True)), *cut)


def draw(rng, n=4, d=5, h=16, k=3):
    """Parameters and examples; about half of the hidden layer is below 0."""
    shapes = {"w1": (d, h), "b1": (h,), "w2": (h, k), "b2": (k,)}
    params = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    params["b2"] += rng.choice([-3, 3])
    return jax.tree.map(np.float32, (params, rng.normal(size=(n, d))))


def forward(params, x):
    """In float64: the hidden layer and the output."""
    p = {name: value.astype(np.float64) for name, value in params.items()}
    hidden = np.maximum(x.astype(np.float64) @ p["w1"] + p["b1"], 0)
    return hidden, hidden @ p["w2"] + p["b2"]


def check(found, params, x):
    assert_close(found, forward(params, x)[1], atol=1e-3)


@pytest.mark.hint("How often is b2 added? And is the relu taken before the sum or after it?")
def test_the_output_is_that_of_the_whole_network(submission, rng):
    """On eight devices the values are those of one device."""
    for shape in ((4, 5, 16, 3), (2, 3, 48, 2)):
        params, x = draw(rng, *shape)
        check(submission.tensor_parallel_mlp.used_by(ask)(WIDE, params, x), params, x)


@pytest.mark.points(4)
@pytest.mark.hint("If a device has some columns of w1, which part of w2 does it need for them?")
def test_one_sum_is_all_that_is_exchanged(submission, rng):
    """On eight devices along "model", the only collective is one all-reduce."""
    params, x = draw(rng, 6, 8, 64, 16)
    found = program(submission, WIDE, params, x)
    check(found(params, x), params, x)
    assert found.collectives == {"all_reduce": 1}, f"The exchanges are {found.collectives}"
    assert found.shards == ((((0, 6), (0, 16)),) * 8,)
    # The output has 384 bytes, and the two matrices have 6144.
    assert found.received_by_a_device < 1000, "More than the output is added up."


@pytest.mark.hint("Over which axis of the mesh is the sum, and which one shards the examples?")
def test_both_axes_of_the_mesh_are_used(submission, rng):
    """With examples sharded over "data", there is still one all-reduce, over "model" only."""
    params, x = draw(rng, 8, 8, 32, 16)
    for names, parts in (
        (("data", "model"), np.repeat([0, 1], 4)),
        (("model", "data"), np.tile([0, 1, 2, 3], 2)),
    ):
        found = program(submission, (names, (2, 4)), params, x)
        check(found(params, x), params, x)
        assert found.collectives == {"all_reduce": 1}, f"The exchanges are {found.collectives}"
        rows = 8 // (max(parts) + 1)
        held = tuple(((part * rows, (part + 1) * rows), (0, 16)) for part in parts)
        assert found.shards == (held,)


@pytest.mark.points(2)
@pytest.mark.hint("How many columns of the hidden layer does one device compute?")
def test_each_device_does_its_share_of_the_work(submission, rng):
    """Each device does an eighth of the products, with its own columns of w1."""
    n, d, h, k = 32, 24, 160, 16
    params, x = draw(rng, n, d, h, k)
    for sizes in ((1, 8), (2, 4), (8, 1)):
        found = program(submission, (("data", "model"), sizes), params, x)
        check(found(params, x), params, x)
        # Beside the products: the relu, the biases and the sum.
        assert found.flops_of_a_device < 1.5 * 2 * n * h * (d + k) // 8


def weighted(network, axes, params, x, weights):
    return (ask(network, axes, params, x) * weights).sum()


@pytest.mark.hint("Does every parameter have a gradient, and is each added only once?")
def test_gradients_are_those_of_the_whole_network(submission, rng):
    """The gradients with respect to all parameters and x are those of one device."""
    params, x = draw(rng, 4, 5, 16, 3)
    weights = rng.normal(size=(4, 3)).astype(np.float32)
    hidden, _ = forward(params, x)
    slope = (weights @ params["w2"].astype(np.float64).T) * (hidden > 0)
    expected = {
        "w1": x.T @ slope,
        "b1": slope.sum(axis=0),
        "w2": hidden.T @ weights,
        "b2": weights.sum(axis=0, dtype=np.float64),
    }
    gradients = submission.tensor_parallel_mlp.used_by(weighted).grad(argnums=(1, 2))
    for axes in (WIDE, (("model", "data"), (2, 4))):
        found = gradients(axes, params, x, weights)
        assert_close(found, (expected, slope @ params["w1"].T), atol=1e-4)


def test_details(submission, rng):
    """It works on other meshes, and in half precision."""
    for sizes in ((8, 1), (1, 1), (2, 2)):
        with case(f"on a mesh of {sizes[0]} x {sizes[1]}", hint="Are the sizes hard-coded?"):
            params, x = draw(rng, 8)
            found = program(submission, (("data", "model"), sizes), params, x)
            check(found(params, x), params, x)
    with case("in half precision", hint="Which dtype do the biases and the sum have?"):
        # All of these numbers are exact.
        params, x = draw(rng, 4, 3, 8, 2)
        params, x = jax.tree.map(lambda v: np.sign(v).astype(jnp.bfloat16), (params, x))
        found = submission.tensor_parallel_mlp.used_by(ask)(WIDE, params, x)
        assert_close(found, forward(params, x)[1].astype(jnp.bfloat16))
