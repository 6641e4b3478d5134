"""A program is lowered once on a machine, and only a program that is equal is read in its place."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental.compilation_cache import compilation_cache
from jax.extend.core import Primitive

from grader.engine.worker import lowered

MLIR: Any = importlib.import_module("jax._src.interpreters.mlir")
CACHE = ("jax_compilation_cache_dir", "jax_persistent_cache_min_compile_time_secs")
KEY = jax.random.key(0)
X = jnp.arange(6.0).reshape(2, 3)


@pytest.fixture(scope="module", autouse=True)
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What is lowered again needn't be compiled again: that takes most of the time."""
    before = {name: jax.config.values[name] for name in CACHE}
    folder = str(tmp_path_factory.mktemp("compiled"))
    for name, value in zip(CACHE, (folder, 0.0), strict=True):
        jax.config.update(name, value)
    compilation_cache.reset_cache()
    yield
    for name, value in before.items():
        jax.config.update(name, value)
    compilation_cache.reset_cache()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[tuple[str, str]]]:
    """The programs that JAX had to lower, and their modules, in a process that may write."""
    found: list[tuple[str, str]] = []
    lower = MLIR.lower_jaxpr_to_module

    def noted(name: str, *args: Any, **how: Any) -> Any:
        result = lower(name, *args, **how)
        found.append((name, str(result.module)))
        return result

    monkeypatch.setattr(MLIR, "lower_jaxpr_to_module", noted)
    lowered.prepare()
    lowered.configure(str(tmp_path), writes=True)
    jax.clear_caches()
    yield found
    lowered.configure(None, writes=False)


def usual() -> list[Any]:
    """What students' functions do when they are called without `jit`."""
    first, second = jax.random.split(jax.random.fold_in(KEY, 3))
    return [
        jnp.where(X > 2, X, 0).sum(),
        X.at[0].set(2.0)[::-1] / jnp.maximum(X.mean(axis=1), 1)[:, None],
        jnp.var(X) + jnp.median(X) + jax.nn.logsumexp(X),
        jax.nn.one_hot(jnp.array([1, 2]), 4),
        jnp.sort(X, axis=0)[jnp.array([1, 0])].astype(jnp.bfloat16),
        jax.random.normal(first, (3,)) + jax.random.bernoulli(second, 0.3, (3,)),
        jax.random.permutation(first, X),
        jax.grad(lambda x: jnp.sum(jnp.tanh(x) ** 2))(X),
        jax.vmap(jnp.dot, (0, None))(X, X[0]),
        jax.jit(lambda x: jax.lax.scan(lambda c, y: (c + y, c), x[0], x))(X),
        jax.lax.while_loop(lambda n: n < 3, lambda n: n + 1, 0),
        jax.lax.cond(X[0, 0] > 0, jnp.sin, jnp.cos, X),
    ]


@pytest.mark.slow
def test_a_known_program_is_not_lowered_again(asked: list[tuple[str, str]]) -> None:
    first = usual()
    assert len(asked) > 40
    asked.clear()
    jax.clear_caches()
    second = usual()
    assert asked == []
    for before, after in zip(jax.tree.leaves(first), jax.tree.leaves(second), strict=True):
        assert before.dtype == after.dtype
        np.testing.assert_array_equal(before, after)


def test_only_a_trusted_process_writes(asked: list[tuple[str, str]], tmp_path: Path) -> None:
    lowered.configure(str(tmp_path), writes=False)
    usual()
    assert asked
    assert not list(tmp_path.iterdir())


def test_nothing_says_where_a_program_stands(asked: list[tuple[str, str]], tmp_path: Path) -> None:
    usual()
    assert not any(b"test_lowered" in path.read_bytes() for path in tmp_path.iterdir())


def test_a_damaged_module_is_lowered_anew(asked: list[tuple[str, str]], tmp_path: Path) -> None:
    first = jnp.sin(X)
    for number, path in enumerate(tmp_path.iterdir()):
        path.write_bytes(path.read_bytes()[:50] if number else b"")
    asked.clear()
    jax.clear_caches()
    np.testing.assert_array_equal(jnp.sin(X), first)
    assert asked


