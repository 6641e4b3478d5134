"""Every JSON file that the grader writes has the published schema: `docs/schemas/`."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from grader.delivery.gradescope_bundle import build
from grader.engine.executors.doctor import examine
from grader.output.reports import results
from grader.records.model import CheckResult, Status, pack
from grader.student import progress
from grader.student.start import start
from grader.student.submit import submit
from tests.conftest import CourseMaker
from tests.output.reports.test_formats import every_outcome

SCHEMAS = Path(__file__).resolve().parents[1] / "docs" / "schemas"
Files = Callable[[Path, CourseMaker], Path]


def a_result(folder: Path, _: CourseMaker) -> Path:
    return results.write(every_outcome(), folder)[0]


def details(folder: Path, _: CourseMaker) -> Path:
    return results.write(every_outcome(), folder)[1]


def a_manifest(folder: Path, _: CourseMaker) -> Path:
    submit(start(folder / "mine").course, folder / "in.zip")
    with zipfile.ZipFile(folder / "in.zip") as packed:
        return Path(packed.extract("manifest.json", folder))


def a_progress(folder: Path, _: CourseMaker) -> Path:
    course = start(folder / "mine").course
    exercise = course.exercises[0]
    progress.remember(course, CheckResult(exercise.id, "", Status.TO_FIX), "digest")
    progress.remember_hint(course, course.exercises[1], 2)
    return progress.folder(course) / "progress.json"


def settings(folder: Path, make_course: CourseMaker) -> Path:
    course = make_course(folder / "course")
    path = build(course, course.exercises, folder, minutes=10, isolation="available")
    with zipfile.ZipFile(path) as packed:
        return Path(packed.extract("autograder.json", folder))


def an_examination(folder: Path, make_course: CourseMaker) -> Path:
    path = folder / "doctor.json"
    path.write_bytes(pack(examine(make_course(folder / "course"))))
    return path


WRITTEN: dict[str, Files] = {
    "results": a_result,
    "details": details,
    "manifest": a_manifest,
    "progress": a_progress,
    "gradescope-settings": settings,
    "doctor": an_examination,
}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_file_has_its_schema(name: str, tmp_path: Path, make_course: CourseMaker) -> None:
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    content = json.loads(WRITTEN[name](tmp_path, make_course).read_text(encoding="utf-8"))
    jsonschema.validate(content, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**content, "schema": 99}, schema)
    # Readers may meet new fields in a later version. This version writes those of the schema only.
    for record in (schema, *schema["$defs"].values()):
        if "properties" in record:
            record["additionalProperties"] = False
    jsonschema.validate(content, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**content, "secret": 1}, schema)


def test_every_schema_is_tried() -> None:
    ours = {f"{name}.schema.json" for name in WRITTEN}
    # What the server's API answers is compared in `tests/serve`.
    assert {path.name for path in SCHEMAS.iterdir()} == {*ours, "openapi.json"}
