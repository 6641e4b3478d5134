"""`RACE` in the stub of a `fast` exercise: what its suite times, and `grader race` for a student.

    RACE = {"at_least": 8, "compiled": False, "args": [("float32", (60, 4)), ("int32", (), 2, 9)]}

It is read in the stub, never in a student's file.
"""

import runpy
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class RaceTerms:
    """The value of `RACE`."""

    at_least: float  #: the factor
    compiled: bool  #: both sides are compiled first; otherwise the functions run as they are
    args: tuple[Any, ...]  #: each a dtype, a shape and, unless its numbers are normal, their bounds
    functions: tuple[Any, ...] = ()  #: of the stub, as arguments before those

    def drawn(self, rng: Any) -> tuple[Any, ...]:
        """The arrays of one call, from a NumPy generator."""
        return tuple(_drawn(rng, *arg) for arg in self.args)


def read(stub: Path | None) -> tuple[RaceTerms | None, dict[str, Any]]:
    """The terms, if there are any, and all names of the stub. Runs the stub."""
    names = runpy.run_path(str(stub)) if stub is not None and stub.is_file() else {}
    return RaceTerms(**names["RACE"]) if "RACE" in names else None, names


def _drawn(rng: Any, dtype: str, shape: tuple[int, ...], *bounds: float) -> Any:
    draw = rng.integers if "int" in dtype else rng.uniform if bounds else rng.normal
    return draw(*bounds, size=shape).astype(dtype)
