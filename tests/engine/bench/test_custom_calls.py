"""A call of a library runs only as JAX lowers it: one difference, and the program is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax._src.export import _export
from jax._src.interpreters import mlir
from jax.extend.mlir import ir

from grader.engine.bench.facts import examine
from grader.engine.bench.refused import RefusedProgram

S, T, B = (jax.ShapeDtypeStruct(s, np.float32) for s in [(3, 3), (2, 3), (5, 4, 3)])


def text_of(function: Callable[..., Any], *args: Any) -> str:
    """A program's text, without the places in the source."""
    text = jax.export.export(jax.jit(function))(*args).mlir_module()
    with mlir.make_ir_context():
        return str(ir.Module.parse(text))


def judge(text: str) -> Any:
    with mlir.make_ir_context():
        code = _export._module_to_bytecode(ir.Module.parse(text))
    return examine(code)


def changed(text: str, old: str, new: str) -> str:
    assert old in text, text
    return text.replace(old, new)


LU = text_of(lambda x: lax.linalg.lu(x)[0], B)
TRSM = text_of(lambda x: lax.linalg.triangular_solve(x, x), S)


def test_as_jax_writes_it_a_call_runs() -> None:
    for text in (LU, TRSM):
        assert judge(text)["operations"]["stablehlo.custom_call"] == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("@lapack_sgetrf_ffi", "@lapack_sgetrf_ffi_of_mine"),
        ("@lapack_sgetrf_ffi", "@lapack_sgeqrf_ffi"),
        ("@lapack_sgetrf_ffi", "@lapack_dgetrf_ffi"),
        ("@lapack_sgetrf_ffi", "@lapack__ffi"),
        ("@lapack_sgetrf_ffi", "@Sharding"),
        ("@lapack_sgetrf_ffi", "@xla_ffi_python_cpu_callback"),
        ("tensor<5x3xi32>", "tensor<5x9xi32>"),
        ("tensor<5x3xi32>", "tensor<5x2xi32>"),
        ("operand_layouts = [dense<[1, 2, 0]>", "operand_layouts = [dense<[2, 1, 0]>"),
        ("result_layouts = [dense<[1, 2, 0]>", "result_layouts = [dense<[2, 1, 0]>"),
        ('num_batch_dims = "1"', 'num_batch_dims = "0"'),
        ("mhlo.backend_config = {}", "mhlo.backend_config = {mode = 65 : ui8}"),
        ("mhlo.backend_config = {}", "mhlo.backend_config = {}, has_side_effect = true"),
        ("mhlo.backend_config = {}", "mhlo.backend_config = {}, api_version = 4 : i32"),
        ("mhlo.backend_config = {}", "mhlo.backend_config = {}, called_computations = [@main]"),
        ("{i=5", "{i=1"),
    ],
)  # fmt: skip
def test_one_difference_is_refused(old: str, new: str) -> None:
    with pytest.raises(RefusedProgram):
        judge(changed(LU, old, new))


def test_an_alias_that_jax_writes_is_needed() -> None:
    without = re.sub(r"output_operand_aliases = \[.*?\]>\], ", "", LU)
    assert without != LU
    with pytest.raises(RefusedProgram):
        judge(without)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("diag = 78", "diag = 77"),
        ("side = 82", "side = 76"),
        ("uplo = 85 : ui8", "uplo = 85 : i32"),
        ("uplo = 85 : ui8", "uplo = 85 : ui8, more = 1 : ui8"),
    ],
)
def test_settings_are_those_of_lapack(old: str, new: str) -> None:
    text = changed(TRSM, old, new)
    if "side" in old:  # of square matrices both sides have the same types
        assert judge(text)["size"] > 0
        text = text.replace("3x3", "2x3").replace("%arg0: tensor<2x3", "%arg0: tensor<3x3")
        with pytest.raises(Exception, match=r"."):
            judge(text)
    else:
        with pytest.raises(RefusedProgram):
            judge(text)


@pytest.mark.parametrize("kind", [np.float32, np.complex64])
def test_results_that_lapack_does_not_write_are_not_read(kind: Any) -> None:
    """Without vectors, JAX makes room for them and never reads it: it holds what lay there."""
    x = jax.ShapeDtypeStruct((3, 3), kind)
    values = text_of(lambda x: lax.linalg.svd(x, compute_uv=False), x)
    assert judge(values)["operations"]["stablehlo.custom_call"] == 1
    vectors = text_of(lambda x: lax.linalg.svd(x), x)
    assert judge(vectors)["operations"]["stablehlo.custom_call"] == 1
    with pytest.raises(RefusedProgram):
        judge(changed(vectors, "mode = 65", "mode = 78"))
    both = text_of(lambda x: lax.linalg.eig(x)[1], x)
    with pytest.raises(RefusedProgram):
        judge(changed(both, "compute_left = 86", "compute_left = 78"))
    schur = text_of(lambda x: jnp.abs(lax.linalg.schur(x)[1]), x)
    with pytest.raises(RefusedProgram):
        judge(changed(schur, "mode = 86", "mode = 78"))
