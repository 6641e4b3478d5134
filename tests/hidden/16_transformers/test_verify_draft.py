"""verify_draft(draft, q, p, u): what is accepted, what is drawn, and the law of the result.

No number is near a bound: ratios differ from u, and sums from the number that they are compared
with, by far more than a rounding error.
"""

import numpy as np
import pytest

from grader.suite import assert_close, case

K, V = 4, 5


def exact(draft, q, p, u):
    """The tokens and their number in float64, and the distance to the nearest bound."""
    q, p, u = (array.astype(np.float64) for array in (q, p, u))
    n, room = 0, 1.0
    ratios = p[np.arange(len(draft)), draft] / q[np.arange(len(draft)), draft]
    room = np.abs(ratios - u[:-1]).min()
    while n < len(draft) and u[n] < ratios[n]:
        n += 1
    weights = np.maximum(p[n] - q[n], 0) if n < len(draft) else p[n]
    sums = np.cumsum(weights) / weights.sum()
    drawn = int(np.argmax(sums > u[-1]))
    tokens = np.full(len(draft) + 1, -1, np.int32)
    tokens[:n], tokens[n] = draft[:n], drawn
    return (tokens, np.asarray(n + 1, np.int32)), min(
        room, np.abs(sums[:-1] - u[-1]).min(initial=1)
    )


def shares(rng, rows, words):
    """Rows of probabilities, none of which is small."""
    found = rng.uniform(0.3, 1, size=(rows, words)) ** 2
    return (found / found.sum(axis=1, keepdims=True)).astype(np.float32)


def draw(rng, n, k=K, words=V, after=None):
    """Arguments of which the first n tokens are accepted, and the next one isn't.

    The tokens after it are accepted or not, as `after` says.
    """
    while True:
        q, p = shares(rng, k, words), shares(rng, k + 1, words)
        draft = rng.integers(words, size=k).astype(np.int32)
        place = np.arange(k)
        rejected = place == n
        # A token can be rejected where q is larger than p.
        draft[rejected] = np.argmax(q - p[:k], axis=1)[rejected]
        ratios = p[place, draft] / q[place, draft]
        u = rng.uniform(0.02, 0.98, k + 1)
        kept = (
            np.where(place < n, True, rng.random(k) < 0.5 if after is None else after) & ~rejected
        )
        u[:-1] = np.where(kept, u[:-1] * np.minimum(ratios, 1), np.minimum(ratios, 1) + 0.05)
        u[:-1] = np.where(u[:-1] < 1, u[:-1], 0.5)
        given = draft, q, p, u.astype(np.float32)
        (_, count), room = exact(*given)
        if count == n + 1 and room > 0.01:
            return given


def check(found, given):
    assert_close(found, exact(*given)[0])


@pytest.mark.points(2)
@pytest.mark.hint("A token counts only if all tokens before it are accepted. How do you find n?")
def test_tokens_up_to_the_first_rejection_are_accepted(submission, rng):
    """The number and the accepted tokens are right, even if later tokens would be accepted."""
    for n in (0, 1, 2, K):
        given = draw(rng, n, after=True)
        tokens, count = submission.verify_draft(*given)
        expected, number = exact(*given)[0]
        assert_close(count, number)
        # The token that is drawn belongs to other tests.
        others = np.arange(K + 1) != n
        assert_close(np.where(others, tokens, 0), np.where(others, expected, 0))


@pytest.mark.points(2)
@pytest.mark.hint("Which tokens does the large model want more often than the small one?")
def test_after_a_rejection_the_rest_is_drawn_from(submission, rng):
    """The rejected token is replaced by one drawn from the excess of p over q."""
    for n in (0, 1, K - 1):
        for _ in range(7):
            given = draw(rng, n)
            check(submission.verify_draft(*given), given)


@pytest.mark.hint("There is no q for the last row of p. Which weights does the draw have there?")
def test_if_all_are_accepted_one_more_is_drawn(submission, rng):
    """If all tokens are accepted, one more is drawn from the last row of p."""
    for _ in range(15):
        given = draw(rng, K)
        check(submission.verify_draft(*given), given)


