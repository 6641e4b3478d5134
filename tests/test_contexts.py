"""What is prepared before the fork: one MLIR context for many programs, and LAPACK."""

from __future__ import annotations

import importlib
import subprocess
import sys
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from grader.worker import contexts

MLIR: Any = importlib.import_module("jax._src.interpreters.mlir")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The contexts that JAX makes."""
    found: list[Any] = []
    make = MLIR.make_ir_context

    def noted() -> Any:
        found.append(make())
        return found[-1]

    monkeypatch.setattr(MLIR, "make_ir_context", noted)
    return found


def lowered(number: int) -> str:
    return jax.jit(lambda x: x * number).lower(jnp.float32(1)).as_text()


def test_a_context_serves_many_programs(made: list[Any]) -> None:
    """JAX 0.12 does it itself."""
    alone = [lowered(n) for n in range(3)]
    made.clear()
    contexts.prepare()
    contexts.prepare()  # twice makes no difference
    assert [lowered(n) for n in range(3)] == alone
    for n in range(contexts.PROGRAMS):
        lowered(n)
    assert 1 <= len(set(map(id, made))) <= contexts.PROGRAMS // 4


def test_without_that_place_in_jax_nothing_changes() -> None:
    program = (
        "import jax, jax._src.interpreters.mlir as mlir; del mlir.make_ir_context\n"
        "from grader.worker import contexts; contexts.prepare()"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.slow
def test_lapack_works_without_the_package_around_it() -> None:
    """Which a submission may still import as usual."""
    program = (
        "import sys, jax, jax.export, jax.numpy as jnp\n"
        "from grader.worker import zygote; zygote._import_everything()\n"
        "solve = jax.export.export(jax.jit(jnp.linalg.solve))(2 * jnp.eye(2), jnp.ones(2))\n"
        "solve = jax.export.deserialize(solve.serialize())\n"
        "assert solve.call(2 * jnp.eye(2), jnp.ones(2)).tolist() == [0.5, 0.5]\n"
        "assert 'scipy.linalg' not in sys.modules, 'JAX has imported the package'\n"
        "import scipy.linalg, scipy.optimize; from scipy.linalg import cython_blas\n"
        "assert scipy.linalg.solve([[2.0]], [1.0]) == 0.5\n"
        "assert scipy.optimize.minimize_scalar(lambda x: (x - 1) ** 2).success"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("module", ["contexts", "lowered"])
def test_what_is_prepared_can_be_forked(module: str) -> None:
    """A thread would be missing in the child, which would wait for it for ever."""
    program = (
        "import os, jax, jax._src.xla_bridge as bridge\n"
        f"from grader.worker import {module} as prepared; prepared.prepare()\n"
        "print(len(os.listdir('/proc/self/task')), bridge.backends_are_initialized())"
    )
    command = [sys.executable, "-c", program]
    found = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    before = [sys.executable, "-c", program.replace("prepared.prepare()", "")]
    plain = subprocess.run(before, check=True, capture_output=True, text=True).stdout.split()
    assert found == plain
    assert found[1] == "False"
