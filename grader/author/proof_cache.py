"""What `verify` has proved on this machine, so that a second run proves only what changed.

    proofs = ProofCache(course, exercises, kind, type, ...)
    proofs.known                               by exercise: what was kept
    proofs.keep(exercise, found, problems)

A proof depends on the parts that a result depends on, on all other files of the exercise, on its
entry in the catalogue, and on the code that tries it.
"""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from grader.course.course import Course
from grader.records import digests
from grader.records.cache import Cache
from grader.records.model import Exercise, Problem, to_plain
from grader.teacher.result_keys import differing, of_exercises, of_machine

Found = TypeVar("Found")
Parts = dict[str, str]


class ProofCache(Generic[Found]):
    """ProofCache of one kind, of exercises as they are now, by the modules `code`.

    With `again`, none is known. If an exercise has changed since it was proved, `on_step` is told
    which part of it.
    """

    def __init__(
        self,
        course: Course,
        exercises: tuple[Exercise, ...],
        kind: str,
        what: type[Found],
        *,
        code: tuple[str, ...],
        again: bool,
        on_step: Callable[[str], None],
    ) -> None:
        self._course, self._kind, self._cache = course, kind, Cache("verified")
        self._machine = of_machine(*code)
        self._parts = self._parts_of(exercises)
        places = (course.stub, course.solution, course.suite, course.mutants, course.variants)
        self._files = {
            each.id: tuple(course.relative(place(each)) for place in places)
            for each in course.exercises
        }
        self.known: dict[str, Found] = {}
        for exercise in () if again else exercises:
            parts = self._parts[exercise.id]
            found = self._cache.get(digests.of(kind, parts), what)
            if found is not None:
                self.known[exercise.id] = found
            elif changed := differing(self._cache.get(self._last(exercise), Parts) or parts, parts):
                on_step(f"again    {exercise.id}: {', '.join(changed)} changed")

    def keep(self, exercise: Exercise, found: Found, problems: Iterable[Problem]) -> None:
        """Keeps it, unless a problem is in the exercise, or a file was edited in the meantime."""
        parts = self._parts[exercise.id]
        same = parts == self._parts_of([exercise])[exercise.id]
        if same and not any(self._concerns(exercise, problem) for problem in problems):
            self._cache.put(digests.of(self._kind, parts), found)
            self._cache.put(self._last(exercise), parts)

    def _concerns(self, exercise: Exercise, problem: Problem) -> bool:
        """Whether it is in a file of the exercise, or in none of one exercise alone."""
        owners = {name for name, own in self._files.items() if problem.where.startswith(own)}
        return not owners or exercise.id in owners

    def _parts_of(self, exercises: Iterable[Exercise]) -> dict[str, Parts]:
        """By exercise: the digest or the version of everything that its proof depends on."""
        chosen = tuple(exercises)
        own = of_exercises(self._course, chosen)
        return {
            e.id: {
                **own[e.id],
                "stub": digests.of_files([self._course.stub(e)]),
                "mutants": digests.of_files([*self._course.wrong(e)]),
                "variants": digests.of_files([self._course.variants(e)]),
                "catalogue": digests.of(to_plain(e)),
                **self._machine,
            }
            for e in chosen
        }

    def _last(self, exercise: Exercise) -> str:
        """The key of the parts that were proved last."""
        return digests.of(self._kind, str(self._course.suite(exercise)))
