"""What learners get wrong in control_variate; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


def parts(f, g, key, n):
    x = jax.random.normal(key, (n,))
    values, control = f(x), g(x)
    return values, control, values - values.mean(), control - control.mean()


def ratio(a, b):
    return a / jnp.where(b > 0, b, 1)


def finish(values, control, c, mean_g, n):
    a, b = values - values.mean(), control - control.mean()
    estimate = values.mean() - c * (control.mean() - mean_g)
    return estimate, jnp.sqrt(jnp.mean((a - c * b) ** 2) / n)


# %% two_draws
# The control has its own draws, so it says nothing about the error of f.
# Do: Draw once, and pass the same draws to f and g.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_estimate_is_corrected, test_the_error_is_that_of_the_corrected_values,
# test_a_large_mean_costs_no_digits, test_estimates_vary_less_than_plain_means, test_details
def control_variate(f, g, mean_g, key, n):
    first, second = jax.random.split(key)
    values, control = f(jax.random.normal(first, (n,))), g(jax.random.normal(second, (n,)))
    a, b = values - values.mean(), control - control.mean()
    return finish(values, control, ratio(jnp.mean(a * b), jnp.mean(b * b)), mean_g, n)


# %% other_draws
# The draws come from a split key.
# Do: Use `key` itself in `jax.random.normal`.
# Breaks: Returns 2
# Fails: test_the_estimate_is_corrected, test_the_error_is_that_of_the_corrected_values,
# test_a_large_mean_costs_no_digits, test_estimates_vary_less_than_plain_means, test_details
def control_variate(f, g, mean_g, key, n, solution=control_variate):
    return solution(f, g, mean_g, jax.random.split(key)[1], n)


# %% plain_mean
# The control isn't used: this is the plain mean, and its error.
# Do: Subtract c times the error of the control's mean.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_the_estimate_is_corrected, test_the_error_is_that_of_the_corrected_values,
# test_a_large_mean_costs_no_digits, test_estimates_vary_less_than_plain_means, test_details
def control_variate(f, g, mean_g, key, n):
    values, control, _, _ = parts(f, g, key, n)
    return finish(values, control, 0.0, mean_g, n)


# %% wrong_sign
# The correction is added, so the error grows.
# Do: Subtract c times m(g) - mean_g.
# Breaks: Returns 1
# Fails: test_the_estimate_is_corrected, test_the_error_is_that_of_the_corrected_values,
# test_a_large_mean_costs_no_digits, test_estimates_vary_less_than_plain_means, test_details
def control_variate(f, g, mean_g, key, n, solution=control_variate):
    values, control, a, b = parts(f, g, key, n)
    c = ratio(jnp.mean(a * b), jnp.mean(b * b))
    return values.mean() + c * (control.mean() - mean_g), solution(f, g, mean_g, key, n)[1]


# %% factor_of_one
# The factor is 1, which is right only if f varies as much as the control.
# Do: Compute c from the draws.
# Breaks: Returns 1
# Fails: test_the_estimate_is_corrected, test_the_error_is_that_of_the_corrected_values,
# test_a_large_mean_costs_no_digits, test_estimates_vary_less_than_plain_means, test_details
def control_variate(f, g, mean_g, key, n):
    values, control, _, _ = parts(f, g, key, n)
    return finish(values, control, 1.0, mean_g, n)


# %% spread_of_f
# The factor is divided by the spread of f.
# Do: Divide by the mean square of g - m(g).
# Breaks: Returns 1
# Fails: test_the_estimate_is_corrected, test_the_error_is_that_of_the_corrected_values,
# test_a_large_mean_costs_no_digits, test_estimates_vary_less_than_plain_means, test_details
def control_variate(f, g, mean_g, key, n):
    values, control, a, b = parts(f, g, key, n)
    return finish(values, control, ratio(jnp.mean(a * b), jnp.mean(a * a)), mean_g, n)


# %% correlation
# The factor is the correlation of f and g.
# Do: Divide by the mean square of g - m(g) alone.
# Breaks: Returns 1
# Fails: test_the_estimate_is_corrected, test_the_error_is_that_of_the_corrected_values,
# test_a_large_mean_costs_no_digits, test_estimates_vary_less_than_plain_means, test_details
def control_variate(f, g, mean_g, key, n):
    values, control, a, b = parts(f, g, key, n)
    spread = jnp.sqrt(jnp.mean(a * a) * jnp.mean(b * b))
    return finish(values, control, ratio(jnp.mean(a * b), spread), mean_g, n)


# %% two_divisors
# `jnp.cov` divides by n - 1, and `jnp.var` by n.
# Do: Use the same divisor in both.
# Breaks: Returns 1
# Fails: test_the_estimate_is_corrected, test_the_error_is_that_of_the_corrected_values,
# test_estimates_vary_less_than_plain_means, test_details
def control_variate(f, g, mean_g, key, n):
    values, control, _, _ = parts(f, g, key, n)
    return finish(values, control, ratio(jnp.cov(values, control)[0, 1], control.var()), mean_g, n)


# %% mean_of_zero
# The mean of the control is assumed to be 0.
# Do: Subtract `mean_g` from the mean of the control.
# Breaks: Returns 1
# Fails: test_the_estimate_is_corrected, test_the_error_is_that_of_the_corrected_values,
# test_a_large_mean_costs_no_digits, test_details
def control_variate(f, g, mean_g, key, n, solution=control_variate):
    return solution(f, g, 0.0, key, n)


# %% means_not_subtracted
# A difference of products of large means has no correct digits.
# Do: First subtract the means, then multiply.
# Breaks: Details 1
# Fails: test_a_large_mean_costs_no_digits
def control_variate(f, g, mean_g, key, n):
    values, control, _, _ = parts(f, g, key, n)
    both = jnp.mean(values * control) - values.mean() * control.mean()
    spread = jnp.mean(control * control) - control.mean() ** 2
    c = ratio(both, spread)
    square = jnp.mean((values - c * control) ** 2) - jnp.mean(values - c * control) ** 2
    estimate = values.mean() - c * (control.mean() - mean_g)
    return estimate, jnp.sqrt(jnp.maximum(square, 0) / n)


# %% zero_by_zero
# A constant control gives 0 / 0.
# Do: Divide by 1 if the control has no spread.
# Breaks: Details 2
# Fails: test_details
def control_variate(f, g, mean_g, key, n):
    values, control, a, b = parts(f, g, key, n)
    return finish(values, control, jnp.mean(a * b) / jnp.mean(b * b), mean_g, n)


# %% error_of_the_plain_mean
# The error is that of the plain mean.
# Do: Use the error of the corrected values.
# Breaks: Returns 1
# Fails: test_the_error_is_that_of_the_corrected_values, test_a_large_mean_costs_no_digits,
# test_estimates_vary_less_than_plain_means, test_details
def control_variate(f, g, mean_g, key, n, solution=control_variate):
    values = f(jax.random.normal(key, (n,)))
    return solution(f, g, mean_g, key, n)[0], jnp.sqrt(values.var() / n)


# %% spread_for_error
# The spread of one corrected value is returned. It doesn't fall with n.
# Do: Divide the mean square by n, then take the root.
# Breaks: Returns 1
# Fails: test_the_error_is_that_of_the_corrected_values, test_a_large_mean_costs_no_digits,
# test_estimates_vary_less_than_plain_means, test_details
def control_variate(f, g, mean_g, key, n, solution=control_variate):
    estimate, error = solution(f, g, mean_g, key, n)
    return estimate, error * jnp.sqrt(jnp.float32(n))


# %% no_root
# The square of the error is returned.
# Do: Take the root at the end.
# Breaks: Returns 1
# Fails: test_the_error_is_that_of_the_corrected_values, test_a_large_mean_costs_no_digits,
# test_estimates_vary_less_than_plain_means, test_details
def control_variate(f, g, mean_g, key, n, solution=control_variate):
    estimate, error = solution(f, g, mean_g, key, n)
    return estimate, error**2


# %% array_for_mean
# `mean_g` has to be an array.
# Do: Use `mean_g` without array methods.
# Breaks: Returns 1
# Fails: test_details
def control_variate(f, g, mean_g, key, n, solution=control_variate):
    return solution(f, g, mean_g.astype(jnp.float32), key, n)


# %% once missed


# %% factor_for_python
# The factor becomes a Python number, which a traced value doesn't have.
# Breaks: Returns 3
# Fails: test_the_estimate_is_corrected, test_the_error_is_that_of_the_corrected_values,
# test_a_large_mean_costs_no_digits, test_estimates_vary_less_than_plain_means, test_details
def control_variate(f, g, mean_g, key, n):
    values, control, a, b = parts(f, g, key, n)
    return finish(values, control, float(ratio(jnp.mean(a * b), jnp.mean(b * b))), mean_g, n)
