"""The statistics of a race: wins and losses in pairs -> passed, failed or undecided.

    Pair --at_least--> up (ratio > 0.85 K), down (ratio < K)
    up, over all launches           E >= 1/0.005  -> passed
    down, for each launch alone     E >= 1/0.001  -> a vote; two votes -> failed

Timing noise is positive, heavy-tailed and correlated, so the error of a mean, a median or a t-test
is unknown. If both halves of a pair take equally long and come in random order, exchanging them
changes nothing: each wins with probability 1/2, whatever the noise, like a fair coin. `evidence`
is the wealth of a gambler who bets against that coin, averaged over every bias. While the coin is
fair it is a supermartingale, so the probability that it ever reaches 1/a is at most a, however
often it is read (Ville 1939; Waudby-Smith and Ramdas, "Estimating means of bounded random variables
by betting", 2024). The memory layout of a process can shift all of its times, and more pairs in the
same process can't show that. So a failure needs two launches that agree.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from grader.records.model import Outcome, Race

PASS_LINE = 0.85
PASS_LEVEL = 5e-3
FAIL_LEVEL = 1e-3
FAIL_VOTES = 2
MOST_LAUNCHES = 3
MOST_PAIRS = 48
"""In one launch."""
# The ratio at which both halves of a pair take equally long: midway between the two lines, on a
# logarithmic scale.
MIDDLE = math.sqrt(PASS_LINE)
CONFIDENCE = 0.95
SHORTEST, LONGEST = 1.0, 30.0
"""Milliseconds that a call of the baseline should take."""
SHARE = 3
"""A race may ask students for 1 / `SHARE` of the solution's speedup."""


@cache
def evidence(wins: int, losses: int) -> float:
    """The evidence against a coin that wins with probability at most 1/2.

    The likelihood ratio, averaged over all biases between 1/2 and 1:
    2^(w+l) * 2 * integral from 1/2 to 1 of p^w (1-p)^l dp, in closed form.
    """
    pairs = wins + losses
    tail = sum(math.comb(pairs + 1, k) for k in range(wins + 1))
    return tail / ((pairs + 1) * math.comb(pairs, wins))


@dataclass(frozen=True)
class Tally:
    """The ratios of a race so far (baseline's seconds over the student's), launch by launch."""

    at_least: float
    launches: tuple[tuple[float, ...], ...]
    call: float = 0.0
    """Seconds of one call of the baseline, at the start of the last launch."""

    @property
    def for_passing(self) -> float:
        """The evidence that the true ratio is over 0.85 K."""
        ratios = self._all()
        wins = sum(ratio > PASS_LINE * self.at_least for ratio in ratios)
        return evidence(wins, len(ratios) - wins)

    def for_failing(self, launch: int) -> float:
        """The evidence of one launch that the true ratio is under K."""
        ratios = self.launches[launch]
        wins = sum(ratio < self.at_least for ratio in ratios)
        return evidence(wins, len(ratios) - wins)

    @property
    def votes(self) -> int:
        """Launches that say "failed"."""
        cast = (self.for_failing(n) >= 1 / FAIL_LEVEL for n in range(len(self.launches)))
        return sum(cast)

    @property
    def verdict(self) -> Outcome:
        """`undecided` until there is evidence for another verdict."""
        if self.for_passing >= 1 / PASS_LEVEL:
            return Outcome.PASSED
        return Outcome.FAILED if self.votes >= FAIL_VOTES else Outcome.UNDECIDED

    @property
    def launch_is_over(self) -> bool:
        """Whether more pairs of the last launch can't change the verdict."""
        last = len(self.launches) - 1
        spent = len(self.launches[last]) >= MOST_PAIRS
        voted = self.for_failing(last) >= 1 / FAIL_LEVEL
        return spent or voted or self.verdict is not Outcome.UNDECIDED

    @property
    def is_over(self) -> bool:
        """Whether there is a verdict, or no launch is left."""
        decided = self.verdict is not Outcome.UNDECIDED
        return decided or (len(self.launches) >= MOST_LAUNCHES and self.launch_is_over)

    def interval(self) -> tuple[float, float, float]:
        """The median ratio, and the ends of its confidence interval (from order statistics)."""
        return median_interval(self._all())

    def _all(self) -> list[float]:
        return [ratio for launch in self.launches for ratio in launch]


def median_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """Median, lower and upper end: the k-th smallest and largest, with at least 95 % between.

    With fewer than 6 values it is the whole range, at a lower confidence.
    """
    ordered = sorted(values)
    count, outside = len(ordered), 0
    while outside + 1 < count / 2 and _at_most(outside + 1, count) <= (1 - CONFIDENCE) / 2:
        outside += 1
    return statistics.median(ordered), ordered[outside], ordered[count - 1 - outside]


def _at_most(heads: int, coins: int) -> float:
    """The probability that this many fair coins show at most this many heads."""
    ways = sum(math.comb(coins, k) for k in range(heads + 1))
    return float(ways / 2**coins)


def of_baseline(race: Race) -> str:
    """What is wrong with the time of the baseline; empty if nothing is."""
    took = 1e3 * race.call
    if not took or SHORTEST <= took <= LONGEST:
        return ""
    why, todo = "noise counts for more in a shorter one", "more"
    if took > LONGEST:
        why, todo = "the race takes a long time", "less"
    return (
        f"A call of the baseline takes {took:.2g} ms. It should take {SHORTEST:g} to {LONGEST:g} "
        f"ms, since otherwise {why}: give it {todo} work."
    )


def of_solution(race: Race) -> str:
    """What to ask for where the solution loses its own race; empty if it doesn't."""
    if race.verdict is not Outcome.FAILED or race.wrong:
        return ""
    reached = f"The solution reaches {race.ratio:.2g}x of the {race.at_least:g}x"
    most = math.floor(10 * race.low / SHARE) / 10
    if most > 1:
        sure = f"a third of the {race.low:.2g}x that are sure"
        return f"{reached}: ask for at most {most:g}x, {sure}."
    return f"{reached}, and a third of that is no gain: test a fact of the program instead."
