"""An exception -> what it means in JAX, by its classes and the code around the student's line.

    classes, spots, source --Raised--> rules of the first class that has any --> Advice | None

Never by the message: JAX changes its wording, and a student's code could write hidden inputs
into it. Where one class has many causes (TypeError, ValueError), the code tells them apart.
"""

from __future__ import annotations

import ast
import functools
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from grader.feedback import lessons
from grader.feedback.syntax import Chain, Function, Layer, Module, Spot
from grader.model import Advice

# A syntax tree takes far more memory than its text.
MOST_SOURCE = 50_000
# With anything else, what rises may be about a caller of whom nothing is known here.
_STACKED = {"jit", "grad", "value_and_grad", "vmap", "jacfwd", "jacrev", "live"}
# A worker's own words for what is not there, or no data.
_OURS = {"NotDefined", "NotData"}


@dataclass(frozen=True)
class Called:
    """What was asked for from outside: a name, under transformations (from first to last)."""

    name: str
    stack: tuple[str, ...] = ()


@dataclass(frozen=True)
class Told:
    """What a rule has found: a cause, and the words that its lesson asks for."""

    cause: str
    words: dict[str, Any] = field(default_factory=dict)
    line: int | None = None


class Raised:
    """An exception as the rules see it: the code at each frame of the student's own."""

    def __init__(self, module: Module, spots: Sequence[Spot], called: Called | None) -> None:
        self.module = module
        self.spots = [spot for spot in spots if 1 <= spot.line <= len(module.lines)]
        self.asked = called
        """What was asked for from outside."""

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """The node of each frame, innermost first."""
        found = [self.module.at(spot) for spot in reversed(self.spots)]
        return [node for node in found if node is not None]

    @property
    def node(self) -> ast.AST | None:
        """Where it rose."""
        return self.nodes[0] if self.nodes else None

    @cached_property
    def statement(self) -> ast.stmt | None:
        return self.module.statement(self.node) if self.node is not None else None

    @cached_property
    def call(self) -> ast.Call | None:
        """The call that raised it, if it was one."""
        if isinstance(self.node, ast.Call):
            return self.node
        # Without columns all that is known is the statement.
        if isinstance(self.node, ast.stmt):
            calls = (n for n in ast.walk(self.node) if isinstance(n, ast.Call))
            return next(calls, None)
        return None

    @property
    def callee(self) -> str:
        """The full name of what was called: "jax.numpy.zeros"."""
        return self.module.called(self.call)

    @property
    def method(self) -> str:
        """The last part of it: also of `x.reshape`, whose `x` is no module."""
        return (
            self.call.func.attr if self.call and isinstance(self.call.func, ast.Attribute) else ""
        )

    @cached_property
    def chain(self) -> Chain:
        """The transformations and the function that the call reaches, or the one asked for."""
        if self.call is not None:
            return self.module.chain(self.call.func)
        return self.from_outside if not self.nodes else Chain((), None)

    @cached_property
    def from_outside(self) -> Chain:
        """The function that was asked for, under what was asked."""
        if self.asked is None or not _STACKED.issuperset(self.asked.stack):
            return Chain((), None)
        inner = self.module.chain(self.module.functions.get(self.asked.name))
        return Chain((*map(Layer, reversed(self.asked.stack)), *inner.layers), inner.function)

    @property
    def args(self) -> list[ast.expr]:
        """The arguments of the call."""
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
        """The function that an expression names."""
        return self.module.chain(node).function

    def short(self, name: str) -> str:
        """A full name as it is usually written."""
        return (
            name.replace("jax.numpy.", "jnp.").replace("jax.lax.", "lax.").replace("numpy.", "np.")
        )


def explain(
    classes: Sequence[str],
    spots: Sequence[Spot],
    source: str,
    called: Called | None = None,
) -> Advice | None:
    """What an exception means; None where there is nothing to say beyond its name.

    `classes` is its MRO by name, most derived first; `spots` are the student's own frames,
    innermost last; `called` is what was asked for, where no frame of the student's is left.
    """
    from grader.feedback.rules import RULES

    module = parsed(source)
    if module is None or _OURS & set(classes):
        return None
    try:
        raised = Raised(module, spots, called)
        if isinstance(raised.statement, ast.Raise):
            return None
        for rule in (rule for name in classes for rule in RULES.get(name, ())):
            told = rule(raised)
            if told is not None:
                return _advice(raised, told)
    except RecursionError:
        return None
    return None


@functools.lru_cache(maxsize=8)
def parsed(source: str) -> Module | None:
    """A file's syntax tree, unless it is no Python, or too much of it."""
    if len(source) > MOST_SOURCE:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Module(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None


def _advice(raised: Raised, told: Told) -> Advice:
    line = told.line or (raised.spots[-1].line if raised.spots else None)
    if line is None and raised.chain.function is not None:
        line = raised.chain.function.lineno
    return lessons.advice(told.cause, line, raised.module.code(line), **told.words)
