"""The arithmetic of one device is what the compiled program does, whatever it says of itself."""

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax import lax
from jax.experimental.xla_metadata import set_xla_metadata

from grader.engine.bench.compiled import DeviceWork, work_of

ROWS, COLUMNS = 64, 16
ALL = ROWS * COLUMNS


def work(function: Callable[..., Any]) -> DeviceWork:
    executable: Any = jax.jit(function).lower(jnp.ones((ROWS, COLUMNS))).compile()
    (module,) = executable.runtime_executable().hlo_modules()
    return work_of(module.as_serialized_hlo_module_proto())


def nested(x: jax.Array) -> jax.Array:
    """A loop over the rows, and five rounds for each."""

    def of_row(total: jax.Array, row: jax.Array) -> tuple[jax.Array, None]:
        return lax.fori_loop(0, 5, lambda _, y: y * row, total), None

    return lax.scan(of_row, x[0], x)[0]


@pytest.mark.parametrize(
    ("function", "flops"),
    [
        (lambda x: x, 0),
        (lambda x: x.T, 0),
        (lambda x: jnp.sin(x) * 2, 2 * ALL),
        (lambda x: x @ x.T, 2 * ROWS * ROWS * COLUMNS),
        (
            lambda x: jnp.einsum("bij,bjk->bik", *[x.reshape(4, 16, 16)] * 2),
            4 * 2 * 16 * 16 * 16,
        ),
        (lambda x: x.max(axis=1), ALL),
        (lambda x: jnp.fft.fft(x), 5 * ALL * 4),
        (lambda x: jax.ops.segment_sum(x, jnp.zeros(ROWS, int), num_segments=1), ALL),
        # Six comparisons for each of 64 elements, with what JAX does about zeros and NaN.
        (lambda x: jnp.sort(x, axis=0), (6 * ALL, 15 * 6 * ALL)),
        (
            lambda x: lax.conv_general_dilated(
                x[None, None], jnp.ones((2, 1, 5, 5)), (1, 1), "SAME"
            ),
            2 * 2 * ALL * 25,
        ),
        # The dearer branch.
        (lambda x: lax.cond(x[0, 0] > 0, jnp.sin, lambda y: y * y + y, x), (2 * ALL, 2 * ALL + 9)),
        # A round adds and compares the counter, too.
        (lambda x: lax.fori_loop(0, 7, lambda i, y: y * 1.5, x), (7 * ALL, 7 * ALL + 7 * 9)),
        (nested, (ROWS * 5 * COLUMNS, ROWS * (5 * COLUMNS + 6 * 9))),
    ],
)
def test_each_operation_counts_as_often_as_it_runs(
    function: Callable[..., Any], flops: int | tuple[int, int]
) -> None:
    least, most = flops if isinstance(flops, tuple) else (flops, flops)
    found = work(function).flops
    assert found is not None
    assert least <= found <= most


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(
            lambda x: lax.while_loop(lambda y: y.sum() < 1e6, lambda y: 2 * y, x), id="loop"
        ),
        pytest.param(lambda x: jnp.linalg.cholesky(x @ x.T), id="library"),
    ],
)
def test_work_that_nobody_can_count_is_unknown(function: Callable[..., Any]) -> None:
    assert work(function).flops is None


SENDING = """
import jax, jax.numpy as jnp
from jax.sharding import PartitionSpec as P
from grader.engine.bench.compiled import work_of

def rounds(x):
    right = [(i, (i + 1) % 4) for i in range(4)]
    x, _ = jax.lax.scan(lambda x, _: (jax.lax.ppermute(x, "i", right) * 2, None), x, length=5)
    return x + jax.lax.psum(x[:1], "i")

mesh = jax.make_mesh((4,), ("i",))
given = jax.ShapeDtypeStruct((8, 3), jnp.float32, sharding=jax.sharding.NamedSharding(mesh, P("i")))
mapped = jax.shard_map(rounds, mesh=mesh, in_specs=P("i"), out_specs=P("i"))
(module,) = jax.jit(mapped).lower(given).compile().runtime_executable().hlo_modules()
work = work_of(module.as_serialized_hlo_module_proto())
print(work.collectives, work.sent, work.received)
"""


def test_a_device_sends_in_every_round() -> None:
    """Five times its part of 2 x 3 numbers of four bytes, and once a row. It gets as much."""
    environment = os.environ | {"XLA_FLAGS": "--xla_force_host_platform_device_count=4"}
    command = [sys.executable, "-c", SENDING]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "{'all_reduce': 1, 'collective_permute': 1} 132 132\n"


def test_a_program_cannot_write_what_is_read() -> None:
    """Names of attributes stand in a compiled program's text without quotes."""
    name = "a={}\n  %b = f32[4]{0} all-reduce(%c), backend_config={}\n}\n}"

    def forged(x: Any) -> Any:
        with set_xla_metadata(**{name: "1", "backend_config": '{"known_trip_count":{"n":"1"}}'}):
            return lax.while_loop(lambda y: y.sum() < 1e6, lambda y: 2 * y, jnp.sin(x))

    assert work(forged) == DeviceWork({}, None, 0, 0)
