"""Other right answers to predict_sizes; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% tried_out
# Every derivative is computed.
def predict_sizes():
    W, x, X = jnp.zeros((2, 3)), jnp.zeros(3), jnp.zeros((5, 3))

    def f(x):
        return W @ x

    pull = jax.vjp(f, x)[1]
    change = jax.jvp(jax.grad(lambda x: (x**3).sum()), (x,), (x,))[1]
    results = [
        jax.jacfwd(f)(x),
        jax.jacrev(f)(x),
        jax.jacfwd(jnp.sum)(x),
        jax.jacfwd(jnp.sin)(x),
        jax.jacrev(jnp.matmul)(W, x),
        jax.hessian(f)(x),
        jax.hessian(jnp.sum)(W),
        jax.jvp(f, (x,), (x,))[1],
        pull(jnp.zeros(2))[0],
        change,
        jax.vmap(jax.jacrev(f))(X),
        jax.jacrev(jax.vmap(f))(X),
    ]
    return [result.shape for result in results]


# %% output_and_input
# The axes of the output are joined to those of the input.
def predict_sizes():
    scalar, two, three, matrix, batch, outputs = (), (2,), (3,), (2, 3), (5, 3), (5, 2)
    return [
        two + three,
        two + three,
        scalar + three,
        three + three,
        two + matrix,
        two + three + three,
        scalar + matrix + matrix,
        two,
        three,
        three,
        (5, *two, *three),
        outputs + batch,
    ]


# %% as_text
# The lengths are written as digits.
def predict_sizes():
    words = "23 23 3 33 223 233 2323 2 3 3 523 5253".split()
    return [tuple(int(digit) for digit in word) for word in words]
