"""solve_system(f, x, steps): Newton's method for systems that aren't symmetric.

The stub is a program whose Jacobian is transposed.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def system(matrix, cubic, right):
    """The function matrix @ x + (cubic @ x)³ - right."""
    return lambda x: matrix @ x + (cubic @ x) ** 3 - right


def newton(matrix, cubic, right, x, steps):
    """The same steps in float64."""
    matrix, cubic, right, x = map(np.float64, (matrix, cubic, right, x))
    for _ in range(steps):
        value = matrix @ x + (cubic @ x) ** 3 - right
        jacobian = matrix + 3 * (cubic @ x)[:, None] ** 2 * cubic
        x = x - np.linalg.solve(jacobian, value)
    return x


def draw(rng, n, symmetric=False, linear=False):
    """A system whose matrix is far from its transpose, or equal to it, and a start."""
    apart = rng.uniform(0.5, 1.5, size=(n, n)) * rng.choice([-1, 1], size=(n, n))
    matrix = 2 * n * np.eye(n) + (apart + apart.T if symmetric else 2 * np.triu(apart, 1))
    cubic = rng.uniform(0.3, 0.6, size=(n, n)) * (not linear)
    if symmetric:
        cubic = np.diag(np.diag(cubic))
    right, x = 3 * rng.normal(size=n), rng.uniform(1, 2, size=n)
    return [part.astype(np.float32) for part in (matrix, cubic, right, x)]


def run(solve_system, matrix, cubic, right, x, steps):
    return solve_system(system(matrix, cubic, right), x, steps)


def check(found, *given):
    assert_close(found, newton(*given), rtol=2e-4, atol=2e-4)


@pytest.mark.hint("What is a step for one unknown? Divide the value by the slope.")
def test_symmetric_systems(submission, rng):
    """For gradients and for one unknown, the steps are Newton's."""
    for n, steps in ((3, 1), (3, 2), (1, 2)):
        given = *draw(rng, n, symmetric=True), steps
        check(submission.solve_system.used_by(run)(*given), *given)
    x = rng.uniform(1, 2, size=2).astype(np.float32)
    found = submission.solve_system(
        lambda x: jnp.array([x[0] + x[1], x[0] + 1.001 * x[1] + 0.001]), x=x, steps=1
    )
    assert_close(found, np.array([1.0, -1.0]), atol=0.02)


@pytest.mark.hint("Where does a search end that makes no step, or that is at its root?")
def test_nothing_to_do(submission, rng):
    """Without a step, the start is returned, and at a root, the search stays there."""
    given = draw(rng, 3)
    assert_close(submission.solve_system.used_by(run)(*given, 0), given[-1])
    matrix, cubic, _, x = given
    right = matrix @ x + (cubic @ x) ** 3
    found = submission.solve_system.used_by(run)(matrix, cubic, right, x, 1)
    assert_close(found, x, atol=1e-3)


@pytest.mark.points(4)
@pytest.mark.hint(
    "Which number in the matrix shows how the second result changes with the first x?"
)
def test_one_step_solves_a_linear_system(submission, rng):
    """For an asymmetric linear system, the first step ends at the root."""
    for n in (2, 5):
        given = *draw(rng, n, linear=True), 1
        check(submission.solve_system.used_by(run)(*given), *given)
    found = submission.solve_system(
        lambda x: jnp.array([x[1] + 1, x[2], x[0] - 2]), x=given[3][:3], steps=1
    )
    assert_close(found, np.array([2.0, -1.0, 0.0]), atol=1e-5)


@pytest.mark.points(2)
@pytest.mark.hint("Does the Jacobian belong to the point where the step begins?")
def test_each_step_is_newtons(submission, rng):
    """For a system with cubic terms, one, two and five steps end where Newton's do."""
    given = draw(rng, 4)
    for steps in (1, 2, 5):
        with case(f"after {steps} steps"):
            check(submission.solve_system.used_by(run)(*given, steps), *given, steps)


@pytest.mark.hint("A Python loop adds a copy of its body to the program for each step.")
def test_the_program_does_not_grow(submission, rng):
    """The program for 80 steps is small."""
    given = draw(rng, 3)
    program = submission.solve_system.used_by(run).program(*given, 80)
    # A step takes more than five.
    assert program.size < 5 * 80, "The program grows with the steps."
    check(program(*given), *given, 80)


@pytest.mark.hint("Under vmap, each system has its own matrix.")
def test_a_batch_of_systems(submission, rng):
    """Under `vmap` and `jit`, each system and each start has its own steps."""
    systems = [draw(rng, 3) for _ in range(4)]
    used = submission.solve_system.used_by(lambda solve, *given: run(solve, *given, 2))
    found = used.vmap().jit()(*map(np.stack, zip(*systems, strict=True)))
    for row, given in zip(found, systems, strict=True):
        check(row, *given, 2)
