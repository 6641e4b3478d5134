"""What a course's catalogue may say: its keys, their types, and what is wrong with one.

`docs/reference/catalogue.md` says what each key means, and its default.

the tables of catalog.toml --parse--> the course's own keys, its exercises, what is wrong
"""

import dataclasses
import datetime
import difflib
import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from grader.records.errors import listed
from grader.records.model import Assignment, Exercise, Limits

ID = re.compile(r"[a-z0-9][a-z0-9_]*/[a-z_][a-z0-9_]*")


@dataclass(frozen=True)
class CatalogKey:
    """A key of the catalogue."""

    type: Any  # of its value
    todo: str  # what to do about another type


_Release = Annotated[str, Meta(pattern=r"^\d{1,4}(\.\d{1,4}){1,2}\Z")]
_Package = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][\w.-]*((>=|==|~=)\d[\w.]*)?\Z")]
_TABLES = list[dict[str, Any]]
_Names = Annotated[tuple[Annotated[str, Meta(pattern=r"^[^\W\d]\w*\Z")], ...], Meta(min_length=1)]
CATALOG_KEYS = {
    "schema": CatalogKey(Literal[1], "this grader reads 1"),
    "name": CatalogKey(Any, ""),
    "proved_jax": CatalogKey(
        tuple[_Release, _Release], 'give two releases, as in `["0.10", "0.12"]`'
    ),
    "explanations": CatalogKey(
        Literal["after_suite", "after_examples", "after_hints"],
        'use "after_suite", "after_examples" or "after_hints"',
    ),
    "solutions": CatalogKey(Literal["never", "after_success"], 'use "never" or "after_success"'),
    "limits": CatalogKey(dict[str, Any], "give a table"),
    "exercise": CatalogKey(_TABLES, "write each exercise as a table, under `[[exercise]]`"),
    "assignment": CatalogKey(_TABLES, "write each assignment as a table, under `[[assignment]]`"),
}
_WITHOUT_QUOTES = "give a date or a time without quotes, as in `2026-12-01T18:00:00+01:00`"
ASSIGNMENT_KEYS = {
    "name": CatalogKey(
        Annotated[str, Meta(pattern=r"^[A-Za-z0-9][\w.-]*\Z")],
        "use letters, digits, `_`, `-` and `.`",
    ),
    "title": CatalogKey(Annotated[str, Meta(min_length=1)], "give a string"),
    "exercises": CatalogKey(
        Annotated[tuple[str, ...], Meta(min_length=1)], "give a list of exercises or topics"
    ),
    "opens": CatalogKey(datetime.date, _WITHOUT_QUOTES),
    "due": CatalogKey(datetime.date, _WITHOUT_QUOTES),
    "late": CatalogKey(Annotated[float, Meta(ge=0, le=100)], "give a number from 0 to 100"),
    "late_days": CatalogKey(Annotated[int, Meta(ge=0)], "give a whole number"),
    "attempts": CatalogKey(Literal["last", "best"], 'use "last" or "best"'),
    "by": CatalogKey(Literal["exercise", "submission"], 'use "exercise" or "submission"'),
    "show": CatalogKey(Literal["examples", "words"], 'use "examples" or "words"'),
    "teams": CatalogKey(
        Annotated[str, Meta(pattern=r"^roster$|\.csv$")],
        'use "roster", or a CSV with the columns `id` and `team`',
    ),
    "mistakes": CatalogKey(bool, "use true or false"),
    "weights": CatalogKey(
        dict[str, Annotated[float, Meta(gt=0, le=1000)]],
        "give a table of exercises and numbers above 0",
    ),
    "counts": CatalogKey(bool, "use true or false"),
    "paths": CatalogKey(bool, "use true or false"),
}
ENTRY_KEYS = {
    "id": CatalogKey(str, ""),
    "title": CatalogKey(Any, ""),
    "after": CatalogKey(_Names, "give a list of stems"),
    "difficulty": CatalogKey(Literal[1, 2, 3], "use 1, 2 or 3"),
    "minutes": CatalogKey(Annotated[int, Meta(ge=1, le=1000)], "give a whole number above 0"),
    "kind": CatalogKey(
        Literal["write", "fix", "predict", "fast"],
        'use "write", "fix", "predict" or "fast"',
    ),
    "defines": CatalogKey(_Names, "give a list of Python names"),
    "devices": CatalogKey(Annotated[int, Meta(ge=1, le=64)], "use 1 to 64"),
    "limits": CatalogKey(dict[str, Any], "give a table"),
    "runs_long": CatalogKey(bool, "use true or false"),
    "packages": CatalogKey(
        Annotated[tuple[_Package, ...], Meta(min_length=1)],
        'name packages as pip knows them, as in `["optax>=0.2"]`',
    ),
    "numpy": CatalogKey(bool, "use true or false"),
    "counts": CatalogKey(bool, "use true or false"),
}
_KINDS_OF_LIMITS = {
    # TOML also has `inf` and `nan`, which are refused: the most is 30 years, in seconds.
    "float": (Annotated[float, Meta(gt=0, le=1e9)], "give seconds above 0"),
    "int": (Annotated[int, Meta(ge=0)], "give a whole number"),
}
# The comments of `Limits` say what each one means.
LIMIT_KEYS = {
    field.name: CatalogKey(*_KINDS_OF_LIMITS[str(field.type)])
    for field in dataclasses.fields(Limits)
}


