"""What a hidden suite can import: these names, and no others.

from grader.suite import Callback, assert_agree, assert_close, assert_no_key_reuse
from grader.suite import case, key, raises
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grader.engine.suite.codec import Callback
    from grader.engine.suite.compare import (
        assert_agree,
        assert_close,
        assert_no_key_reuse,
        case,
        key,
        raises,
    )

__all__ = [
    "Callback",
    "assert_agree",
    "assert_close",
    "assert_no_key_reuse",
    "case",
    "key",
    "raises",
]


def __getattr__(name: str) -> Any:
    # The documents' tools import this module. Only a process that judges needs jax.
    if name in __all__:
        from grader.engine.suite import codec, compare

        return codec.Callback if name == "Callback" else getattr(compare, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
