"""What JAX makes of its own functions may run: nothing that a right answer could use is refused.

Every public function of four modules is exported with arguments that it accepts, as it is, batched
and differentiated, and examined. A function that accepts none of the usual arguments is listed with
arguments of its own, or with the reason why no program can be made of it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.export
import jax.numpy as jnp
import jax.scipy.linalg
import numpy as np
import pytest
from jax import lax

from grader.engine.bench.facts import examine
from grader.engine.bench.refused import RefusedProgram

S, B, T, V = (
    jax.ShapeDtypeStruct(shape, np.float32) for shape in [(3, 3), (2, 4, 3), (3, 2), (3,)]
)
C, W, H = (jax.ShapeDtypeStruct((3, 3), dtype) for dtype in (np.complex64, np.int32, jnp.bfloat16))
M = jax.ShapeDtypeStruct((2, 2, 3, 3), np.complex64)
P = jax.ShapeDtypeStruct((3, 3), np.bool_)
N = jax.ShapeDtypeStruct((3,), np.int32)
K = jax.eval_shape(lambda: jax.random.key(0))
MODULES = {
    "linalg": jnp.linalg,
    "scipy": jax.scipy.linalg,
    "lax_linalg": lax.linalg,
    "random": jax.random,
    "lax": lax,
}
# Arguments that many functions accept; each function takes those that it can.
USUAL: list[tuple[Any, ...]] = [
    (S,), (B,), (C,), (M,), (W,), (H,), (V,), (P,),
    (S, S), (S, T), (S, V), (B, B), (C, C), (V, V), (W, W), (H, H), (P, P),
    (S, S, S), (C, C, C), (W, W, W), (V, V, V),
    (K,), (K, S), (K, V, V), (K, V),
]  # fmt: skip
Q = jax.ShapeDtypeStruct((4,), np.uint32)
D2 = jax.ShapeDtypeStruct((2,), np.float32)
IMAGE, KERNEL = (jax.ShapeDtypeStruct(s, np.float32) for s in [(2, 3, 8, 8), (4, 3, 3, 3)])
INTO = lax.ScatterDimensionNumbers((), (0,), (0,))
FROM = lax.GatherDimensionNumbers((1,), (0,), (0,))
ROWS = jax.ShapeDtypeStruct((2, 1), np.int32)
Call = tuple[Callable[..., Any], tuple[Any, ...]]
OWN: dict[str, list[Call]] = {
    "linalg.matrix_power": [(lambda x, n=n: jnp.linalg.matrix_power(x, n), (S,)) for n in (3, -2)],
    "linalg.multi_dot": [(lambda x, y: jnp.linalg.multi_dot([x, y, y.T]), (S, T))],
    "linalg.tensorinv": [(lambda x: jnp.linalg.tensorinv(x, ind=1), (S,))],
    "linalg.svd": [
        (lambda x, kw=kw: jnp.linalg.svd(x, **kw), (x,))
        for x in (B, C)
        for kw in ({"full_matrices": False}, {"compute_uv": False}, {"hermitian": True})
        if x is C or "hermitian" not in kw
    ],
    "linalg.qr": [
        (lambda x, mode=mode: jnp.linalg.qr(x, mode=mode), (x,))
        for x in (B, C)
        for mode in ("r", "complete", "raw")
    ],
    "linalg.eigh": [(lambda x: jnp.linalg.eigh(x, UPLO="U"), (C,))],
    "scipy.cho_solve": [(lambda x, y: jax.scipy.linalg.cho_solve((x, True), y), (S, T))],
    "scipy.lu_solve": [
        (lambda x, p, y, t=t: jax.scipy.linalg.lu_solve((x, p), y, trans=t), (S, N, T))
        for t in (0, 1)
    ],
    "scipy.eigh_tridiagonal": [
        (lambda d, e: jax.scipy.linalg.eigh_tridiagonal(d, e, eigvals_only=True), (V, D2))
    ],
    "scipy.funm": [(lambda x: jax.scipy.linalg.funm(x, jnp.sin), (C,))],
    "scipy.convolution_matrix": [(lambda x: jax.scipy.linalg.convolution_matrix(x, 5), (V,))],
    "scipy.solve_triangular": [
        (lambda x, y, kw=kw: jax.scipy.linalg.solve_triangular(x, y, **kw), (x, y))
        for x, y in ((S, T), (C, C))
        for kw in ({"lower": True, "trans": 1}, {"trans": 2}, {"unit_diagonal": True})
    ],
    "lax_linalg.triangular_solve": [
        (
            lambda x, y, a=a, b=b, c=c: lax.linalg.triangular_solve(
                x, y, left_side=a, lower=b, transpose_a=c, conjugate_a=a, unit_diagonal=b
            ),
            (x, x),
        )
        for x in (S, C)
        for a in (False, True)
        for b in (False, True)
        for c in (False, True)
    ],
    "lax_linalg.eig": [
        (
            lambda x, a=a, b=b: lax.linalg.eig(
                x, compute_left_eigenvectors=a, compute_right_eigenvectors=b
            ),
            (x,),
        )
        for x in (S, C, M)
        for a in (False, True)
        for b in (False, True)
    ],
    "lax_linalg.schur": [
        (lambda x: lax.linalg.schur(x, compute_schur_vectors=False), (x,)) for x in (S, M)
    ],
    "lax_linalg.tridiagonal": [
        (lambda x, low=low: lax.linalg.tridiagonal(x, lower=low), (x,))
        for x in (S, M)
        for low in (False, True)
    ],
    "lax_linalg.lu_pivots_to_permutation": [
        (lambda x: lax.linalg.lu_pivots_to_permutation(x, 3), (N,))
    ],
    "lax_linalg.tridiagonal_solve": [
        (lambda d, b: lax.linalg.tridiagonal_solve(d, d, d, b), args)
        for args in ((V, T), (S, jax.ShapeDtypeStruct((3, 3, 2), np.float32)))
    ],
    "random.key": [(lambda n: jax.random.key(n), (jax.ShapeDtypeStruct((), np.int32),))],
    "random.PRNGKey": [(lambda n: jax.random.PRNGKey(n), (jax.ShapeDtypeStruct((), np.int32),))],
    "random.ball": [(lambda k: jax.random.ball(k, 3), (K,))],
    "random.fold_in": [(lambda k: jax.random.fold_in(k, 3), (K,))],
    "random.generalized_normal": [(lambda k: jax.random.generalized_normal(k, 2.0), (K,))],
    "random.multinomial": [(lambda k, p: jax.random.multinomial(k, 5.0, p), (K, V))],
    "random.multivariate_normal": [
        (lambda k, m, c, how=how: jax.random.multivariate_normal(k, m, c, method=how), (K, V, S))
        for how in ("cholesky", "eigh", "svd")
    ],
    "random.orthogonal": [(lambda k: jax.random.orthogonal(k, 3), (K,))],
    "random.randint": [(lambda k: jax.random.randint(k, (3,), 0, 9), (K,))],
    "random.triangular": [(lambda k: jax.random.triangular(k, 0.0, 0.5, 1.0), (K,))],
    "random.wrap_key_data": [(jax.random.wrap_key_data, (jax.ShapeDtypeStruct((2,), np.uint32),))],
    "lax.sort": [
        (lambda x, stable=stable: lax.sort(x, is_stable=stable), (array,))
        for array in (S, H, jax.ShapeDtypeStruct((5,), np.complex64))
        for stable in (True, False)
    ]
    + [(lambda x, y: lax.sort((x, y), num_keys=2, is_stable=False), (S, S))],
    "lax.argmax": [(lambda x: lax.argmax(x, 0, np.int32), (S,))],
    "lax.argmin": [(lambda x: lax.argmin(x, 0, np.int32), (S,))],
    "lax.associative_scan": [(lambda x: lax.associative_scan(jnp.add, x), (T,))],
    "lax.bitcast_convert_type": [(lambda x: lax.bitcast_convert_type(x, np.int32), (S,))],
    "lax.broadcast": [(lambda x: lax.broadcast(x, (2,)), (S,))],
    "lax.broadcast_in_dim": [(lambda x: lax.broadcast_in_dim(x, (2, 3), (1,)), (V,))],
    "lax.broadcast_to_rank": [(lambda x: lax.broadcast_to_rank(x, 3), (V,))],
    "lax.broadcasted_iota": [(lambda x: x + lax.broadcasted_iota(np.float32, (3,), 0), (V,))],
    "lax.collapse": [(lambda x: lax.collapse(x, 0, 2), (B,))],
    "lax.concatenate": [(lambda x: lax.concatenate([x, x], 0), (S,))],
    "lax.cond": [(lambda x: lax.cond(x[0] > 0, jnp.sin, jnp.cos, x), (V,))],
    "lax.conv": [(lambda x, k: lax.conv(x, k, (1, 1), "SAME"), (IMAGE, KERNEL))],
    "lax.conv_general_dilated": [
        (
            lambda x, k: lax.conv_general_dilated(x, k, (2, 2), "VALID", rhs_dilation=(2, 2)),
            (IMAGE, KERNEL),
        )
    ],
    "lax.conv_general_dilated_local": [
        (
            lambda x: lax.conv_general_dilated_local(
                x, jnp.ones((4, 27, 6, 6)), (1, 1), "VALID", (3, 3)
            ),
            (IMAGE,),
        )
    ],
    "lax.conv_general_dilated_patches": [
        (lambda x: lax.conv_general_dilated_patches(x, (3, 3), (1, 1), "SAME"), (IMAGE,))
    ],
    "lax.conv_transpose": [
        (
            lambda x, k: lax.conv_transpose(
                x, jnp.swapaxes(k, 0, 1), (2, 2), "SAME", dimension_numbers=("NCHW", "IOHW", "NCHW")
            ),
            (IMAGE, KERNEL),
        )
    ],
    "lax.conv_with_general_padding": [
        (
            lambda x, k: lax.conv_with_general_padding(x, k, (1, 1), [(1, 1)] * 2, None, None),
            (IMAGE, KERNEL),
        )
    ],
    "lax.convert_element_type": [(lambda x: lax.convert_element_type(x, jnp.bfloat16), (S,))],
    "lax.custom_linear_solve": [
        (
            lambda x, b: lax.custom_linear_solve(
                lambda y: x @ y,
                b,
                lambda _, b: jnp.linalg.solve(x, b),
                lambda _, b: jnp.linalg.solve(x.T, b),
            ),
            (S, V),
        )
    ],
    "lax.custom_root": [
        (
            lambda x: lax.custom_root(
                lambda y: y**2 - x, x, lambda f, y: y / 2, lambda f, y: y / f(jnp.ones_like(y))
            ),
            (V,),
        )
    ],
    "lax.dot_general": [(lambda x, y: lax.dot_general(x, y, (((2,), (2,)), ((0,), (0,)))), (B, B))],
    "lax.dynamic_index_in_dim": [(lambda x, n: lax.dynamic_index_in_dim(x, n[0]), (S, N))],
    "lax.dynamic_slice": [(lambda x, n: lax.dynamic_slice(x, (n[0], n[1]), (2, 2)), (S, N))],
    "lax.dynamic_slice_in_dim": [(lambda x, n: lax.dynamic_slice_in_dim(x, n[0], 2), (S, N))],
    "lax.dynamic_update_index_in_dim": [
        (lambda x, y, n: lax.dynamic_update_index_in_dim(x, y, n[0], 0), (S, V, N))
    ],
    "lax.dynamic_update_slice": [
        (lambda x, y, n: lax.dynamic_update_slice(x, y, (n[0], n[1])), (S, S, N))
    ],
    "lax.dynamic_update_slice_in_dim": [
        (lambda x, y, n: lax.dynamic_update_slice_in_dim(x, y, n[0], 0), (S, S, N))
    ],
    "lax.empty": [(lambda x: x + 0 * lax.full((3,), 0.0), (V,))],
    "lax.expand_dims": [(lambda x: lax.expand_dims(x, (0,)), (S,))],
    "lax.fft": [
        (lambda x: lax.fft(x, "fft", (3,)), (C,)),
        (lambda x: lax.fft(x, "RFFT", (3,)), (S,)),
    ],
    "lax.fori_loop": [(lambda x: lax.fori_loop(0, 5, lambda n, x: jnp.sin(x) + n, x), (V,))],
    "lax.full": [(lambda x: x + lax.full((3,), 2.0), (V,))],
    "lax.full_like": [(lambda x: lax.full_like(x, 2) * x, (V,))],
    "lax.gather": [(lambda x, n: lax.gather(x, n, FROM, (1, 3)), (S, ROWS))],
    "lax.index_in_dim": [(lambda x: lax.index_in_dim(x, 1), (S,))],
    "lax.index_take": [
        (lambda x, n: lax.index_take(x, (n,), (0,)), (S, N))  # type: ignore[arg-type]
    ],
    "lax.integer_pow": [(lambda x, n=n: lax.integer_pow(x, n), (S,)) for n in (3, -2)],
    "lax.iota": [(lambda x: x + lax.iota(np.float32, 3), (V,))],
    "lax.map": [(lambda x: lax.map(jnp.sin, x), (S,))],
    "lax.pad": [(lambda x: lax.pad(x, np.float32(0), [(1, 1, 1), (0, 2, 0)]), (S,))],
    "lax.platform_dependent": [
        (lambda x: lax.platform_dependent(x, cpu=jnp.sin, default=jnp.cos), (S,))
    ],
    "lax.ragged_dot": [(lax.ragged_dot, (T, jax.ShapeDtypeStruct((3, 2, 4), np.float32), N))],
    "lax.reduce": [(lambda x: lax.reduce(x, np.float32(0), lax.add, (0,)), (S,))],
    **{
        f"lax.reduce_{name}": [
            (lambda x, name=name: getattr(lax, f"reduce_{name}")(x, (0,)), (kind,))
        ]
        for name, kind in [
            ("and", P),
            ("or", P),
            ("xor", P),
            ("max", S),
            ("min", S),
            ("prod", S),
            ("sum", S),
        ]
    },
    "lax.reduce_precision": [(lambda x: lax.reduce_precision(x, 5, 7), (S,))],
    "lax.reduce_window": [
        (lambda x, i=i, how=how: lax.reduce_window(x, i, how, (2, 2), (1, 1), "SAME"), (S,))
        for i, how in [(np.float32(0), lax.add), (np.float32(-np.inf), lax.max)]
    ],
    "lax.reshape": [(lambda x: lax.reshape(x, (9,)), (S,))],
    "lax.rev": [(lambda x: lax.rev(x, (0,)), (S,))],
    "lax.rng_bit_generator": [(lambda k: lax.rng_bit_generator(k, (3,)), (Q,))],
    "lax.scan": [(lambda x: lax.scan(lambda c, row: (jnp.sin(c) * row, c), x[0], x), (S,))],
    **{
        f"lax.scatter{name}": [
            (
                lambda x, n, u, name=name: getattr(lax, f"scatter{name}")(x, n, u, INTO),
                (V, ROWS, D2),
            )
        ]
        for name in ("", "_add", "_max", "_min", "_mul", "_sub")
    },
    "lax.scatter_apply": [
        (lambda x, n: lax.scatter_apply(x, n, jnp.sin, INTO, update_shape=(2,)), (V, ROWS))
    ],
    "lax.slice": [(lambda x: lax.slice(x, (0, 1), (2, 3)), (S,))],
    "lax.slice_in_dim": [(lambda x: lax.slice_in_dim(x, 0, 2), (S,))],
    "lax.split": [(lambda x: lax.split(x, (1, 2)), (S,))],
    "lax.squeeze": [(lambda x: lax.squeeze(x[None], (0,)), (S,))],
    "lax.switch": [(lambda x, n: lax.switch(n[0], [jnp.sin, jnp.cos, jnp.exp], x), (S, N))],
    "lax.tile": [(lambda x: lax.tile(x, (2, 1)), (S,))],
    "lax.top_k": [(lambda x: lax.top_k(x, 2), (x,)) for x in (S, W)],
    "lax.transpose": [(lambda x: lax.transpose(x, (1, 0)), (S,))],
    "lax.while_loop": [(lambda x: lax.while_loop(lambda x: x[0] < 9, jnp.exp, x), (V,))],
    **{
        f"lax.{name}": [
            (
                lambda x, name=name: jax.vmap(lambda x: getattr(lax, name)(x, "i"), axis_name="i")(
                    x
                ),
                (S,),
            )
        ]
        for name in ("all_gather", "pmax", "pmean", "pmin", "psum", "psum_scatter")
    },
    "lax.axis_index": [
        (lambda x: jax.vmap(lambda x: x + lax.axis_index("i"), axis_name="i")(x), (S,))
    ],
}
# Shapes, names and settings only; or JAX itself can't export it on a CPU, or it keeps a state.
NO_PROGRAM = {
    "scipy": "dft hadamard helmert hilbert invhilbert invpascal pascal qr_multiply",
    "lax_linalg": "ormqr",
    "random": "key_dtype",
    "lax": "ConvGeneralDilatedDimensionNumbers PrecisionLike after_all all_to_all axis_size "
    # These are refused: a comparison that isn't a strict order corrupts memory in XLA.
    "approx_max_k approx_min_k "
    "broadcast_shapes conv_dimension_numbers conv_general_permutations conv_general_shape_tuple "
    "conv_shape_tuple conv_transpose_shape_tuple padtype_to_pads pbroadcast pcast ppermute precv "
    "psend pshuffle psum_scatter_start pswapaxes ragged_all_to_all ragged_dot_general "
    "reduce_window_shape_tuple rng_uniform with_sharding_constraint",
}


def functions(module: Any) -> list[str]:
    return sorted(
        name
        for name in dir(module)
        if not name.startswith("_")
        and callable(getattr(module, name))
        and not inspect.isclass(getattr(module, name))
    )


def leaves(function: Callable[..., Any]) -> Callable[..., list[Any]]:
    return lambda *args: [x for x in jax.tree.leaves(function(*args)) if hasattr(x, "dtype")]


def forms(function: Callable[..., Any], args: tuple[Any, ...]) -> Iterator[Any]:
    """A function as it is, over a batch of its first argument, and its gradient in floats."""
    yield leaves(function), args
    batch = jax.ShapeDtypeStruct((2, *args[0].shape), args[0].dtype)
    yield jax.vmap(leaves(function), (0, *[None] * (len(args) - 1))), (batch, *args[1:])
    if jnp.issubdtype(args[0].dtype, jnp.inexact):
        total = lambda *args: sum(jnp.abs(x).sum() for x in leaves(function)(*args))  # noqa: E731
        yield jax.grad(total), args


def exported(function: Callable[..., Any], args: tuple[Any, ...]) -> bytes | None:
    """The module of a function; None if JAX makes no program of it."""
    try:
        return jax.export.export(jax.jit(function))(*args).mlir_module_serialized
    except Exception:  # whatever JAX says to arguments that it can't take
        return None


def programs(module: str, name: str) -> Iterator[tuple[str, bytes]]:
    """The programs of a function, each with a word about it."""
    own = OWN.get(f"{module}.{name}", [])
    usual = ((getattr(MODULES[module], name), args) for args in USUAL)
    for call, args in [*own, *usual]:
        for word, (form, given) in zip(
            ("", " batched", " gradient"), forms(call, args), strict=False
        ):
            code = exported(form, given)
            if code is None:
                break
            yield f"{name}{[str(arg) for arg in args]}{word}", code


CASES = [
    # The calls of LAPACK come from these; the rest takes minutes.
    pytest.param(module, name, marks=[] if module == "lax_linalg" else [pytest.mark.slow])
    for module in MODULES
    for name in functions(MODULES[module])
    if name not in NO_PROGRAM.get(module, "").split()
]


@pytest.mark.parametrize(("module", "name"), CASES)
def test_nothing_is_refused_that_jax_makes_of_its_functions(module: str, name: str) -> None:
    refused = []
    made = 0
    for word, code in programs(module, name):
        made += 1
        try:
            examine(code)
        except RefusedProgram as error:
            refused.append(f"{word}: {error}")
    assert refused == []
    assert made > 0, "no program was made: give it arguments of its own, or a reason"


@pytest.mark.slow
def test_every_own_call_makes_a_program() -> None:
    """A lambda with a mistake in it would be passed over like arguments that don't fit."""
    failed = []
    for name, calls in OWN.items():
        for number, (call, args) in enumerate(calls):
            if exported(leaves(call), args) is None:
                failed.append(f"{name} {number}")
    assert failed == []
