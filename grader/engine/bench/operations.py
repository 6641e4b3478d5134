"""Which operations a program may hold: exact lists, and what each of them may refer to.

JAX checks a program only where it is exported, and that is the student's process. So everything
that JAX makes on a CPU is listed here, and every other operation is refused. A test has the list of
those, and compares both with the dialects: somebody decides on each operation that is new in JAX.
"""

from collections.abc import Iterator
from typing import Any

from jax.extend.mlir import ir

from grader.engine.bench import custom_calls, sorts
from grader.engine.bench.refused import RefusedProgram, Why


def names(dialect: str, names: str) -> frozenset[str]:
    return frozenset(f"{dialect}.{name}" for name in names.split())


# Each of these has one or more regions: inner programs, which belong to the operation.
WITH_REGIONS = (
    names(
        "stablehlo",
        "all_reduce case if map reduce reduce_scatter reduce_window scatter select_and_scatter "
        "sort while",
    )
    | names("sdy", "manual_computation")
    | names("func", "func")
)
# An operation that stands for a function, and the attribute that names it. The results of the
# function are those of the operation (see `is_entered`).
CALLS = {"func.call": "callee", "stablehlo.composite": "decomposition"}
ALLOWED = (
    WITH_REGIONS
    | frozenset(CALLS)
    | names(
        "stablehlo",
        "abs add all_gather all_to_all and atan2 bitcast_convert broadcast_in_dim cbrt ceil "
        "cholesky clamp collective_broadcast collective_permute compare complex concatenate "
        "constant convert convolution cosine count_leading_zeros custom_call divide dot_general "
        "dynamic_slice dynamic_update_slice exponential exponential_minus_one fft floor gather "
        "imag iota is_finite log log_plus_one logistic maximum minimum multiply negate not "
        "optimization_barrier or pad partition_id popcnt power real reduce_precision remainder "
        "replica_id reshape return reverse rng_bit_generator round_nearest_afz round_nearest_even "
        "rsqrt select shift_left shift_right_arithmetic shift_right_logical sign sine slice sqrt "
        "subtract tan tanh transpose triangular_solve xor",
    )
    | names(
        "chlo",
        "acos acosh asin asinh atan atanh bessel_i1e conj cosh digamma erf erf_inv erfc is_inf "
        "is_neg_inf is_pos_inf lgamma mulhi next_after polygamma ragged_dot sinh square tan top_k "
        "zeta",
    )
    | names("sdy", "mesh return sharding_constraint reshard sharding_group propagation_barrier")
    | names("func", "return")
)
# These say where a value lies, and pass it on as it is.
PLACING = names("sdy", "sharding_constraint reshard propagation_barrier")
_XLA = ("chlo.", "mhlo.", "stablehlo.", "xla.")
# These refer to meshes of devices, never to functions.
_OF_MESHES = ("#sdy.", "#stablehlo.")


def check(operation: Any, kind: str) -> None:
    """Raises `RefusedProgram` unless JAX makes such an operation."""
    if kind not in ALLOWED:
        raise RefusedProgram(Why.OPERATION)
    regions = list(operation.regions)
    if regions and kind not in WITH_REGIONS:
        raise RefusedProgram(Why.INNER)
    if any(len(region.blocks) != 1 for region in regions):
        raise RefusedProgram(Why.BLOCKS)
    if any(name != CALLS.get(kind) for name in _with_symbols(operation)):
        raise RefusedProgram(Why.SYMBOL)
    if kind == "stablehlo.custom_call":
        custom_calls.check(operation)
    if kind == "stablehlo.compare":
        _check_compare(operation)
    if kind == "stablehlo.sort":
        sorts.check(operation)


def _check_compare(compare: Any) -> None:
    """Refuses a comparison of another kind than that of its numbers, such as -1 < 0 unsigned."""
    if "compare_type" not in compare.attributes:
        return
    element = ir.RankedTensorType(compare.operands[0].type).element_type
    if not isinstance(element, ir.IntegerType):
        kinds = {"FLOAT", "TOTALORDER"}
    else:
        kinds = {"UNSIGNED"} if element.is_unsigned or element.width == 1 else {"SIGNED"}
    if str(compare.attributes["compare_type"]).split()[-1].strip(">") not in kinds:
        raise RefusedProgram(Why.COMPARISON)


def called(operation: Any) -> str | None:
    """The name of the function that an operation calls; None if it calls none."""
    attribute = CALLS.get(str(operation.name))
    if attribute is None or attribute not in operation.attributes:
        return None
    names = list(_symbols(operation.attributes[attribute]))
    if len(names) != 1:
        raise RefusedProgram(Why.SEVERAL)
    return names[0]


def is_entered(operation: Any) -> bool:
    """Whether an operation gives just what the function gives that it calls."""
    return str(operation.name) in CALLS and not is_of_xla(operation)


def is_of_xla(operation: Any) -> bool:
    """Whether XLA may run an operation of its own in place of a composite.

    JAX writes `chlo.erf` as a composite, and XLA knows the name. The function behind it counts as
    JAX writes it: without a loop. Its results aren't taken for those of XLA's operation.
    """
    if operation.name != "stablehlo.composite":
        return False
    return ir.StringAttr(operation.attributes["name"]).value.startswith(_XLA)


def _with_symbols(operation: Any) -> Iterator[str]:
    """The attributes that refer to something by its name."""
    # The value of a constant holds numbers only, and some of them (complex ones) can't be read.
    if operation.name == "stablehlo.constant":
        return
    for name, attribute in custom_calls.named(operation.attributes).items():
        if any(True for _ in _symbols(attribute)):
            yield name


def _symbols(attribute: Any) -> Iterator[str]:
    """The names that an attribute refers to, in lists and dicts, too."""
    if isinstance(attribute, ir.ArrayAttr):
        for part in attribute:
            yield from _symbols(part)
    elif isinstance(attribute, ir.DictAttr):
        for part in custom_calls.named(attribute).values():
            yield from _symbols(part)
    elif isinstance(attribute, ir.FlatSymbolRefAttr):
        yield attribute.value
    elif isinstance(attribute, ir.SymbolRefAttr):
        yield from attribute.value
    elif type(attribute) is ir.Attribute and not str(attribute).startswith(_OF_MESHES):
        # An attribute that Python has no class for. A text may hold a name in any form.
        yield from (["?"] if "@" in str(attribute) else [])
