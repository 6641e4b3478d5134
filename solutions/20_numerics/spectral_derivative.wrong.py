"""What learners get wrong in spectral_derivative; each cell is a suffix to the solution."""

import jax.numpy as jnp
import numpy as np
from jax import lax


def through(y, factors):
    """The right way there and back."""
    return jnp.fft.irfft(factors * jnp.fft.rfft(y), y.shape[-1])


# %% no_negative_frequencies
# The second half of the waves of `jnp.fft.fft` has negative frequencies, not large ones.
# Do: Use `jnp.fft.rfft`, or the frequencies of `jnp.fft.fftfreq`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_first_derivative_of_waves_is_exact, test_the_period_is_known_at_run_time,
# test_higher_derivatives, test_the_wave_in_the_middle, test_the_gradient_is_real_and_right,
# test_there_is_no_table, test_details
def spectral_derivative(y, period, order=1):
    factors = (2j * jnp.pi * jnp.arange(y.shape[-1]) / period) ** order
    return jnp.fft.ifft(factors * jnp.fft.fft(y)).real


# %% neighbours
# Differences of neighbours are right only for waves that are much longer than their distance.
# Do: Transform, and multiply each wave by its factor.
# Breaks: Returns 2
# Fails: test_the_first_derivative_of_waves_is_exact, test_the_period_is_known_at_run_time,
# test_higher_derivatives, test_the_wave_in_the_middle, test_the_gradient_is_real_and_right,
# test_there_is_no_table, test_details
def spectral_derivative(y, period, order=1):
    for _ in range(order):
        y = (jnp.roll(y, -1, -1) - jnp.roll(y, 1, -1)) * y.shape[-1] / (2 * period)
    return y


# %% complex_result
# The result is complex.
# Do: Go back with `jnp.fft.irfft`, or take the real part.
# Breaks: Returns 1
# Fails: test_the_first_derivative_of_waves_is_exact, test_the_period_is_known_at_run_time,
# test_higher_derivatives, test_the_wave_in_the_middle, test_the_gradient_is_real_and_right,
# test_there_is_no_table, test_details
def spectral_derivative(y, period, order=1):
    n = y.shape[-1]
    factors = (2j * jnp.pi * jnp.fft.fftfreq(n, 1 / n) / period) ** order
    return jnp.fft.ifft(factors * jnp.fft.fft(y))


# %% size_of_the_complex_numbers
# The absolute value is used as the real part, so every sign is lost.
# Do: Go back with `jnp.fft.irfft`, or take the real part.
# Breaks: Returns 1
# Fails: test_the_first_derivative_of_waves_is_exact, test_the_period_is_known_at_run_time,
# test_higher_derivatives, test_the_wave_in_the_middle, test_the_gradient_is_real_and_right,
# test_there_is_no_table, test_details
def spectral_derivative(y, period, order=1):
    n = y.shape[-1]
    factors = (2j * jnp.pi * jnp.fft.fftfreq(n, 1 / n) / period) ** order
    return jnp.abs(jnp.fft.ifft(factors * jnp.fft.fft(y)))


