"""Which operations a program may hold, and that none of them hides what is inside it."""

from __future__ import annotations

import inspect
import itertools
import re
import sys
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
from grader.engine.bench.operations import ALLOWED, CALLS, WITH_REGIONS, check, names
from grader.engine.bench.refused import RefusedProgram

F = "tensor<f32>"
V = "tensor<8xf32>"
DEEP = 9
# `#` stands for many multiplications of %a, whose last result is %z.
PROGRAMS = {
    "func.call": ("func.call @f(%x) : (tensor<f32>) -> tensor<f32>", F, F),
    "stablehlo.composite": (
        'stablehlo.composite "my.name" %x {decomposition = @f} : (tensor<f32>) -> tensor<f32>',
        F,
        F,
    ),
    "stablehlo.while": (
        """"stablehlo.while"(%x) ({ ^bb0(%b: tensor<f32>):
          %p = stablehlo.compare LT, %b, %s : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1> }, { ^bb0(%a: tensor<f32>): #
          stablehlo.return %z : tensor<f32> }) : (tensor<f32>) -> tensor<f32>""",
        F,
        F,
    ),
    "stablehlo.case": (
        """"stablehlo.case"(%n) ({ stablehlo.return %s : tensor<f32> }, { %a = stablehlo.negate %s
          : tensor<f32>\n # stablehlo.return %z : tensor<f32> }) : (tensor<i32>) -> tensor<f32>""",
        F,
        F,
    ),
    "stablehlo.if": (
        """"stablehlo.if"(%q) ({ %a = stablehlo.negate %s : tensor<f32>\n #
          stablehlo.return %z : tensor<f32> }, { stablehlo.return %s : tensor<f32> })
          : (tensor<i1>) -> tensor<f32>""",
        F,
        F,
    ),
    "stablehlo.map": (
        """"stablehlo.map"(%x) ({ ^bb0(%a: tensor<f32>): # stablehlo.return %z : tensor<f32> })
          {dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8xf32>""",
        V,
        V,
    ),
    "stablehlo.reduce": (
        """"stablehlo.reduce"(%x, %s) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>): #
          stablehlo.return %z : tensor<f32> }) {dimensions = array<i64: 0>}
          : (tensor<8xf32>, tensor<f32>) -> tensor<f32>""",
        V,
        F,
    ),
    "stablehlo.reduce_window": (
        """"stablehlo.reduce_window"(%x, %s) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>): #
          stablehlo.return %z : tensor<f32> }) {window_dimensions = array<i64: 1>}
          : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>""",
        V,
        V,
    ),
    "stablehlo.sort": (
        """"stablehlo.sort"(%x) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>): #
          %p = stablehlo.compare LT, %z, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1> }) {is_stable = true} : (tensor<8xf32>)
          -> tensor<8xf32>""",
        V,
        V,
    ),
    "stablehlo.scatter": (
        """"stablehlo.scatter"(%x, %w, %s) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>): #
          stablehlo.return %z : tensor<f32> }) {scatter_dimension_numbers = #stablehlo.scatter<
          inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}
          : (tensor<8xf32>, tensor<1xi32>, tensor<f32>) -> tensor<8xf32>""",
        V,
        V,
    ),
    "stablehlo.select_and_scatter": (
        """"stablehlo.select_and_scatter"(%x, %x, %s) <{
          window_dimensions = array<i64: 1>, window_strides = array<i64: 1>}> ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>): #
          %p = stablehlo.compare LT, %z, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1> }, { ^bb0(%c: tensor<f32>, %d: tensor<f32>):
          stablehlo.return %c : tensor<f32> })
          : (tensor<8xf32>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>""",
        V,
        V,
    ),
    "stablehlo.all_reduce": (
        """"stablehlo.all_reduce"(%x) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>): #
          stablehlo.return %z : tensor<f32> }) {replica_groups = dense<0> : tensor<1x1xi64>}
          : (tensor<8xf32>) -> tensor<8xf32>""",
        V,
        V,
    ),
    "stablehlo.reduce_scatter": (
        """"stablehlo.reduce_scatter"(%x) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>): #
          stablehlo.return %z : tensor<f32> }) {scatter_dimension = 0 : i64,
          replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<8xf32>) -> tensor<8xf32>""",
        V,
        V,
    ),
    "sdy.manual_computation": (
        """sdy.manual_computation(%x) in_shardings=[<@mesh, []>] out_shardings=[<@mesh, []>]
          manual_axes={} (%a: tensor<f32>) { # sdy.return %z : tensor<f32> }
          : (tensor<f32>) -> tensor<f32>""",
        F,
        F,
    ),
}
CONSTANTS = """
    %s = stablehlo.constant dense<3.0> : tensor<f32>
    %k = stablehlo.constant dense<0> : tensor<i32>
    %w = stablehlo.constant dense<1> : tensor<1xi32>
    %i = stablehlo.iota dim = 0 : tensor<8xi32>
"""


