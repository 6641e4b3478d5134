"""Runs a compiled loop that has no end (R11).

Exercise: 01_arrays/set_row
Outcome: timed_out
Slow: it waits for a limit
"""

import jax


def set_row(x, i, row):
    def turn(state):
        return (state[0] * 5 + 1) % 1000, state[1]

    return jax.lax.while_loop(lambda state: state[0] >= 0, turn, (0, x))[1]
