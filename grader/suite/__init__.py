"""What a suite can use, in the judge's process. Suites import these names from here:

from grader.suite import Callback, assert_close, assert_no_key_reuse, case, key, raises

submission     the student's module as a suite sees it
program        a function of a submission as an exported program
compare        assert_close and similar checks
calls          a call in the student's words
facts          the facts of a program as numbers that know what they count
plain_asserts  the same of a plain `assert` or `numpy.testing`
codec          the suite's values as records of the wire, and back
sent_code      a suite's function as bytes for a worker
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grader.suite.codec import Callback
    from grader.suite.compare import assert_close, assert_no_key_reuse, case, key, raises

__all__ = ["Callback", "assert_close", "assert_no_key_reuse", "case", "key", "raises"]


def __getattr__(name: str) -> Any:
    # pytest loads the judge's plugin in every run. Only runs that judge need jax.
    if name in __all__:
        from grader.suite import codec, compare

        return codec.Callback if name == "Callback" else getattr(compare, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