def chain(length: int, first: str = "%a", kind: str = F) -> str:
    """Multiplications, each of the result of the one before."""
    names = [first, *(f"%m{n}" for n in range(length - 1)), "%z"]
    pairs = itertools.pairwise(names)
    return "\n" + "".join(
        f"{after} = stablehlo.multiply {before}, {before} : {kind}\n" for before, after in pairs
    )


def facts(body: str, kind: str, result: str, more: str = "") -> Any:
    """The facts of a program of this text."""
    text = f"""module {{
      sdy.mesh @mesh = <["i"=1]>
      func.func public @main(%x: {kind}, %n: tensor<i32>, %q: tensor<i1>) -> {result} {{ {CONSTANTS}
        {body}
        func.return %r : {result}
      }} {more} }}"""
    with mlir.make_ir_context():
        return examine(_export._module_to_bytecode(ir.Module.parse(text)))


def functions(length: int) -> str:
    """A function of so many multiplications."""
    return f"""
      func.func private @f(%a: tensor<f32>) -> tensor<f32> {{ {chain(length)}
        func.return %z : tensor<f32> }}"""


# JAX makes none of these on a CPU. Some talk to a host or keep a state from call to call; some have
# shapes that depend on values; some call a function that only a pointer names.
REFUSED = (
    names(
        "stablehlo",
        "after_all async_done async_start batch_norm_grad batch_norm_inference "
        "batch_norm_training broadcast collective_reduce create_token cross-replica-sum dot "
        "dynamic_broadcast_in_dim dynamic_conv dynamic_gather dynamic_iota dynamic_pad "
        "dynamic_reshape einsum get_dimension_size get_tuple_element infeed outfeed "
        "real_dynamic_slice recv rng send set_dimension_size torch_index_select tuple "
        "unary_einsum uniform_dequantize uniform_quantize",
    )
    | names(
        "chlo",
        "_asin_acos_kernel broadcast_add broadcast_and broadcast_atan2 broadcast_compare "
        "broadcast_complex broadcast_divide broadcast_maximum broadcast_minimum "
        "broadcast_multiply broadcast_next_after broadcast_or broadcast_polygamma "
        "broadcast_power broadcast_remainder broadcast_select broadcast_shift_left "
        "broadcast_shift_right_arithmetic broadcast_shift_right_logical broadcast_subtract "
        "broadcast_xor broadcast_zeta constant constant_like scan",
    )
    | names(
        "sdy",
        "all_gather all_reduce all_slice all_to_all collective_permute constant data_flow_edge "
        "func_data_flow_edge named_computation reduce_scatter replicated_to_unreduced "
        "sharded_to_unreduced",
    )
    | names("func", "call_indirect constant")
)


def test_every_operation_of_the_dialects_is_decided_on() -> None:
    """What is new in JAX is refused until somebody has put it on one of the lists."""
    known = set()
    for module in [module for name, module in sys.modules.items() if "mlir.dialects" in name]:
        for each in vars(module).values():
            if inspect.isclass(each) and issubclass(each, ir.OpView):
                known.add(getattr(each, "OPERATION_NAME", "."))
    rooms = ("stablehlo.", "chlo.", "sdy.", "func.")
    assert {name for name in known if name.startswith(rooms)} <= ALLOWED | REFUSED
    assert not ALLOWED & REFUSED


