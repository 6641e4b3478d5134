"""A run as one self-contained HTML file, and a page for each student.

    Run --overview--> the class at a glance  \\
    Grade --lost----> a page per student     --templates--> one file: style, script and policy

Everything is in the document before a script runs: the script only sorts, searches and filters.
So it can be read without one, and no text of a student passes through a script. What keeps such a
text from being more than text, each by itself enough:

    jinja escapes every value, and `clean` comes before that (control and bidi characters)
    the policy allows the one script and the one style by their hashes, and nothing from elsewhere
    anchors are numbers; a name is never part of an attribute that means something
"""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.feedback.told import Told, causes
from grader.model import Advice, ExerciseResult, Grade, Outcome, Race, Run, TestResult
from grader.reports import formats
from grader.reports.text import LOOKS, clean, counted, line, number

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

    from grader.reports.html.overview import Overview

TEMPLATES = Path(__file__).parent / "templates"
# A title, a hint or a sentence marks names as Markdown does.
_TICKS = re.compile(r"`([^`\n]+)`")
_RESERVED = re.compile(r"(?i)index|con|prn|aux|nul|com\d|lpt\d")


@dataclass(frozen=True)
class Loss:
    """Lost tests with one cause, which is told once; `message` is "" where theirs differ."""

    tests: tuple[TestResult, ...]
    message: str
    advice: Advice | None


def render(run: Run) -> str:
    """The whole class in one file, for its teacher."""
    from grader.reports.html import overview

    told = overview.overview(run)
    causes = {cause.name: str(place) for place, cause in enumerate(told.causes)}

    def causes_of(grade: Grade) -> str:
        met = (a.cause for result in grade.exercises for a in overview.advice_of(result))
        return " ".join(sorted({causes[cause] for cause in met}))

    return _page("class.html", _asset("script.js"), run=run, told=told, causes_of=causes_of)


def page(run: Run, grade: Grade) -> str:
    """One student's page, without a script, and with nothing of any other student."""
    return _page("feedback.html", "", course=run.course, grade=grade)


def write_feedback(run: Run, folder: Path) -> list[Path]:
    """A page for each submission, in files that are named after them."""
    run = formats.public(run)
    names = file_names([grade.id for grade in run.submissions])
    paths = [folder / name for name in names]
    for path, grade in zip(paths, run.submissions, strict=True):
        formats.write(path, page(run, grade))
    return paths


def file_names(students: list[str]) -> list[str]:
    """A safe file name for each, unlike any other's on any system.

    A name that had to be changed ends in a hash of the original, and equal ones in a number.
    """
    used: set[str] = set()
    names = []
    for student in students:
        kept = re.sub(r"[^A-Za-z0-9._-]+", "_", student).strip("._-")[:60] or "student"
        is_special = _RESERVED.fullmatch(kept.partition(".")[0]) is not None
        if kept != student or is_special or kept.lower() in used:
            digest = hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()
            kept = f"{kept}-{digest[:8]}"
        stem, number = kept, 1
        while kept.lower() in used:
            number += 1
            kept = f"{stem}-{number}"
        used.add(kept.lower())
        names.append(f"{kept}.html")
    return names


def losses(result: ExerciseResult) -> list[Loss]:
    """What was lost in an exercise, each cause once, in the order of its tests."""
    found: dict[object, list[TestResult]] = {}
    for told in causes(result):
        found.setdefault(_fault(told), []).extend(told.tests)
    return [_loss(tuple(tests)) for tests in found.values()]


def _fault(told: Told) -> object:
    """What losses without advice have in common if one fault brought them all.

    Values may be wrong in many ways, and each race has a picture of its own.
    """
    (first, *others) = told.tests
    speaks = first.message and first.outcome is not Outcome.FAILED and not first.races
    if others or told.advice is not None or not speaks:
        return told
    return (first.outcome, _first_line(first))


def _loss(tests: tuple[TestResult, ...]) -> Loss:
    # A visible test says more in the lines that follow.
    is_one = len(set(map(_first_line, tests))) == 1
    longest = max((test.message for test in tests), key=len)
    return Loss(tests, longest if is_one else "", tests[0].advice)


def _first_line(test: TestResult) -> str:
    return test.message.partition("\n")[0]


def _page(template: str, script: str, **values: Any) -> str:
    from markupsafe import Markup

    style = _asset("style.css")
    policy = "; ".join(
        (
            "default-src 'none'",
            f"style-src '{_hash(style)}'",
            f"script-src '{_hash(script)}'" if script else "script-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    return (
        _environment()
        .get_template(template)
        .render(policy=Markup(policy), style=Markup(style), script=Markup(script), **values)
    )


def _asset(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """How a policy names the one script or style that it allows."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@cache
def _environment() -> Environment:
    import jinja2

    from grader.reports.html import drawing

    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        finalize=_finalize,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        squeezed=_squeezed, name=_name, line=line, number=number, ticks=_ticks, percent=_percent
    )
    made.globals.update(
        looks=LOOKS,
        losses=losses,
        counted=counted,
        drawing=drawing,
        letters=_letters,
        Outcome=Outcome,
        is_link=lambda page: page.startswith("https://"),
        races=_races,
        letter=LETTERS,
    )
    return made


def _finalize(value: Any) -> Any:
    """Every text that is not markup of ours is cleaned before it is escaped."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return clean(value)
    return value


def _name(student: str, most: int) -> str:
    """What stands for a student; there is something to click even where a name is blank."""
    return line(student, most) if student.strip() else "(no name)"


def _ticks(text: str) -> Markup:
    """The text with what stands between backticks as code."""
    from markupsafe import Markup, escape

    parts = _TICKS.split(clean(text))
    marked = (f"<code>{escape(p)}</code>" if n % 2 else str(escape(p)) for n, p in enumerate(parts))
    return Markup("".join(marked))


def _squeezed(page: str) -> Markup:
    """Without the line ends between elements: half of what a browser has to hold.

    In a text every `<` and `>` is escaped, so none of its lines is one of these.
    """
    from markupsafe import Markup

    return Markup(re.sub(r">\n+<", "><", page))


def _percent(share: float | None) -> str:
    return "?" if share is None else f"{100 * share:.0f} %"


def _letters(grade: Grade, told: Overview) -> str:
    """One letter for the outcome of each exercise of the class: what the script filters by."""
    outcomes = {result.id: LETTERS[result.outcome] for result in grade.exercises}
    return "".join(outcomes.get(exercise.id, "-") for exercise in told.exercises)


def _races(results: list[ExerciseResult]) -> list[Race]:
    return [race for result in results for test in result.tests for race in test.races]


LETTERS = {
    Outcome.PASSED: "p",
    Outcome.FAILED: "f",
    Outcome.RAISED: "r",
    Outcome.TIMED_OUT: "t",
    Outcome.OUT_OF_MEMORY: "o",
    Outcome.CRASHED: "c",
    Outcome.MISSING: "m",
    Outcome.UNDECIDED: "u",
    Outcome.BROKEN: "b",
}
