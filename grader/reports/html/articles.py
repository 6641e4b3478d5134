"""The articles of a class: each student's feedback, with what the teacher alone may read.

    Grade --student.html--> parts: above all exercises, each exercise, below them
    parts --small class--> the article as it is
          --large class--> packs: twenty students as one compressed text, which a script unpacks

A class of a thousand would be a file of a hundred megabytes. In a pack the same exercise of twenty
students stands together, so that equal and similar texts become short.
"""

import base64
import json
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import jinja2
from markupsafe import Markup

from grader.model import ExerciseResult, Grade, Outcome, Run
from grader.reports.html.code import Secrets, room

# Letters of all articles together. A file with more of them opens too slowly.
MOST_PLAIN = 6_000_000
IN_A_PACK = 20
Parts = list[str]


@dataclass(frozen=True)
class Articles:
    """The inside of each article, or empty texts and all of it in `packs`."""

    plain: list[Markup]
    packs: list[Markup]


def of_class(run: Run, template: jinja2.Template) -> Articles:
    """Those of the whole class, in its order."""
    found = list(_parts(run, template))
    if sum(len(part) for parts in found for part in parts) <= MOST_PLAIN:
        return Articles([Markup("").join(map(Markup, parts)) for parts in found], [])
    groups = [found[n : n + IN_A_PACK] for n in range(0, len(found), IN_A_PACK)]
    return Articles([Markup("")] * len(found), [pack(group) for group in groups])


def pack(group: Sequence[Parts]) -> Markup:
    """Base64 of the zlib format of a JSON list: for each part, the texts of all students."""
    rows = list(zip_longest(*group, fillvalue=""))
    packed = zlib.compress(json.dumps(rows, ensure_ascii=False).encode(), 9)
    return Markup(base64.b64encode(packed).decode())


def _parts(run: Run, template: jinja2.Template) -> Iterator[Parts]:
    macros: Any = template.module
    letters = room(run)
    for grade in run.submissions:
        secrets = Secrets(grade, letters)
        shown = (
            macros.exercise(result, secrets) if is_shown(grade, result) else ""
            for result in grade.exercises
        )
        yield [
            squeezed(part)
            for part in (macros.above(grade), *shown, macros.below(grade, {}, secrets))
        ]


def squeezed(page: str) -> Markup:
    """Markup without line ends between elements: a browser would store each as a node."""
    # In a text every `<` and `>` is escaped, so its own line ends stay.
    return Markup(re.sub(r">\n+<", "><", page.strip()))


def is_shown(grade: Grade, result: ExerciseResult) -> bool:
    """Whether there is more to say about an exercise than its points."""
    if grade.problem or result.outcome is Outcome.MISSING:
        return False
    return result.outcome is not Outcome.PASSED or bool(result.findings)
