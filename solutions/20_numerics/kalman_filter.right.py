"""Other right answers to kalman_filter; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% joseph
# The form of Joseph, an inverse, and `slogdet`. The logarithm is carried, too.
@jax.jit
def kalman_filter(z, m0, P0, A, Q, H, R):
    n, k = len(m0), z.shape[1]

    def step(carry, row):
        m, P, total = carry
        m, P = A @ m, A @ P @ A.T + Q
        missing = jnp.isnan(row[0])
        v = jnp.where(missing, jnp.zeros(k), row) - H @ m
        S = H @ P @ H.T + R
        inverse = jnp.linalg.inv(S)
        K = P @ H.T @ inverse
        left = jnp.eye(n) - K @ H
        log = -0.5 * (v @ inverse @ v + jnp.linalg.slogdet(2 * jnp.pi * S)[1])
        m = jnp.where(missing, m, m + K @ v)
        P = jnp.where(missing, P, left @ P @ left.T + K @ R @ K.T)
        return (m, P, total + jnp.where(missing, 0, log)), (m, P)

    (_, _, total), (means, covs) = lax.scan(step, (m0, P0, jnp.float32(0)), z)
    return means, covs, total


# %% masked_matrices
# A missing measurement has H = 0 and R = 1, so its gain is 0.
def kalman_filter(z, m0, P0, A, Q, H, R):
    known = ~jnp.isnan(z)
    filled = jnp.where(known, z, 0)

    def step(state, measured):
        row, there = measured
        m, P = state
        m, P = A @ m, A @ P @ A.T + Q
        h = there[:, None] * H
        S = jnp.where(there[:, None] & there, h @ P @ h.T + R, jnp.eye(len(row)))
        K = jnp.linalg.solve(S, h @ P).T
        v = row - h @ m
        log = -(v @ jnp.linalg.solve(S, v) + jnp.log(jnp.linalg.det(S))) / 2
        log -= there.sum() * jnp.log(2 * jnp.pi) / 2
        m, P = m + K @ v, P - K @ (h @ P)
        return (m, P), (m, P, log)

    means, covs, logs = lax.scan(step, (m0, P0), (filled, known))[1]
    return means, covs, logs.sum()


# %% cond
# A branch, and the density of JAX.
def kalman_filter(z, m0, P0, A, Q, H, R):
    def update(m, P, row):
        row = jnp.where(jnp.isnan(row), 0, row)
        S = H @ P @ H.T + R
        K = jax.scipy.linalg.solve(S, H @ P, assume_a="pos").T
        log = jax.scipy.stats.multivariate_normal.logpdf(row, H @ m, S)
        return m + K @ (row - H @ m), P - K @ S @ K.T, log

    def step(state, row):
        m, P = A @ state[0], A @ state[1] @ A.T + Q
        skip = lambda m, P, row: (m, P, jnp.zeros(()))  # noqa: E731
        m, P, log = lax.cond(jnp.any(jnp.isnan(row)), skip, update, m, P, row)
        return (m, P), (m, P, log)

    means, covs, logs = lax.scan(step, (m0, P0), z)[1]
    return means, covs, jnp.sum(logs)
