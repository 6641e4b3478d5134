"""Reference solution: a factor for each wave."""

import jax
import jax.numpy as jnp


def spectral_derivative(y: jax.Array, period: float | jax.Array, order: int = 1) -> jax.Array:
    """`irfft` ignores the imaginary part in the middle, which an odd order leaves there."""
    n = y.shape[-1]
    k = jnp.arange(n // 2 + 1)
    factors = (2j * jnp.pi * k / period) ** order
    return jnp.fft.irfft(factors * jnp.fft.rfft(y), n)
