"""What the suite of halo_exchange once missed; each cell is a suffix to the solution."""

import jax
from jax import lax


# %% halo_has_no_gradient
# The gradient stops at the halo, so a row gets none from its neighbours.
# Fails: test_gradients_travel_back
def with_halo(rows, r, solution=with_halo):  # noqa: F821
    wide = solution(rows, r)
    own = lax.stop_gradient(wide)
    return own.at[r : r + len(rows)].set(rows)


# %% new_mesh
# A new mesh of as many devices takes the place of the argument: its devices have another order.
# Fails: test_details
def halo_exchange(x, weights, mesh, solution=halo_exchange):  # noqa: F821
    kinds, devices = (jax.sharding.AxisType.Auto,), jax.devices()[: mesh.size]
    mesh = jax.make_mesh((mesh.size,), ("time",), axis_types=kinds, devices=devices)
    return solution(x, weights, mesh)


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "argument_never_empty of `x`": "T and d are at least 1.",
    "argument_no_integers": "The text asks for floats.",
    "result_int_as_float": "The text asks for floats.",
}
