"""How much a message about a hidden test may tell.

A submission knows its inputs, and it chooses what it raises, where, and how its result is wrong.
So a message that is one of n texts can carry log2(n) bits of the inputs. Here n is bounded:

    an exception    its class and its line, if the called function has few lines (`Exceptions`)
    a wrong value   its place, its kind, and more if few other texts could stand there

`tests/processes/test_bounded.py` counts all texts of a test.
"""

import ast
import builtins
import dataclasses
import functools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from grader.feedback.raised import parsed
from grader.feedback.syntax import Module, Spot

# Classes of Python, JAX and NumPy, those that students meet most often first.
_FREQUENT = (
    "NotImplementedError TypeError ValueError TracerBoolConversionError IndexError AttributeError "
    "ConcretizationTypeError TracerArrayConversionError NameError TracerIntegerConversionError "
    "KeyError UnexpectedTracerError SystemExit OSError ZeroDivisionError "
    "NonConcreteBooleanIndexError AssertionError UnboundLocalError RecursionError RuntimeError "
    "ImportError KeyReuseError JaxRuntimeError FloatingPointError OverflowError LinAlgError"
).split()
# Advice on others is rare, and as good as their names.
_ADVISED = frozenset(
    "TypeError ValueError NameError AttributeError KeyReuseError TracerBoolConversionError "
    "ConcretizationTypeError TracerArrayConversionError TracerIntegerConversionError".split()
)
# Texts about an exception, without advice.
EXCEPTION_TEXTS = 48
# More places in a function could lead to too many pieces of advice.
MOST_SPOTS = 56
# Texts about a wrong value, without advice: one for each kind (two for a wrong structure), and
# more for some kinds, the most useful ones first.
MISMATCH_TEXTS = 33
KINDS = 6
DETAILS = {"value": 3, "shape": 7, "dtype": 4, "structure": 13}
DTYPES = frozenset(("float32", "float64", "int32", "bool"))
NAMES = frozenset(
    [
        *("None", "an array", "a function", "a record of your own class", "a PRNG key"),
        *(f"a {name}" for name in "tuple list dict int float complex bool str".split()),
    ]
)
_CODE = (ast.stmt, ast.expr, ast.excepthandler, ast.pattern)


@dataclass(frozen=True)
class Exceptions:
    """What may be told about exceptions of one function of a source."""

    lines: frozenset[int]
    """The lines that may be named: of code that the function can reach."""
    classes: frozenset[str]
    """The classes that may be named."""
    spots: frozenset[Spot]
    """The places that advice may be about."""

    def advised(self, name: str) -> bool:
        """Whether there may be advice on exceptions of this class."""
        return name in _ADVISED or name in self.classes


@functools.lru_cache(maxsize=64)
def exceptions(source: str, name: str | None) -> Exceptions:
    """For calls of the function `name`; for calls of any function if it is None."""
    module = parsed(source)
    nodes = [] if module is None else list(_reachable(module, name))
    lines = frozenset(node.lineno for node in nodes)
    places = len(lines) + 1  # each line, and none
    if 2 * places > EXCEPTION_TEXTS:
        lines, places, nodes = frozenset(), 1, []
    # Two more texts are for other classes: of Python or JAX, and of the student.
    classes = frozenset(_FREQUENT[: EXCEPTION_TEXTS // places - 2])
    spots = frozenset(
        Spot(node.lineno, node.end_lineno, node.col_offset, node.end_col_offset) for node in nodes
    )
    return Exceptions(lines, classes, spots if len(spots) <= MOST_SPOTS else frozenset())


def bases(classes: Sequence[str]) -> tuple[str, ...]:
    """The first class and its bases by name, if it is Python's, JAX's or NumPy's; otherwise ().

    The bases are found here, because a worker may claim any others.
    """
    # A judge starts its sandbox before it imports JAX, and the sandbox needs this module.
    import jax
    import numpy as np

    for module in (builtins, jax.errors, np.linalg) if classes else ():
        kind = vars(module).get(classes[0])
        if isinstance(kind, type) and issubclass(kind, BaseException):
            return tuple(cls.__name__ for cls in kind.__mro__)
    return ()


def _reachable(
    module: Module, name: str | None
) -> Iterator[ast.stmt | ast.expr | ast.excepthandler | ast.pattern]:
    """The code that a call of `name` can run, found by names; all code if that isn't known."""
    parts: dict[str, list[ast.stmt]] = {}
    for statement in module.tree.body:
        for bound in _bound(statement):
            parts.setdefault(bound, []).append(statement)
    chosen = list(module.tree.body) if name is None or name not in parts else []
    seen, new = set[str](), [] if chosen or name is None else [name]
    while new:
        seen.add(bound := new.pop())
        for statement in parts.get(bound, ()):
            chosen.append(statement)
            used = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}
            new += used & parts.keys() - seen - set(new)
    for statement in dict.fromkeys(chosen):
        yield from (node for node in ast.walk(statement) if _is_code(node))  # type: ignore[misc]


def _bound(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement of the module binds."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
        return
    # `f.defvjp(forward, backward)` belongs to `f`.
    if isinstance(statement, ast.Expr):
        yield from (node.id for node in ast.walk(statement) if isinstance(node, ast.Name))
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name


def _is_code(node: ast.AST) -> bool:
    """Not a text: a docstring can be long, and raises nothing."""
    if isinstance(node, ast.Expr):
        node = node.value
    return isinstance(node, _CODE) and not (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


@dataclass(frozen=True)
class Difference:
    """The first difference between what was returned and what was expected."""

    path: str  #: of the place in what was expected; empty for all of it
    kind: str  #: "structure", "shape", "dtype", "nan" or "value"
    public: str  #: everything except expected values
    short: str  #: the kind in words
    found: object  #: of what was returned: its kind, shape, dtype, or counts

    def sentence(self, text: str) -> str:
        return f"At `{self.path}`: {text}." if self.path else f"{text[:1].upper()}{text[1:]}."


def difference(full: Difference, places: int, lengths: Collection[int]) -> str:
    """What may be told where any of so many places could differ."""
    texts = MISMATCH_TEXTS // places
    if texts < KINDS:
        full, texts = dataclasses.replace(full, path=""), MISMATCH_TEXTS
    left = texts - KINDS
    text = full.short
    for kind, cost in DETAILS.items():
        if cost > left:
            break
        left -= cost
        if kind == full.kind:
            text = _detailed(full, lengths)
    return full.sentence(text)


def _detailed(full: Difference, lengths: Collection[int]) -> str:
    match full.kind, full.found:
        case "value", (int(wrong), int(total)):
            return _count(wrong, total)
        case "shape", tuple(shape) if _is_likely(shape, lengths):
            return full.public
        case ("dtype", str(name)) if name in DTYPES:
            return full.public
        case ("structure", str(name)) if name in NAMES:
            return full.public
    return full.short


def _is_likely(shape: tuple[int, ...], lengths: Collection[int]) -> bool:
    """Whether a shape has only lengths of inputs and expected values, and few such shapes exist."""
    plausible = set(lengths)
    few = sum(len(plausible) ** axes for axes in range(len(shape) + 1)) <= DETAILS["shape"]
    return few and plausible.issuperset(shape)


def _count(wrong: int, total: int) -> str:
    """How many values are wrong: one, some, most or all."""
    if total == 1:
        return "the value is wrong"
    if wrong in (1, total):
        return f"{wrong} of {total} values are wrong"
    return f"{'some' if 2 * wrong < total else 'most'} of {total} values are wrong"
