"""Keeps what JAX lowers, so that no other process has to lower the same program again.

A function that is called without `jit` runs as many small programs. JAX lowers each before it asks
the compile cache, and in a new process that takes longer than to load the compiled program. So the
modules lie in the folder of the compile cache, under a digest of all that JAX makes them from:

    jaxpr, arguments of the lowering --Describer--> digest --file in the folder--> MLIR module

There is a folder for each version of JAX. Workers only read there, as they do in the compile cache;
the course's own code writes. What can't be described in full is lowered as always: a program with a
callback, an effect or a constant array, an operation that isn't JAX's own, and every program if the
configuration has changed.

It reaches into private modules of JAX, and pays for it: on jax 0.12.0.1, a class of eight students,
seven exercises, all answers different, takes 13 % longer without it (medians of three).
"""

import contextlib
import dataclasses
import enum
import functools
import hashlib
import importlib
import threading
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, Jaxpr, Literal  # type: ignore[attr-defined,unused-ignore]
from jax.extend.mlir import ir

from grader.records import files

_PLATFORMS = ("cpu",)
# A context keeps every type, attribute and location that a program in it had.
PROGRAMS_OF_A_CONTEXT = 50
_PLAIN = (type(None), bool, int, float, str, bytes)


@dataclasses.dataclass
class _Place:
    """Where modules are kept, and the configuration under which they were lowered."""

    folder: Path | None = None
    writes: bool = False
    configured: dict[str, Any] = dataclasses.field(default_factory=dict)


_place = _Place()


def configure(folder: str | None, *, writes: bool) -> None:
    """Names the folder; without one, everything is lowered. Call it when JAX is configured.

    Only a process that runs nothing but trusted code `writes`.
    """
    _place.folder = None if folder is None else Path(folder)
    _place.writes = writes
    _place.configured = dict(jax.config.values)


def prepare() -> None:
    """Lets JAX look here first.

    There is no public way to do so. Where JAX has changed, it lowers everything by itself.
    """
    try:
        mlir: Any = importlib.import_module("jax._src.interpreters.mlir")
        context: Any = importlib.import_module("jax._src.config").trace_context
        lower, make_context = mlir.lower_jaxpr_to_module, mlir.make_ir_context
        to_bytes, passes = mlir.module_to_bytecode, mlir.passmanager.PassManager
        plain = mlir.LoweringResult(None, [], [], mlir.ShapePolyLoweringState((), _PLATFORMS))
        describer = Describer({*mlir._lowerings}.union(*mlir._platform_specific_lowerings.values()))
    except (ImportError, AttributeError, TypeError):
        return

    def surroundings() -> list[Any]:
        return [None if _is_empty_mesh(part) else part for part in context()]

    def written(module: Any) -> bytes:
        """Without the lines of the file that it comes from, since others read it."""
        with module.context:
            copy = ir.Module.parse(to_bytes(module))
            passes.parse("builtin.module(strip-debuginfo)").run(copy.operation)
            return bytes(to_bytes(copy))

    usual = surroundings()

    def path_of(name: str, jaxpr: Any, how: dict[str, Any]) -> Path | None:
        """None if the module is not to be kept."""
        if _place.folder is None:
            return None
        if surroundings() != usual or jax.config.values != _place.configured:
            return None
        # A part of it can't be described. JAX lowers it, so this must not be the program's error.
        with contextlib.suppress(Exception):
            return _place.folder / f"lowered-{describer.digest(name, jaxpr, how)}"
        return None

    @functools.wraps(lower)
    def lower_jaxpr_to_module(name: str, jaxpr: Any, **how: Any) -> Any:
        path = path_of(name, jaxpr, how)
        if path is not None:
            with contextlib.suppress(OSError, ValueError, ir.MLIRError):  # new, or damaged
                if data := path.read_bytes():  # nothing at all would be an empty module
                    return plain._replace(module=ir.Module.parse(data, make_context()))
        result = lower(name, jaxpr, **how)
        if path is not None and _place.writes and not (result.keepalive or result.host_callbacks):
            _keep(path, written(result.module))
        return result

    mlir.lower_jaxpr_to_module = lower_jaxpr_to_module


def share_contexts() -> None:
    """Lets JAX before 0.12 lower many programs in one MLIR context, as JAX 0.12 does by itself.

    To make one takes two thirds of the time in which JAX lowers a small program. On jax 0.10.2, a
    class of three students and seven exercises, all answers different, takes 14 % more processor
    time without this (medians of three). It goes when 0.12 is the oldest JAX.
    """
    try:
        mlir: Any = importlib.import_module("jax._src.interpreters.mlir")
        make = mlir.make_ir_context
    except (ImportError, AttributeError):
        return
    if hasattr(mlir, "_thread_local_context"):  # JAX has its own
        return
    used = threading.local()

    @functools.wraps(make)
    def make_ir_context() -> Any:
        used.programs = getattr(used, "programs", 0) + 1
        if used.programs % PROGRAMS_OF_A_CONTEXT == 1:
            used.context = make()
        return used.context

    mlir.make_ir_context = make_ir_context


