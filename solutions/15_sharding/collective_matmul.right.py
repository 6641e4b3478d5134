"""Other right answers to collective_matmul; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P


# %% loop
# A loop of JAX's, which sends in the last round, too.
def part(rows, w):
    n, me, own = lax.axis_size("ring"), lax.axis_index("ring"), len(rows)
    ring = [(i, (i + 1) % n) for i in range(n)]

    def step(s, state):
        rows, out = state
        sent = lax.ppermute(rows, "ring", ring)
        return sent, lax.dynamic_update_slice(out, rows @ w, ((me - s) % n * own, 0))

    out = lax.pcast(jnp.zeros((n * own, w.shape[1]), w.dtype), "ring", to="varying")
    return lax.fori_loop(0, n, step, (rows, out))[1]


# %% scan
# A scan collects the blocks, and they are put in order at the end.
def collective_matmul(x, w, mesh):
    n = mesh.shape["ring"]
    ring = [(i, (i - 1) % n) for i in range(n)]

    def part(rows, w):
        def step(rows, _):
            return lax.ppermute(rows, "ring", ring), jnp.dot(rows, w)

        _, blocks = lax.scan(step, rows, None, length=n)
        blocks = jnp.roll(blocks, lax.axis_index("ring"), axis=0)
        return blocks.reshape(-1, w.shape[1])

    specs = P("ring"), P(None, "ring")
    return jax.shard_map(
        part, mesh=mesh, in_specs=specs, out_specs=P(None, "ring"), check_vma=False
    )(x, w)


# %% ahead
# The next piece is on its way before the product is written down.
@jax.jit(static_argnums=2)
def collective_matmul(x, w, mesh):
    def part(rows, w):
        n, me, own = lax.axis_size("ring"), lax.axis_index("ring"), len(rows)
        ring = [(i, (i + 1) % n) for i in range(n)]
        pieces = [rows]
        for _ in range(n - 1):
            pieces.append(lax.ppermute(pieces[-1], "ring", ring))
        out = jnp.zeros((n, own, w.shape[1]), w.dtype)
        for step, piece in enumerate(pieces):
            out = out.at[(me - step) % n].set(jnp.einsum("pk,km->pm", piece, w))
        return out.reshape(n * own, -1)

    specs = P("ring"), P(None, "ring")
    return jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=P(None, "ring"))(x, w)


# %% both_directions
# Half of the columns of a piece goes to the right, and the other half to the left.
def part(rows, w):
    n, me, own = lax.axis_size("ring"), lax.axis_index("ring"), len(rows)
    half = rows.shape[1] // 2
    out = jnp.zeros((n, own, w.shape[1]), w.dtype)
    for sign, piece, of_w in ((1, rows[:, :half], w[:half]), (-1, rows[:, half:], w[half:])):
        ring = [(i, (i + sign) % n) for i in range(n)]
        for step in range(n):
            out = out.at[(me - sign * step) % n].add(piece @ of_w)
            piece = lax.ppermute(piece, "ring", ring) if step < n - 1 else piece
    return out.reshape(n * own, -1)
