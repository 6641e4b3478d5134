"""Results that earlier runs have kept on this machine, so that a run judges only what is new.

    KeptResults(course, exercises, terms).graded(claims) -> (Claim, ExerciseResult), ...
                                         .keep(claim, result)

A result is kept as soon as it is there: after Ctrl-C or a crash, the next run goes on. It depends
on the program that was judged, whatever its comments and its layout are; on the suite, the solution
and the entry of its exercise; and on the code that judges, as a result of a class does.
"""

import re
from collections.abc import Iterable, Iterator

from grader.author.claims import Claim, graded
from grader.course.course import Course
from grader.intake import source
from grader.records import digests
from grader.records.cache import Cache
from grader.records.model import Exercise, ExerciseResult, Problem, Terms, to_plain
from grader.teacher.result_keys import of_exercises, of_machine

_RACE = re.compile(r"\brace\b")


class KeptResults:
    """Results of claims about these exercises. With `again`, none is known."""

    def __init__(
        self, course: Course, exercises: tuple[Exercise, ...], terms: Terms, *, again: bool
    ) -> None:
        self._course, self._terms, self._again = course, terms, again
        self._cache = Cache("claims")
        self._common = digests.of(terms.purpose, of_machine())
        self._exercises = of_exercises(course, exercises)
        self._racing = {e.id for e in exercises if _RACE.search(course.suite(e).read_text("utf-8"))}
        self.known: dict[Claim, ExerciseResult] = {}
        """What earlier runs have kept."""

    def graded(
        self, claims: Iterable[Claim], problems: list[Problem]
    ) -> Iterator[tuple[Claim, ExerciseResult]]:
        """Every claim with its result: first those that are known, then each as it is judged."""
        new = []
        for claim in claims:
            found = None if self._again else self._cache.get(self._key(claim), ExerciseResult)
            if found is None:
                new.append(claim)
            else:
                self.known[claim] = found
        yield from self.known.items()
        yield from graded(self._course, new, self._terms, problems)

    def keep(self, claim: Claim, result: ExerciseResult) -> None:
        """Keeps it, unless a file that it depends on was edited after the run began."""
        exercise = claim.exercise
        now = of_exercises(self._course, [exercise])
        if claim not in self.known and now[exercise.id] == self._exercises[exercise.id]:
            self._cache.put(self._key(claim), result)

    def _key(self, claim: Claim) -> str:
        exercise = claim.exercise
        # A wrong answer runs only the races that it should lose.
        raced = sorted(claim.fails or ()) if exercise.id in self._racing else ()
        return digests.of(
            self._common,
            self._exercises[exercise.id],
            to_plain(exercise),
            [claim.kind, claim.strict, raced],
            source.bare(claim.text),
        )
