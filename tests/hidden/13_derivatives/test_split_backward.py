"""run_forward(f, args) and run_backward(f, like, kept, g): two programs, and arrays in between.

Each of the two is exported by itself, and the judge carries the arrays. Where a test is about one
of them, the other one is JAX's own `jax.vjp`, in the judge.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from grader.suite import assert_close, case

ROWS, WIDTH, OUT = 5, 4, 3


def layer(x, w, b):
    return jnp.exp(x) @ w + b


def elsewhere(x, w, b):
    """A function whose forward pass the student's process never runs."""
    return jnp.sin(x @ w + b)


def network(params, x):
    """A value that is a tree, of arguments that are trees."""
    hidden = jnp.sin(x @ params["w"] + params["b"])

    def again(state, _):
        return jnp.sin(state) * hidden, None

    return {"state": lax.scan(again, hidden, None, length=3)[0], "mean": jnp.mean(hidden**2)}


def total(x):
    return 2 + x.sum()


def again(x):
    return jax.checkpoint(lambda x: jnp.sin(jnp.exp(x)))(x)


def single(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def draw(rng, f):
    """Arguments of f, and what arrives for its value."""
    if f in (layer, elsewhere):
        args = single(rng, ROWS, WIDTH), single(rng, WIDTH, OUT), single(rng, OUT)
        return args, single(rng, ROWS, OUT)
    if f is network:
        params = {"w": single(rng, WIDTH, OUT), "b": single(rng, OUT)}
        g = {"state": single(rng, ROWS, OUT), "mean": single(rng)[()]}
        return (params, single(rng, ROWS, WIDTH)), g
    x = single(rng, WIDTH)
    return (x,), np.float32(rng.uniform(1, 2)) if f is total else single(rng, WIDTH)


def forward(run_forward, f, *args):
    return run_forward(f, args)


def backward(run_backward, f, shapes, kept, g):
    """The backward pass, where the arguments are known by their shapes alone."""

    def made(shape):
        if isinstance(shape, dict):
            return {name: made(part) for name, part in shape.items()}
        return jax.ShapeDtypeStruct(shape, jnp.float32)

    return run_backward(f, tuple(made(shape) for shape in shapes), kept, g)


SHAPES = {
    layer: ((ROWS, WIDTH), (WIDTH, OUT), (OUT,)),
    elsewhere: ((ROWS, WIDTH), (WIDTH, OUT), (OUT,)),
    network: ({"w": (WIDTH, OUT), "b": (OUT,)}, (ROWS, WIDTH)),
    total: ((WIDTH,),),
    again: ((WIDTH,),),
}


def forward_program(submission, f, args):
    return submission.run_forward.used_by(forward).program(f, *args)


def backward_program(submission, f, kept, g):
    return submission.run_backward.used_by(backward).program(f, SHAPES[f], kept, g)


def expected(f, args, g):
    """Value, kept arrays and gradients, by JAX's own derivative."""
    args = jax.tree.map(jnp.asarray, args)
    value, pull = jax.vjp(f, *args)
    kept = [np.asarray(leaf) for leaf in jax.tree.leaves(pull)]
    return jax.tree.map(np.asarray, (value, kept, pull(jax.tree.map(jnp.asarray, g))))


def layer_gradients(args, g):
    """The gradients of the layer by the chain rule, in float64."""
    x, w, _ = (part.astype(np.float64) for part in args)
    g = g.astype(np.float64)
    return np.exp(x) * (g @ w.T), np.exp(x).T @ g, g.sum(axis=0)


def round_trip(submission, f, args, g):
    """Both programs, one after the other."""
    value, kept = forward_program(submission, f, args).structured(f, *args)
    gradients = backward_program(submission, f, list(kept), g).structured(f, SHAPES[f], kept, g)
    return value, kept, gradients


def close(found, wanted):
    assert_close(found, wanted, atol=1e-4)


@pytest.mark.points(3)
@pytest.mark.hint("Which arrays does the function of `jax.vjp` keep? And what is around them?")
def test_two_programs_make_a_gradient(submission, rng):
    """With nothing but arrays in between, value and gradients are right."""
    for _ in range(2):
        args, g = draw(rng, layer)
        value, _, gradients = round_trip(submission, layer, args, g)
        close(value, np.exp(args[0].astype(np.float64)) @ args[1] + args[2])
        close(gradients, layer_gradients(args, g))


@pytest.mark.points(3)
@pytest.mark.hint("What does the backward pass compute: only products, or f once more?")
def test_nothing_is_computed_again(submission, rng):
    """The backward pass has no exponential of the forward pass, and no more is kept than needed."""
    args, g = draw(rng, layer)
    _, kept, gradients = round_trip(submission, layer, args, g)
    close(gradients, layer_gradients(args, g))
    program = backward_program(submission, layer, kept, g)
    assert "stablehlo.exponential" not in program.operations, (
        "the backward pass computes exponentials, and the forward pass has computed them"
    )
    needed = sum(array.nbytes for array in expected(layer, args, g)[1])
    found = sum(array.nbytes for array in kept)
    assert found <= needed, f"{found} bytes are kept, and {needed} are needed"


@pytest.mark.points(2)
@pytest.mark.hint("Does your backward pass use something that the forward pass has left in Python?")
def test_the_backward_pass_works_in_another_process(submission, rng):
    """The backward pass is right for arrays that another program has kept."""
    args, g = draw(rng, elsewhere)
    _, kept, _ = expected(elsewhere, args, g)
    program = backward_program(submission, elsewhere, kept, g)
    x, w, b, g = (part.astype(np.float64) for part in (*args, g))
    slope = g * np.cos(x @ w + b)
    found = program.structured(elsewhere, SHAPES[elsewhere], kept, np.float32(g))
    close(found, (slope @ w.T, x.T @ slope, slope.sum(axis=0)))


@pytest.mark.hint("The tree of the arguments is the tree of the gradients. Who knows it?")
def test_trees_come_back_as_trees(submission, rng):
    """Arguments, values and gradients may be trees, and f may hold a loop."""
    args, g = draw(rng, network)
    value, _, gradients = round_trip(submission, network, args, g)
    wanted, _, slopes = expected(network, args, g)
    close(value, wanted)
    close(gradients, slopes)


def test_details(submission, rng):
    """It works where nothing is kept, and with `jax.checkpoint`."""
    with case("where nothing is kept", hint="The list of leaves is empty, and that is right."):
        args, g = draw(rng, total)
        value, kept, gradients = round_trip(submission, total, args, g)
        assert len(kept) == 0, "nothing needs to be kept, and something is"
        close((value, gradients), (expected(total, args, g)[0], (np.full(WIDTH, g),)))
    with case("with `jax.checkpoint`", hint="f says itself what it keeps."):
        args, g = draw(rng, again)
        value, kept, gradients = round_trip(submission, again, args, g)
        wanted, needed, slopes = expected(again, args, g)
        close((value, list(kept), gradients), (wanted, needed, slopes))
