"""The usual way, as a pytest plugin: import the student's module into the test process.

The baseline of `tests.benchmarks.grading`: the same suites with the same assertions, without
anything that the grader adds. `-p tests.benchmarks.naive`.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import importlib.util
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from grader.engine.bench.devices import Loaded
from grader.engine.bench.facts import examine
from grader.engine.processes import faults
from grader.engine.suite.codec import Callback
from grader.engine.wire.connection import describe
from grader.engine.worker import student

# Without it, pytest doesn't know the option `timeout` of `pyproject.toml`.
pytest_plugins = ("pytest_timeout",)
MEMORY = 8 << 30  # bytes for a process


class Function:
    """The student's function itself, with a suite's methods."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return jax.tree.map(_to_numpy, self._called(*args, **kwargs))

    def _called(self, *args: Any, **kwargs: Any) -> Any:
        for kind in {type(value) for value in args if dataclasses.is_dataclass(value)}:
            with contextlib.suppress(ValueError):  # it is registered already
                jax.tree_util.register_dataclass(kind)
        given = jax.tree.map(_to_jax, (args, kwargs))
        try:
            return self._function(*given[0], **given[1])
        except Exception as error:
            raise faults.from_report(describe(error, ""), "", "") from error

    def __getattr__(self, name: str) -> Callable[..., Function]:
        transformation = student.TRANSFORMATIONS[name]
        return lambda *args, **keywords: Function(transformation(self._function, *args, **keywords))

    def program(self, *args: Any) -> Any:
        outputs: list[Any] = []

        def recording(*inner: Any) -> Any:
            outputs[:] = [self._function(*inner)]
            return outputs[0]

        flat, inputs = student.flatten_inputs(recording, *jax.tree.map(_to_jax, (args, {})))
        specs = [jax.ShapeDtypeStruct(leaf.shape, leaf.dtype) for leaf in inputs]
        exported = jax.export.export(jax.jit(flat))(*specs)
        return Program(exported, jax.tree.structure(outputs[0]))

    def reported_traces(self, calls: list[tuple[Any, ...]], **keywords: Any) -> int:
        count = 0

        def counting(*args: Any) -> Any:
            nonlocal count
            count += 1
            return self._function(*args)

        jitted = jax.jit(counting, **keywords)
        for args in calls:
            jitted(*jax.tree.map(_to_jax, args))
        return count


class Program:
    """An exported function and its facts, in this process."""

    def __init__(self, exported: Any, structure: Any) -> None:
        self._loaded = Loaded(exported)
        self._structure = structure
        facts = examine(exported.mlir_module_serialized)
        facts["flops_of_a_device"] = facts["flops"]
        facts |= self._loaded.facts()
        self.__dict__.update(facts, dtypes=frozenset(facts["dtypes"]))

    def __call__(self, *args: Any) -> Any:
        outputs = self._run(args)
        return outputs[0] if len(outputs) == 1 else outputs

    def structured(self, *args: Any) -> Any:
        return jax.tree.unflatten(self._structure, self._run(args))

    def users(self, args: Any, others: Any) -> int:
        return self._loaded.users(_inputs(args), _inputs(others))

    def _run(self, args: Any) -> list[Any]:
        return [_to_numpy(leaf) for leaf in self._loaded(*self._loaded.place(_inputs(args)))]


def _inputs(args: Any) -> list[Any]:
    arrays = (np.ndarray, np.generic, jax.Array)
    return [_to_jax(leaf) for leaf in jax.tree.leaves(args) if isinstance(leaf, arrays)]


class Module:
    """A module whose functions are `Function`s."""

    def __init__(self, module: Any) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Function:
        return Function(getattr(self._module, name))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--submitted", type=Path, help="a folder TOPIC/STEM.py")


def pytest_configure(config: pytest.Config) -> None:
    # An answer that asks for more raises an error in its test. Without a limit it takes all memory
    # of the machine, and the process is killed.
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    for marker in ("points", "hint", "promise", "words"):
        config.addinivalue_line("markers", marker)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without races: another benchmark measures what a verdict on speed costs."""
    items[:] = [item for item in items if "race" not in getattr(item, "fixturenames", ())]


@pytest.fixture(scope="module")
def submission(request: pytest.FixtureRequest) -> Module:
    stem = request.path.stem.removeprefix("test_")
    path = request.config.getoption("--submitted") / request.path.parent.name / f"{stem}.py"
    spec = importlib.util.spec_from_file_location(stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return Module(module)


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    digest = hashlib.sha256(request.node.nodeid.encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


def _to_jax(value: Any) -> Any:
    if isinstance(value, Function):
        return value._function
    if isinstance(value, Callback):
        return value.function
    return jax.numpy.asarray(value) if isinstance(value, np.ndarray | np.generic) else value


def _to_numpy(value: Any) -> Any:
    is_array = isinstance(value, jax.Array)
    is_key = is_array and jax.numpy.issubdtype(value.dtype, jax.dtypes.prng_key)
    if callable(value):
        return Function(value)
    return np.asarray(value) if is_array and not is_key else value
