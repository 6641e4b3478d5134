"""Writes a call of the submission as a suite does: `f.grad(argnums=1)(3.0)`."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

# Of more numbers in keys, only the ends are shown, as of those in arrays.
MANY_WORDS = 20


def call_text(verb: str, target: str | int, stack: tuple[Any, ...], value: dict[str, Any]) -> str:
    """A call. Only the ends of long arrays are shown."""
    with np.printoptions(threshold=20, edgeitems=3, precision=4):
        parts = [_brief(arg) for arg in value.get("args", value.get("calls", ()))]
        parts += [f"{k}={_brief(v)}" for k, v in value.get("kwargs", {}).items()]
    suffix = "" if verb == "call" else f".{'program' if verb == 'export' else verb}"
    return f"{name_text(target, stack)}{suffix}({', '.join(parts)})"


def name_text(target: str | int, stack: tuple[Any, ...]) -> str:
    """A function with its transformations."""
    name = target if isinstance(target, str) else "<function>"
    for layer, keywords in stack:
        name += f".{layer}({', '.join(f'{k}={_brief(v)}' for k, v in keywords.items())})"
    return name


def _brief(value: Any) -> str:
    if isinstance(value, jax.Array) and jnp.issubdtype(value.dtype, jax.dtypes.prng_key):
        words = np.asarray(jax.random.key_data(value))
        text = f"key({words.tolist() if words.size <= MANY_WORDS else words})"
    elif callable(value) and hasattr(value, "__name__"):
        text = value.__name__  # its `repr` holds an address of the judge
    else:
        text = repr(value)
    return text if len(text) <= 400 else text[:397] + "..."
