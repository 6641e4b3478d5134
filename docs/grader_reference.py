"""Writes what the reference takes from the code, and the JSON schemas. Run it after a change:

    python docs/grader_reference.py

A page has each generated part between two comments:

    <!-- generated: schema-fields results -->      every field of a file, from its record
    <!-- generated: limits -->                     the limits of an exercise
    <!-- generated: record grader.reward.Reward -->  every field of a record
    <!-- generated: commands -->                   the help of every command
    <!-- generated: api grader.suite.case -->        a function for suites, or a class with members
    <!-- end -->

The meaning of a field is the comment `#:` beside it in the code.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

HERE = Path(__file__).parent
sys.path[:0] = [str(path) for path in (HERE.parent, HERE) if str(path) not in sys.path]

from openapi import description  # noqa: E402

from grader.cli import main  # noqa: E402
from grader.delivery.autograder import Settings  # noqa: E402
from grader.engine.executors.doctor import Examination  # noqa: E402
from grader.output.reports.results import Details  # noqa: E402
from grader.records import model  # noqa: E402  (the path has to be set first)
from grader.student.progress import Stored  # noqa: E402
from grader.student.submit import Manifest  # noqa: E402

SCHEMAS = HERE / "schemas"
PART = re.compile(r"(<!-- generated: ([\w-]+)(.*?)-->\n).*?(<!-- end -->)", re.DOTALL)
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


def schema(name: str) -> _Json:
    """The JSON schema of a file. All fields are always written; a later version may add some."""
    title, record, left_out = FILES[name]
    _, parts = msgspec.json.schema_components([record], ref_template="#/$defs/{name}")
    for kind, names in left_out.items():
        for field in names:
            del parts[kind]["properties"][field]
    # What only these fields held isn't in the file, either.
    everything = json.dumps(parts)
    parts = {n: p for n, p in parts.items() if n == record.__name__ or f'/{n}"' in everything}
    records = vars(model) | vars(sys.modules[record.__module__])
    for kind, part in parts.items():
        if "description" in part:  # some versions of msgspec leave a docstring's indentation
            part["description"] = inspect.cleandoc(part["description"])
        if "properties" in part:
            properties, meanings = part["properties"], _meanings(records[kind])
            for field, content in properties.items():
                content.pop("default", None)
                properties[field] = {"description": meanings[field], **content}
            part["required"] = list(properties)
    top = parts.pop(record.__name__)
    top["properties"]["schema"] |= {"const": model.SCHEMA}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "description": inspect.getdoc(record),
        **{key: value for key, value in top.items() if key not in ("title", "description")},
        "$defs": dict(sorted(parts.items())),
    }


def _meanings(kind: type) -> dict[str, str]:
    """The comment beside each field of a class, or the docstring below it."""
    field = re.compile(r'^    (\w+): .*?(?:#: (.*)|\n    """(.*)""")$', re.MULTILINE)
    return {name: a or b for name, a, b in field.findall(inspect.getsource(kind))}


def fields(name: str) -> Iterator[tuple[str, str, str]]:
    """Each field of a file as its path, its type and its meaning."""
    whole = schema(name)

    def below(part: _Json, path: str) -> Iterator[tuple[str, str, str]]:
        for field, content in part.get("properties", {}).items():
            kind, inner, suffix = _type(content, whole["$defs"])
            yield f"{path}{field}", kind, content["description"]
            yield from below(inner, f"{path}{field}{suffix}.")

    return below(whole, "")


def _type(content: _Json, defs: _Json) -> tuple[str, _Json, str]:
    """The type of a field, the record that it holds, one or many, and the suffix of its path."""
    if "anyOf" in content:
        found = [_type(one, defs) for one in content["anyOf"]]
        _, inner, suffix = next((one for one in found if one[1]), found[0])
        return " or ".join(kind for kind, _, _ in found), inner, suffix
    if "$ref" in content:
        name = content["$ref"].rpartition("/")[2]
        return name.lower() if name in ("Outcome", "Status") else "object", defs[name], ""
    if content.get("type") == "array":
        kind, inner, _ = _type(content.get("items") or content.get("prefixItems", [{}])[0], defs)
        return f"list of {kind}", inner, "[]"
    if isinstance(values := content.get("additionalProperties"), dict):
        return "object", _type(values, defs)[1], "{}"
    return content.get("type", "number"), {}, ""


def limits() -> Iterator[tuple[str, str, str]]:
    """The name, the default and the meaning of each limit."""
    for field in dataclasses.fields(model.Limits):
        yield field.name, f"{field.default:g}", _meanings(model.Limits)[field.name]


def record(path: str) -> Iterator[tuple[str, str, str]]:
    """Each field of a record as its name, its type and its meaning."""
    kind = pkgutil.resolve_name(path)
    for field in dataclasses.fields(kind):
        yield field.name, str(field.type), _meanings(kind)[field.name]


def commands() -> Iterator[str]:
    """Each command with its help, as a terminal of 80 columns shows it."""
    group = click.Context(main, info_name="grader", terminal_width=78, **main.context_settings)
    for context in (group, *_below(group)):
        yield f"## `{context.command_path}`\n\n```text\n{context.get_help()}\n```"


def _below(group: click.Context) -> Iterator[click.Context]:
    """The commands of a group, each before its own."""
    assert isinstance(group.command, click.Group)
    for name, command in group.command.commands.items():
        context = click.Context(command, group, name)
        yield context
        if isinstance(command, click.Group):
            yield from _below(context)


def api(path: str, called: str = "", *members: str) -> Iterator[str]:
    """A function, or a class with members as they are `called` in a suite."""
    thing = pkgutil.resolve_name(path)
    yield f"### `{thing.__name__}`"
    if not isinstance(thing, type):
        yield f"**`{thing.__name__}{_signature(thing)}`**"
    yield _text(thing)
    for name in members:
        place = {"__call__": called, "__init__": thing.__name__}.get(name, f"{called}.{name}")
        member = vars(thing).get(name)
        yield f"**`{place}{_signature(member) if member else f': {thing.__annotations__[name]}'}`**"
        yield _text(member) if member else _meanings(thing).get(name, "")


def _signature(thing: Any) -> str:
    if isinstance(thing, property):
        return f": {thing.fget.__annotations__['return']}"
    plain = re.sub(r"[a-z_.]+\.(?=\w)", "", str(inspect.signature(thing)))
    plain = re.sub(r"(?<=: |> )'([^']*)'", r"\1", plain)
    return re.sub(r"^\(self(: \w+)?(, )?", "(", plain)


def _text(thing: Any) -> str:
    """A docstring as Markdown: the entries of `Args:` and `Raises:` become items of a list."""
    text = re.sub(r"^    (\w+): ", r"- `\1`: ", inspect.getdoc(thing) or "", flags=re.MULTILINE)
    return re.sub(r"^ {4,}", "  ", re.sub(r":\n- ", ":\n\n- ", text), flags=re.MULTILINE)


def _table(head: str, rows: Iterable[tuple[str, ...]]) -> str:
    cells = [[f"`{first}`", *(cell.replace("|", r"\|") for cell in rest)] for first, *rest in rows]
    lines = [head, " | ".join(["---"] * len(head.split(" | "))), *map(" | ".join, cells)]
    return "\n".join(f"| {line} |" for line in lines)


KINDS = {
    "schema-fields": lambda name: _table("Field | Type | Meaning", fields(name)),
    "limits": lambda: _table("Key | Default | Meaning", limits()),
    "record": lambda path: _table("Field | Type | Meaning", record(path)),
    "commands": lambda: "\n\n".join(commands()),
    "api": lambda *names: "\n\n".join(filter(None, api(*names))),
}


def _renewed(part: re.Match[str]) -> str:
    return f"{part[1]}\n{KINDS[part[2]](*part[3].split())}\n\n{part[4]}"


def written() -> dict[Path, str]:
    """The text of each schema and of each page of the reference, by its path."""
    texts = {SCHEMAS / f"{n}.schema.json": json.dumps(schema(n), indent=2) + "\n" for n in FILES}
    texts[SCHEMAS / "openapi.json"] = json.dumps(description(), indent=2) + "\n"
    for path in (*HERE.glob("*.md"), *HERE.glob("reference/*.md")):
        texts[path] = PART.sub(_renewed, path.read_text(encoding="utf-8"))
    return texts


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, encoding="utf-8")
