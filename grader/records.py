"""Records as plain data, and back: for pipes, for files, for the store."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from grader.model import (
    Advice,
    Environment,
    ExerciseResult,
    Grade,
    Note,
    Outcome,
    Race,
    Run,
    Source,
    Submission,
    TestResult,
)


def to_json(record: Any) -> Any:
    """A record as plain dicts, lists and strings, keys in the order of the fields."""
    return {f.name: _plain(getattr(record, f.name)) for f in dataclasses.fields(record)}


def _plain(value: Any) -> Any:
    """Tuples as lists and members of an enum as strings: the wire takes exact types only."""
    if isinstance(value, str):
        return str(value)
    if value is None or isinstance(value, int | float):
        return value
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return to_json(value)


def test_from_json(data: Mapping[str, Any]) -> TestResult:
    """The inverse of `to_json` for a test result."""
    races = tuple(race_from_json(race) for race in data["races"])
    advice = None if data["advice"] is None else Advice(**data["advice"])
    outcome = Outcome(data["outcome"])
    return TestResult(**{**data, "outcome": outcome, "races": races, "advice": advice})


test_from_json.__test__ = False  # type: ignore[attr-defined]


def race_from_json(data: Mapping[str, Any]) -> Race:
    """The inverse of `to_json` for a race."""
    launches = tuple(tuple(ratios) for ratios in data["launches"])
    return Race(**{**data, "verdict": Outcome(data["verdict"]), "launches": launches})


def exercise_result_from_json(data: Mapping[str, Any]) -> ExerciseResult:
    """The inverse of `to_json` for an exercise's result."""
    tests = tuple(test_from_json(test) for test in data["tests"])
    findings = tuple(Advice(**advice) for advice in data["findings"])
    outcome = Outcome(data["outcome"])
    return ExerciseResult(**{**data, "outcome": outcome, "tests": tests, "findings": findings})


def grade_from_json(data: Mapping[str, Any]) -> Grade:
    """The inverse of `to_json` for a grade."""
    exercises = tuple(exercise_result_from_json(result) for result in data["exercises"])
    notes = tuple(Note(**note) for note in data["notes"])
    return Grade(**{**data, "exercises": exercises, "notes": notes})


def environment_from_json(data: Mapping[str, Any]) -> Environment:
    """The inverse of `to_json` for an environment."""
    return Environment(**{**data, "isolation": tuple(data["isolation"])})


def run_from_json(data: Mapping[str, Any]) -> Run:
    """The inverse of `to_json` for a run."""
    environment = environment_from_json(data["environment"])
    grades = tuple(grade_from_json(grade) for grade in data["submissions"])
    return Run(**{**data, "environment": environment, "submissions": grades})


def submission_from_json(data: Mapping[str, Any]) -> Submission:
    """The inverse of `to_json` for a submission."""
    sources = tuple(Source(**source) for source in data["sources"])
    notes = tuple(Note(**note) for note in data["notes"])
    return Submission(**{**data, "sources": sources, "notes": notes})
