"""A run without names, for those who mark and must not know whom.

An alias follows from the run's seed and the student, so it stays the same in every report of a
folder, and nobody without the seed can compute it.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable
from dataclasses import fields, replace

from grader.errors import UsageError
from grader.model import Advice, Grade, Person, Run, TestResult

# Shorter words of a name, such as "Li", are parts of many other words.
SHORTEST = 4


def alias(student: str, seed: str) -> str:
    """Such as "student-3f9a1c"."""
    key = seed.encode(errors="surrogatepass")
    made = hmac.new(key, student.encode(errors="surrogatepass"), hashlib.sha256)
    return f"student-{made.hexdigest()[:6]}"


def anonymous(run: Run) -> Run:
    """The run with an alias for each student, also where a name stands in a text.

    Raises `UsageError` for a run without its seed, as in a results.json.
    """
    seed = run.environment.seed
    if not seed:
        raise UsageError(
            "names can be left out only of a folder with `run.db`: name the folder that was given "
            "to `grader grade --out`"
        )
    grades = (_without_names(grade, seed) for grade in run.submissions)
    return replace(run, submissions=tuple(sorted(grades, key=lambda grade: grade.id)))


def meant(name: str, students: Iterable[str], seed: str) -> str | None:
    """The student who is called so, by an id or an alias."""
    return next((s for s in students if name in (s, alias(s, seed))), None)


def _without_names(grade: Grade, seed: str) -> Grade:
    hidden = alias(grade.id, seed)
    found = _names(grade)

    def hide(text: str) -> str:
        return found.sub(hidden, text)

    def hide_in_advice(given: Advice) -> Advice:
        return replace(
            given,
            sentence=hide(given.sentence),
            todo=hide(given.todo),
            code=hide(given.code),
        )

    def hide_in_test(test: TestResult) -> TestResult:
        return replace(
            test,
            message=hide(test.message),
            detail=hide(test.detail),
            advice=None if test.advice is None else hide_in_advice(test.advice),
        )

    return replace(
        grade,
        id=hidden,
        student=None,
        exercises=tuple(
            replace(
                one,
                path=hide(one.path),
                message=hide(one.message),
                tests=tuple(map(hide_in_test, one.tests)),
                findings=tuple(map(hide_in_advice, one.findings)),
            )
            for one in grade.exercises
        ),
        notes=tuple(replace(n, path=hide(n.path), reason=hide(n.reason)) for n in grade.notes),
        problem=None if grade.problem is None else hide(grade.problem),
        adjustments=tuple(replace(step, why=hide(step.why)) for step in grade.adjustments),
        sources=tuple(replace(s, path=hide(s.path), text=hide(s.text)) for s in grade.sources),
    )


def _names(grade: Grade) -> re.Pattern[str]:
    """Every name of the student, also joined; short words of it only where they stand alone."""
    person = grade.student or Person(grade.id)
    named = {getattr(person, f.name) for f in fields(Person) if f.name != "section"} | {grade.id}
    joined: set[str] = set()
    for text in list(named):
        words = [word for word in re.split(r"[\W_]+", text) if word]
        turned = [words[n:] + words[:n] for n in range(len(words))]
        named |= set(words)
        joined |= {r"[\W_]*".join(turn) for turn in turned if len(turn) > 1}
    found = {name: _alone(name) for name in named if name} | {each: each for each in joined}
    longest_first = sorted(found, key=len, reverse=True)
    return re.compile("|".join(found[name] for name in longest_first) or "(?!)", re.IGNORECASE)


def _alone(name: str) -> str:
    """A pattern for a name; a short one has to stand as a word."""
    pattern = re.escape(name)
    return pattern if len(name) >= SHORTEST else rf"(?<![^\W_]){pattern}(?![^\W_])"
