"""Imports JAX in a tenth of a second less where many packages are installed.

JAX (0.10 to 0.12) looks for a plugin of AMD's GPUs at its import, and reads the metadata of every
package for that. Our processes compute on the CPU, so JAX finds no package then. For all other
plugins it looks later, when it starts a backend.
"""

from importlib import metadata


def load() -> None:
    """Imports `jax`. No other thread may ask for installed packages meanwhile."""
    every = metadata.distributions
    metadata.distributions = lambda **_: iter(())
    try:
        import jax  # noqa: F401
    finally:
        metadata.distributions = every