def test_another_configuration_has_no_part_in_it(
    asked: list[tuple[str, str]], tmp_path: Path
) -> None:
    with jax.enable_x64(True):
        jnp.sin(X)
    with jax.default_matmul_precision("highest"):
        jnp.dot(X, X.T)
    before = jax.config.jax_threefry_partitionable  # type: ignore[attr-defined,unused-ignore]
    try:
        jax.config.update("jax_threefry_partitionable", not before)
        jax.random.normal(KEY, (3,))
    finally:
        jax.config.update("jax_threefry_partitionable", before)
    assert asked
    assert not list(tmp_path.iterdir())


CONSTANT = np.arange(3.0, dtype=np.float32)


@jax.custom_jvp
def own_slope(x: Any) -> Any:
    return jnp.sin(x)


own_slope.defjvp(lambda x, dx: (own_slope(*x), dx[0] * 7))

LEFT_OUT: dict[str, Callable[[], Any]] = {
    "a callback": lambda: jax.jit(
        lambda x: jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
    )(X),
    "an effect": lambda: jax.jit(lambda x: (jax.debug.print("{}", x), x)[1])(X),
    "a constant array": lambda: jax.jit(lambda x: x * CONSTANT)(X),
    "a library that is loaded": lambda: jax.jit(jnp.linalg.cholesky)(jnp.eye(2)),
    "a custom derivative": lambda: jax.jit(own_slope)(X),
}


@pytest.mark.parametrize("call", LEFT_OUT.values(), ids=LEFT_OUT)
def test_what_cannot_be_described_is_lowered_each_time(
    call: Callable[[], Any], asked: list[tuple[str, str]], tmp_path: Path
) -> None:
    call()
    kept = {path.name for path in tmp_path.iterdir()}
    asked.clear()
    jax.clear_caches()
    call()
    assert len(asked) == 1, "of this program, or of those around it"
    assert {path.name for path in tmp_path.iterdir()} == kept


def test_an_operation_that_is_not_of_jax_is_left_out(
    asked: list[tuple[str, str]], tmp_path: Path
) -> None:
    own = Primitive("sin")  # JAX has one of this name
    own.def_abstract_eval(lambda x: x)
    rule = MLIR.lower_fun(lambda x: 2 * x, multiple_results=False)
    MLIR.register_lowering(own, rule)
    np.testing.assert_array_equal(jax.jit(jnp.sin)(0 * X), 0 * X)
    kept = {path.name for path in tmp_path.iterdir()}
    np.testing.assert_array_equal(jax.jit(lambda x: own.bind(x))(X), 2 * X)
    assert {path.name for path in tmp_path.iterdir()} == kept


def named(function: Callable[..., Any], **how: Any) -> Callable[..., Any]:
    """Compiled, under the same name as all others: only their bodies tell them apart."""
    function.__name__ = function.__qualname__ = "one"
    return jax.jit(function, **how)


