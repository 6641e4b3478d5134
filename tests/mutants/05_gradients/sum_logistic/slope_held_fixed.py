"""A derivative given by hand, with its factors held fixed: the first one is right, no other is.

Fails: test_the_third_derivative_is_right
"""

import jax
from jax import lax


@jax.custom_jvp
def logistic(x):
    return jax.nn.sigmoid(x)


@logistic.defjvp
def logistic_jvp(primals, tangents):
    (x,), (tangent,) = primals, tangents
    s = logistic(x)
    return s, lax.stop_gradient(s * (1 - s)) * tangent


def sum_logistic(x):
    return logistic(x).sum()