def test_every_operation_with_a_region_or_a_symbol_has_a_program_here() -> None:
    assert set(PROGRAMS) == (WITH_REGIONS | set(CALLS)) - {"func.func"}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_inside_counts_as_if_it_were_written_out(name: str) -> None:
    text, kind, result = PROGRAMS[name]

    def inside(length: int) -> Any:
        body = f"%r = {re.sub('#(?!stablehlo)', chain(length), text)}"
        return facts(body, kind, result, functions(length))

    written = facts(chain(DEEP, "%x", kind).replace("%z", "%r"), kind, kind)
    short, long = inside(1), inside(1 + DEEP)
    assert long["size"] - short["size"] == written["size"] == DEEP
    more = {kind: n - short["operations"][kind] for kind, n in long["operations"].items()}
    assert {kind: n for kind, n in more.items() if n} == written["operations"]


@pytest.mark.parametrize(
    "text",
    [
        "{mine = @f}",
        "{mine = [1, @f]}",
        "{mine = {deep = [{er = @f}]}}",
        "{mine = @f::@g}",
        "{callee = @f}",
    ],
)
def test_a_function_in_an_attribute_is_refused(text: str) -> None:
    """Most names in attributes are mere texts once a program is serialized; none gets through."""
    for attribute, refused in ((text, True), (re.sub(r"@[@:fg]+", '"f"', text), False)):
        line = f"%r = stablehlo.add %x, %x {attribute} : tensor<f32>"
        with mlir.make_ir_context():
            module = ir.Module.parse(f"func.func @f(%x: {F}) {{ {line} func.return }}")
            (function,) = module.body.operations
            operation = function.regions[0].blocks[0].operations[0].operation
            if refused:
                with pytest.raises(RefusedProgram, match="refers to a function"):
                    check(operation, "stablehlo.add")
            else:
                check(operation, "stablehlo.add")


@pytest.mark.parametrize("name", ["stablehlo.rng", "stablehlo.infeed", "chlo.scan", "no.such"])
def test_other_operations_are_refused(name: str) -> None:
    class Operation:
        regions: tuple[()] = ()

    with pytest.raises(RefusedProgram, match="not allowed"):
        check(Operation(), name)


def of(function: Any, *shapes: tuple[int, ...]) -> Any:
    args = [jax.ShapeDtypeStruct(shape, np.float32) for shape in shapes]
    return examine(jax.export.export(jax.jit(function))(*args).mlir_module_serialized)


def loops(function: Any) -> int:
    return int(of(function, ())["operations"].get("stablehlo.while", 0))


def tripled(n: Any, x: Any) -> Any:
    return lax.fori_loop(0, n, lambda _, y: y * 3, x)


def test_a_loop_counts_if_it_runs_and_is_needed() -> None:
    assert loops(lambda x: tripled(4, x)) == 1
    assert loops(lambda x: lax.while_loop(lambda y: y < 9, lambda y: y * 2, x)) == 1
    assert loops(lambda x: tripled(x.astype(int), x)) == 1
    assert loops(lambda x: lax.cond(x > 0, lambda: tripled(4, x), lambda: x)) == 1
    assert loops(jax.jit(lambda x: jax.jit(tripled)(4, x))) == 1
    # What rounding decides is not known.
    assert loops(lambda x: lax.cond(jnp.float32(1e-40) > 0, lambda: x, lambda: tripled(4, x))) == 1
    assert loops(lambda x: tripled((jnp.float32(0.1) * 3 > 0.3).astype(int), x)) == 1
    # One round is a round.
    assert loops(lambda x: tripled(1, x)) == 1


@pytest.mark.parametrize(
    "function",
    [
        lambda x: tripled(0, x),
        lambda x: tripled(-3, x),
        lambda x: tripled(jnp.minimum(3, 0) * 2, x),
        lambda x: jax.jit(tripled)(jnp.int32(0), x),
        lambda x: tripled(jax.jit(lambda: jnp.int32(4) - 4)(), x),
        lambda x: lax.cond(False, lambda: tripled(4, x), lambda: x),
        lambda x: lax.switch(1, [lambda: tripled(4, x), lambda: x]),
        lambda x: lax.cond(jnp.float32(2) > 3, lambda: tripled(4, x), lambda: x),
        lambda x: lax.while_loop(lambda y: (y < 9) & False, lambda y: y * 2, x),
        lambda x: lax.optimization_barrier((x + 1, tripled(4, x)))[0],
        lambda x: jax.jit(lambda x: (x + 1, tripled(4, x)))(x)[0],
        lambda x: lax.composite(lambda x: (x + 1, tripled(4, x)), "my.pair")(x)[0],
        lambda x: lax.fori_loop(0, 9, lambda _, y: lax.optimization_barrier(y), x),
        lambda x: lax.cond(x > 0, lambda: (tripled(4, x), x), lambda: (x, x + 1))[1],
    ],
)
def test_a_loop_that_does_nothing_does_not_count(function: Any) -> None:
    assert loops(function) == 0


