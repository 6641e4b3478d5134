"""Which attempt of a person counts for each exercise.

    attempts, in their order --chosen--> Choice --parts--> the part of each attempt that counts
                                                 --combined--> one Grade

An attempt that lacks an exercise says nothing about it. What was never submitted is missing since
the first attempt that counts. With `by = "submission"` in the catalogue, one attempt counts for
everything.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from grader.intake.reader import digest
from grader.records.model import Assignment, ExerciseResult, Grade
from grader.records.safe_text import some
from grader.records.scoring import is_handed_in, most, total

UNORDERED = "It isn't known which attempt was the last, so the best one counts."
# Exercises that a sentence names.
MOST_NAMES = 5
_Worth = Callable[[Grade], float]


@dataclass(frozen=True)
class Choice:
    """Attempts by their places. `main` counts for most of what was submitted."""

    of: Mapping[str, int]  # by exercise
    main: int
    others: Mapping[str, int]  # by exercise that was submitted, where it isn't `main`
    said: tuple[str, ...] = ()


def chosen(tries: Sequence[Grade], rule: Assignment, worth: _Worth) -> Choice:
    """What counts, by the assignment's rule; `worth` is of an attempt, or of a part of one."""
    every = range(len(tries))
    whole = _one_of(every, tries, rule, worth)
    names = [result.id for result in tries[0].exercises]
    is_unordered = rule.attempts == "last" and not _is_ordered(every, tries)
    one = Choice(dict.fromkeys(names, whole), whole, {}, (UNORDERED,) * is_unordered)
    if rule.by == "submission" or len(tries) == 1:
        return one
    return _by_exercise(names, tries, rule, worth) or one


def _by_exercise(
    names: Sequence[str], tries: Sequence[Grade], rule: Assignment, worth: _Worth
) -> Choice | None:
    """None if no attempt holds an answer."""
    held = [{r.id for r in one.exercises if is_handed_in(r, one)} for one in tries]
    places = {name: [n for n, own in enumerate(held) if name in own] for name in names}
    counts = {}
    for name, own in places.items():
        if own:
            alone = [_part(grade, {name}) for grade in tries]
            counts[name] = _one_of(own, alone, rule, worth)
    if not counts:
        return None
    main = max(Counter(counts.values()).items(), key=lambda pair: (pair[1], pair[0]))[0]
    first = min(counts.values())
    others = {name: n for name, n in counts.items() if n != main}
    said = list(_lacking(counts, held, tries, main))
    if rule.attempts == "last" and not all(_is_ordered(own, tries) for own in places.values()):
        said.append(UNORDERED)
    return Choice({n: counts.get(n, first) for n in names}, main, others, tuple(said))


def _one_of(places: Sequence[int], tries: Sequence[Grade], rule: Assignment, worth: _Worth) -> int:
    """The last of these attempts, or the best. Without times, nothing tells which is the last."""
    if rule.attempts == "last" and _is_ordered(places, tries):
        return places[-1]
    return max(places, key=lambda n: (worth(tries[n]), n))


def _is_ordered(places: Sequence[int], tries: Sequence[Grade]) -> bool:
    return len(places) < 2 or all(tries[n].at for n in places)


def _lacking(
    counts: Mapping[str, int], held: Sequence[Collection[str]], tries: Sequence[Grade], main: int
) -> Iterator[str]:
    """What attempts lack, and which attempt counts instead."""
    for n in (n for n, own in enumerate(held) if not own):
        why = f" {tries[n].problem}." if tries[n].problem else ""
        yield f"Attempt {n + 1} contains no answer: attempt {main + 1} counts.{why}"
    if all(len(own) < 2 for own in held):  # each attempt is one exercise, as in a browser
        return
    newest = max(n for n, own in enumerate(held) if own)
    for n in sorted(set(counts.values()) - {newest}):
        if names := [name for name in counts if counts[name] == n and name not in held[newest]]:
            verb, them = ("isn't", "it") if len(names) == 1 else ("aren't", "them")
            lacks = f"{called(names)} {verb} in attempt {newest + 1}"
            yield f"{lacks}: attempt {n + 1} counts for {them}."


def called(names: Sequence[str]) -> str:
    """Exercises in a sentence, by their stems."""
    return some([f"`{name.rpartition('/')[2]}`" for name in names], MOST_NAMES)


def which_may_count(ways: Sequence[tuple[int, float, str]], rule: Assignment) -> list[int]:
    """Places of the attempts of which one will be chosen, in order, however many there are.

    An attempt is given by the days that it is late, what it is worth, and its exercise. Of those
    that are late by the same days, only the newest can count, and of the best ones the newest.
    """
    kept: dict[tuple[object, ...], int] = {}
    for n, (days, worth, exercise) in enumerate(ways):
        own = exercise if rule.by == "exercise" else ""
        key = (own, days) if rule.attempts == "best" else (own,)
        kept[*key, "newest"] = n
        if rule.attempts == "best" and worth >= ways[kept.get(key, n)][1]:
            kept[key] = n
    return sorted(set(kept.values()))


def parts(tries: Sequence[Grade], choice: Choice) -> dict[int, Grade]:
    """Of each attempt that counts, what counts of it."""
    places = sorted({*choice.of.values()} or {choice.main})
    if len(places) == 1:
        return {places[0]: tries[places[0]]}
    return {n: _part(tries[n], {e for e, at in choice.of.items() if at == n}) for n in places}


def combined(tries: Sequence[Grade], choice: Choice) -> Grade:
    """All that counts, as one grade before anything is taken or added."""
    own = parts(tries, choice)
    if len(own) == 1:
        return _noted(tries[choice.main], tries, own)
    results = {result.id: result for part in own.values() for result in part.exercises}
    ordered = [results[name] for name in choice.of]
    sources = [source for part in own.values() for source in part.sources]
    grade = replace(
        tries[choice.main],
        digest=digest(sources),
        sources=tuple(sorted(sources, key=lambda s: list(choice.of).index(s.exercise))),
        late=any(part.late for part in own.values()),
    )
    return _noted(_with(grade, ordered), tries, own)


def _noted(grade: Grade, tries: Sequence[Grade], counting: Collection[int]) -> Grade:
    """With the notes of all attempts that count, and of those without any text."""
    notes = (
        n for i, one in enumerate(tries) if i in counting or not one.sources for n in one.notes
    )
    return replace(grade, notes=tuple(dict.fromkeys(notes)))


def _part(grade: Grade, names: Collection[str]) -> Grade:
    sources = tuple(source for source in grade.sources if source.exercise in names)
    own = (result for result in grade.exercises if result.id in names)
    return _with(replace(grade, sources=sources), own)


def _with(grade: Grade, results: Iterable[ExerciseResult]) -> Grade:
    exercises = tuple(results)
    return replace(grade, exercises=exercises, score=total(exercises), max_score=most(exercises))
