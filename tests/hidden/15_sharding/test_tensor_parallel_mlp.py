"""tensor_parallel_mlp(params, x, mesh): values, and what the devices exchange for them.

Sums cancel, so tolerances are relative to sums without signs.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import Callback, assert_close

WIDE = ("data", "model"), (1, 8)


def ask(network, axes, params, x):
    """The output on a mesh of these axes."""
    names, sizes = axes
    kinds = (jax.sharding.AxisType.Auto,) * 2
    devices = jax.devices()[: sizes[0] * sizes[1]]
    return network(params, x, jax.make_mesh(sizes, names, axis_types=kinds, devices=devices))


def on_last_devices(network, tell, sizes, params, x):
    """The output on a mesh of the last devices, in reverse. Tells which rows each of them has."""
    kinds = (jax.sharding.AxisType.Auto,) * 2
    used = jax.devices()[::-1][: sizes[0] * sizes[1]]
    mesh = jax.make_mesh(sizes, ("data", "model"), axis_types=kinds, devices=used)
    found = network(params, x, mesh)
    places = found.sharding.devices_indices_map(found.shape)
    tell([list(places[device][0].indices(len(x))[:2]) for device in used if device in places])
    return found


def program(submission, axes, params, x):
    return submission.tensor_parallel_mlp.used_by(ask).program(axes, params, x)


def draw(rng, n=4, d=5, h=16, k=3, size=1.0):
    """Parameters and examples; about half of the hidden layer is below 0."""
    shapes = {"w1": (d, h), "b1": (h,), "w2": (h, k), "b2": (k,)}
    params = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    params["b1"] *= size
    params["b2"] += rng.choice([-3, 3])
    params["b2"] *= size
    x = size * rng.normal(size=(n, d))
    return {name: value.astype(np.float32) for name, value in params.items()}, x.astype(np.float32)


def wide(params, x):
    return {name: value.astype(np.float64) for name, value in params.items()}, x.astype(np.float64)


def forward(params, x):
    """In float64: the hidden layer and the output."""
    p, x = wide(params, x)
    hidden = np.maximum(x @ p["w1"] + p["b1"], 0)
    return hidden, hidden @ p["w2"] + p["b2"]


def check(found, params, x):
    """Rounding errors are relative to the sums of sizes."""
    _, expected = forward(params, x)
    sizes, _ = forward({name: abs(value) for name, value in params.items()}, abs(x))
    assert_close(found, expected, atol=4e-6 * (sizes @ abs(params["w2"])).max())


@pytest.mark.points(2)
@pytest.mark.hint("How often is b2 added? And is the relu taken before the sum or after it?")
def test_the_output_is_that_of_the_whole_network(submission, rng):
    """On eight devices the values are those of one device, for numbers of any size."""
    for size in (1e-20, 1.0, 1e20):
        params, x = draw(rng, size=size)
        check(program(submission, WIDE, params, x)(params, x), params, x)
    # Every axis of length one that may have it, and a large hidden layer.
    for shape in ((1, 1, 8, 1), (2, 3, 520, 2)):
        params, x = draw(rng, *shape)
        check(program(submission, WIDE, params, x)(params, x), params, x)
    # What isn't finite is not hidden, and all of these numbers are exact in half precision.
    for dtype in (np.float32, np.float16, jnp.bfloat16):
        params = {name: rng.integers(1, 3, size=value.shape) for name, value in params.items()}
        params = {name: value.astype(dtype) for name, value in params.items()}
        params["w1"], params["w2"] = params["w1"][:, :8], params["w2"][:8]
        params["b1"], x = params["b1"][:8], rng.integers(-2, 2, size=(3, 3)).astype(dtype)
        x[1, 0] = -np.inf
        expected = forward(params, x)[1]
        params["b2"][1], expected[:, 1] = np.nan, np.nan
        x[2, 0], expected[2, 0] = np.inf, np.inf
        found = program(submission, WIDE, params, x)(params, x)
        assert_close(found, expected.astype(dtype), nonfinite=True)
        params["b2"][0], expected[:, 0] = np.inf, np.inf
        found = program(submission, WIDE, params, x)(params, x)
        assert_close(found, expected.astype(dtype), nonfinite=True)


@pytest.mark.points(3)
@pytest.mark.hint("If a device has some columns of w1, which part of w2 does it need for them?")
def test_one_sum_is_all_that_is_exchanged(submission, rng):
    """On eight devices along "model", the only collective is one all-reduce."""
    params, x = draw(rng, 6, 8, 64, 16)
    found = program(submission, WIDE, params, x)
    check(found(params, x), params, x)
    assert found.collectives == {"all_reduce": 1}
    assert found.shards == ((((0, 6), (0, 16)),) * 8,)


@pytest.mark.points(2)
@pytest.mark.hint("Over which axis of the mesh is the sum, and which one cuts the examples?")
def test_both_axes_of_the_mesh_are_used(submission, rng):
    """With examples cut over "data", there is still one all-reduce, over "model" only."""
    params, x = draw(rng, 8, 8, 32, 16)
    for names, sizes, parts in (
        (("data", "model"), (2, 4), np.repeat([0, 1], 4)),
        (("model", "data"), (2, 4), np.tile([0, 1, 2, 3], 2)),
    ):
        found = program(submission, (names, sizes), params, x)
        check(found(params, x), params, x)
        assert found.collectives == {"all_reduce": 1}
        rows = 8 // (max(parts) + 1)
        held = tuple(((part * rows, (part + 1) * rows), (0, 16)) for part in parts)
        assert found.shards == (held,)
    # Fewer devices, or nothing to cut.
    for sizes in ((2, 2), (8, 1), (1, 1)):
        found = program(submission, (("data", "model"), sizes), params, x)
        check(found(params, x), params, x)
        assert found.devices == sizes[0] * sizes[1]
    told = []
    used = submission.tensor_parallel_mlp.used_by(on_last_devices).observed()
    found = used(Callback(told.append), (2, 2), params, x)
    check(found, params, x)
    assert told == [[[0, 4], [0, 4], [4, 8], [4, 8]]]


@pytest.mark.hint("How many columns of the hidden layer does one device compute?")
def test_each_device_does_its_share_of_the_work(submission, rng):
    """Each device does an eighth of the products, with its own columns of w1."""
    n, d, h, k = 32, 24, 160, 16
    params, x = draw(rng, n, d, h, k)
    other = params["w1"].copy()
    other[:, rng.integers(h)] *= 2
    other = params | {"w1": other}
    products = 2 * n * h * (d + k) // 8
    for sizes in ((1, 8), (2, 4), (8, 1)):
        found = program(submission, (("data", "model"), sizes), params, x)
        check(found(params, x), params, x)
        rows = n // sizes[0]
        held = np.arange(8) // sizes[1] * rows
        assert found.shards == (tuple(((start, start + rows), (0, k)) for start in held),)
        # Beside the products: the relu, the biases and the sum.
        assert found.flops_of_a_device < 1.5 * products
        assert 0 < found.users((params, x), (other, x)) <= sizes[0]


def weighted(network, axes, params, x, weights):
    return (ask(network, axes, params, x) * weights).sum()


@pytest.mark.points(2)
@pytest.mark.hint("Does every parameter have a gradient, and is none of them added too often?")
def test_gradients_are_those_of_the_whole_network(submission, rng):
    """The gradients in all parameters and in x are those of one device."""
    params, x = draw(rng, 4, 5, 16, 3)
    for value in (x, *params.values()):
        value.flat[0] = 0
    weights = rng.normal(size=(4, 3)).astype(np.float32)
    p, wide_x = wide(params, x)
    hidden, _ = forward(params, x)
    slope = (weights @ p["w2"].T) * (hidden > 0)
    expected = {
        "w1": wide_x.T @ slope,
        "b1": slope.sum(axis=0),
        "w2": hidden.T @ weights,
        "b2": weights.sum(axis=0, dtype=np.float64),
    }
    gradients = submission.tensor_parallel_mlp.used_by(weighted).grad(argnums=(1, 2))
    for axes in (WIDE, (("model", "data"), (2, 4))):
        found = gradients(axes, params, x, weights)
        assert_close(found, (expected, slope @ p["w1"].T), atol=1e-4)