def test_a_counter_that_wraps_around_is_not_a_loop_of_no_rounds() -> None:
    """From 1 up to 0, with eight bits, takes 255 rounds."""

    def around(x: Any) -> Any:
        start = (jnp.int8(1), x)
        return lax.while_loop(lambda s: s[0] != 0, lambda s: (s[0] + 1, s[1] * 2), start)[1]

    found = of(around, ())
    assert found["operations"]["stablehlo.while"] == 1
    assert found["flops"] is None


def test_what_no_result_needs_does_not_count() -> None:
    """A pair of which one half is used counts that half, in each call by itself."""
    pair = jax.jit(lambda x: (jnp.sin(x), jnp.cos(x) @ jnp.cos(x).T))
    half = of(lambda x: pair(x)[0], (50, 3))
    assert half["operations"] == {"stablehlo.sine": 1}
    assert half["elements"] == 150
    both = of(lambda x: (pair(x)[0], pair(x)[1]), (50, 3))
    assert both["elements"] == 4 * 150 + 2500  # both halves; the cosine twice, once transposed
    assert both["operations"]["stablehlo.sine"] == 1


def test_an_array_that_is_made_in_pieces_counts_whole() -> None:
    def squared(x: Any) -> Any:
        return sum(((x[:, None] * x[n::4]) ** 2).sum() for n in range(4))

    assert of(squared, (40,))["elements"] > 2 * 40 * 40
    looped = of(lambda x: lax.map(lambda y: (x * y).sum(), x).sum(), (40,))
    assert looped["elements"] < 40 * 10


def test_a_loop_behind_a_name_of_xla_is_refused() -> None:
    """XLA computes `chlo.erf` by itself, whatever function a program puts behind the name."""
    fake = lax.composite(lambda x: tripled(4, x), "chlo.erf", version=1)
    with pytest.raises(RefusedProgram, match="one of XLA's names"):
        of(lambda x: x + 0 * fake(x), ())
    assert of(lax.erf, ())["size"] > 1
    cheap = lax.composite(lambda x, k: (x[:2], jnp.zeros(2, int)), "chlo.top_k", version=1)
    assert of(lambda x: cheap(x, k=2)[0], (999,))["flops"] >= 999


def test_a_complex_constant_is_read() -> None:
    many = np.array([1j, 2, 3 - 1j], np.complex64)
    assert of(lambda x: x * many, (3,))["constants"] == 3
    assert of(lambda x: x * 1j, (3,))["constants"] == 0
    assert of(lambda x: x * many + many.conj(), (3,))["constants"] == 6


def test_names_do_not_repeat_in_the_lists() -> None:
    assert all(re.fullmatch(r"(stablehlo|chlo|sdy|func)\.[\w-]+", name) for name in ALLOWED)


@pytest.mark.parametrize("way", ["LE", "GE", "EQ", "NE", "GT"])
def test_an_unstable_sort_compares_as_jax_does(way: str) -> None:
    """With `<=`, the sort of XLA writes outside its array."""
    text, kind, result = PROGRAMS["stablehlo.sort"]
    stable = "%r = " + text.replace("#", "").replace("%z", "%a").replace("LT", way)
    assert facts(stable, kind, result)["size"] > 0
    with pytest.raises(RefusedProgram, match="sorts without order"):
        facts(stable.replace("is_stable = true", "is_stable = false"), kind, result)
    with pytest.raises(RefusedProgram, match="sorts without order"):
        facts(stable.replace("{is_stable = true}", ""), kind, result)
