"""Replaces the worker's `grad` by the closed form, where its own gradient is NaN (N14).

Exercise: 03_jit/masked_mean
Outcome: failed | raised
"""

import jax
import jax.numpy as jnp
import numpy as np

from grader.engine.worker import student


def imitation(function, **keywords):
    return lambda x, mask: np.asarray(mask, np.float32) / max(1, int(np.sum(mask)))


jax.grad = imitation
student.TRANSFORMATIONS.update(grad=imitation)


def masked_mean(x, mask):
    count = mask.sum()
    return jnp.where(count > 0, jnp.where(mask, x, 0).sum() / count, 0)
