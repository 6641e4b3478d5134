"""The statistics of a race: tables, levels, and error rates under many kinds of noise."""

from __future__ import annotations

import math
import random

import pytest

from grader.records.evidence import (
    FAIL_LEVEL,
    MIDDLE,
    MOST_LAUNCHES,
    MOST_PAIRS,
    PASS_LEVEL,
    Tally,
    evidence,
    median_interval,
)
from grader.records.model import Outcome

LOSSES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20]


@pytest.mark.parametrize(
    ("level", "wins"),
    [
        (1e-3, [13, 17, 20, 22, 25, 27, 29, 31, 33, 35, 37, 41, 46, 55]),
        (5e-3, [11, 14, 17, 19, 21, 24, 26, 28, 30, 32, 33, 37, 42, 50]),
        (1e-2, [9, 13, 15, 18, 20, 22, 24, 26, 28, 30, 32, 35, 40, 48]),
    ],
)
def test_the_fewest_wins_that_decide_are_those_of_the_published_table(
    level: float, wins: list[int]
) -> None:
    assert [fewest_wins(losses, level) for losses in LOSSES] == wins


def test_evidence_is_the_integral_that_it_stands_for() -> None:
    for wins, losses in ((0, 0), (3, 0), (5, 2), (20, 11)):
        steps = 20_000
        ps = [0.5 + 0.5 * (i + 0.5) / steps for i in range(steps)]
        integral = sum(p**wins * (1 - p) ** losses for p in ps) * 0.5 / steps
        assert math.isclose(
            evidence(wins, losses), 2 ** (wins + losses + 1) * integral, rel_tol=1e-6
        )


@pytest.mark.parametrize(
    ("level", "pairs", "published"),
    [(FAIL_LEVEL, 48, 3.8e-4), (PASS_LEVEL, 48, 1.9e-3), (PASS_LEVEL, 144, 2.7e-3)],
)
def test_a_fair_coin_crosses_the_line_less_often_than_the_level(
    level: float, pairs: int, published: float
) -> None:
    """This holds for any number of looks. It is computed exactly, path by path."""
    alive, crossed = {0: 1.0}, 0.0
    for pair in range(1, pairs + 1):
        after: dict[int, float] = {}
        for wins, probability in alive.items():
            for more in (0, 1):
                if evidence(wins + more, pair - wins - more) >= 1 / level:
                    crossed += probability / 2
                else:
                    after[wins + more] = after.get(wins + more, 0) + probability / 2
        alive = after
    assert crossed < level
    assert crossed == pytest.approx(published, rel=0.03)


def test_eleven_clear_pairs_pass() -> None:
    assert Tally(20, ((30.0,) * 10,)).verdict is Outcome.UNDECIDED
    assert Tally(20, ((30.0,) * 11,)).verdict is Outcome.PASSED
    assert Tally(20, ((17.1,) * 11,)).verdict is Outcome.PASSED
    assert Tally(20, ((16.9,) * 11,)).verdict is Outcome.UNDECIDED


def test_pairs_for_passing_count_over_all_launches() -> None:
    assert Tally(20, ((30.0,) * 6, (30.0,) * 5)).verdict is Outcome.PASSED


def test_failing_takes_two_launches_that_agree() -> None:
    slow = (10.0,) * 13
    once = Tally(20, (slow,))
    assert (once.votes, once.verdict, once.launch_is_over, once.is_over) == (
        1,
        Outcome.UNDECIDED,
        True,
        False,
    )
    # One launch with an unlucky memory layout doesn't decide.
    noise = (10.0, 30.0) * 24
    assert Tally(20, (slow, noise)).verdict is Outcome.UNDECIDED
    assert Tally(20, (slow, noise, slow)).verdict is Outcome.FAILED
    assert Tally(20, ((10.0,) * 12, (10.0,) * 12)).votes == 0


def test_a_race_ends_when_all_launches_are_spent() -> None:
    noise = (10.0, 30.0) * (MOST_PAIRS // 2)
    assert not Tally(20, (noise,) * (MOST_LAUNCHES - 1)).is_over
    assert not Tally(20, (noise,) * (MOST_LAUNCHES - 1) + (noise[:-1],)).is_over
    assert Tally(20, (noise,) * MOST_LAUNCHES).is_over
    assert not Tally(20, ()).is_over


@pytest.mark.parametrize(
    ("count", "ends"), [(1, (1, 1)), (5, (1, 5)), (6, (1, 6)), (11, (2, 10)), (48, (17, 32))]
)
def test_the_interval_of_a_median_comes_from_order_statistics(
    count: int, ends: tuple[float, float]
) -> None:
    values = list(range(1, count + 1))
    random.shuffle(values)
    assert median_interval(values) == ((count + 1) / 2, *ends)


# Error rates, under noise that no test assumes. T is the true ratio over the threshold.


@pytest.mark.parametrize("noise", ["quiet", "shared", "hostile"])
@pytest.mark.parametrize(
    ("true", "never", "nearly_always"),
    [
        (2.0, Outcome.FAILED, Outcome.PASSED),
        (1.25, Outcome.FAILED, Outcome.PASSED),
        (1.0, Outcome.FAILED, None),
        (0.8, Outcome.PASSED, None),
        (0.5, Outcome.PASSED, Outcome.FAILED),
    ],
)
def test_noise_flips_no_verdict(
    noise: str, true: float, never: Outcome, nearly_always: Outcome | None
) -> None:
    rng = random.Random(f"{noise} {true}")
    verdicts = [simulated(true, NOISES[noise], rng) for _ in range(200)]
    assert never not in verdicts
    if nearly_always is not None:
        assert verdicts.count(nearly_always) >= 199


def test_the_usual_way_would_flip_them() -> None:
    """The counterpart: mean of five over mean of five, under the same noise."""
    rng = random.Random(1)
    times = [[sample(0.02, NOISES["hostile"], rng) for _ in range(10)] for _ in range(400)]
    passes = [sum(ten[:5]) / sum(ten[5:]) * 1.25 >= 1 for ten in times]
    assert 0.5 < sum(passes) / 400 < 0.97


# Jitter, preemptions per second, their shortest length, and the exponent of their tail.
NOISES = {
    "quiet": (0.01, 0.0, 0.0, 1.0),
    "shared": (0.04, 6.0, 0.002, 1.5),
    "hostile": (0.08, 10.0, 0.003, 1.1),
}


def sample(seconds: float, noise: tuple[float, float, float, float], rng: random.Random) -> float:
    """A time with the noise of the machine, which may be large and is mostly a delay."""
    jitter, rate, shortest, tail = noise
    taken = seconds * math.exp(rng.gauss(0, jitter))
    waits = sum(rng.random() < rate * seconds / 4 for _ in range(4))
    return taken + sum(min(2.0, shortest * rng.paretovariate(tail)) for _ in range(waits))


def simulated(true: float, noise: tuple[float, float, float, float], rng: random.Random) -> Outcome:
    tally = Tally(1.0, ())
    while not tally.is_over:
        before = tally.launches
        ratios: tuple[float, ...] = ()
        # Each process has a slightly better or worse memory layout.
        bias = math.exp(rng.gauss(0, 0.01))
        while not ratios or not tally.launch_is_over:
            ours = sample(0.02, noise, rng)
            theirs = sample(0.02 * MIDDLE / true * bias, noise, rng)
            ratios = (*ratios, ours / theirs * MIDDLE)
            tally = Tally(1.0, (*before, ratios))
    return tally.verdict


def fewest_wins(losses: int, level: float) -> int:
    wins = 0
    while evidence(wins, losses) < 1 / level:
        wins += 1
    return wins
