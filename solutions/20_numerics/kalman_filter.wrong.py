"""What learners get wrong in kalman_filter; each cell is a suffix to the solution."""

import jax.numpy as jnp
from jax import lax


def predicted(m, P, A, Q):
    return A @ m, A @ P @ A.T + Q


def updated(m, P, measured, H, R):
    v, S = measured - H @ m, H @ P @ H.T + R
    K = P @ H.T @ jnp.linalg.inv(S)
    log = -(v @ jnp.linalg.solve(S, v) + jnp.linalg.slogdet(S)[1]) / 2
    return m + K @ v, P - K @ H @ P, log - len(v) * jnp.log(2 * jnp.pi) / 2


def run(step, z, m0, P0):
    """Scans a step: (m, P) and a measurement give m, P and a logarithm."""

    def body(state, measured):
        m, P, log = step(*state, measured)
        return (m, P), (m, P, log)

    means, covs, logs = lax.scan(body, (m0, P0), z)[1]
    return means, covs, logs.sum()


def choose(known, new, old):
    return tuple(jnp.where(known, a, b) for a, b in zip(new, old, strict=True))


def with_known(step):
    """Turns a step for measurements into one that skips those that are missing."""

    def safe(m, P, measured, A, Q, H, R):
        known = ~jnp.isnan(measured).any()
        new = step(m, P, jnp.where(known, measured, 0), A, Q, H, R)
        return choose(known, new, (*predicted(m, P, A, Q), 0.0))

    def kalman_filter(z, m0, P0, A, Q, H, R):
        return run(lambda m, P, row: safe(m, P, row, A, Q, H, R), z, m0, P0)

    return kalman_filter


# %% not_carried
# Each step starts again from the first distribution.
# Do: Carry mean and covariance to the next step.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_the_distributions_follow_the_formulas, test_the_likelihood_is_that_of_the_formula,
# test_missing_measurements_are_skipped, test_gradients_are_finite_without_a_measurement,
# test_many_steps_and_many_series
def kalman_filter(z, m0, P0, A, Q, H, R):
    def step(m, P, measured):
        known = ~jnp.isnan(measured).any()
        m, P = predicted(m0, P0, A, Q)
        filled = jnp.where(known, measured, 0)
        return choose(known, updated(m, P, filled, H, R), (m, P, 0.0))

    return run(step, z, m0, P0)


# %% nan_stays
# A missing measurement makes everything after it NaN.
# Do: Keep the predicted distribution where a measurement is missing.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_missing_measurements_are_skipped, test_gradients_are_finite_without_a_measurement,
# test_many_steps_and_many_series
def kalman_filter(z, m0, P0, A, Q, H, R):
    return run(lambda m, P, row: updated(*predicted(m, P, A, Q), row, H, R), z, m0, P0)


# %% one_where
# The values are right, but the update was computed with NaN, and its gradient is 0 times NaN.
# Do: Replace a missing number before using it, and choose again at the end.
# Breaks: Returns 3
# Fails: test_gradients_are_finite_without_a_measurement
def kalman_filter(z, m0, P0, A, Q, H, R):
    def step(m, P, measured):
        m, P = predicted(m, P, A, Q)
        known = ~jnp.isnan(measured).any()
        return choose(known, updated(m, P, measured, H, R), (m, P, 0.0))

    return run(step, z, m0, P0)


# %% missing_is_zero
# A missing measurement is treated as a measurement of 0.
# Do: Keep the predicted distribution where a measurement is missing.
# Breaks: Returns 2
# Fails: test_missing_measurements_are_skipped, test_gradients_are_finite_without_a_measurement,
# test_many_steps_and_many_series
def kalman_filter(z, m0, P0, A, Q, H, R, solution=kalman_filter):
    return solution(jnp.nan_to_num(z), m0, P0, A, Q, H, R)


# %% missing_counts
# A step without a measurement adds its constants to the logarithm.
# Do: Add 0 there.
# Breaks: Returns 2
# Fails: test_missing_measurements_are_skipped, test_gradients_are_finite_without_a_measurement,
# test_many_steps_and_many_series
def kalman_filter(z, m0, P0, A, Q, H, R):
    def step(m, P, measured):
        m, P = predicted(m, P, A, Q)
        known = ~jnp.isnan(measured).any()
        new = updated(m, P, jnp.where(known, measured, H @ m), H, R)
        return choose(known, new, (m, P, new[2]))

    return run(step, z, m0, P0)


