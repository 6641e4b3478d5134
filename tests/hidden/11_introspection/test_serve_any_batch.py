"""serve_any_batch(f, params, example) and answer(program, params, request).

The stub is a program for one number of rows. The judge carries the bytes from one function to the
other, since the bench refuses a program of an open size.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export

from grader.suite import assert_close, case, raises


def network(params, request):
    """Each row of the result depends on one row of the request."""
    vectors = request["x"] + params["table"][request["token"]]
    return jnp.tanh(vectors @ params["matrix"])


def centred(params, request):
    """Each row of the result depends on all rows."""
    out = network(params, request)
    share = request["x"][:, 0] / request["x"].shape[0]
    return {"out": out - out.mean(axis=0), "share": share}


def draw(rng, rows):
    x = rng.normal(size=(rows, 3)).astype(np.float32)
    return {"x": x, "token": rng.integers(5, size=rows).astype(np.int32)}


def parameters(rng):
    made = {"table": rng.normal(size=(5, 3)), "matrix": rng.normal(size=(3, 3)) / 2}
    return jax.tree.map(np.float32, made)


def exact(params, request):
    table, matrix = np.float64(params["table"]), np.float64(params["matrix"])
    return np.tanh((request["x"] + table[request["token"]]) @ matrix)


def close(found, expected):
    assert_close(found, expected, atol=1e-5)


def read(serve_any_batch, params, example, request):
    """What the bytes hold, without the function `answer`."""
    program = serve_any_batch(lambda params, one: network(params, one[0]), params, (example,))
    return export.deserialize(bytearray(program)).call(params, (request,))


@pytest.mark.hint("What did the program compute before you changed it?")
def test_requests_like_the_example(submission, rng):
    """A request with as many rows as the example is answered."""
    params, example = parameters(rng), draw(rng, 3)
    program = submission.serve_any_batch(network, params, example)
    request = draw(rng, 3)
    close(submission.answer(program, params, request), exact(params, request))


@pytest.mark.points(2)
@pytest.mark.hint("Which bytes can `jax.export.deserialize` read, and for which sizes are they?")
def test_the_bytes_are_all_that_is_needed(submission, rng):
    """Without `answer`, the program in the bytes answers a request of another size."""
    # As many rows as columns.
    params, example, request = parameters(rng), draw(rng, 3), draw(rng, 7)
    found = submission.serve_any_batch.used_by(read).reported()(params, example, request)
    close(found, exact(params, request))


@pytest.mark.hint("Are the parameters still an argument of the program?")
def test_new_parameters(submission, rng):
    """The program answers with the parameters that it is called with."""
    params, example = parameters(rng), draw(rng, 4)
    program = submission.serve_any_batch(network, params, example)
    for new in (parameters(rng), parameters(rng)):
        close(submission.answer(program, new, example), exact(new, example))


@pytest.mark.hint("Which sizes are still numbers? And do all arrays have the same number of rows?")
def test_what_does_not_fit_is_refused(submission, rng):
    """Other shapes and dtypes raise ValueError, and so do arrays that differ in their rows."""
    params, example = parameters(rng), draw(rng, 5)
    program = submission.serve_any_batch(network, params, example)
    others = {
        "with other columns": {**example, "x": np.ones((5, 1), np.float32)},
        "with another dtype": {**example, "x": np.ones((5, 3), np.int32)},
        "with a row less in one array": {**example, "token": example["token"][:3]},
        "with one row in one array": {**example, "x": example["x"][:1]},
    }
    for name, request in others.items():
        with case(f"for a request {name}"), raises(ValueError):
            submission.answer(program, params, request)
    with case("for other parameters"), raises(ValueError):
        submission.answer(program, {**params, "table": params["table"][:4]}, draw(rng, 4))


@pytest.mark.points(3)
@pytest.mark.hint("For which sizes was the function traced? Which of them must stay open?")
def test_any_number_of_rows(submission, rng):
    """One program answers requests of 1, 5, 37 and 150 rows."""
    params, example = parameters(rng), draw(rng, 4)
    program = submission.serve_any_batch(network, params, example)
    for rows in (5, 1, 37, 150):
        request = draw(rng, rows)
        with case(f"for {rows} rows" if rows > 1 else "for one row"):
            close(submission.answer(program, params, request), exact(params, request))


@pytest.mark.points(2)
@pytest.mark.hint("Does the program get exactly the rows of the request, and all of them at once?")
def test_rows_may_depend_on_each_other(submission, rng):
    """Where a result depends on all rows, it depends on the rows of the request and no others."""
    params, example = parameters(rng), draw(rng, 4)
    program = submission.serve_any_batch(centred, params, example)
    for rows in (9, 3):
        request = draw(rng, rows)
        out = exact(params, request)
        expected = {"out": out - out.mean(axis=0), "share": np.float64(request["x"][:, 0]) / rows}
        with case(f"for {rows} rows"):
            close(submission.answer(program, params, request), expected)
