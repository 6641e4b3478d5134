"""Other right answers to spectral_derivative; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp


# %% both_signs
# All waves, with negative frequencies in the second half.
def spectral_derivative(y, period, order=1):
    n = y.shape[-1]
    w = 2 * jnp.pi * jnp.fft.fftfreq(n, period / n)
    return jnp.real(jnp.fft.ifft((1j * w) ** order * jnp.fft.fft(y)))


# %% middle_by_hand
# The wave in the middle has a case of its own.
@partial(jax.jit, static_argnums=2)
def spectral_derivative(y, period, order=1):
    n = y.shape[-1]
    w = jnp.fft.rfftfreq(n, d=period / n) * 2 * jnp.pi
    found = jnp.fft.rfft(y) * w**order * 1j**order
    if n % 2 == 0 and order % 2 == 1:
        found = found.at[..., -1].set(0)
    return jnp.fft.irfft(found, n=n)


# %% step_by_step
# The factor is multiplied `order` times, between one transform and one back.
def spectral_derivative(y, period, order=1):
    n = y.shape[-1]
    rate = 1j * jnp.arange(0, n // 2 + 1) * (2 * jnp.pi / period)
    found = jnp.fft.rfft(y, axis=-1)
    for _ in range(order):
        found = found * rate
    return jnp.fft.irfft(found, n, axis=-1).astype(jnp.float32)


# %% real_and_imaginary
# Real numbers only: i to the power of the order swaps the parts, or changes signs.
def spectral_derivative(y, period, order=1):
    n = y.shape[-1]
    found = jnp.fft.rfft(y)
    size = jnp.power(2 * jnp.pi / period * jnp.arange(n // 2 + 1), order)
    re, im = size * found.real, size * found.imag
    re, im = ((re, im), (-im, re), (-re, -im), (im, -re))[order % 4]
    return jnp.fft.irfft(jax.lax.complex(re, im), n)