def _keep(path: Path, module: bytes) -> None:
    # Who lowers a custom call also loads what it calls (LAPACK, for example).
    if b"custom_call" not in module:
        with contextlib.suppress(OSError):
            files.write(path, module)


class Unknown(Exception):
    """A part of a program of which only JAX knows what it means."""


class Describer:
    """Describes programs: JAX makes the same module of two that have the same digest."""

    def __init__(self, primitives: Iterable[Any]) -> None:
        """`primitives` are those that JAX itself can lower."""
        self._primitives = frozenset(primitives)
        self._keys = _kinds_of_keys()
        self._arrays: dict[Any, Any] = {}

    def digest(self, name: str, jaxpr: Any, how: dict[str, Any]) -> str:
        """`how` are the arguments of the lowering. Raises `Unknown`, among others."""
        if how["platforms"] != _PLATFORMS:
            raise Unknown(how["platforms"])
        arguments = {key: value for key, value in how.items() if key != "backend"}
        described = name, self._of(jaxpr), self._named(arguments)
        return hashlib.sha256(repr(described).encode()).hexdigest()

    def _of(self, value: Any) -> Any:
        kind = type(value)
        if kind in _PLAIN:
            return value
        if kind in (tuple, list):
            return [self._of(each) for each in value]
        if isinstance(value, np.dtype):
            return "dtype", value.name, value.str
        if isinstance(value, np.generic):
            return "scalar", self._of(value.dtype), value.tobytes()
        if isinstance(value, enum.Enum):
            return kind.__qualname__, value.name
        if isinstance(value, jax.core.ShapedArray):
            return self._array(value)
        if isinstance(value, ClosedJaxpr):
            return self._jaxpr(value.jaxpr)
        if isinstance(value, Jaxpr):
            return self._jaxpr(value)
        if kind.__module__.partition(".")[0] == "jax":
            return kind.__qualname__, self._of_jax(value, kind)
        raise Unknown(kind)

    def _of_jax(self, value: Any, kind: type) -> Any:
        if isinstance(value, (int, float)):  # a number with a dtype
            return repr(value), self._of(value.dtype)  # type: ignore[union-attr]
        if hasattr(kind, "_fields"):
            return [self._of(each) for each in value]
        if kind.__name__ == "UnspecifiedValue" or _is_empty_mesh(value):
            return ""
        with contextlib.suppress(TypeError):  # it has no hash
            if value in self._keys:
                return self._keys[value]
        if kind.__module__ == "jax._src.flattree":  # which inputs of a loop are carried
            return self._named(vars(value))
        if dataclasses.is_dataclass(kind) and kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]
            return [self._of(getattr(value, each.name)) for each in dataclasses.fields(kind)]
        raise Unknown(kind)

    def _named(self, values: Mapping[str, Any]) -> Any:
        return [(key, self._of(values[key])) for key in sorted(values)]

    def _array(self, aval: Any) -> Any:
        """A type with a shape and a dtype, and nothing else that could make a difference."""
        if aval not in self._arrays:
            shape, dtype, is_weak = aval.shape, aval.dtype, aval.weak_type
            same = jax.core.ShapedArray(shape, dtype, is_weak)
            if type(aval) is not type(same) or aval != same:
                raise Unknown(aval)
            name = self._keys.get(dtype) or self._of(dtype)
            self._arrays[aval] = name, self._of(shape), is_weak
        return self._arrays[aval]

    def _jaxpr(self, jaxpr: Any) -> Any:
        if jaxpr.effects or jaxpr.constvars:
            raise Unknown("an effect, or a constant array")
        numbers: dict[Any, int] = {}

        def new(variables: Iterable[Any]) -> Iterator[Any]:
            for variable in variables:
                numbers[variable] = len(numbers)
                yield self._array(variable.aval)

        def used(atoms: Iterable[Any]) -> list[Any]:
            return [
                self._literal(atom) if isinstance(atom, Literal) else numbers[atom]
                for atom in atoms
            ]

        described: list[Any] = [*new(jaxpr.invars)]
        for equation in jaxpr.eqns:
            if equation.primitive not in self._primitives:
                raise Unknown(equation.primitive)
            described += (
                equation.primitive.name,
                used(equation.invars),
                self._named(equation.params),
                [*new(equation.outvars)],
            )
        return described, used(jaxpr.outvars)

    def _literal(self, literal: Any) -> Any:
        value = literal.val
        if isinstance(value, np.ndarray) and value.ndim == 0:
            value = value[()]
        return "literal", self._of(value), self._array(literal.aval)


def _is_empty_mesh(value: Any) -> bool:
    """Whether it is the mesh of code that names none, as JAX has it in a backward pass."""
    return type(value).__name__ in ("Mesh", "AbstractMesh") and value.empty


def _kinds_of_keys() -> dict[Any, str]:
    """JAX's own random number generators, and the dtypes of their keys."""
    known: dict[Any, str] = {}
    for name in ("threefry2x32", "rbg", "unsafe_rbg"):
        made = jax.make_jaxpr(functools.partial(jax.random.key, impl=name))(0)
        known |= {aval.dtype: f"a key of {name}" for aval in made.out_avals}
        for equation in made.eqns:
            known |= {value: name for key, value in equation.params.items() if key == "impl"}
    return known
