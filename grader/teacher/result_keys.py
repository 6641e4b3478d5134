"""One digest of everything that decides a result. If any of it changes, work is judged again.

the student's text, and the name of its file
+ the exercise: suite, solution, limits, packages, what suites share  ---> key
+ the code that judges, jax, Python, machine; isolation and seed

Code that only serves `grader check`, a screen or a report is in no key: after an edit there,
nothing is judged again. No list names the code that judges: the judge and the worker import it.
"""

import platform
from collections.abc import Iterable, Mapping
from importlib import metadata

from packaging.requirements import Requirement

from grader.course.course import Course
from grader.records import digests
from grader.records.errors import CourseError
from grader.records.model import Exercise, Source, Submission, Terms, to_plain

JUDGING = ("grader.engine.judge.__main__", "grader.engine.worker.__main__")
_LIBRARIES = ("jax", "jaxlib", "numpy")


class Keys:
    """The keys of one course under one set of terms."""

    def __init__(self, course: Course, exercises: Iterable[Exercise], terms: Terms) -> None:
        self.machine = {**of_machine(), "isolation": terms.isolation, "seed": terms.seed}
        """What all results of a run have in common."""
        self._course, self._known = course, {e.id: e for e in exercises}
        self.exercises = self._today(self._known.values())
        """For each exercise the digests of what decides its results."""
        common = digests.of(self.machine, to_plain(terms))
        self._of = {name: digests.of(common, name, own) for name, own in self.exercises.items()}

    def of(self, exercise: str, source: Source | None) -> str:
        """The key of one exercise of one submission, which may have no `source` for it."""
        given = None if source is None else [source.path, source.text, *filter(None, [source.seed])]
        return digests.of(self._of[exercise], given)

    def of_work(self, submission: Submission, names: Iterable[str]) -> dict[str, str]:
        """The key of each of these exercises of one submission."""
        sources = {source.exercise: source for source in submission.sources}
        return {name: self.of(name, sources.get(name)) for name in names}

    def _today(self, exercises: Iterable[Exercise]) -> dict[str, dict[str, str]]:
        """What decides results, and the known mistakes, which name what is lost."""
        chosen = tuple(exercises)
        parts = of_exercises(self._course, chosen)
        wrong = {e.id: digests.of_files([self._course.wrong(e)]) for e in chosen}
        return {name: {**own, "mistakes": wrong[name]} for name, own in parts.items()}

    def require_unchanged(self, names: Iterable[str]) -> None:
        """Raises `CourseError` if files of these exercises aren't those of the keys any more.

        A judge that is replaced imports the suite that lies on the disk then.
        """
        now = self._today([self._known[name] for name in names])
        changed = [name for name, own in now.items() if own != self.exercises[name]]
        if changed:
            raise CourseError(
                f"the files of `{'`, `'.join(changed)}` have changed since grading started, so "
                "what was judged with them isn't kept. Start again: what was stored before stays."
            )


def of_machine(*modules: str) -> dict[str, str]:
    """What a result on this machine depends on: code (also that of `modules`), and versions."""
    return {
        "grader": digests.of_code(*JUDGING, *modules)[:12],
        **{name: metadata.version(name) for name in _LIBRARIES},
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
    }


def of_exercises(course: Course, exercises: Iterable[Exercise]) -> dict[str, dict[str, str]]:
    """What a result of each exercise depends on in the course: a digest of each part."""
    shared = digests.of_files(course.shared_by_suites())
    return {
        e.id: {
            "suite": digests.of_files(course.suite_files(e)),
            "solution": digests.of_files([course.solution(e)]),
            "limits": digests.of(to_plain(e.limits), e.devices, e.runs_long, e.numpy),
            "counts": str(e.counts),
            "shared": shared,
            "packages": digests.of(*(metadata.version(Requirement(p).name) for p in e.packages)),
        }
        for e in exercises
    }


def differing(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    """The names of the parts that aren't those of before."""
    return [name for name in new if old.get(name) != new[name]]
