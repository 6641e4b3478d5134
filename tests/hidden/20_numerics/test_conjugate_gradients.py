"""conjugate_gradients(matvec, b, tol, most): the method's own iterates and rounds.

A matrix with k eigenvalues that are well apart needs k rounds: before the last one much is left,
and after it only rounding. So the number of rounds is known, whatever the order of the sums.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, n, values):
    """A symmetric matrix with these eigenvalues, and a b that has a part along each of them."""
    basis = np.linalg.qr(rng.normal(size=(n, n)))[0]
    values = np.resize(np.float64(values), n)
    parts = rng.uniform(1, 2, n) * rng.choice([-1, 1], n)
    matrix, b = (basis * values) @ basis.T, basis @ parts
    return ((matrix + matrix.T) / 2).astype(np.float32), b.astype(np.float32)


def iterate(matrix, b, rounds):
    """x after these rounds, and the share of b that is left after each of them, in float64."""
    matrix, b = np.float64(matrix), np.float64(b)
    x, r, p, left = 0 * b, b, b, [1.0]
    for _ in range(rounds):
        product = matrix @ p
        alpha = r @ r / (p @ product)
        x, new = x + alpha * p, r - alpha * product
        p, r = new + new @ new / (r @ r) * p, new
        left.append(np.linalg.norm(r) / np.linalg.norm(b))
    return x, left


def run(solve, matrix, b, tol, most):
    return solve(lambda v: matrix @ v, b, tol, most)


def check(found, x, rounds):
    assert_close(found, (x, np.int32(rounds)), rtol=1e-3, atol=2e-3 * max(1, np.abs(x).max()))


@pytest.mark.hint("Write out one round for a system of two unknowns. Which r is in which product?")
def test_the_system_is_solved(submission, rng):
    """x solves the system, for one unknown and for many."""
    for n, values in ((1, [3]), (4, [1, 3, 9]), (12, [1, 2, 4, 8])):
        with case(f"for {n} unknown{'s' * (n > 1)}"):
            matrix, b = draw(rng, n, values)
            x, _ = submission.conjugate_gradients.used_by(run)(
                matrix, b, np.float32(1e-5), np.int32(12)
            )
            exact = np.linalg.solve(np.float64(matrix), b)
            assert_close(x, exact, atol=2e-3 * np.abs(exact).max())


@pytest.mark.points(3)
@pytest.mark.hint("In which direction is the next step? Not along r alone.")
def test_as_many_rounds_as_eigenvalues(submission, rng):
    """With k eigenvalues that are well apart, the solution is found in k rounds."""
    for values in ([2], [1, 4], [1, 3, 9], [1, 3, 6, 10]):
        with case(f"for {len(values)} eigenvalue{'s' * (len(values) > 1)}"):
            matrix, b = draw(rng, 12, values)
            found = submission.conjugate_gradients.used_by(run)(
                matrix, b, np.float32(1e-3), np.int32(100)
            )
            check(found, np.linalg.solve(np.float64(matrix), b), len(values))


@pytest.mark.points(2)
@pytest.mark.hint("Which lengths does the rule compare, and what happens when no round is left?")
def test_it_ends_by_the_rule(submission, rng):
    """It ends after the first round that leaves at most `tol` of b, or after `most` rounds."""
    used = submission.conjugate_gradients.used_by(run)
    for rounds in (1, 3, 6):
        matrix, b = draw(rng, 12, np.linspace(1, 4, 12))
        _, left = iterate(matrix, b, rounds)
        # What is left shrinks to about a third in each round.
        tol = np.float32(np.sqrt(left[-1] * min(left[:-1])))
        expected = iterate(matrix, b, rounds)[0]
        with case("by the tolerance"):
            check(used(matrix, b, tol, np.int32(100)), expected, rounds)
        with case("by the number of rounds"):
            check(used(matrix, b, np.float32(1e-5), np.int32(rounds)), expected, rounds)
    with case("for a small b", hint="The tolerance is relative to the length of b."):
        tiny = np.float32(1e-4) * b
        x, found = used(matrix, tiny, tol, np.int32(100))
        check((np.float32(1e4) * x, found), expected, rounds)


def chain(v):
    """An operator on a line: three times each number, without its neighbours."""
    return 3 * v - jnp.pad(v, (1, 0))[:-1] - jnp.pad(v, (0, 1))[1:]


def on_a_line(solve, b, tol, most):
    return solve(chain, b, tol, most)


@pytest.mark.points(2)
@pytest.mark.hint("Only products are needed. Which array has a row and a column for each unknown?")
def test_no_matrix_is_built(submission, rng):
    """With 300 unknowns one small program with a loop serves every rule, without a matrix."""
    n = 300
    matrix = 3 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    b = rng.normal(size=n).astype(np.float32)
    program = submission.conjugate_gradients.used_by(on_a_line).program(
        b, np.float32(0.5), np.int32(3)
    )
    assert program.elements <= n * n / 4
    loops = program.operations.get("stablehlo.while", 0)
    assert loops == 1, f"the program has {loops} loops"
    # A round has some 30 operations. Twenty rounds that are written out don't fit in here.
    assert program.size <= 250, "the program contains many copies of a round"
    for rounds in (5, 2):
        expected, left = iterate(matrix, b, rounds)
        tol = np.float32(np.sqrt(left[-1] * left[-2]))
        check(tuple(program(b, tol, np.int32(100))), expected, rounds)
        check(tuple(program(b, np.float32(1e-5), np.int32(rounds))), expected, rounds)


@pytest.mark.hint("Use the functions of jax.numpy in the condition, not `and` or an `if`.")
def test_each_system_of_a_batch_ends_by_itself(submission, rng):
    """Under `vmap` each system has its own matrix, rule and number of rounds."""
    systems = [draw(rng, 6, values) for values in ([2], [1, 3, 9], [1, 4], [1, 3, 9])]
    matrices, bs = map(np.stack, zip(*systems, strict=True))
    most = np.int32([50, 50, 50, 1])
    found = submission.conjugate_gradients.used_by(run).vmap()(
        matrices, bs, np.full(4, 1e-3, np.float32), most
    )
    rounds = np.int32([1, 3, 2, 1])
    pairs = zip(systems, rounds, strict=True)
    check(found, np.stack([iterate(*system, count)[0] for system, count in pairs]), rounds)


def on_a_grid(solve, b, tol, most):
    """5 times each number of a grid, without its four neighbours."""

    def matvec(v):
        wide = jnp.pad(v, 1)
        return 5 * v - wide[2:, 1:-1] - wide[:-2, 1:-1] - wide[1:-1, 2:] - wide[1:-1, :-2]

    return solve(matvec, b, tol, most)


def test_details(submission, rng):
    """It works for b = 0, where no round is allowed, and for a grid."""
    matrix, b = draw(rng, 6, [1, 3, 9])
    used, nothing = submission.conjugate_gradients.used_by(run), np.zeros(6)
    with case("for b = 0", hint="0 divided by 0 is NaN. Does your loop run a round?"):
        found = used(matrix, 0 * b, np.float32(1e-3), np.int32(50))
        assert_close(found, (nothing, np.int32(0)))
    with case("where no round is allowed", hint="The start is x = 0."):
        found = used(matrix, b, np.float32(1e-3), np.int32(0))
        assert_close(found, (nothing, np.int32(0)))
    with case("for a grid", hint="Is r . r one number if r is a matrix?"):
        right = rng.normal(size=(4, 4)).astype(np.float32)
        line, one = np.eye(4, k=1) + np.eye(4, k=-1), np.eye(4)
        whole = 5 * np.eye(16) - np.kron(line, one) - np.kron(one, line)
        solve = submission.conjugate_gradients.used_by(on_a_grid)
        x, _ = solve(right, np.float32(1e-4), np.int32(8))
        assert_close(x, np.linalg.solve(whole, right.ravel()).reshape(4, 4), atol=2e-4)
