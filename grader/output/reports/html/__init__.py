"""A run as one self-contained HTML file, and a page for each student.

    Run --overview--> the class at a glance  \\
    Grade --causes--> a page per student     --templates--> one file: style, script and policy

overview   counts of a class; attention: whom to look at; items: item analysis;
           drawing: pictures as inline SVG
code       lines of a student's code; marks: whose it is, and the steps to the mark
templates  class.html and feedback.html, which share student.html

The class is for its teacher: it holds what hidden tests expect. A student's own page holds nothing
of that. Everything is in the document before a script runs: the script sorts, searches and
filters. Each of these measures alone keeps a student's text from acting as markup or code:

    jinja escapes every value, after `clean` has taken out control and bidi characters
    the policy allows the one script and the one style by their hashes, and nothing from elsewhere
    anchors are numbers; no name is in an attribute that a browser acts on
"""

import base64
import re
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from grader.feedback.causes import causes
from grader.output.reports import sentences
from grader.output.reports.html import drawing, items, marks, overview
from grader.output.reports.html.code import Secrets, room
from grader.output.reports.redaction import public_result
from grader.records import digests
from grader.records.model import ExerciseResult, Grade, Outcome, Run
from grader.records.safe_text import clean, counted, line, markdown, name_line, number, student_name
from grader.records.scoring import is_excused

TEMPLATES = Path(__file__).parent / "templates"
STYLE = TEMPLATES / "style.css"
# Titles, hints and sentences mark code as Markdown does.
_TICKS = re.compile(r"`([^`\n]+)`")


def render(run: Run) -> str:
    """The whole class in one file, for its teacher."""
    seen = overview.overview(run)
    places = {cause.name: str(place) for place, cause in enumerate(seen.causes)}

    def causes_of(grade: Grade) -> str:
        met = (a.cause for result in grade.exercises for a in sentences.advice_on(result))
        return " ".join(sorted({places[cause] for cause in met}))

    return _page(
        "class.html",
        _asset("script.js"),
        run=run,
        seen=seen,
        causes_of=causes_of,
        isolation=sentences.isolation(run.environment),
        articles=_articles(run),
        is_secret=_is_secret(run),
    )


def _articles(run: Run) -> list[Markup]:
    """The feedback of each student, with what the teacher alone may read."""
    student: Any = environment().get_template("student.html").module
    most, seed = room(run), run.environment.seed
    secrets = (Secrets(grade, most, seed) for grade in run.submissions)
    return [_squeezed(student.inside(own.grade, {}, own)) for own in secrets]


def _squeezed(page: str) -> Markup:
    """Markup without line ends between elements: a browser would store each as a node."""
    # In a text every `<` and `>` is escaped, so its own line ends stay.
    return Markup(re.sub(r">\n+<", "><", page.strip()))


def _is_secret(run: Run) -> bool:
    """Whether the page holds more than a student may read. A run from `results.json` doesn't."""
    results = [result for grade in run.submissions for result in grade.exercises]
    return any(grade.sources for grade in run.submissions) or any(
        test.detail for result in results for test in result.tests
    )


def page(run: Run, grade: Grade) -> str:
    """One student's page, without a script. Of others it names the mate who submitted."""
    return _page(
        "feedback.html",
        "",
        course=run.course,
        assignment=run.assignment,
        grade=grade,
        explained=run.explanations,
        isolation=sentences.isolation(run.environment),
    )


def fragment(result: ExerciseResult) -> str:
    """One result as a `section` for a page of one's own, with what `public_result` leaves of it.

    `STYLE` is the file of its style. Every text of the student's is escaped.
    """
    student: Any = environment().get_template("student.html").module
    return str(_squeezed(student.exercise(public_result(result))))


def _page(template: str, script: str, **values: Any) -> str:
    style = STYLE.read_text(encoding="utf-8")
    allowed = f"'{_hash(script)}'" if script else "'none'"
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src {allowed}; "
        "base-uri 'none'; form-action 'none'"
    )
    ours = {"policy": Markup(policy), "style": Markup(style), "script": Markup(script)}
    return environment().get_template(template).render(**ours, **values)


def _asset(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """How a policy names the one script or style that it allows."""
    return f"sha256-{base64.b64encode(digests.plain(text)).decode()}"


@cache
def environment() -> jinja2.Environment:
    """Where every text is cleaned and escaped: for these pages, and for those of a server."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        finalize=_finalize,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(line=line, number=number, name_line=name_line, ticks=_ticks)
    made.filters["markdown"] = lambda text: Markup(markdown(text))
    made.filters["whole"] = lambda text: escape(clean(text, len(text)))
    made.filters["percent"] = lambda share: "?" if share is None else f"{100 * share:.0f} %"
    made.filters["signed"] = lambda value: f"{value:.2f}".replace("-", "−")
    made.filters["squeezed"] = _squeezed
    made.globals.update(causes=causes, counted=counted, drawing=drawing, Outcome=Outcome)
    made.globals.update(letters=_letters, marks=marks, is_shown=_is_shown)
    made.globals.update(is_excused=is_excused, student_name=student_name)
    made.globals.update(enough=items.ENOUGH, low=items.LOW)
    made.globals["is_link"] = lambda page: page.startswith("https://")
    return made


def _finalize(value: Any) -> Any:
    """Every text that is not markup of ours is cleaned before it is escaped."""
    is_text = isinstance(value, str) and not hasattr(value, "__html__")
    return clean(value) if is_text else value


def _ticks(text: str) -> Markup:
    parts = _TICKS.split(clean(text))
    marked = (f"<code>{escape(p)}</code>" if n % 2 else str(escape(p)) for n, p in enumerate(parts))
    return Markup("".join(marked))


def _letters(grade: Grade, seen: overview.Overview) -> str:
    """One letter for the outcome of each exercise of the class; the script filters by it."""
    outcomes = {result.id: result.outcome.letter for result in grade.exercises}
    return "".join(outcomes.get(exercise.id, "-") for exercise in seen.exercises)


def _is_shown(grade: Grade, result: ExerciseResult) -> bool:
    """Whether there is more to say about an exercise than its points."""
    if grade.problem or result.outcome is Outcome.MISSING:
        return False
    return result.outcome is not Outcome.PASSED or bool(result.findings)
