"""What the suites of this topic share: the kernels in a program, with their grids and blocks."""

import math

import jax


def kernels(function, x, y, block):
    """For each `pallas_call` that the result needs, its grid, and the sizes of the blocks it uses.

    Pallas has no name for it in the exported program, so this rests on what the student's process
    reports.
    """

    def walk(program, results):
        needed = {id(var) for var in results}
        for equation in reversed(program.eqns):
            used = [id(var) in needed for var in equation.outvars]
            if any(used):
                needed |= {id(var) for var in equation.invars}
                if equation.primitive.name == "pallas_call":
                    grid = [int(length) for length in equation.params["grid_mapping"].grid]
                    kernel = equation.params["jaxpr"]
                    touched = {id(var) for one in kernel.eqns for var in one.invars}
                    blocks = [block for block in kernel.invars if id(block) in touched]
                    yield grid, sorted(math.prod(block.aval.shape) for block in blocks)
                else:
                    for body in bodies(equation):
                        yield from walk(body, results_of(body, equation, used))

    program = jax.make_jaxpr(lambda x, y: function(x, y, block))(x, y).jaxpr
    return list(walk(program, program.outvars))


def bodies(equation):
    """The programs in it: of a function, a loop, or each branch."""
    for value in equation.params.values():
        for inner in value if isinstance(value, tuple | list) else [value]:
            if hasattr(inner, "eqns"):
                yield getattr(inner, "jaxpr", inner)


def results_of(body, equation, used):
    """Those that are needed. A loop may need all results of its body in the next round."""
    if equation.primitive.name not in ("jit", "pjit"):
        return body.outvars
    return [var for var, is_used in zip(body.outvars, used, strict=True) if is_used]
