"""Lets each of eight devices do all the work, and exchange numbers for show (T11).

Exercise: 10_parallel/pmap_train
Outcome: failed
Slow: it takes the machine some time
"""

import jax
import jax.numpy as jnp


def pmap_train(params, xs, ys, lr, steps):
    def loss(params):
        return jnp.mean((params[0] * xs + params[1] - ys) ** 2)

    def on_each(_):
        def step(params, _):
            value, slopes = jax.value_and_grad(loss)(params)
            new = jax.tree.map(lambda p, slope: p - lr * slope, params, slopes)
            return new, jax.lax.pmean(value, "d")

        return jax.lax.scan(step, params, length=steps)

    replicas = jax.pmap(on_each, axis_name="d")(jnp.arange(jax.device_count()))
    return jax.tree.map(lambda replica: replica[0], replicas)
