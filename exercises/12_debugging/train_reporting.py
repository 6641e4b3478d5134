"""Call Python from inside a loop of the program.

Compiled prints and breakpoints: https://docs.jax.dev/en/latest/debugging/print_breakpoint.html
"""

from collections.abc import Callable
from typing import Any

import jax

Step = Callable[[Any], tuple[Any, jax.Array]]
Report = Callable[[Any, Any], None]


def train_reporting(
    step: Step, params: Any, n: int, every: int, report: Report | None
) -> tuple[Any, jax.Array]:
    """Take `n` training steps in one program, and report the loss of some of them.

    A loop of `jax.lax` runs a whole training. A `print` in it runs once, while JAX traces, and
    shows a tracer in place of a number. `jax.debug.callback(f, x, y)` puts a call of Python into
    the program: each time the program gets there, it calls f(x, y) with the values. It takes longer
    than a small step, so a long training reports only a few steps. While JAX traces, the number of
    the step has no value: the program itself has to choose. The calls of one program may come in
    any order, unless you ask for `ordered=True`. The last of them may come later than the result:
    the caller waits for them with `jax.effects_barrier()`.

    Args:
        step: a function that can be traced: step(params) -> (params, loss). The new parameters
            have the structure, shapes and dtypes of the old ones; the loss is a float32 scalar.
        params: a pytree of arrays.
        n: the number of steps; a Python int, at least 1.
        every: a Python int, at least 1; it may be larger than `n`.
        report: a Python function of two numbers, or None for a training without reports.

    Returns:
        (params, losses): the parameters after the last step, and the losses of all steps, [n]
        float32. The program calls `report(k, loss)` for each step k below n that is 0 or a multiple
        of `every`, in this order and in each run, while the loop runs. In its other steps it calls
        no Python. It holds the step once or twice.

    Examples:
        >>> import jax.numpy as jnp
        >>> def halve(params):
        ...     return params / 2, params.sum()
        >>> start = jnp.array([8.0, 16.0])
        >>> params, losses = train_reporting(halve, start, 5, 2, None)
        >>> params.tolist(), losses.tolist()
        ([0.25, 0.5], [24.0, 12.0, 6.0, 3.0, 1.5])

        Every second step is reported:

        >>> seen = []
        >>> def report(k, loss):
        ...     seen.append((int(k), float(loss)))
        >>> params, losses = train_reporting(halve, start, 5, 2, report)
        >>> jax.effects_barrier()
        >>> seen
        [(0, 24.0), (2, 6.0), (4, 1.5)]

        A compiled training reports in each run:

        >>> train = jax.jit(lambda params: train_reporting(halve, params, 100, 4, report)[1][-1])
        >>> seen.clear()
        >>> last = [float(train(jnp.ones(1) * start)) for start in (1, 32)]
        >>> jax.effects_barrier()
        >>> len(seen), seen[:2], seen[25:27]
        (50, [(0, 1.0), (4, 0.0625)], [(0, 32.0), (4, 2.0)])

    Details:
        If `report` is None, the program calls no Python at all, and has a gradient in reverse mode.
        Parameters may be integers or keys. A loss is reported also if it is NaN or infinite.
    """
    # TODO: number the steps of the loop, and let the program choose which of them it reports.
    raise NotImplementedError
