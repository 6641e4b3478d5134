"""One `Grader` for very many answers: `python -m tests.benchmarks.library [options]`.

    memory     of this process, the judges and all their children, early and at the end
    results    one for each answer, the same with one judge and with twelve
    a call     one after the other, against the same answers in a batch, both with one judge

The answers are right and wrong ones to eight exercises. No races are run. All answers
differ, unless `--different N` says how many of them do: equal ones are judged once. 10,000
different answers take two to three hours on two cores. `--quick` takes 100, in two minutes.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader import Grader
from grader.course import course as courses
from grader.course.course import Course
from grader.intake import cells
from grader.records.model import ExerciseResult
from tests.benchmarks.grading import EIGHT, ROOT, seconds
from tests.benchmarks.throughput import descendants, memory_of

AT_MOST = 1.2
LOADS = (1, 12)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=10_000)
    parser.add_argument("--different", type=int, help="default: all")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    course = courses.find(ROOT)
    count = 100 if options.quick else options.answers
    steady(course, count, options.different)
    loads(course, max(12, min(240, count // 5)))
    calls(course, max(16, min(80, count // 5)))


def answers(course: Course, seed: str, different: int | None = None) -> Iterator[tuple[str, str]]:
    """Answers without an end, in a random order of exercises and kinds; so many are different."""
    chance = random.Random(seed)
    texts = []
    for exercise in course.select(EIGHT):
        solution = course.solution(exercise).read_text()
        files = (course.right(exercise), course.wrong(exercise))
        own = [cell.after(solution) for path in files for cell in cells.read(path).cells]
        texts += [(exercise.id, text) for text in (solution, *own)]
    for place in itertools.count():
        number = chance.randrange(different) if different else place
        name, text = random.Random(f"{seed} {number}").choice(texts)
        yield f"{text}\n_NUMBER = '{seed} {number}'\n", name


def grader(course: Course, jobs: int | None = None) -> Grader:
    return Grader(course, EIGHT, seed="benchmark", jobs=jobs, races=False)


def steady(course: Course, count: int, different: int | None) -> None:
    """Memory while many answers are judged."""
    held: list[int] = []
    with grader(course) as judging:
        started = time.monotonic()
        items = itertools.islice(answers(course, "steady", different), count)
        for number, (_, result) in enumerate(judging.grade_many(items), 1):
            assert isinstance(result, ExerciseResult) and result.score is not None
            if number % max(1, count // 20) == 0:
                held.append(memory())
                print(f"{number} of {count} answers: {held[-1] / 2**20:.0f} MiB", flush=True)
        taken = time.monotonic() - started
    early, late = statistics.median(held[2:7]), statistics.median(held[-5:])
    print(f"{number} of {count} answers, {60 * number / taken:.0f} a minute")
    print(
        f"memory: {early / 2**20:.0f} MiB early, {late / 2**20:.0f} MiB late, {late / early:.2f}x"
    )


def loads(course: Course, count: int) -> None:
    """The same answers with one judge and with many."""
    items = list(itertools.islice(answers(course, "loads"), count))
    found = []
    for jobs in LOADS:
        with grader(course, jobs) as judging:
            found.append({item: told(result) for item, result in judging.grade_many(items)})
    differing = [item for item in items if found[0][item] != found[1][item]]
    print(
        f"{count} answers at a load of {LOADS[0]} and {LOADS[1]}: {len(differing)} results differ"
    )
    for item in differing:
        print(item[0], *(results[item] for results in found), sep="\n")


def told(result: object) -> ExerciseResult:
    """A result without the times, which always differ."""
    assert isinstance(result, ExerciseResult)
    tests = tuple(replace(test, seconds=0.0, detail="") for test in result.tests)
    return replace(result, tests=tests)


def calls(course: Course, count: int) -> None:
    """Calls one after the other, in turn with batches of the same size."""
    source = answers(course, "calls")
    with grader(course, 1) as judging:
        list(judging.grade_many(itertools.islice(source, 24)))  # now the suites are proved
        alone, batch = [], []
        for _ in range(4):
            items = list(itertools.islice(source, count // 4))
            pairs = [(text + "_AGAIN = 1\n", name) for text, name in items]
            alone.append(seconds(lambda: one_by_one(judging, items)))  # noqa: B023
            batch.append(seconds(lambda: in_a_batch(judging, pairs)))  # noqa: B023
    ratio = statistics.median(a / b for a, b in zip(alone, batch, strict=True))
    verdict = "holds" if ratio <= AT_MOST else "falls short"
    print(f"a call alone / in a batch: {ratio:.2f}x (needed: at most {AT_MOST}x: {verdict})")


def one_by_one(judging: Grader, items: Sequence[tuple[str, str]]) -> None:
    for item in items:
        judging.grade(*item)


def in_a_batch(judging: Grader, items: Sequence[tuple[str, str]]) -> None:
    for _, result in judging.grade_many(items):
        assert result.score is not None


def memory() -> int:
    """Bytes of this process and all its descendants; what they share counts once."""
    return sum(map(memory_of, (os.getpid(), *descendants(os.getpid()))))


if __name__ == "__main__":
    main()