# %% length_is_even
# Without a length, `irfft` returns an even number of points.
# Do: Pass n to `jnp.fft.irfft`.
# Breaks: Returns 1
# Fails: test_the_first_derivative_of_waves_is_exact, test_the_period_is_known_at_run_time,
# test_higher_derivatives, test_the_gradient_is_real_and_right, test_details
def spectral_derivative(y, period, order=1):
    k = jnp.arange(y.shape[-1] // 2 + 1)
    return jnp.fft.irfft((2j * jnp.pi * k / period) ** order * jnp.fft.rfft(y))


# %% last_wave_dropped
# The last wave is set to 0 for odd orders, but for odd n it isn't the one in the middle.
# Do: Set it to 0 only where n is even.
# Breaks: Details 1
# Fails: test_the_first_derivative_of_waves_is_exact, test_the_period_is_known_at_run_time,
# test_higher_derivatives, test_the_gradient_is_real_and_right, test_details
def spectral_derivative(y, period, order=1):
    factors = (2j * jnp.pi * jnp.arange(y.shape[-1] // 2 + 1) / period) ** order
    return through(y, factors.at[-1].set(0) if order % 2 else factors)


# %% first_derivative_again_and_again
# The first derivative is taken repeatedly, and the first time loses the middle wave.
# Do: Take the factor of each wave to the power of `order`, between one transform and one back.
# Breaks: Details 1
# Fails: test_the_wave_in_the_middle
def spectral_derivative(y, period, order=1, solution=spectral_derivative):
    for _ in range(order):
        y = solution(y, period)
    return y


# %% middle_dropped
# The wave in the middle is set to 0 for each order.
# Do: Leave it in: only its odd derivatives are 0.
# Breaks: Details 1
# Fails: test_the_wave_in_the_middle
def spectral_derivative(y, period, order=1):
    n = y.shape[-1]
    k = jnp.arange(n // 2 + 1)
    factors = (2j * jnp.pi * jnp.where(2 * k == n, 0, k) / period) ** order
    return through(y, factors)


# %% no_two_pi
# The frequency is k / period: the factor 2 pi is missing.
# Do: Multiply by 2 pi.
# Breaks: Returns 1
# Fails: test_the_first_derivative_of_waves_is_exact, test_the_period_is_known_at_run_time,
# test_higher_derivatives, test_the_wave_in_the_middle, test_the_gradient_is_real_and_right,
# test_there_is_no_table, test_details
def spectral_derivative(y, period, order=1):
    return through(y, (1j * jnp.arange(y.shape[-1] // 2 + 1) / period) ** order)


# %% period_of_two_pi
# The period is assumed to be 2 pi.
# Do: Multiply the frequencies by 2 pi / period.
# Breaks: Returns 1
# Fails: test_the_period_is_known_at_run_time, test_higher_derivatives, test_details
def spectral_derivative(y, period, order=1, solution=spectral_derivative):
    return solution(y, 2 * jnp.pi, order)


# %% period_outside_of_the_power
# The factor is divided by the period only once, whatever the order.
# Do: Divide by the period before taking the power.
# Breaks: Returns 1
# Fails: test_higher_derivatives, test_the_wave_in_the_middle, test_the_gradient_is_real_and_right,
# test_details
def spectral_derivative(y, period, order=1):
    k = jnp.arange(y.shape[-1] // 2 + 1)
    return through(y, (2j * jnp.pi * k) ** order / period)


# %% first_only
# The order is ignored.
# Do: Take the factor of each wave to the power of `order`.
# Breaks: Returns 1
# Fails: test_higher_derivatives, test_the_wave_in_the_middle, test_the_gradient_is_real_and_right,
# test_details
def spectral_derivative(y, period, order=1, solution=spectral_derivative):
    return solution(y, period)


# %% times_the_order
# The factor is multiplied by the order.
# Do: Take the factor of each wave to the power of `order`.
# Breaks: Returns 1
# Fails: test_higher_derivatives, test_the_wave_in_the_middle, test_the_gradient_is_real_and_right,
# test_details
def spectral_derivative(y, period, order=1):
    return through(y, order * 2j * jnp.pi * jnp.arange(y.shape[-1] // 2 + 1) / period)


# %% no_imaginary_unit
# The factor has no imaginary unit, so a sine stays a sine.
# Do: Multiply by `1j`.
# Breaks: Returns 1
# Fails: test_the_first_derivative_of_waves_is_exact, test_the_period_is_known_at_run_time,
# test_higher_derivatives, test_the_wave_in_the_middle, test_the_gradient_is_real_and_right,
# test_there_is_no_table, test_details
def spectral_derivative(y, period, order=1):
    return through(y, (2 * jnp.pi * jnp.arange(y.shape[-1] // 2 + 1) / period) ** order)


# %% other_direction
# The sign of the factor is wrong: the waves of `rfft` are exp(i w x).
# Do: Multiply by +1j.
# Breaks: Returns 1
# Fails: test_the_first_derivative_of_waves_is_exact, test_the_period_is_known_at_run_time,
# test_higher_derivatives, test_the_wave_in_the_middle, test_the_gradient_is_real_and_right,
# test_there_is_no_table, test_details
def spectral_derivative(y, period, order=1):
    return through(y, (-2j * jnp.pi * jnp.arange(y.shape[-1] // 2 + 1) / period) ** order)


# %% length_of_the_array
# n is the length of the first axis.
# Do: Take n from the last axis of y.
# Breaks: Returns 1
# Fails: test_details
def spectral_derivative(y, period, order=1):
    factors = (2j * jnp.pi * jnp.arange(len(y) // 2 + 1) / period) ** order
    return jnp.fft.irfft(factors * jnp.fft.rfft(y), len(y))


# %% other_axis
# The first axis is transformed.
# Do: Transform along the last axis.
# Breaks: Returns 1
# Fails: test_details
def spectral_derivative(y, period, order=1, solution=spectral_derivative):
    return jnp.moveaxis(solution(jnp.moveaxis(y, 0, -1), period, order), -1, 0)


# %% numpy_transform
# The transform is NumPy's, which JAX can't trace.
# Do: Use `jnp.fft`.
# Breaks: Returns 4
# Fails: test_the_period_is_known_at_run_time, test_the_gradient_is_real_and_right,
# test_there_is_no_table
def spectral_derivative(y, period, order=1):
    n = np.shape(y)[-1]
    factors = (2j * np.pi * np.arange(n // 2 + 1) / float(period)) ** order
    return jnp.asarray(np.fft.irfft(factors * np.fft.rfft(np.asarray(y)), n), jnp.float32)


# %% table
# A table of the derivatives of all waves has n x n numbers.
# Do: Transform along the axis, without a table.
# Breaks: Returns 3
# Fails: test_there_is_no_table
def spectral_derivative(y, period, order=1, solution=spectral_derivative):
    return y @ solution(jnp.eye(y.shape[-1]), period, order)


# %% table_row_by_row
# Instead of a Fourier transform, a loop computes the n x n table one row after another.
# Do: Multiply each wave by its factor, between `jnp.fft.rfft` and `jnp.fft.irfft`.
# Breaks: Returns 3
# Fails: test_there_is_no_table
def spectral_derivative(y, period, order=1, solution=spectral_derivative):
    first = solution(jnp.zeros(y.shape[-1]).at[0].set(1), period, order)[::-1]
    moved = lax.map(lambda i: y @ jnp.roll(first, i + 1), jnp.arange(y.shape[-1]))
    return jnp.moveaxis(moved, 0, -1)


# %% once missed


# %% power_by_logarithms
# The power is an exponential of a logarithm, so for order 0 the constant has 0 times infinity.
# Breaks: Details 2
# Fails: test_details
def spectral_derivative(y, period, order=1):
    w = 2 * jnp.pi * jnp.arange(y.shape[-1] // 2 + 1) / period
    return through(y, jnp.exp(order * jnp.log(w)) * 1j**order)
