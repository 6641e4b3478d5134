"""What the suites of this topic share: the kernels in a program, with their grids and blocks."""

import math

import jax


def kernels(function, x, y, block):
    """For each `pallas_call` in the program, its grid, and how many numbers its largest block has.

    Pallas has no name for it in the exported program, so this rests on what the student's process
    reports.
    """

    def walk(program):
        for equation in program.eqns:
            if equation.primitive.name == "pallas_call":
                grid = [int(length) for length in equation.params["grid_mapping"].grid]
                kernel = equation.params["jaxpr"]
                yield grid, max(math.prod(block.aval.shape) for block in kernel.invars)
            else:
                for value in equation.params.values():
                    for inner in value if isinstance(value, tuple | list) else [value]:
                        if hasattr(inner, "eqns"):
                            yield from walk(inner)

    return list(walk(jax.make_jaxpr(lambda x, y: function(x, y, block))(x, y)))