@dataclass(frozen=True)
class Parsed:
    """The values of the course's keys, its exercises and assignments, and all that is wrong."""

    values: dict[str, Any]
    exercises: tuple[Exercise, ...]
    assignments: tuple[Assignment, ...]
    wrong: list[str]


def parse(data: dict[str, Any]) -> Parsed:
    """What a catalogue says."""
    wrong: list[str] = []
    values = _checked({"schema": None, **data}, CATALOG_KEYS, "", wrong)
    defaults = _limits(values.get("limits", {}), Limits(), "`limits`", wrong)
    entries = [_exercise(entry, defaults, wrong) for entry in values.get("exercise", ())]
    exercises = tuple(exercise for exercise in entries if exercise)
    first: dict[str, str] = {}
    for exercise in exercises:
        if exercise.stem in first:
            wrong.append(f"`{exercise.id}` and `{first[exercise.stem]}` share a stem")
        unknown = [name for name in exercise.after if name not in first]
        wrong += [
            f"`{exercise.id}`: `after` names `{n}`, which is not an exercise before it"
            for n in unknown
        ]
        first[exercise.stem] = exercise.id
    tables = values.get("assignment", ())
    assignments = tuple(made for t in tables if (made := assignment(t, exercises, wrong)))
    names = [assignment.name for assignment in assignments]
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            wrong.append(f"two assignments are called `{name}`")
    return Parsed(values, exercises, assignments, wrong)


def excerpt(text: str, exercises: Collection[str], assignments: Iterable[Assignment]) -> str:
    """The text of a catalogue with these exercises only, by their ids, for a handout of them.

    Of the assignments, it has those whose exercises are all in it.
    """
    import tomli_w  # here: students who take the whole course don't need it

    data = tomllib.loads(text)
    kept = [entry for entry in data.get("exercise", ()) if entry["id"] in exercises]
    names = {name for one in exercises for name in (one, one.partition("/")[2])}
    for entry in kept:
        if "after" in entry:
            entry["after"] = [name for name in entry["after"] if name in names]
        if not entry.get("after", True):
            del entry["after"]
    whole = [_entry(one) for one in assignments if set(one.exercises) <= set(exercises)]
    rest = {key: value for key, value in data.items() if key not in ("exercise", "assignment")}
    return tomli_w.dumps(rest | {"exercise": kept} | ({"assignment": whole} if whole else {}))


def _entry(assignment: Assignment) -> dict[str, Any]:
    """The `[[assignment]]` of which `assignment` makes an equal one, without the class's teams."""
    made = dataclasses.asdict(assignment)
    del made["teams"], made["team_of"]
    for key in ("opens", "due"):
        given = made[key]
        of = datetime.datetime if "T" in given else datetime.date
        made[key] = of.fromisoformat(given) if given else None
    return {key: value for key, value in made.items() if value not in (None, {})}


