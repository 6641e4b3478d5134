"""Values from the judge -> the arrays, classes and functions that code expects."""

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any

import cloudpickle
import jax

from grader.engine import wire
from grader.engine.wire import arrays


class Values:
    """Turns wire records into values; remembers the classes that a suite sent.

    Each test of a suite numbers its classes anew: these tags hold until the next test.

    `call_back(number, *args)` calls a function that stays in the judge.
    """

    def __init__(
        self, handles: Sequence[Any] = (), call_back: Callable[..., Any] | None = None
    ) -> None:
        self._handles = handles
        self._call_back = call_back
        self._classes: dict[bytes, type] = {}
        self._tags: dict[int, type] = {}
        self.numpy = False
        """Whether arrays are NumPy's, and not JAX's."""

    def decode(self, value: Any) -> Any:
        """A value with arrays, the functions behind handles, and the suite's functions."""
        return arrays.from_wire(
            value,
            array=arrays.wire_to_array if self.numpy else arrays.wire_to_jax,
            named=self._named,
            handle=lambda record: self._handles[record.number],
            code=lambda record: cloudpickle.loads(record.data),
            callback=self._callback,
        )

    def tag_of(self, cls: type) -> int | None:
        """The tag of a class that the suite sent."""
        return next((tag for tag, known in self._tags.items() if known is cls), None)

    def _callback(self, record: wire.CallbackNumber) -> Callable[..., Any]:
        assert self._call_back is not None
        return functools.partial(self._call_back, record.number)

    def _named(self, record: wire.Named, values: tuple[Any, ...]) -> Any:
        assert record.tag is not None and record.code is not None
        if record.code not in self._classes:
            # The same class may come as other bytes.
            cls = cloudpickle.loads(record.code)
            if dataclasses.is_dataclass(cls) and cls not in self._classes.values():
                jax.tree_util.register_dataclass(cls)  # type: ignore[type-var]
            self._classes[record.code] = cls
        self._tags[record.tag] = self._classes[record.code]
        return self._tags[record.tag](*values)
