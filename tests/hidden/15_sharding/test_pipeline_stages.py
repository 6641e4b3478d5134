"""pipeline_stages(stage, params, x, mesh): values, and how often each device computes its stage."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import PartitionSpec as P

from grader.suite import assert_close, case


def dense(p, h):
    """A layer."""
    return jnp.tanh(h @ p["w"] + p["b"])


def unit(p, h):
    """Scaled to a length of 1. For zeros it is NaN."""
    return p * h / jnp.sqrt(jnp.sum(h**2))


def ask(pipeline, devices, stage, params, x):
    """The results on a mesh of so many devices: the last ones, in reverse."""
    kinds, used = (jax.sharding.AxisType.Auto,), jax.devices()[::-1][:devices]
    mesh = jax.make_mesh((devices,), ("stage",), axis_types=kinds, devices=used)
    return pipeline(stage, params, x, mesh)


def program(submission, devices, stage, params, x):
    found = submission.pipeline_stages.used_by(ask).program(devices, stage, params, x)
    return found.given({"stage": devices}, *[P("stage")] * len(params))


def draw(rng, stages=4, micro=6, rows=2, d=5):
    params = {"w": rng.normal(size=(stages, d, d)), "b": rng.normal(size=(stages, d))}
    return jax.tree.map(np.float32, (params, rng.normal(size=(micro, rows, d))))


def states(params, x):
    """In float64: what goes into each stage, and what comes out of the last one."""
    params, found = jax.tree.map(np.float64, params), [np.float64(x)]
    for w, b in zip(params["w"], params["b"], strict=True):
        found.append(np.tanh(found[-1] @ w + b))
    return found


def check(found, params, x):
    assert_close(found, states(params, x)[-1], atol=5e-5)


@pytest.mark.hint(
    "Which microbatch does device i have in tick t? When does the last device finish it?"
)
def test_each_microbatch_goes_through_all_stages(submission, rng):
    """On four devices, each microbatch has gone through all stages, in their order."""
    for micro, rows in ((6, 2), (9, 1)):
        params, x = draw(rng, 4, micro, rows)
        check(program(submission, 4, dense, params, x)(params, x), params, x)


@pytest.mark.points(4)
@pytest.mark.hint("How many stages does a device compute, and for how many microbatches each?")
def test_the_devices_work_at_the_same_time(submission, rng):
    """A device computes its stage for one microbatch at most M + n - 1 times."""
    micro, rows, d = 12, 8, 32
    params, x = draw(rng, 4, micro, rows, d)
    params["w"] /= np.float32(4)
    found = program(submission, 4, dense, params, x)
    check(found(params, x), params, x)
    # The products, and everything else for each element: the bias, tanh and masks.
    once = 2 * rows * d * d + 16 * rows * d
    assert found.flops_of_a_device < (micro + 4 - 1) * once


@pytest.mark.points(2)
@pytest.mark.hint(
    "What does a device send to the next one, and does anything else have to leave a device?"
)
def test_results_travel_and_no_parameters(submission, rng):
    """The devices send by permutations, and there is at most one other collective."""
    params, x = draw(rng, 4, 6, 1, 64)
    params["w"] /= np.float32(8)
    found = program(submission, 4, dense, params, x)
    check(found(params, x), params, x)
    # Right answers get up to 8448 bytes, and the parameters of three stages have 49920.
    assert found.received_by_a_device < 20_000, "More than microbatches and results travels."
    assert "collective_permute" in found.collectives, f"The exchanges are {found.collectives}"
    others = {name: n for name, n in found.collectives.items() if name != "collective_permute"}
    assert sum(others.values()) <= 1, f"The exchanges are {found.collectives}"


@pytest.mark.hint("A Python loop puts a copy of the stage into the program for each tick.")
def test_the_program_does_not_grow(submission, rng):
    """The program for 300 microbatches has fewer operations than microbatches."""
    params, x = draw(rng, 4, 300)
    found = program(submission, 4, dense, params, x)
    assert found.size < 300
    check(found(params, x), params, x)


def weighted(pipeline, devices, params, x, factors):
    return (ask(pipeline, devices, dense, params, x) * factors).sum()


@pytest.mark.hint("Is each result added once, or once on each device?")
def test_gradients_go_back_through_all_stages(submission, rng):
    """The gradients in the parameters of each stage and in x are those of one device."""
    params, x = draw(rng)
    factors = rng.normal(size=x.shape).astype(np.float32)
    found = submission.pipeline_stages.used_by(weighted).grad(argnums=(1, 2))
    inputs, slope = states(params, x), np.float64(factors)
    of_w, of_b = [], []
    for i in (3, 2, 1, 0):
        slope = slope * (1 - inputs[i + 1] ** 2)
        of_w.append(np.einsum("mrd,mre->de", inputs[i], slope))
        of_b.append(slope.sum(axis=(0, 1)))
        slope = slope @ np.float64(params["w"][i]).T
    expected = {"w": np.stack(of_w[::-1]), "b": np.stack(of_b[::-1])}
    assert_close(found(4, params, x, factors), (expected, slope), atol=3e-4)


def test_details(submission, rng):
    """It works for few microbatches, other meshes, and a stage that returns NaN for zeros."""
    run = submission.pipeline_stages.used_by(ask)
    for micro in (1, 2):
        with case("for fewer microbatches than stages", hint="What is x[t] if t is M or more?"):
            params, x = draw(rng, 4, micro)
            check(run(4, dense, params, x), params, x)
    for devices in (1, 2, 3):
        with case(f"for a mesh of {devices}", hint="Get the number of stages from the mesh."):
            params, x = draw(rng, devices, 3)
            found = program(submission, devices, dense, params, x)
            check(found(params, x), params, x)
    with case(
        "where a stage returns NaN for zeros", hint="NaN times 0 is NaN. What does `where` do?"
    ):
        scales = rng.uniform(1, 2, size=(4, 1)).astype(np.float32)
        x = rng.normal(size=(5, 3)).astype(np.float32)
        wide = np.float64(x)
        expected = scales[-1] * wide / np.linalg.norm(wide, axis=1, keepdims=True)
        assert_close(run(4, unit, scales, x), expected, atol=1e-5)
