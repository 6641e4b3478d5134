"""An exception as the rules of feedback see it: its code at each of the student's own frames."""

import ast
import functools
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from grader.feedback.syntax import Chain, Function, Layer, Module, Spot

# A syntax tree takes far more memory than its text.
MOST_SOURCE = 50_000
# Under any other transformation the exception may be about a caller that isn't known here.
_STACKED = {"jit", "grad", "value_and_grad", "vmap", "jacfwd", "jacrev", "live"}


@dataclass(frozen=True)
class Called:
    """The call from outside: a function's name, under transformations (from first to last)."""

    name: str
    stack: tuple[str, ...] = ()


@dataclass(frozen=True)
class Diagnosis:
    """What a rule has found: a cause, and the words that its lesson asks for."""

    cause: str
    words: dict[str, Any] = field(default_factory=dict)
    line: int | None = None


class RaisedException:
    """`text` is the message, where it may be known."""

    def __init__(
        self, module: Module, spots: Sequence[Spot], asked: Called | None, text: str = ""
    ) -> None:
        self.text = text
        self.module = module
        self.spots = [spot for spot in spots if 1 <= spot.line <= len(module.lines)]
        self.asked = asked

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """The node of each frame, innermost first."""
        found = [self.module.at(spot) for spot in reversed(self.spots)]
        return [node for node in found if node is not None]

    @property
    def node(self) -> ast.AST | None:
        """Where the exception was raised."""
        return self.nodes[0] if self.nodes else None

    @property
    def parent(self) -> ast.AST | None:
        return self.module.parent(self.node)

    @cached_property
    def statement(self) -> ast.stmt | None:
        around = (self.node, *self.module.around(self.node)) if self.node is not None else ()
        return next((n for n in around if isinstance(n, ast.stmt)), None)

    @cached_property
    def call(self) -> ast.Call | None:
        """The call that raised the exception, if a call did."""
        # Without columns, only the statement is known.
        inside = ast.walk(self.node) if isinstance(self.node, ast.stmt) else [self.node]
        return next((n for n in inside if isinstance(n, ast.Call)), None)

    @property
    def callee(self) -> str:
        """The full name of what was called: "jax.numpy.zeros"."""
        return self.module.called(self.call)

    @property
    def method(self) -> str:
        """The last part of a dotted name: also of `x.reshape`, whose `x` is no module."""
        func = self.call.func if self.call is not None else None
        return func.attr if isinstance(func, ast.Attribute) else ""

    @property
    def last(self) -> str:
        """The last part of what was called, dotted or not."""
        return self.callee.rpartition(".")[2] or self.method

    @cached_property
    def chain(self) -> Chain:
        """The transformations and the function of this call, or of the call from outside."""
        if self.call is not None:
            return self.module.chain(self.call.func)
        if self.nodes or self.asked is None or not _STACKED.issuperset(self.asked.stack):
            return Chain()
        inner = self.module.chain(self.module.functions.get(self.asked.name))
        return replace(inner, layers=(*map(Layer, reversed(self.asked.stack)), *inner.layers))

    @property
    def args(self) -> list[ast.expr]:
        if self.call is None:
            return []
        return [*self.call.args, *(keyword.value for keyword in self.call.keywords)]

    def arg(self, place: int, name: str = "") -> ast.expr | None:
        """One argument, by place or by name."""
        if self.call is None:
            return None
        if place < len(self.call.args):
            return self.call.args[place]
        return next((k.value for k in self.call.keywords if k.arg == name), None)

    def function(self, node: ast.AST | None) -> Function | None:
        return self.module.chain(node).function


@functools.lru_cache(maxsize=8)
def parsed(source: str) -> Module | None:
    """A file's syntax tree; None if the file isn't Python, or is too long."""
    module = _parsed(source)
    return module if isinstance(module, Module) else None


def unparsed(source: str) -> SyntaxError | None:
    """Why a file isn't Python, if Python says it."""
    error = _parsed(source)
    return error if isinstance(error, SyntaxError) else None


def _parsed(source: str) -> Module | SyntaxError | None:
    if len(source) > MOST_SOURCE:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Module(source)
    except SyntaxError as error:
        return error.with_traceback(None)
    except (ValueError, RecursionError, MemoryError, OverflowError):
        return None
