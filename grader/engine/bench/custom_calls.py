"""Which calls of libraries a program may hold: those of LAPACK, exactly as JAX lowers them.

A custom call runs native code on raw buffers, and the code believes the call. With a result that is
too large, a program would read memory that was never written. With one that is too small, it would
write outside it. So the table gives every operand and result of each target, from the sizes of
the operands. A call must have these types, JAX's layouts and aliases, and no other attribute.

A tensor is written as a dtype and its axes, `Tmn`. Leading axes of a batch come before all of them.

    T  dtype of the first operand       m n q  sizes, as the operands have them
    R  the real dtype of T              k      min(m, n)
    C  the complex dtype of T           p      n - 1
    i  int32
"""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from jax.extend.mlir import ir

from grader.engine.bench.refused import RefusedProgram, Why

_L, _U, _R, _N, _T, _C, _V, _A, _S = (ord(letter) for letter in "LURNTCVAS")
_DTYPES = {
    "s": ("f32", "f32", "complex<f32>"),
    "d": ("f64", "f64", "complex<f64>"),
    "c": ("complex<f32>", "f32", "complex<f32>"),
    "z": ("complex<f64>", "f64", "complex<f64>"),
}
_REAL, _COMPLEX = "sd", "cz"


class _Call(NamedTuple):
    """One form of a call: its tensors, settings, and results without a value."""

    letters: str
    operands: str
    results: str
    aliases: Mapping[int, int]
    settings: Mapping[str, tuple[int | str, ...]] = {}
    unwritten: tuple[int, ...] = ()


_FIRST = {0: 0}
_BOTH = _REAL + _COMPLEX
_SIDES = ((_L, "Tmm"), (_R, "Tnn"))
_VECTORS = tuple(itertools.product((_N, _V), repeat=2))
_CALLS: dict[str, list[_Call]] = {
    "getrf": [_Call(_BOTH, "Tmn", "Tmn ik i", _FIRST)],
    "geqrf": [_Call(_BOTH, "Tmn", "Tmn Tk", _FIRST)],
    "orgqr": [_Call(_REAL, "Tmn Tq", "Tmn", _FIRST)],
    "ungqr": [_Call(_COMPLEX, "Tmn Tq", "Tmn", _FIRST)],
    "potrf": [_Call(_BOTH, "Tnn", "Tnn i", _FIRST, {"uplo": (_L,)})],
    "syevd": [_Call(_REAL, "Tnn", "Tnn Rn i", _FIRST, {"mode": (_V,), "uplo": (_L, _U)})],
    "heevd": [_Call(_COMPLEX, "Tnn", "Tnn Rn i", _FIRST, {"mode": (_V,), "uplo": (_L, _U)})],
    "gesdd": [
        _Call(_BOTH, "Tmn", "Tmn Rk Tmm Tnn i", _FIRST, {"mode": (_A,)}),
        _Call(_BOTH, "Tmn", "Tmn Rk Tmk Tkn i", _FIRST, {"mode": (_S,)}),
        _Call(_BOTH, "Tmn", "Tmn Rk Tmm Tnn i", _FIRST, {"mode": (_N,)}, (2, 3)),
        _Call(_BOTH, "Tmn", "Tmn Rk Tmk Tkn i", _FIRST, {"mode": (_N,)}, (2, 3)),
    ],
    "trsm": [
        _Call(
            _BOTH,
            f"{triangle} Tmn",
            "Tmn",
            {0: 1},
            {"side": (side,), "uplo": (_L, _U), "trans_x": (_N, _T, _C), "diag": (_N, _U)},
        )
        for side, triangle in _SIDES
    ],
    "geev": [
        _Call(
            letters,
            "Tnn",
            f"{values} Cnn Cnn i",
            {},
            {"compute_left": (left,), "compute_right": (right,)},
            tuple(last - 3 + n for n, side in enumerate((left, right)) if side == _N),
        )
        for letters, values, last in ((_REAL, "Rn Rn", 5), (_COMPLEX, "Tn", 4))
        for left, right in _VECTORS
    ],
    "gees": [
        _Call(
            letters,
            "Tnn",
            f"Tnn Tnn {values} i i",
            _FIRST,
            {"mode": (mode,), "sort": (_N,)},
            (1,) if mode == _N else (),
        )
        for letters, values in ((_REAL, "Tn Tn"), (_COMPLEX, "Tn"))
        for mode in (_N, _V)
    ],
    "gehrd": [_Call(_BOTH, "Tnn", "Tnn Tp i", _FIRST, {"low": (1,), "high": ("n",)})],
    "sytrd": [_Call(_REAL, "Tnn", "Tnn Rn Rp Tp i", _FIRST, {"uplo": (_L, _U)})],
    "hetrd": [_Call(_COMPLEX, "Tnn", "Tnn Rn Rp Tp i", _FIRST, {"uplo": (_L, _U)})],
    "gtsv": [_Call(_BOTH, "Tn Tn Tn Tnq", "Tn Tn Tn Tnq i", {n: n for n in range(4)})],
}
_NOTES = {"sdy.sharding_rule", "sdy.sharding"}


def check(operation: Any) -> None:
    """Raises `RefusedProgram` unless JAX lowers a primitive to exactly this call."""
    target = ir.StringAttr(operation.attributes["call_target_name"]).value
    letter, name = target[7:8], target[8:-4]
    is_lapack = target == f"lapack_{letter}{name}_ffi" and name in _CALLS
    calls = [call for call in _CALLS[name] if letter in call.letters] if is_lapack else []
    if not any(_is(operation, call, letter) for call in calls):
        raise RefusedProgram(Why.OUTSIDE)


