"""A run as one self-contained HTML file, and a page for each student.

    Run --overview--> the class at a glance  \\
    Grade --causes--> a page per student     --templates--> one file: style, script and policy

overview   counts of a class; drawing: its pictures as inline SVG
templates  class.html and feedback.html, which share student.html

Everything is in the document before a script runs: the script only sorts, searches and filters.
So the page can be read without the script, which handles no text of a student. Each of these
measures alone keeps a student's text from acting as markup or code:

    jinja escapes every value, after `clean` has taken out control and bidi characters
    the policy allows the one script and the one style by their hashes, and nothing from elsewhere
    anchors are numbers; no name is in an attribute that a browser acts on
"""

import base64
import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from grader.feedback.causes import causes
from grader.model import ExerciseResult, Grade, Outcome, Race, Run
from grader.reports import formats, sentences
from grader.reports.html import drawing, overview
from grader.reports.redaction import public
from grader.reports.safe_text import clean, counted, line, markdown, number

TEMPLATES = Path(__file__).parent / "templates"
# Titles, hints and sentences mark code as Markdown does.
_TICKS = re.compile(r"`([^`\n]+)`")
_RESERVED = re.compile(r"(?i)index|con|prn|aux|nul|com\d|lpt\d")


def render(run: Run) -> str:
    """The whole class in one file, for its teacher."""
    seen = overview.overview(run)
    places = {cause.name: str(place) for place, cause in enumerate(seen.causes)}

    def causes_of(grade: Grade) -> str:
        met = (a.cause for result in grade.exercises for a in sentences.advice_on(result))
        return " ".join(sorted({places[cause] for cause in met}))

    said = sentences.isolation(run.environment)
    script = _asset("script.js")
    return _page("class.html", script, run=run, seen=seen, causes_of=causes_of, isolation=said)


def page(run: Run, grade: Grade) -> str:
    """One student's page, without a script, and with nothing of any other student."""
    said = sentences.isolation(run.environment)
    explained = run.explanations
    return _page(
        "feedback.html", "", course=run.course, grade=grade, explained=explained, isolation=said
    )


def write_feedback(run: Run, folder: Path) -> list[Path]:
    """A page for each submission, in files that are named after them."""
    run = public(run)
    paths = [folder / name for name in file_names([grade.id for grade in run.submissions])]
    for path, grade in zip(paths, run.submissions, strict=True):
        formats.write(path, page(run, grade))
    return paths


def file_names(students: list[str]) -> list[str]:
    """A safe file name for each, different from all others on every system.

    A changed name ends in a hash of the original, and equal names in a number.
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


def _page(template: str, script: str, **values: Any) -> str:
    style = _asset("style.css")
    allowed = f"'{_hash(script)}'" if script else "'none'"
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src {allowed}; "
        "base-uri 'none'; form-action 'none'"
    )
    ours = {"policy": Markup(policy), "style": Markup(style), "script": Markup(script)}
    return _environment().get_template(template).render(**ours, **values)


def _asset(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """How a policy names the one script or style that it allows."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@cache
def _environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        finalize=_finalize,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(line=line, number=number, name=_name, ticks=_ticks)
    made.filters["markdown"] = lambda text: Markup(markdown(text))
    made.filters.update(percent=_percent, squeezed=_squeezed)
    made.globals.update(causes=causes, counted=counted, drawing=drawing, Outcome=Outcome)
    made.globals.update(letters=_letters, races=_races)
    made.globals["is_link"] = lambda page: page.startswith("https://")
    return made


def _finalize(value: Any) -> Any:
    """Every text that is not markup of ours is cleaned before it is escaped."""
    is_text = isinstance(value, str) and not hasattr(value, "__html__")
    return clean(value) if is_text else value


def _name(student: str, most: int) -> str:
    """A student's name, or something to click if the name is blank."""
    return line(student, most) if student.strip() else "(no name)"


def _ticks(text: str) -> Markup:
    parts = _TICKS.split(clean(text))
    marked = (f"<code>{escape(p)}</code>" if n % 2 else str(escape(p)) for n, p in enumerate(parts))
    return Markup("".join(marked))


def _squeezed(page: str) -> Markup:
    """The page without line ends between elements: a browser would store each as a node."""
    # In a text every `<` and `>` is escaped, so its own line ends stay.
    return Markup(re.sub(r">\n+<", "><", page))


def _percent(share: float | None) -> str:
    return "?" if share is None else f"{100 * share:.0f} %"


def _letters(grade: Grade, seen: overview.Overview) -> str:
    """One letter for the outcome of each exercise of the class; the script filters by it."""
    outcomes = {result.id: result.outcome.letter for result in grade.exercises}
    return "".join(outcomes.get(exercise.id, "-") for exercise in seen.exercises)


def _races(results: list[ExerciseResult]) -> list[Race]:
    return [race for result in results for test in result.tests for race in test.races]
