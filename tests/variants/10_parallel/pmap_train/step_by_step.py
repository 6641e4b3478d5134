"""A pmapped step in a Python loop, on replicated parameters, blocking after each."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


@partial(jax.pmap, axis_name="batch")
def update(params, x, y, lr):
    def error(params):
        return jnp.mean(jnp.square(params[0] * x + params[1] - y))

    value, grads = jax.value_and_grad(error)(params)
    grads = lax.pmean(grads, axis_name="batch")
    value = lax.pmean(value, axis_name="batch")
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


def pmap_train(params, xs, ys, lr, steps):
    devices = jax.local_device_count()
    params, rate = jax.tree.map(lambda p: jnp.stack([p] * devices), (params, jnp.float32(lr)))
    xs, ys = (jnp.stack(jnp.split(data, devices)) for data in (xs, ys))
    losses = []
    for _ in range(steps):
        params, value = jax.block_until_ready(update(params, xs, ys, rate))
        losses.append(float(value[0]))
    return jax.tree.map(lambda p: p[0], params), jnp.array(losses)
