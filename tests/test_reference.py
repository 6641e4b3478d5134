"""The reference names everything that the code has: lists from the code, and the pages' text."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import json
import re
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import click
import pytest
from lxml import etree, html

from grader import suite
from grader.cli import main
from grader.course import catalog
from grader.delivery import formats
from grader.engine.judge import plugin, pytest_entry
from grader.engine.race import races
from grader.engine.suite import codec, program, submission
from grader.intake import notebook
from grader.intake.reader import MANIFEST
from grader.output.reports import html as pages
from grader.output.reports import redaction, results
from grader.records import errors, model, scoring
from grader.serve.lti import registration
from grader.serve.lti.claims import SCOPES
from grader.teacher.store import NAME as STORE
from grader.teacher.store import Store
from tests.output.reports.test_formats import every_outcome, rendered

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def reference() -> Any:
    sys.path.insert(0, str(DOCS))
    return importlib.import_module("grader_reference")


def page(name: str) -> str:
    return (DOCS / "reference" / f"{name}.md").read_text(encoding="utf-8")


def codes(name: str) -> set[str]:
    """Every text that the page sets as code."""
    return set(re.findall(r"`([^`\n]+)`", FENCED.sub("", page(name))))


def public(kind: type) -> Iterator[str]:
    """The public names of a class, and those that its `__init__` sets."""
    own = vars(kind)
    yield from (name for name in own if not name.startswith("_"))
    if "__init__" in own and hasattr(own["__init__"], "__code__"):
        yield from (n for n in own["__init__"].__code__.co_names if f"self.{n}: " in source(kind))


def source(kind: type) -> str:
    return Path(sys.modules[kind.__module__].__file__ or "").read_text(encoding="utf-8")


def test_every_page_and_schema_is_of_today(reference: Any) -> None:
    texts = reference.written()
    old = [path.name for path, text in texts.items() if path.read_text(encoding="utf-8") != text]
    assert old == [], "run `python docs/grader_reference.py`"
    assert {*reference.SCHEMAS.iterdir()} <= {*texts}


# The catalogue, the suites, the commands


@pytest.mark.parametrize(
    ("heading", "keys"),
    [
        ("The course", catalog.CATALOG_KEYS),
        ("An exercise", catalog.ENTRY_KEYS),
        ("An assignment", catalog.ASSIGNMENT_KEYS),
        ("Limits", catalog.LIMIT_KEYS),
    ],
)
def test_the_tables_of_the_catalogue_have_its_keys(
    heading: str, keys: dict[str, catalog.CatalogKey]
) -> None:
    section = re.split(rf"^## {heading}\n", page("catalogue"), flags=re.MULTILINE)[1]
    table = section.partition("| Key | Default | Meaning |\n")[2].partition("\n\n")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", table, re.MULTILINE))
    assert [*rows] == [*keys]
    for name, key in keys.items():
        known = " ".join((rows[name], section))
        values = get_args(key.type) if get_origin(key.type) is Literal else ()
        assert [v for v in values if str(v) not in known] == []


def test_every_fixture_and_marker_is_there() -> None:
    fixtures = {name for name, f in vars(plugin).items() if "Fixture" in type(f).__name__}
    assert {"submission", "rng", "race"} <= fixtures
    markers: set[str] = set()

    class Config:
        def addinivalue_line(self, _: str, line: str) -> None:
            markers.add(re.split(r"[(:]", line)[0])

    plugin.pytest_configure(Config())  # type: ignore[arg-type]
    assert {"points", "hint", "words"} <= markers
    assert fixtures - codes("suites") == set()
    said = " ".join(codes("suites"))
    assert [marker for marker in markers if f"mark.{marker}" not in said] == []


@pytest.mark.parametrize(
    ("kind", "called"),
    [
        (submission.SubmissionProxy, ""),
        (submission.Function, "submission.f."),
        (submission.ReportedFunction, ""),
        (codec.Callback, ""),
        (codec.StudentRecord, ""),
        (program.Program, "program."),
        (program.Kept, "kept."),
    ],
)
def test_every_part_of_a_proxy_is_there(kind: type, called: str) -> None:
    # For the judge's own modules.
    hidden = {"codec", "question", "restored", "of", "stored", "outputs"}
    wanted = {kind.__name__, *(f"{called}{name}" for name in public(kind) if name not in hidden)}
    said = {re.split("[(:]", code)[0] for code in codes("suites")}
    assert wanted - said == set()


def test_every_keyword_of_a_race_and_every_name_for_suites_is_there() -> None:
    shown = page("suites")
    keywords = races.Races.__call__.__code__
    names = keywords.co_varnames[1 : keywords.co_argcount + keywords.co_kwonlyargcount]
    assert [name for name in (*names, *suite.__all__) if not re.search(rf"\b{name}\b", shown)] == []


def test_every_option_of_pytest_is_there() -> None:
    options: set[str] = set()

    class Group:
        def addoption(self, *names: str, **_: object) -> None:
            options.update(names)

    class Parser:
        def getgroup(self, *_: str) -> Group:
            return Group()

    pytest_entry.pytest_addoption(Parser())  # type: ignore[arg-type]
    said = " ".join(codes("suites"))
    assert options
    assert [option for option in options if option not in said] == []


def test_every_magic_that_leaves_python_is_there() -> None:
    (row,) = re.findall(r"^\| (.*) in the first line \| the first ", page("submissions"), re.M)
    assert {*re.findall(r"`%%(\w+)`", row)} == notebook._TRANSPARENT


def test_every_command_and_option_is_there() -> None:
    shown = page("commands")
    for name, command in main.commands.items():
        assert f"grader {name}" in shown
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert [o for o in parameter.opts if o not in shown] == [], name


def test_every_outcome_status_and_exit_code_is_there() -> None:
    wanted = {str(o) for o in model.Outcome} | {str(s) for s in model.Status}
    assert wanted - codes("outcomes") == set()
    cells = {cell.strip() for cell in page("outcomes").split("|")}
    codes_of_errors = {str(e.exit_code) for e in vars(errors).values() if hasattr(e, "exit_code")}
    assert {"0", *codes_of_errors} - cells == set()


def test_every_error_of_a_grader_says_whether_to_try_again() -> None:
    text = (DOCS / "library.md").read_text(encoding="utf-8")
    table = text.partition("| Exception | It means | Try again? |\n")[2].partition("\n\n")[0]
    made = {name for name, kind in vars(errors).items() if hasattr(kind, "exit_code")}
    assert {*re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)} == {
        *(made - {"GraderError"}),
        "TimeoutError",
    }


def test_what_stays_stable_names_every_name_and_every_schema(reference: Any) -> None:
    text = (DOCS / "stability.md").read_text(encoding="utf-8")
    named = {*re.findall(r"`([^`\n]+)`", text)}
    assert {*suite.__all__, *(path.name for path in reference.SCHEMAS.iterdir())} - named == set()


# Files


@pytest.mark.parametrize(
    "name", ["results", "details", "manifest", "progress", "gradescope-settings", "doctor"]
)
def test_every_field_of_a_json_file_is_there(name: str, reference: Any) -> None:
    fields = {path for path, _, _ in reference.fields(name)}
    assert "schema" in fields
    assert fields - codes("files") == set()
    assert f"](../schemas/{name}.schema.json)" in page("files")


@pytest.mark.parametrize("name", ["csv", "canvas", "moodle"])
def test_every_column_of_a_gradebook_is_there(name: str) -> None:
    made = rendered(name)
    columns = {c.strip('"') for c in made.splitlines()[0].split(",")}
    exercises = {e.id for grade in every_outcome().submissions for e in grade.exercises}
    own = {c for c in columns if not any(e in c for e in (*exercises, every_outcome().course))}
    assert own
    assert own - codes("files") == set()


def test_every_key_of_gradescopes_file_is_there() -> None:
    def keys(value: object) -> Iterator[str]:
        if isinstance(value, dict):
            for key, inner in value.items():
                yield key
                yield from keys(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from keys(inner)

    run = every_outcome()
    one = type(run)(run.course, run.grader, run.environment, run.submissions[:1])
    content = json.loads(rendered("gradescope", one))
    assert set(keys(content)) - codes("files") == set()


def test_every_part_of_junit_is_there() -> None:
    tree = etree.fromstring(rendered("junit").encode())
    parts = {str(element.tag) for element in tree.iter()}
    parts |= {str(name) for element in tree.iter() for name in element.attrib}
    assert parts - codes("files") == set()


def test_every_column_of_the_store_is_there(tmp_path: Path) -> None:
    with Store(tmp_path):
        pass
    with contextlib.closing(sqlite3.connect(tmp_path / STORE)) as db:
        listed = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        tables = [row[0] for row in listed]
        columns = {row[1] for table in tables for row in db.execute(f"PRAGMA table_info({table})")}
    assert tables
    assert {*tables, *columns} - codes("files") == set()


def test_what_the_files_of_a_run_hold_is_so() -> None:
    marks = ("EXAMPLE", "DETAIL", "LINE = 1", "WHOLE", "5eed", "ben")
    advice = model.Advice("x", "Its axes are swapped.", "Swap them.", 1, marks[2])
    test = model.TestResult(
        "test_x", "X.", model.Outcome.FAILED, 0.0, 2.0, 0.5, f"Wrong.\n{marks[0]}", advice=advice
    )
    test = dataclasses.replace(test, detail=f"{marks[0]} {marks[1]}")
    result = scoring.exercise_result("03_jit/f", (test,))
    text = f"{marks[2]}\n\n\n\n\n\n\n\n{marks[3]} = 2\n"
    sources = (model.Source("03_jit/f", "f.py", text),)
    grades = [
        dataclasses.replace(scoring.grade(model.Submission(n, "d"), [result]), sources=sources)
        for n in ("ada", marks[5])
    ]
    here = model.Environment("0.10", "3.11", "Linux", model.LAYERS, marks[4])
    both = model.Run("c", "0.1", here, tuple(grades))
    one = dataclasses.replace(both, submissions=both.submissions[:1])
    holds = {
        "`results.json`": rendered("json", both),
        "`details.json`": json.dumps(model.to_plain(results.details(both))),
        "a student's page": pages.page(redaction.public(both), grades[0]),
    }
    for name in formats.FORMATS.keys() - {"json"}:
        run = one if formats.FORMATS[name].is_of_one else both
        holds[f"report `{name}`"] = formats.FORMATS[name].render(run)
    _, _, table = page("files").partition("| Whole code | Seed | Several students |\n")
    rows = [row.strip("| ").split(" | ") for row in table.partition("\n\n")[0].splitlines()[1:]]
    said = {name: cells for name, *cells in rows}
    assert said == {
        name: ["yes" if mark in text else "no" for mark in marks] for name, text in holds.items()
    }


def test_an_admin_of_a_platform_reads_every_scope_and_the_addresses_that_it_is_told() -> None:
    text = (DOCS / "lti.md").read_text(encoding="utf-8")
    admins = text.partition("## For admins")[2].partition("\n## ")[0]
    told = registration.described("https://x.example", "Grader", "dynamic")
    assert {*re.findall(r"`(https://\S+)`", admins)} == {*told["scope"].split()} == {*SCOPES}
    paths = {*re.findall(r"`(/lti/[\w./]+)`", admins)}
    assert paths == {path for _, path in registration.by_hand("")}


def test_every_file_that_is_written_is_there() -> None:
    named = {content.file for content in formats.FORMATS.values()}
    named |= {*results.NAMES, STORE, MANIFEST, "progress.json", "receipts.txt", "autograder.json"}
    said = " ".join(codes("files"))
    assert [name for name in named if name not in said] == []


# What a reader's machine does with the pages


@pytest.mark.slow  # it builds the documents, which takes the extra `docs`
def test_the_pages_ask_for_nothing_from_a_network(built: Path) -> None:
    asked = []
    for path in built.rglob("*.html"):
        tree = html.parse(str(path)).getroot()
        found = tree.xpath("//script/@src | //link[@rel!='canonical']/@href | //img/@src")
        asked += [(path.name, str(a)) for a in found if re.match(r"(https?:)?//", str(a))]
    for path in built.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        asked += [(path.name, a) for a in re.findall(r"url\(['\"]?(https?:[^)]*)", text)]
    assert asked == []
