"""One MLIR context for many programs."""

from __future__ import annotations

import importlib
import subprocess
import sys
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from grader.engine.worker import lowered

MLIR: Any = importlib.import_module("jax._src.interpreters.mlir")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The contexts that JAX makes."""
    contexts: list[Any] = []
    make = MLIR.make_ir_context

    def noted() -> Any:
        contexts.append(make())
        return contexts[-1]

    monkeypatch.setattr(MLIR, "make_ir_context", noted)
    return contexts


def program(number: int) -> str:
    return jax.jit(lambda x: x * number).lower(jnp.float32(1)).as_text()


def test_a_context_serves_many_programs(made: list[Any]) -> None:
    """JAX 0.12 does it itself."""
    alone = [program(n) for n in range(3)]
    made.clear()
    lowered.share_contexts()
    assert [program(n) for n in range(3)] == alone
    for n in range(lowered.PROGRAMS_OF_A_CONTEXT):
        program(n)
    assert 1 <= len(set(map(id, made))) <= lowered.PROGRAMS_OF_A_CONTEXT // 4


def test_without_that_place_in_jax_nothing_changes() -> None:
    script = (
        "import jax, jax._src.interpreters.mlir as mlir; del mlir.make_ir_context\n"
        "from grader.engine.worker import lowered; lowered.share_contexts()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
