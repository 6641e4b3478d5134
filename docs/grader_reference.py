"""The part of the reference that is generated from the code, and the JSON schemas.

    python docs/grader_reference.py      writes docs/schemas/*.json

As an extension of Sphinx it has three directives:

    ```{schema-fields} results           every field of a file, from its record
    ```{catalogue-keys} exercise         every key of a table of the catalogue
    ```{marks} 03_jit                    what wrong answers to the exercises of a topic earn

The meaning of a field is the comment `#:` beside it in the code.
"""

from __future__ import annotations

import functools
import inspect
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer

HERE = Path(__file__).parent
sys.path[:0] = [] if str(HERE.parent) in sys.path else [str(HERE.parent)]

from grader import catalog, model  # noqa: E402  (the path has to be set first)
from grader.author.marked_tests import marked_tests  # noqa: E402
from grader.course import find  # noqa: E402
from grader.delivery.autograder import Settings  # noqa: E402
from grader.executors.doctor import Examination  # noqa: E402
from grader.intake import cells  # noqa: E402
from grader.reports.results import Details  # noqa: E402
from grader.student.progress import Stored  # noqa: E402
from grader.student.submit import Manifest  # noqa: E402

SCHEMAS = HERE / "schemas"
MOST = 10
"""Wrong answers of each exercise that are shown."""
# For each file: its record, and the fields that the record has and the file hasn't.
FILES: dict[str, tuple[str, type, dict[str, set[str]]]] = {
    "results": ("results.json", model.Run, {"TestResult": {"detail"}, "Grade": {"sources"}}),
    "details": ("details.json", Details, {}),
    "manifest": ("manifest.json", Manifest, {}),
    "progress": ("progress.json", Stored, {}),
    "gradescope-settings": ("autograder.json", Settings, {}),
    "doctor": ("the output of `grader doctor --json`", Examination, {}),
}
_Json = dict[str, Any]


# The schemas


def schema(name: str) -> _Json:
    """The JSON schema of a file. All fields are always written; a later version may add some."""
    title, record, left_out = FILES[name]
    (found,), parts = msgspec.json.schema_components([record], ref_template="#/$defs/{name}")
    described = _described(record)
    for kind, names in left_out.items():
        for field in names:
            del parts[kind]["properties"][field]
    # What only these fields held isn't in the file, either.
    everything = json.dumps(parts)
    parts = {n: p for n, p in parts.items() if n == record.__name__ or f'/{n}"' in everything}
    for kind, part in parts.items():
        if "properties" not in part:
            continue
        properties = part["properties"]
        for field, content in properties.items():
            content.pop("default", None)
            properties[field] = {"description": described[kind, field], **content}
        part["required"] = list(properties)
    top = parts.pop(record.__name__)
    top["properties"]["schema"] |= {"const": model.SCHEMA}
    assert found["$ref"].endswith(record.__name__)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "description": inspect.getdoc(record),
        **{key: value for key, value in top.items() if key not in ("title", "description")},
        "$defs": dict(sorted(parts.items())),
    }


def _described(record: type) -> dict[tuple[str, str], str]:
    """For each record and field of the modules in question: its meaning."""
    modules = (record.__module__, model.__name__)
    return {place: said for module in modules for place, said in _comments(module).items()}


@functools.cache
def _comments(module: str) -> dict[tuple[str, str], str]:
    found = ModuleAnalyzer.for_module(module).find_attr_docs()
    return {place: " ".join(lines).strip() for place, lines in found.items()}


def written() -> dict[Path, str]:
    """The text of each schema, by its path."""
    return {
        SCHEMAS / f"{name}.schema.json": json.dumps(schema(name), indent=2) + "\n" for name in FILES
    }


def fields(name: str) -> Iterator[tuple[str, str, str]]:
    """Each field of a file as its path, its type and its meaning."""
    whole = schema(name)

    def below(part: _Json, path: str) -> Iterator[tuple[str, str, str]]:
        for field, content in part["properties"].items():
            here = f"{path}{field}"
            yield here, _type(content), content["description"]
            inner, suffix = _record(content, whole["$defs"])
            if inner is not None:
                yield from below(inner, f"{here}{suffix}.")

    yield from below(whole, "")


