"""Reference solution: the settings are an argument of the compiled function."""

from collections.abc import Callable
from typing import Any

import jax


def adjustable(
    f: Callable[..., jax.Array], **settings: Any
) -> tuple[Callable[[jax.Array], jax.Array], Callable[..., None]]:
    """The dict is read in each call, outside the program."""

    @jax.jit
    def compiled(x, settings):
        return f(x, **settings)

    def run(x):
        return compiled(x, settings)

    def change(**new):
        unknown = new.keys() - settings.keys()
        if unknown:
            raise ValueError(f"no setting has the name {', '.join(sorted(unknown))}")
        settings.update(new)

    return run, change