# %% missing_stands_still
# In a step without a measurement, nothing changes, not even by the prediction.
# Do: Predict in each step.
# Breaks: Returns 2
# Fails: test_missing_measurements_are_skipped, test_gradients_are_finite_without_a_measurement,
# test_many_steps_and_many_series
def kalman_filter(z, m0, P0, A, Q, H, R):
    def step(m, P, measured):
        known = ~jnp.isnan(measured).any()
        new = updated(*predicted(m, P, A, Q), jnp.where(known, measured, 0), H, R)
        return choose(known, new, (m, P, 0.0))

    return run(step, z, m0, P0)


# %% update_first
# Each step updates before it predicts, so the results are predictions.
# Do: Predict first, then update, and return the updated distribution.
# Breaks: Returns 1
# Fails: test_the_distributions_follow_the_formulas, test_the_likelihood_is_that_of_the_formula,
# test_missing_measurements_are_skipped, test_gradients_are_finite_without_a_measurement,
# test_many_steps_and_many_series
@with_known
def kalman_filter(m, P, measured, A, Q, H, R):
    m, P, log = updated(m, P, measured, H, R)
    return *predicted(m, P, A, Q), log


# %% no_noise
# The covariance doesn't grow by Q in the prediction.
# Do: Add Q to A P Aᵀ.
# Breaks: Returns 1
# Fails: test_the_distributions_follow_the_formulas, test_the_likelihood_is_that_of_the_formula,
# test_missing_measurements_are_skipped, test_gradients_are_finite_without_a_measurement,
# test_many_steps_and_many_series
@with_known
def kalman_filter(m, P, measured, A, Q, H, R):
    return updated(*predicted(m, P, A, 0 * Q), measured, H, R)


# %% transposed
# The covariance is predicted as Aᵀ P A.
# Do: Put A first and its transpose last.
# Breaks: Returns 1
# Fails: test_the_distributions_follow_the_formulas, test_the_likelihood_is_that_of_the_formula,
# test_missing_measurements_are_skipped, test_gradients_are_finite_without_a_measurement,
# test_many_steps_and_many_series
@with_known
def kalman_filter(m, P, measured, A, Q, H, R):
    return updated(A @ m, A.T @ P @ A + Q, measured, H, R)


# %% gain_by_R
# The gain is computed with R in place of S, as if the state were known exactly.
# Do: Divide by S = H P Hᵀ + R.
# Breaks: Returns 1
# Fails: test_the_distributions_follow_the_formulas, test_the_likelihood_is_that_of_the_formula,
# test_missing_measurements_are_skipped, test_gradients_are_finite_without_a_measurement,
# test_many_steps_and_many_series
@with_known
def kalman_filter(m, P, measured, A, Q, H, R):
    m, P = predicted(m, P, A, Q)
    K = P @ H.T @ jnp.linalg.inv(R)
    return m + K @ (measured - H @ m), P - K @ H @ P, updated(m, P, measured, H, R)[2]


# %% likelihood_after
# The logarithm is that of the distribution after the update.
# Do: Use v and S from before the update.
# Breaks: Returns 1
# Fails: test_the_likelihood_is_that_of_the_formula, test_missing_measurements_are_skipped,
# test_gradients_are_finite_without_a_measurement, test_many_steps_and_many_series
@with_known
def kalman_filter(m, P, measured, A, Q, H, R):
    m, P, _ = updated(*predicted(m, P, A, Q), measured, H, R)
    return m, P, updated(m, P, measured, H, R)[2]


# %% likelihood_of_the_noise
# The logarithm is that of R alone.
# Do: Use S in the logarithm.
# Breaks: Returns 1
# Fails: test_the_likelihood_is_that_of_the_formula, test_missing_measurements_are_skipped,
# test_gradients_are_finite_without_a_measurement, test_many_steps_and_many_series
@with_known
def kalman_filter(m, P, measured, A, Q, H, R):
    m, P = predicted(m, P, A, Q)
    new = updated(m, P, measured, H, R)
    return *new[:2], updated(m, 0 * P, measured, H, R)[2]