SHORT = jnp.ones(3, jnp.float16)
INTS = jnp.arange(6).reshape(2, 3)
# Pairs that a careless description takes for equal.
UNLIKE: list[Callable[[], Any]] = [
    lambda: named(lambda x: x + 1)(X),
    lambda: named(lambda x: x - 1)(X),
    lambda: named(lambda x: x + 2)(X),
    lambda: named(lambda x: x + 1)(INTS),
    lambda: named(lambda x: x + 1)(X.T),
    lambda: named(lambda x: x + 1, donate_argnums=0)(X + 0),
    lambda: named(lambda x: x * 0.0)(X),
    lambda: named(lambda x: x * -0.0)(X),
    lambda: named(lambda x: x * jnp.nan)(X),
    lambda: named(lambda x: x * jnp.inf)(X),
    lambda: named(lambda x: x * 0.1)(X),
    lambda: named(lambda x: x * (0.1 + 1e-17))(X.astype(jnp.bfloat16)),
    lambda: named(lambda x: x * 0.1)(X.astype(jnp.float16)),
    lambda: named(lambda x: x.sum(axis=0))(X),
    lambda: named(lambda x: x.sum(axis=1))(X),
    lambda: named(lambda x: x.astype(jnp.float16))(X),
    lambda: named(lambda x: x.astype(jnp.bfloat16))(X),
    lambda: named(lambda x: x.astype(jnp.float8_e4m3fn))(X),
    lambda: named(lambda x: x.astype(jnp.float8_e5m2))(X),
    lambda: named(lambda x: x.astype(jnp.int4))(X),
    lambda: named(lambda x: x.astype(jnp.uint4))(X),
    lambda: named(lambda x: x.astype(jnp.float16))(SHORT.astype(jnp.float8_e4m3fn)),
    lambda: named(lambda x: x.astype(jnp.float16))(SHORT.astype(jnp.float8_e5m2)),
    lambda: named(lambda x: (x, x + 1))(X),
    lambda: named(lambda x: (x + 1, x))(X),
    lambda: named(lambda x: x[0] - x[1])(X),
    lambda: named(lambda x: x[1] - x[0])(X),
    lambda: named(lambda x: x.at[5].set(1))(X),
    lambda: named(lambda x: x.at[5].set(1, mode="clip"))(X),
    lambda: named(lambda x: x.at[5].add(1))(X),
    lambda: named(lambda x: x.at[5].max(1))(X),
    lambda: named(lambda x: x @ x.T)(X),
    lambda: named(lambda x: jnp.matmul(x, x.T, precision="highest"))(X),
    lambda: named(lambda x: jax.lax.scan(lambda c, y: (c + y, c), x[0], x))(X),
    lambda: named(lambda x: jax.lax.scan(lambda c, y: (c + y, c), x[0], x, reverse=True))(X),
    lambda: named(lambda x: jax.lax.scan(lambda c, y: (c - y, c), x[0], x))(X),
    lambda: named(lambda x: jax.lax.cond(x[0, 0] > 0, jnp.sin, jnp.cos, x))(X),
    lambda: named(lambda x: jax.lax.cond(x[0, 0] > 0, jnp.cos, jnp.sin, x))(X),
    lambda: named(lambda k: jax.random.bits(k))(KEY),
    lambda: named(lambda k: jax.random.bits(k))(jax.random.key(0, impl="rbg")),
    lambda: named(lambda k: jax.random.bits(k))(jax.random.key(0, impl="unsafe_rbg")),
]


@pytest.mark.slow
def test_programs_that_differ_have_different_names(asked: list[tuple[str, str]]) -> None:
    for call in UNLIKE:
        jax.clear_caches()
        call()
    texts = [text for name, text in asked if name == "jit(one)"]
    assert len(texts) == len(UNLIKE), "one was taken for another"
    assert len(set(texts)) >= len(UNLIKE) - 1, "they don't differ, so they show nothing"


@pytest.mark.parametrize("missing", ["lower_jaxpr_to_module", "module_to_bytecode"])
def test_where_jax_has_changed_it_lowers_by_itself(missing: str) -> None:
    program = (
        "import jax, jax._src.interpreters.mlir as mlir\n"
        f"kept = mlir.lower_jaxpr_to_module; lost = mlir.{missing}; del mlir.{missing}\n"
        "from grader.engine.worker import lowered; lowered.prepare()\n"
        f"mlir.{missing} = lost; assert mlir.lower_jaxpr_to_module is kept"
    )
    environment = os.environ | {"JAX_PLATFORMS": "cpu"}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)


@pytest.mark.slow
def test_what_is_prepared_can_be_forked() -> None:
    """A thread would be missing in the child, which would wait for it for ever."""
    program = (
        "import os, jax, jax._src.xla_bridge as bridge\n"
        "from grader.engine.worker import lowered; lowered.prepare()\n"
        "print(len(os.listdir('/proc/self/task')), bridge.backends_are_initialized())"
    )
    command = [sys.executable, "-c", program]
    found = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    before = [sys.executable, "-c", program.replace("lowered.prepare()", "")]
    plain = subprocess.run(before, check=True, capture_output=True, text=True).stdout.split()
    assert found == plain
    assert found[1] == "False"
