"""What arrives from the judge, as the values that its code and a student's expect."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import cloudpickle
import jax

from grader import arrays, wire


class Values:
    """Wire records to values; remembers the classes that a suite has sent, by their tags."""

    def __init__(self, handles: Sequence[Any] = ()) -> None:
        self._handles = handles
        self._classes: dict[int, type] = {}

    def decode(self, value: Any) -> Any:
        """Arrays as jax arrays, handles as what they stand for, and the suite's own functions."""
        return arrays.from_wire(
            value,
            array=arrays.wire_to_jax,
            named=self._named,
            handle=lambda record: self._handles[record.number],
            code=lambda record: cloudpickle.loads(record.data),
        )

    def tag_of(self, cls: type) -> int | None:
        """The tag under which the suite sent this class, if it did."""
        return next((tag for tag, known in self._classes.items() if known is cls), None)

    def _named(self, record: wire.Named, values: tuple[Any, ...]) -> Any:
        assert record.tag is not None and record.code is not None
        if record.tag not in self._classes:
            cls = cloudpickle.loads(record.code)
            if dataclasses.is_dataclass(cls):
                jax.tree_util.register_dataclass(cls)  # type: ignore[type-var]
            self._classes[record.tag] = cls
        return self._classes[record.tag](*values)
