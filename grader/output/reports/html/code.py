"""A student's code as numbered lines. Those that a message or an advice names are marked.

a file for one exercise    all of it, at the exercise
a file for several         once, below all exercises; at each exercise its function, and what
                           stands around the named lines
"""

import re
import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup, escape

from grader.output.reports import sentences
from grader.records import inputs
from grader.records.model import ExerciseResult, Grade, Outcome, Run, Source, TestResult
from grader.records.safe_text import clean, counted

# With more lines than this, code is folded at first.
MOST_OPEN = 80
# Lines above and below a named line.
AROUND = 4
# Letters of one file, and of one detail. A page of 20 MB has room for all details together.
LONGEST_CODE = 40_000
SHORTEST, LONGEST, ROOM_OF_DETAILS = 200, 4_000, 10_000_000
_NAMED = re.compile(r"\bline (\d{1,6}) of `")


@dataclass(frozen=True)
class Listing:
    """Lines of one text as markup; `rest` is a sentence about what is left out."""

    path: str
    lines: Markup
    rest: str
    is_open: bool
    is_excerpt: bool = False


def room(run: Run) -> int:
    """Letters of a detail, so that the details of a whole class fit into one page."""
    tests = (t for grade in run.submissions for result in grade.exercises for t in result.tests)
    count = sum(bool(test.detail) for test in tests)
    return max(SHORTEST, min(LONGEST, ROOM_OF_DETAILS // max(1, count)))


@dataclass(frozen=True)
class Secrets:
    """What the teacher's article shows of one student, besides what the student reads."""

    grade: Grade
    most: int  #: letters of a detail
    seed: str  #: of the run's random inputs; empty if the run doesn't hold it

    @cached_property
    def _shared(self) -> frozenset[str]:
        """Texts that answer several exercises, as a notebook does."""
        counts = Counter(source.text for source in self.grade.sources)
        return frozenset(text for text, count in counts.items() if count > 1)

    def code(self, result: ExerciseResult) -> Listing | None:
        """What was graded for an exercise; None where the run doesn't hold it."""
        source = next((s for s in self.grade.sources if s.exercise == result.id), None)
        if source is None or not source.text.strip():
            return None
        if source.text in self._shared:
            return _excerpt(source, result)
        is_open = not result.outcome.keeps_points and source.text.count("\n") < MOST_OPEN
        return self._whole(source, named([result]), is_open)

    def others(self) -> Iterator[Listing]:
        """Texts that no exercise shows: all that they answer passed, or they answer several."""
        results = self.grade.exercises
        passed = {r.id for r in results if r.outcome is Outcome.PASSED and not r.findings}
        texts: dict[str, list[Source]] = {}
        for source in self.grade.sources:
            texts.setdefault(source.text, []).append(source)
        for text, sources in texts.items():
            answered = {source.exercise for source in sources}
            if text.strip() and (len(sources) > 1 or answered <= passed):
                marked = named(r for r in results if r.id in answered)
                yield self._whole(sources[0], marked, is_open=False)

    def detail(self, text: str) -> str:
        """What was expected and what came, as far as there is room."""
        if len(text) <= self.most:
            return text
        return f"{text[: self.most]}…\nThe rest is in `details.json`."

    def repeat(self, result: ExerciseResult, test: TestResult) -> str:
        """The line for a shell that runs a lost test with the inputs of this student's program."""
        source = next((s for s in self.grade.sources if s.exercise == result.id), None)
        if source is None or not self.seed or test.outcome.keeps_points:
            return ""
        topic, _, stem = result.id.rpartition("/")
        seed = inputs.seed(self.seed, source)
        if test.detail.startswith(inputs.AGAIN):
            seed = inputs.second(seed)
        suite = shlex.quote(f"tests/hidden/{topic}/test_{stem}.py::{test.id}")
        # The course's name of the file: a student's own could be a command of the shell.
        return f"pytest {suite} --grader-submission {source.file} --seed {seed}"

    def _whole(self, source: Source, marked: Collection[int], is_open: bool) -> Listing:
        lines = source.text.rstrip("\n").split("\n")
        shown = source.text[:LONGEST_CODE].expandtabs(4).rstrip("\n").split("\n")
        if len(source.text) > LONGEST_CODE and len(shown) > 1:
            shown.pop()  # a part of a line
        left = len(lines) - len(shown)
        rest = f"{counted(left, 'more line')}: see the student's own file." if left > 0 else ""
        return Listing(source.path, numbered(shown, marked), rest, is_open)


def named(results: Iterable[ExerciseResult]) -> frozenset[int]:
    """The numbers of the lines that the feedback on these exercises names."""
    numbers: set[int] = set()
    for result in results:
        messages = {result.message, *(test.message for test in result.tests)}
        numbers |= {int(number) for text in messages for number in _NAMED.findall(text)}
        numbers |= {a.line for a in sentences.advice_on(result) if a.line is not None}
    return frozenset(numbers)


def numbered(lines: Iterable[str], marked: Collection[int]) -> Markup:
    """Every line as an element. The style sheet counts them, so a copy holds no numbers."""
    return Markup("").join(_row(line, n in marked) for n, line in enumerate(lines, 1))


def _row(line: str, is_marked: bool, place: str = "") -> Markup:
    kind = "mark" if is_marked else "span"
    text = escape(line if line.isprintable() else clean(line))
    return Markup(f"<{kind}{place}>{text}</{kind}>")


def _excerpt(source: Source, result: ExerciseResult) -> Listing | None:
    """The function of the exercise, and what stands around each line that is named."""
    lines = source.text.expandtabs(4).split("\n")
    marked = named([result])
    around = {n + k for n in marked for k in range(-AROUND, AROUND + 1) if n <= len(lines)}
    shown = sorted((around & set(range(1, len(lines) + 1))) | _function(lines, result.id))
    if not shown:
        return None
    rows = [_row(lines[n - 1], n in marked, f' data-line="{n}"') for n in shown[:MOST_OPEN]]
    rest = "The whole file is below all exercises."
    return Listing(source.path, Markup("").join(rows), rest, not result.outcome.keeps_points, True)


def _function(lines: list[str], exercise: str) -> set[int]:
    """The lines of the function that has the exercise's name. The last one counts, as in Python."""
    head = re.compile(rf"def {re.escape(exercise.rpartition('/')[2])}\b")
    starts = [place for place, line in enumerate(lines) if head.match(line)]
    if not starts:
        return set()
    end = starts[-1] + 1
    while end < len(lines) and lines[end][:1] in ("", " ", ")", "#"):
        end += 1
    while not lines[end - 1].strip() or lines[end - 1].startswith("# cell"):
        end -= 1
    return set(range(starts[-1] + 1, end + 1))