def _is(operation: Any, call: _Call, letter: str) -> bool:
    """Whether an operation is this call, of arrays that fit together."""
    operands, results = call.operands.split(), call.results.split()
    given = [operand.type for operand in operation.operands]
    if len(given) != len(operands) or len(operation.results) != len(results):
        return False
    batch = list(given[0].shape[: len(given[0].shape) - len(operands[0]) + 1])
    sizes = _sizes(operands, [list(kind.shape)[len(batch) :] for kind in given])
    if sizes is None:
        return False
    tensors = [(spec, batch + [sizes[axis] for axis in spec[1:]]) for spec in operands + results]
    types = [_type(shape, spec[0], letter) for spec, shape in tensors]
    found = [str(value.type) for value in (*operation.operands, *operation.results)]
    expected = _attributes(call, tensors, len(batch))
    settings = {
        name: tuple(sizes[value] if isinstance(value, str) else value for value in values)
        for name, values in call.settings.items()
    }
    return (
        found == types
        and _attributes_are(operation, expected, settings)
        and not any(list(operation.results[place].uses) for place in call.unwritten)
    )


def _sizes(specs: Sequence[str], shapes: Sequence[Sequence[int]]) -> dict[str, int] | None:
    """The length of each axis by its letter; None if the shapes don't fit together."""
    sizes: dict[str, int] = {}
    for spec, shape in zip(specs, shapes, strict=True):
        if len(shape) != len(spec) - 1:
            return None
        for axis, length in zip(spec[1:], shape, strict=True):
            if sizes.setdefault(axis, length) != length:
                return None
    if {"m", "q"} <= set(sizes) and not sizes["q"] <= sizes["n"] <= sizes["m"]:
        return None  # reflectors: a product of q of them in n columns
    sizes["k"] = min(sizes.get("m", 0), sizes["n"])
    sizes["p"] = max(0, sizes["n"] - 1)
    return sizes


def _type(shape: Sequence[int], dtype: str, letter: str) -> str:
    names = dict(zip("TRCi", (*_DTYPES[letter], "i32"), strict=True))
    return f"tensor<{''.join(f'{length}x' for length in shape)}{names[dtype]}>"


def _attributes(
    call: _Call, tensors: Sequence[tuple[str, list[int]]], batch: int
) -> dict[str, str]:
    """The attributes with which JAX writes the call, without its settings."""
    layouts = [_layout(len(shape), is_matrix=len(spec) == 3) for spec, shape in tensors]
    count = len(call.operands.split())
    is_tuple = len(tensors) - count > 1
    aliases = ", ".join(
        f"#stablehlo.output_operand_alias<output_tuple_indices = [{result if is_tuple else ''}], "
        f"operand_index = {operand}, operand_tuple_indices = []>"
        for result, operand in call.aliases.items()
    )
    return {
        "mhlo.frontend_attributes": f'{{num_batch_dims = "{batch}"}}',
        "operand_layouts": f"[{', '.join(layouts[:count])}]",
        "result_layouts": f"[{', '.join(layouts[count:])}]",
        "sdy.sharding_rule": _sharding_rule([shape for _, shape in tensors], count, batch),
        **({"output_operand_aliases": f"[{aliases}]"} if aliases else {}),
    }


def _layout(rank: int, *, is_matrix: bool) -> str:
    """Batches row by row, and in them matrices column by column, as LAPACK wants them."""
    order = list(reversed(range(rank)))
    if is_matrix:
        order[:2] = order[1::-1]
    text = f"[{', '.join(map(str, order))}]" if rank > 1 else "".join(map(str, order))
    return f"dense<{text}> : tensor<{rank}xindex>"


def _sharding_rule(shapes: Sequence[Sequence[int]], operands: int, batch: int) -> str:
    """Only the axes of a batch may be cut among devices. Each other axis has its own letter."""
    fresh = itertools.count(batch)
    sizes: dict[str, int] = {}
    texts = []
    for shape in shapes:
        letters = []
        for place, length in enumerate(shape):
            number = place if place < batch else next(fresh)
            letters.append(chr(ord("i") + number) if number < 18 else f"z_{number - 17}")
            sizes[letters[-1]] = length
        texts.append(f"[{', '.join(letters)}]")
    given, made = ", ".join(texts[:operands]), ", ".join(texts[operands:])
    lengths = ", ".join(f"{letter}={length}" for letter, length in sizes.items())
    return f"#sdy.op_sharding_rule<({given})->({made}) {{{lengths}}}, custom>"


def _attributes_are(
    operation: Any, expected: Mapping[str, str], settings: Mapping[str, tuple[Any, ...]]
) -> bool:
    attributes = named(operation.attributes)
    extra = set(attributes) - set(expected) - {"call_target_name", "mhlo.backend_config"} - _NOTES
    same = all(
        str(attributes[name]) == text if name in attributes else name in _NOTES
        for name, text in expected.items()
    )
    return same and not extra and _settings_are(attributes.get("mhlo.backend_config"), settings)


def _settings_are(config: Any, settings: Mapping[str, tuple[Any, ...]]) -> bool:
    if not isinstance(config, ir.DictAttr):
        return False
    attributes = named(config)
    return attributes.keys() == settings.keys() and all(
        str(attributes[name])
        in {f"{value} : {kind}" for value in values for kind in ("ui8", "i32")}
        and str(attributes[name]).endswith("i32" if name in ("low", "high") else "ui8")
        for name, values in settings.items()
    )


def named(attributes: Any) -> dict[str, Any]:
    """Attributes by name, in their order."""
    listed = [attributes[place] for place in range(len(attributes))]
    return {attribute.name: attribute.attr for attribute in listed}
