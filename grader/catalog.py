"""What a course's catalogue may say: its keys, their types, and what is wrong with one.

the tables of catalog.toml --parse--> the course's own keys, its exercises, what is wrong
"""

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from grader.model import Exercise, Limits

ID = re.compile(r"[a-z0-9][a-z0-9_]*/[a-z_][a-z0-9_]*")


@dataclass(frozen=True)
class CatalogKey:
    """A key of the catalogue."""

    type: Any  # of its value
    todo: str  # what to do about another type
    default: str
    meaning: str


_Release = Annotated[str, Meta(pattern=r"^\d{1,4}(\.\d{1,4}){1,2}\Z")]
_Names = Annotated[tuple[Annotated[str, Meta(pattern=r"^[^\W\d]\w*\Z")], ...], Meta(min_length=1)]
CATALOG_KEYS = {
    "schema": CatalogKey(
        Literal[1], "this grader reads 1", "required", "the version of the format: 1"
    ),
    "name": CatalogKey(Any, "", "the folder's name", "the name of the course"),
    "proved_jax": CatalogKey(
        tuple[_Release, _Release],
        'give two releases, as in `["0.10", "0.12"]`',
        "none",
        "the oldest and the newest JAX on which the course was proved; with another one, a "
        "student's check says so",
    ),
    "limits": CatalogKey(dict[str, Any], "give a table", "see below", "limits of every exercise"),
    "exercise": CatalogKey(
        list[dict[str, Any]],
        "write each exercise as a table, under `[[exercise]]`",
        "none",
        "the exercises, in the order of the course",
    ),
}
ENTRY_KEYS = {
    "id": CatalogKey(
        str, "", "required", "its place, as `topic/stem`; no two exercises share a stem"
    ),
    "title": CatalogKey(Any, "", "its id", "what students and reports call it"),
    "defines": CatalogKey(
        _Names, "give a list of Python names", "its stem", "the names that a student must define"
    ),
    "devices": CatalogKey(
        Annotated[int, Meta(ge=1, le=64)],
        "1 to 64 are possible",
        "1",
        "how many devices JAX shows to the student's code: 1 to 64",
    ),
    "limits": CatalogKey(dict[str, Any], "give a table", "the course's", "limits of this exercise"),
    "runs_long": CatalogKey(
        bool,
        "it is true or false",
        "false",
        "true if its programs take longer to run than to compile, as in training: they are then "
        "compiled to run fast",
    ),
    "numpy": CatalogKey(
        bool,
        "it is true or false",
        "false",
        "true if its functions get and return NumPy arrays, for a course without JAX",
    ),
    "reports": CatalogKey(
        Annotated[str, Meta(min_length=1)],
        "give the reason as a text",
        "none",
        "why over 2 points rest on what the student's process reports; otherwise that is a problem "
        "for `grader verify`",
    ),
    "weight": CatalogKey(
        Annotated[float, Meta(gt=0, le=1000)],
        "give a number above 0",
        "1",
        "by which the points of its tests are multiplied",
    ),
    "unproved": CatalogKey(
        Annotated[str, Meta(min_length=1)],
        "give the reason as a text",
        "none",
        "why there are fewer wrong and other right answers than `grader verify` asks for, as in a "
        "homework from elsewhere; then tests and races need no mutant that they find",
    ),
}
_KINDS_OF_LIMITS = {
    # TOML also has `inf` and `nan`, which are refused: the most is 30 years, in seconds.
    "float": (Annotated[float, Meta(gt=0, le=1e9)], "give seconds above 0"),
    "int": (Annotated[int, Meta(ge=0)], "give a whole number"),
}
# The comments of `Limits` say what each one means.
LIMIT_KEYS = {
    field.name: CatalogKey(
        *_KINDS_OF_LIMITS[str(field.type)], default=f"{field.default:g}", meaning=""
    )
    for field in dataclasses.fields(Limits)
}


def parse(data: dict[str, Any]) -> tuple[dict[str, Any], tuple[Exercise, ...], list[str]]:
    """The values of the catalogue's keys, the exercises, and everything that is wrong."""
    wrong: list[str] = []
    given = _checked({"schema": None, **data}, CATALOG_KEYS, "", wrong)
    defaults = _limits(given.get("limits", {}), Limits(), "`limits`", wrong)
    found = [_exercise(entry, defaults, wrong) for entry in given.get("exercise", ())]
    exercises = tuple(exercise for exercise in found if exercise)
    first: dict[str, str] = {}
    for exercise in exercises:
        if exercise.stem in first:
            wrong.append(f"`{exercise.id}` and `{first[exercise.stem]}` share a stem")
        first[exercise.stem] = exercise.id
    return given, exercises, wrong


def _exercise(entry: dict[str, Any], defaults: Limits, wrong: list[str]) -> Exercise | None:
    name = entry.get("id")
    if not isinstance(name, str) or not ID.fullmatch(name):
        wrong.append(f"exercise id {name!r} is not of the form `topic/stem`")
        return None
    given = _checked(entry, ENTRY_KEYS, f"`{name}`: ", wrong)
    return Exercise(
        id=name,
        title=str(given.get("title", name)),
        defines=given.get("defines", (name.split("/")[-1],)),
        devices=given.get("devices", 1),
        limits=_limits(given.get("limits", {}), defaults, f"`limits` of `{name}`", wrong),
        runs_long=given.get("runs_long", False),
        numpy=given.get("numpy", False),
        reports=given.get("reports", ""),
        weight=given.get("weight", 1.0),
        unproved=given.get("unproved", ""),
    )


def _limits(given: dict[str, Any], defaults: Limits, where: str, wrong: list[str]) -> Limits:
    return dataclasses.replace(defaults, **_checked(given, LIMIT_KEYS, f"{where}: ", wrong))


def _checked(
    table: dict[str, Any], keys: Mapping[str, CatalogKey], where: str, wrong: list[str]
) -> dict[str, Any]:
    """The values of the right types; what is wrong with the others is added to `wrong`."""
    good = {}
    for name, value in table.items():
        if name not in keys:
            wrong.append(f"{where}`{name}` is an unknown key")
            continue
        try:
            good[name] = msgspec.convert(value, keys[name].type)
        except msgspec.ValidationError:
            wrong.append(f"{where}`{name}` is {value!r}; {keys[name].todo}")
    return good