def assignment(
    entry: dict[str, Any], exercises: tuple[Exercise, ...], wrong: list[str]
) -> Assignment | None:
    """What one `[[assignment]]` says; adds to `wrong` what is wrong with it."""
    name = entry.get("name")
    where = f"assignment `{name}`: "
    values = _checked(entry, ASSIGNMENT_KEYS, where, wrong)
    absent = [key for key in ("name", "exercises") if key not in entry]
    wrong += [f"{where}`{key}` is missing" for key in absent]
    asked = values.get("exercises", ())
    known = {name for e in exercises for name in (*e.names, e.topic)}
    wrong += [f"{where}there is no exercise or topic `{one}`" for one in asked if one not in known]
    if "name" not in values:
        return None
    if any(name in (e.stem, e.topic) for e in exercises):
        wrong.append(f"assignment `{name}` has the name of an exercise or a topic")
    # In the order of the entry: a path may begin late in the course.
    named = (e for one in asked for e in exercises if one in (*e.names, e.topic))
    chosen = tuple(dict.fromkeys(named))
    if chosen and not any(e.counts for e in chosen):
        wrong.append(
            f"{where}all its exercises are for practice (`counts = false`), so it has no marks. "
            "Name one that counts"
        )
    weights = values.get("weights", {})
    known = {name for e in chosen for name in e.names}
    wrong += [f"{where}`weights` names `{n}`" for n in weights if n not in known]
    weights = {e.id: w for e in chosen for n, w in weights.items() if n in e.names}
    values |= {key: values[key].isoformat() for key in ("opens", "due") if key in values}
    ids = tuple(exercise.id for exercise in chosen)
    return Assignment(**{"title": name, **values, "exercises": ids, "weights": weights})


def _exercise(entry: dict[str, Any], defaults: Limits, wrong: list[str]) -> Exercise | None:
    name = entry.get("id")
    if not isinstance(name, str) or not ID.fullmatch(name):
        wrong.append(f"exercise id {name!r} is not of the form `topic/stem`")
        return None
    values = _checked(entry, ENTRY_KEYS, f"`{name}`: ", wrong)
    values.setdefault("defines", (name.split("/")[-1],))
    if values.get("kind") == "predict" and values.setdefault("counts", False):
        wrong.append(f"`{name}`: predictions are for practice. Remove `counts = true`")
    values["title"] = str(values.get("title", name))
    values["limits"] = _limits(values.get("limits", {}), defaults, f"`limits` of `{name}`", wrong)
    return Exercise(**values)


def _limits(table: dict[str, Any], defaults: Limits, where: str, wrong: list[str]) -> Limits:
    return dataclasses.replace(defaults, **_checked(table, LIMIT_KEYS, f"{where}: ", wrong))


def _checked(
    table: dict[str, Any], keys: Mapping[str, CatalogKey], where: str, wrong: list[str]
) -> dict[str, Any]:
    """The values of the right types; what is wrong with the others is added to `wrong`."""
    good = {}
    for name, value in table.items():
        if name not in keys:
            wrong.append(f"{where}`{name}` is an unknown key. {_meant(name, keys)}")
            continue
        try:
            # A time is a date, too; msgspec would refuse it.
            is_date = keys[name].type is datetime.date and isinstance(value, datetime.date)
            good[name] = value if is_date else msgspec.convert(value, keys[name].type)
        except msgspec.ValidationError:
            wrong.append(f"{where}`{name}` is {value!r}; {keys[name].todo}")
    return good


def _meant(name: str, keys: Mapping[str, CatalogKey]) -> str:
    """The key that is most like it, as a catalogue writes it; or all keys."""
    written = {key: f"[[{key}]]" if of.type == _TABLES else key for key, of in keys.items()}
    if close := difflib.get_close_matches(name, keys, n=1):
        return f"Did you mean `{written[close[0]]}`?"
    return f"There are {listed(written.values())}."
