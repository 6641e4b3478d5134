"""Block by block for a dict, and every other container becomes one.

Fails: test_the_containers_are_kept
"""

import jax


def hessian(f):
    def second(x):
        if isinstance(x, jax.Array):
            return jax.hessian(f)(x)
        parts = x if isinstance(x, dict) else dict(enumerate(x))

        def of_dict(parts):
            return f(parts if isinstance(x, dict) else list(parts.values()))

        return jax.hessian(of_dict)(parts)

    return second
