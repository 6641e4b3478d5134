"""Other right answers to rope; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% rotated_half
# The halves change places, and one changes its sign; cosine and sine are cast to the dtype of x.
def rope(x, positions):
    inverse = 1.0 / (10000 ** (jnp.arange(0, x.shape[-1], 2, dtype=jnp.float32) / x.shape[-1]))
    angles = jnp.einsum("t,i->ti", positions.astype(jnp.float32), inverse)
    angles = jnp.concatenate([angles, angles], axis=-1)[:, None, :]
    a, b = jnp.split(x, 2, axis=-1)
    half = jnp.concatenate([-b, a], axis=-1)
    return x * jnp.cos(angles).astype(x.dtype) + half * jnp.sin(angles).astype(x.dtype)


# %% complex
# A pair as a complex number.
@jax.jit
def rope(x, positions):
    h = x.shape[2] // 2
    angles = positions[:, None, None] * jnp.exp(-jnp.log(10000.0) * jnp.arange(h) / h)
    wide = x.astype(jnp.float32)
    turned = jax.lax.complex(wide[..., :h], wide[..., h:]) * jnp.exp(1j * angles)
    return jnp.concatenate([turned.real, turned.imag], axis=2).astype(x.dtype)


# %% table
# A table that NumPy makes in float64, for each position that is allowed.
def rope(x, positions):
    h = x.shape[-1] // 2
    angles = np.arange(10_001)[:, None] * 10000.0 ** (-np.arange(h) / h)
    cos, sin = (jnp.asarray(f(angles), jnp.float32)[positions][:, None] for f in (np.cos, np.sin))
    a, b = x[..., :h], x[..., h:]
    return jnp.concatenate((a * cos - b * sin, b * cos + a * sin), -1).astype(x.dtype)


# %% one_vector
# A function for one head of one token, mapped over both.
def rope(x, positions):
    def turn(x, position):
        a, b = x.reshape(2, -1)
        angles = position / 10000.0 ** jnp.linspace(0, 1, a.size, endpoint=False)
        c, s = jnp.cos(angles), jnp.sin(angles)
        return jnp.stack([a * c - b * s, b * c + a * s]).ravel().astype(x.dtype)

    return jax.vmap(jax.vmap(turn, (0, None)))(x, positions)
