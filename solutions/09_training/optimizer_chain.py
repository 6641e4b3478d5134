"""Reference solution: a loop over parts and states."""

from collections.abc import Callable
from typing import Any

Init = Callable[[Any], Any]
Update = Callable[[Any, Any, Any], tuple[Any, Any]]


def optimizer_chain(*parts: tuple[Init, Update]) -> tuple[Init, Update]:
    """The updates go from part to part; the states stay side by side."""

    def init(params):
        return tuple(part_init(params) for part_init, _ in parts)

    def update(updates, state, params):
        states = []
        for (_, part_update), old in zip(parts, state, strict=True):
            updates, new = part_update(updates, old, params)
            states.append(new)
        return updates, tuple(states)

    return init, update