@pytest.mark.hint("No shape and no Python loop may depend on n: it has no value while tracing.")
def test_one_program_serves_every_number(submission, rng):
    """A single program is right for each number of accepted tokens."""
    program = submission.verify_draft.program(*draw(rng, 0))
    for n in [*range(K + 1)] * 5:
        given = draw(rng, n)
        check(program.structured(*given), given)


@pytest.mark.points(3)
@pytest.mark.hint("Write down how often token t comes from the draft. What is missing up to p(t)?")
def test_the_law_is_that_of_the_large_model(submission, rng):
    """Over many drafts, each token has the large model's distribution."""
    count, words = 20_000, 4
    # The tokens of each row stand in another order.
    first = rng.permutation(words)
    orders = [np.roll(first, k) for k in range(3)]
    q = np.stack([np.array([0.1, 0.1, 0.05, 0.75])[order] for order in orders[:2]])
    p = np.stack([np.array([0.3, 0.25, 0.05, 0.4])[order] for order in orders])
    drafts = np.stack([rng.choice(words, size=count, p=row) for row in q], axis=1)
    u = rng.random((count, 3), dtype=np.float32)
    batch = submission.verify_draft.vmap(in_axes=(0, None, None, 0)).jit()
    tokens, counts = batch(drafts.astype(np.int32), q.astype(np.float32), p.astype(np.float32), u)
    tokens, counts = np.asarray(tokens), np.asarray(counts)
    for place in range(3):
        found = tokens[counts > place, place]
        seen = np.bincount(np.clip(found, 0, words - 1), minlength=words)
        expected = len(found) * p[place]
        room = 7 * np.sqrt(expected) + 7
        assert len(found) > 1000, f"token {place} of the result is there {len(found)} times"
        worst = np.argmax(abs(seen - expected) / room)
        assert abs(seen[worst] - expected[worst]) < room[worst], (
            f"as token {place} of the result, a token came up {seen[worst]} times in {len(found)}, "
            f"and it should be {expected[worst]:.0f} times, give or take {room[worst]:.0f}"
        )


def test_details(submission, rng):
    """It works under `vmap`, for equal p and q, u = 0, and a single token."""
    with case("under `vmap`", hint="Each text of a batch has its own number."):
        texts = [draw(rng, n) for n in [2, *range(K + 1)] * 8]
        given = tuple(map(np.stack, zip(*texts, strict=True)))
        expected = tuple(map(np.stack, zip(*(exact(*one)[0] for one in texts), strict=True)))
        assert_close(submission.verify_draft.vmap()(*given), expected)
    with case("where p and q are equal", hint="The ratio is 1, and u is less than 1."):
        draft, _, p, _ = draw(rng, 1)
        u = np.float32([0.5, 0.9999, 0, 0.999, 0.5])
        p[K] = [0.1, 0.1, 0.6, 0.1, 0.1]
        given = draft, p[:K], p, u
        check(submission.verify_draft(*given), given)
    with case("where u is 0", hint="Ratios and sums must be larger than 0, and not equal."):
        draft, q, p, u = draw(rng, 1)
        u[K] = 0
        q[1], p[1] = [0.1, 0.5, 0.1, 0.2, 0.1], [0.1, 0, 0.05, 0.75, 0.1]
        draft[1], u[1] = 1, 0
        check(submission.verify_draft(draft, q, p, u), (draft, q, p, u))
        draft, q, p, u = draw(rng, K)
        u[K], p[K, 0] = 0, 0
        check(submission.verify_draft(draft, q, p, u), (draft, q, p, u))
    compiled = submission.verify_draft.jit()
    with case("for a draft of one token", hint="Does an axis of length 1 stay an axis?"):
        for n in (0, 1):
            given = draw(rng, n, k=1)
            check(compiled(*given), given)
    with case("for a single token in all", hint="All probabilities are 1."):
        one = np.ones((3, 1), np.float32)
        given = np.zeros(2, np.int32), one[:2], one, np.float32([0.5, 0.1, 0.9])
        check(compiled(*given), given)