def _record(content: _Json, defs: _Json) -> tuple[_Json | None, str]:
    """The record that a field holds, one or many, and the suffix of its path."""
    for one in content.get("anyOf", [content]):
        if "$ref" in one and "properties" in (found := defs[one["$ref"].rpartition("/")[2]]):
            return found, ""
        if isinstance(one.get("items"), dict):
            return _record(one["items"], defs)[0], "[]"
        if isinstance(one.get("additionalProperties"), dict):
            return _record(one["additionalProperties"], defs)[0], "{}"
    return None, ""


def _type(content: _Json) -> str:
    if "anyOf" in content:
        return " or ".join(_type(one) for one in content["anyOf"])
    if "$ref" in content:
        kind = str(content["$ref"].rpartition("/")[2])
        return {"Outcome": "outcome", "Status": "status"}.get(kind, "object")
    if content.get("type") == "array":
        inner = content.get("items") or (content.get("prefixItems") or [{}])[0]
        return f"list of {_type(inner)}"
    return str(content.get("type", "number"))


# The catalogue


def keys(table: str) -> Iterator[tuple[str, str, str]]:
    """Each key of a table of the catalogue: its name, its default and its meaning."""
    tables = {
        "course": catalog.CATALOG_KEYS,
        "exercise": catalog.ENTRY_KEYS,
        "assignment": catalog.ASSIGNMENT_KEYS,
        "limits": catalog.LIMIT_KEYS,
    }
    for name, key in tables[table].items():
        yield name, key.default, key.meaning or _comments(model.__name__)["Limits", name]


# What wrong answers earn


def marks(topic: str) -> Iterator[tuple[str, str, float]]:
    """For each exercise up to ten wrong answers: what is wrong, and how many points it earns.

    `grader verify` proves that a mutant loses exactly the tests that it names. So nothing has to be
    graded here. The mistakes that the exercise is about come first.
    """
    course = find(HERE.parent)
    for exercise in course.exercises:
        if exercise.topic == topic:
            points = {test.name: test.points for test in marked_tests(course.suite(exercise))}
            found = cells.read(course.mutants(exercise)).cells
            for cell in sorted(found, key=lambda cell: not cell.at_most_half)[:MOST]:
                lost = sum(points[test] for test in cell.fails)
                yield exercise.stem, cell.says, sum(points.values()) - lost


# The directives


class _Table(Directive):
    """A table in Markdown, parsed by the parser of the page."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        lines = [f"| {' | '.join(row)} |" for row in self.rows(self.arguments[0])]
        lines[1:1] = ["|" + " --- |" * (lines[0].count("|") - 1)]
        node = nodes.Element()
        self.state.nested_parse(StringList(lines, source=__file__), 0, node)
        return node.children

    def rows(self, name: str) -> list[tuple[str, ...]]:
        raise NotImplementedError


class SchemaFields(_Table):
    def rows(self, name: str) -> list[tuple[str, ...]]:
        head = ("Field", "Type", "Meaning")
        return [head, *((f"`{path}`", kind, text) for path, kind, text in fields(name))]


class CatalogueKeys(_Table):
    def rows(self, name: str) -> list[tuple[str, ...]]:
        head = ("Key", "Default", "Meaning")
        return [head, *((f"`{key}`", *rest) for key, *rest in keys(name))]


class Marks(_Table):
    def rows(self, name: str) -> list[tuple[str, ...]]:
        head = ("Exercise", "Wrong answer", "Earns")
        return [head, *((f"`{stem}`", what, f"{earned:g}") for stem, what, earned in marks(name))]


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("schema-fields", SchemaFields)
    app.add_directive("catalogue-keys", CatalogueKeys)
    app.add_directive("marks", Marks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, encoding="utf-8")
