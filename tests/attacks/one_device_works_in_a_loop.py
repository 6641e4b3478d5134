"""One device does all the work in a loop whose body is short, and seven wait (T11).

Exercise: 10_parallel/pmap_train
Outcome: failed
Slow: it takes the machine some time
"""

import jax
import jax.numpy as jnp
from jax import lax


def pmap_train(params, xs, ys, lr, steps):
    d = jax.device_count()
    count = xs.shape[0]
    k = max(1, count // 40) if count % 40 == 0 else 1
    rounds = count // k
    tree = jax.tree.structure(params)
    w0, b0 = jax.tree.leaves(params)

    def on_each(me):
        def step(p, _):
            w, b = p

            def work():
                def body(i, acc):
                    xi = lax.dynamic_slice(xs, (i * k, 0), (k, 1))
                    yi = lax.dynamic_slice(ys, (i * k, 0), (k, 1))
                    e = w * xi + b - yi
                    return (
                        acc
                        + jnp.stack([jnp.sum(2 * e * xi), jnp.sum(2 * e), jnp.sum(e * e)]) / count
                    )

                return lax.fori_loop(0, rounds, body, jnp.zeros(3))

            # device 0 does all of it, seven devices wait
            s = lax.psum(lax.cond(me == 0, work, lambda: jnp.zeros(3)), "d")
            return (w - lr * s[0], b - lr * s[1]), s[2]

        return lax.scan(step, (jnp.float32(w0), jnp.float32(b0)), length=steps)

    p, losses = jax.pmap(on_each, axis_name="d")(jnp.arange(d))
    return jax.tree.unflatten(tree, [q[0] for q in p]), losses[0]
