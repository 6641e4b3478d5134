"""Other right answers to optimizer_chain; each cell is a suffix to the solution."""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple


# %% recursion
# The first part, and a chain of all others.
def optimizer_chain(*parts):
    if not parts:
        return lambda params: (), lambda updates, state, params: (updates, ())
    (head_init, head_update), *rest = parts
    rest_init, rest_update = optimizer_chain(*rest)

    def init(params):
        return head_init(params), *rest_init(params)

    def update(updates, state, params):
        updates, first = head_update(updates, state[0], params)
        updates, others = rest_update(updates, state[1:], params)
        return updates, (first, *others)

    return init, update


# %% reduce
# A fold over the parts carries the updates and the states so far.
def optimizer_chain(*parts):
    def update(updates, state, params):
        def one(so_far, part_and_state):
            updates, states = so_far
            (_, part_update), old = part_and_state
            updates, new = part_update(updates, old, params)
            return updates, (*states, new)

        return functools.reduce(one, zip(parts, state, strict=True), (updates, ()))

    return lambda params: tuple(part[0](params) for part in parts), update


# %% named_pair
# A namedtuple with fields for the two functions is a pair, too.
class Optimizer(NamedTuple):
    init: Callable[[Any], Any]
    update: Callable[..., Any]


def optimizer_chain(*parts):
    inits = [part[0] for part in parts]
    updates_of = [part[1] for part in parts]

    def update(updates, state, params):
        state = list(state)
        for k in range(len(state)):
            updates, state[k] = updates_of[k](updates, state[k], params)
        return updates, tuple(state)

    return Optimizer(lambda params: tuple([first(params) for first in inits]), update)


# %% object
# The methods of an object that holds the parts and nothing else.
class Chain:
    def __init__(self, parts):
        self.parts = parts

    def init(self, params):
        states = ()
        for init, _ in self.parts:
            states += (init(params),)
        return states

    def update(self, updates, state, params):
        states = ()
        for (_, update), old in zip(self.parts, state, strict=True):
            updates, new = update(updates, old, params)
            states += (new,)
        return updates, states


def optimizer_chain(*parts):
    chain = Chain(parts)
    return chain.init, chain.update