# %% size_of_the_state
# The constant log(2 pi) is multiplied by the length of the state.
# Do: Multiply it by the length of a measurement.
# Breaks: Returns 1
# Fails: test_the_likelihood_is_that_of_the_formula, test_missing_measurements_are_skipped,
# test_many_steps_and_many_series
@with_known
def kalman_filter(m, P, measured, A, Q, H, R):
    m, P, log = updated(*predicted(m, P, A, Q), measured, H, R)
    return m, P, log - (len(m) - len(measured)) * jnp.log(2 * jnp.pi) / 2


# %% one_log_two_pi
# The constant log(2 pi) is added only once, however long a measurement is.
# Do: Multiply it by k, the length of a measurement.
# Breaks: Returns 1
# Fails: test_the_likelihood_is_that_of_the_formula, test_missing_measurements_are_skipped
@with_known
def kalman_filter(m, P, measured, A, Q, H, R):
    m, P, log = updated(*predicted(m, P, A, Q), measured, H, R)
    return m, P, log + (len(measured) - 1) * jnp.log(2 * jnp.pi) / 2


# %% last_term
# The logarithm of the last step is returned.
# Do: Add the logarithms of all steps.
# Breaks: Returns 1
# Fails: test_the_likelihood_is_that_of_the_formula, test_missing_measurements_are_skipped,
# test_gradients_are_finite_without_a_measurement, test_many_steps_and_many_series
def kalman_filter(z, m0, P0, A, Q, H, R, solution=kalman_filter):
    means, covs, log = solution(z, m0, P0, A, Q, H, R)
    return means, covs, log - solution(z[:-1], m0, P0, A, Q, H, R)[2]


# %% python_loop
# A Python loop: the program has a copy of the step for each measurement.
# Do: Use `jax.lax.scan`.
# Breaks: Returns 4
# Fails: test_many_steps_and_many_series
def kalman_filter(z, m0, P0, A, Q, H, R):
    m, P, total, means, covs = m0, P0, 0.0, [], []
    for row in z:
        m, P = predicted(m, P, A, Q)
        known = ~jnp.isnan(row).any()
        new = updated(m, P, jnp.where(known, row, 0), H, R)
        m, P, log = choose(known, new, (m, P, 0.0))
        total += log
        means.append(m)
        covs.append(P)
    return jnp.stack(means), jnp.stack(covs), total


# %% rows_dropped
# A mask drops missing rows along with their steps, and the number of rows is unknown under `jit`.
# Do: Keep all rows, and choose in each step.
# Breaks: Returns 5
# Fails: test_missing_measurements_are_skipped, test_gradients_are_finite_without_a_measurement,
# test_many_steps_and_many_series
def kalman_filter(z, m0, P0, A, Q, H, R):
    z = z[~jnp.isnan(z).any(axis=1)]
    return run(lambda m, P, row: updated(*predicted(m, P, A, Q), row, H, R), z, m0, P0)


# %% once missed


# %% much_noise
# A missing measurement is treated as a very noisy one, which still carries information.
# Breaks: Returns 2
# Fails: test_missing_measurements_are_skipped
def kalman_filter(z, m0, P0, A, Q, H, R):
    def step(carry, measured):
        m, P = carry
        m, P = A @ m, A @ P @ A.T + Q
        there = ~jnp.isnan(measured).any()
        v = jnp.where(there, jnp.nan_to_num(measured) - H @ m, 0)
        S = H @ P @ H.T + jnp.where(there, R, 1e10 * jnp.eye(len(R)))
        K = jnp.linalg.solve(S, H @ P).T
        log = v @ jnp.linalg.solve(S, v) + jnp.linalg.slogdet(S)[1] + len(v) * jnp.log(2 * jnp.pi)
        m, P = m + K @ v, P - K @ H @ P
        return (m, P), (m, P, jnp.where(there, -log / 2, 0))

    means, covs, logs = lax.scan(step, (m0, P0), z)[1]
    return means, covs, logs.sum()
