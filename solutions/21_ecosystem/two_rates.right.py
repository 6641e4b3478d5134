"""Other right answers to two_rates; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import optax


# %% labels_of_leaves
# The old name of the function, and a label for each array.
def two_rates(slow, fast):
    def label(path, _):
        layer = path[0].key
        return layer if layer in ("embed", "head") else "rest"

    return optax.multi_transform(
        {
            "embed": optax.set_to_zero(),
            "head": optax.adamw(fast, weight_decay=1e-2),
            "rest": optax.adamw(slow, weight_decay=1e-2),
        },
        lambda params: jax.tree_util.tree_map_with_path(label, params),
    )


# %% masks
# A chain with a masked part for each group.
def two_rates(slow, fast):
    def of(test):
        return lambda params: {name: test(name) for name in params}

    return optax.chain(
        optax.masked(
            optax.adamw(slow, weight_decay=0.01), of(lambda name: name not in ("embed", "head"))
        ),
        optax.masked(optax.adamw(fast, weight_decay=0.01), of(lambda name: name == "head")),
        optax.masked(optax.set_to_zero(), of(lambda name: name == "embed")),
    )


# %% one_adam
# One AdamW for both trained groups, without a rate; each group then has its own.
def two_rates(slow, fast):
    trained = optax.chain(optax.scale_by_adam(), optax.add_decayed_weights(0.01))

    def rate(name):
        return -1 * (fast if name == "head" else slow)

    def init(params):
        return trained.init({name: layer for name, layer in params.items() if name != "embed"})

    def update(gradient, state, params):
        kept = [name for name in params if name != "embed"]
        updates, state = trained.update(
            {name: gradient[name] for name in kept}, state, {name: params[name] for name in kept}
        )
        return {
            name: jax.tree.map(lambda u, name=name: rate(name) * u, updates[name])
            if name in kept
            else jax.tree.map(jnp.zeros_like, params[name])
            for name in params
        }, state

    return init, update


# %% by_hand
# The formulas, layer by layer, with a counter for all.
def two_rates(slow, fast):
    def init(params):
        averages = {k: jax.tree.map(jnp.zeros_like, v) for k, v in params.items() if k != "embed"}
        return averages, averages, jnp.int32(0)

    def update(gradient, state, params):
        m, v, t = state
        t = t + 1
        updates = jax.tree.map(jnp.zeros_like, params)
        new_m, new_v = {}, {}
        for name in m:
            rate, g = fast if name == "head" else slow, gradient[name]
            new_m[name] = jax.tree.map(lambda m, g: 0.9 * m + (1 - 0.9) * g, m[name], g)
            new_v[name] = jax.tree.map(lambda v, g: 0.999 * v + (1 - 0.999) * g * g, v[name], g)

            def move(m, v, p, rate=rate):
                adam = m / (1 - 0.9**t) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8)
                return -rate * (adam + 0.01 * p)

            updates[name] = jax.tree.map(move, new_m[name], new_v[name], params[name])
        return updates, (new_m, new_v, t)

    return init, update
