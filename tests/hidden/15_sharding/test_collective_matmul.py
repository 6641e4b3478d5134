"""collective_matmul(x, w, mesh): values, what travels, and what waits for what."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import PartitionSpec as P

from grader.suite import assert_close, case


def ask(matmul, devices, x, w):
    """The product on a mesh of so many devices: the last ones, in reverse."""
    kinds, used = (jax.sharding.AxisType.Auto,), jax.devices()[::-1][:devices]
    mesh = jax.make_mesh((devices,), ("ring",), axis_types=kinds, devices=used)
    return matmul(x, w, mesh)


def program(submission, devices, x, w):
    found = submission.collective_matmul.used_by(ask).program(devices, x, w)
    return found.given({"ring": devices}, P("ring"), P(None, "ring"))


def draw(rng, p=16, k=200, m=8):
    return [rng.normal(size=shape).astype(np.float32) for shape in ((p, k), (k, m))]


def check(found, x, w):
    assert_close(found, np.float64(x) @ np.float64(w), atol=5e-4)


@pytest.mark.hint("Whose rows does a device have in round s, and where are they in x?")
def test_the_values_are_those_of_the_product(submission, rng):
    """On eight devices the values are those of x @ w."""
    for sizes in ((16, 200, 8), (8, 5, 24)):
        x, w = draw(rng, *sizes)
        check(program(submission, 8, x, w)(x, w), x, w)


@pytest.mark.points(2)
@pytest.mark.hint(
    "Which JAX function sends arrays in your code, and which device has which columns?"
)
def test_pieces_travel_by_permutations(submission, rng):
    """The only collectives are permutations, and each device has its columns of the result."""
    x, w = draw(rng)
    found = program(submission, 8, x, w)
    check(found(x, w), x, w)
    assert set(found.collectives) == {"collective_permute"}, (
        f"The devices exchange by {sorted(found.collectives)}"
    )
    assert found.shards == (tuple(((0, 16), (i, i + 1)) for i in range(8)),)


@pytest.mark.points(3)
@pytest.mark.hint("How many rows of x does a device keep? It needs each of them for one product.")
def test_no_device_has_all_rows(submission, rng):
    """No device has all of x, and each does an eighth of the products."""
    x, w = draw(rng, k=1000)
    found = program(submission, 8, x, w)
    check(found(x, w), x, w)
    with case("in memory", hint="Multiply a piece when it arrives, and keep only its product."):
        assert "all_gather" not in found.collectives, "A device gathers all rows"
        # A ring that is written out makes each row once.
        assert found.elements < 1.4 * x.size
    with case("in the work", hint="By how many columns of w does a device multiply a row?"):
        assert found.flops_of_a_device < 1.2 * 2 * x.size * 8 / 8


def waits(matmul, devices, x, w):
    """What waits for what: [permutations, those that wait for a product, free products, late ones].

    A product is free if it waits for no permutation. It is late if it waits for the permutation of
    its own round of a loop.
    """
    counted = [0, 0, 0, 0]

    def inner(equation):
        for value in equation.params.values():
            for one in value if isinstance(value, tuple | list) else [value]:
                one = getattr(one, "jaxpr", one)
                if hasattr(one, "eqns"):
                    yield one

    def walk(body, given, in_loop):
        known = dict(zip(body.invars, given, strict=True))

        def of(value):
            return frozenset() if hasattr(value, "val") else known.get(value, frozenset())

        for equation in body.eqns:
            name, bodies = equation.primitive.name, list(inner(equation))
            needs = frozenset().union(*map(of, equation.invars))
            results = [needs] * len(equation.outvars)
            same = bodies and len(bodies[0].invars) == len(equation.invars)
            if name in ("dot_general", "reduce_sum"):
                counted[2] += "sent" not in needs
                counted[3] += "sent" in needs and in_loop
                results = [needs | {"product"}] * len(results)
            elif name == "ppermute":
                counted[0] += 1
                counted[1] += "product" in needs
                results = [needs | {"sent"}] * len(results)
            elif name in ("scan", "while", "cond"):
                is_loop = in_loop or name != "cond"
                for one in bodies:
                    start = [frozenset()] * len(one.invars)
                    results = [needs.union(*walk(one, start, is_loop), *results)] * len(results)
            elif same and len(bodies) == 1:
                results = walk(bodies[0], list(map(of, equation.invars)), in_loop)
            known.update(zip(equation.outvars, results, strict=True))
        return list(map(of, body.outvars))

    found = jax.make_jaxpr(lambda x, w: ask(matmul, devices, x, w))(x, w)
    body = getattr(found, "jaxpr", found)
    walk(body, [frozenset()] * len(body.invars), False)
    return counted


@pytest.mark.points(2)
@pytest.mark.hint("Does a round's product use the piece from before it, or the one that arrives?")
def test_a_device_multiplies_while_a_piece_travels(submission, rng):
    """No permutation waits for a product, and no product waits for the permutation of its round."""
    x, w = draw(rng)
    check(submission.collective_matmul.used_by(ask)(8, x, w), x, w)
    sends, late_sends, free, late = submission.collective_matmul.used_by(waits).reported()(8, x, w)
    assert sends > 0, "No piece travels by `ppermute`."
    assert late_sends == 0, "A permutation waits for a product."
    assert free > 0, "Each product waits for a permutation, even that of a device's own piece."
    assert late == 0, "In a round of the loop, the product waits for the permutation."


def weighted(matmul, devices, x, w, factors):
    return (ask(matmul, devices, x, w) * factors).sum()


@pytest.mark.hint("Is the number of devices hard-coded? And can each loop be reversed?")
def test_rings_of_any_size_have_gradients(submission, rng):
    """On one, two, three and six devices the values are right, and on four the gradients."""
    for devices in (1, 2, 3, 6):
        x, w = draw(rng, 12, 7, 18)
        found = program(submission, devices, x, w)
        check(found(x, w), x, w)
    with case(
        "for gradients", hint="`grad` can reverse a `scan`, but not a loop of unknown length."
    ):
        x, w = draw(rng, 12, 5, 8)
        factors = rng.normal(size=(12, 8)).astype(np.float32)
        found = submission.collective_matmul.used_by(weighted).grad(argnums=(1, 2))
        wide = np.float64(factors)
        assert_close(found(4, x, w, factors), (wide @ w.T, x.T @ wide), atol=1e-4)


def test_details(submission, rng):
    """It works for one row or column per device, and in half precision."""
    run = submission.collective_matmul.used_by(ask)
    for sizes in ((8, 3, 16), (24, 2, 8), (8, 1, 8)):
        with case("for one row or column of a device", hint="Which sizes do you compute?"):
            x, w = draw(rng, *sizes)
            check(run(8, x, w), x, w)
    with case(
        "in half precision", hint="Which dtype does the array that collects the results have?"
    ):
        # All of these sums are exact.
        x, w = (np.sign(part).astype(jnp.bfloat16) for part in draw(rng, 8, 5, 8))
        assert_close(run(8, x, w), (np.float64(x) @ np.float64(w)).astype(jnp.bfloat16))
