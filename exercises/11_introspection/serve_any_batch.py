"""Fix a program that answers only one size.

Shape polymorphism: https://docs.jax.dev/en/latest/export/shape_poly.html
"""

from collections.abc import Callable
from typing import Any

import jax
from jax import export


def serve_any_batch(f: Callable[[Any, Any], Any], params: Any, example: Any) -> bytes:
    """Return `f` as a compiled program that a server uses to answer requests.

    This program runs, and somebody uses it. Fix it.

    Symptoms: the example has four rows, and each request with four rows is answered. A request with
    five rows is refused with a ValueError, and so is one with a single row. The server doesn't have
    the source code of `f`, so it can't recompile it.

    Args:
        f: f(params, request) returns a pytree of arrays. It is made of JAX operations, and works
            for any number of rows. A row of the result may depend on all rows of the request, for
            example on their mean.
        params: a pytree of arrays.
        example: a request: a pytree of arrays whose first axis counts the rows.

    Returns:
        The program, as bytes that `jax.export.deserialize` can read. With it, the function `answer`
        below, unchanged, gives f(params, request) for parameters and requests of the same
        structure, shapes and dtypes as `params` and `example`, but with any number of rows, at
        least one. Anything else that doesn't fit raises ValueError, including a request whose
        arrays differ in their number of rows.

    Examples:
        >>> import jax.numpy as jnp
        >>> def f(params, request):
        ...     return request["x"] @ params["w"] + request["b"]
        >>> params = {"w": jnp.array([1.0, 2.0])}
        >>> example = {"x": jnp.ones((4, 2)), "b": jnp.arange(4.0)}
        >>> program = serve_any_batch(f, params, example)
        >>> answer(program, params, example).tolist()
        [3.0, 4.0, 5.0, 6.0]

        A request with five rows:

        >>> answer(program, params, {"x": jnp.ones((5, 2)), "b": jnp.arange(5.0)}).tolist()
        [3.0, 4.0, 5.0, 6.0, 7.0]
    """

    def spec(array):
        return jax.ShapeDtypeStruct(array.shape, array.dtype)

    specs = jax.tree.map(spec, (params, example))
    return bytes(export.export(jax.jit(f))(*specs).serialize())


def answer(program: bytes, params: Any, request: Any) -> Any:
    """Return f(params, request); this is all that the server does."""
    return export.deserialize(bytearray(program)).call(params, request)
