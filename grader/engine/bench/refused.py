"""Why a program won't be run: one of few texts, since students read them."""

from enum import StrEnum

MAX_BYTES = 8 << 20
MAX_OPERATIONS = 20_000
MAX_NESTED_LOOPS = 4


class Why(StrEnum):
    """They hold nothing of the program: not even a number that it chose."""

    BYTES = f"the program has more than {MAX_BYTES:,} bytes"
    SIZE = f"the program has more than {MAX_OPERATIONS:,} operations"
    LOOPS = f"the program nests loops more than {MAX_NESTED_LOOPS} deep"
    DEVICES = "the program is for a different number of devices"
    OPERATION = "the program contains an operation that is not allowed"
    INNER = "the program contains an inner program where none is allowed"
    BLOCKS = "the program contains an inner program with no blocks or several"
    FUNCTION = "the program contains a function where none is allowed"
    SYMBOL = "the program refers to a function where it may not"
    MISSING = "the program calls a function that it doesn't contain"
    SEVERAL = "the program calls no function, or several, at one place"
    WAYS = "the program calls its functions in too many ways"
    RECURSION = "the program's functions call each other without end"
    OUTSIDE = "the program calls something outside itself"
    COMPARISON = "the program compares numbers as if they were of a different kind"
    SORT = "the program sorts without order, in a way that JAX doesn't"
    NAME = "the program gives a loop one of XLA's names"
    SHAPES = "the program's shapes depend on its inputs"
    TENSOR = "the program makes a tensor that is too large"
    ARRAYS = "a program takes only arrays"
    UNREADABLE = "the program can't be read"
    DERIVATIVE = "no derivative is stored with the program"


class RefusedProgram(ValueError):
    """A program that won't be run."""

    def __init__(self, why: Why) -> None:
        super().__init__(str(why))
