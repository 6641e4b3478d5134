"""What an author should change about a race: its baseline, or the factor that it asks for. Pure."""

import math

from grader.records.model import Outcome, Race

SHORTEST, LONGEST = 1.0, 30.0
"""Milliseconds that a call of the baseline should take."""
SHARE = 3
"""Students are asked for this part of what the solution reaches."""


def of_baseline(race: Race) -> str:
    """What is wrong with the time of the baseline; empty if nothing is."""
    took = 1e3 * race.call
    if not took or SHORTEST <= took <= LONGEST:
        return ""
    why, todo = "noise counts for more in a shorter one", "more"
    if took > LONGEST:
        why, todo = "the race takes long", "less"
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
