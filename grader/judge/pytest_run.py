"""One run of pytest in the judge, over hidden suites alone: no file of its own, nothing printed."""

import os

import pytest
from pytest_jsonreport import plugin as jsonreport

from grader.course import Course
from grader.judge import plugin

_ARGUMENTS = (
    "--import-mode=importlib --json-report --json-report-file=none -q --no-header --no-summary "
    "-p no:cacheprovider -p no:logging -p no:faulthandler -p no:unraisableexception "
    "-p no:threadexception --tb=no --strict-markers "
    "--capture=sys -W ignore"
).split()


def run(arguments: list[str], course: Course, *plugins: object) -> None:
    """Runs what the arguments name, with the plugins beside the judge's own."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    assert course.root is not None
    hidden = course.hidden
    where = [f"--rootdir={hidden}", f"--confcutdir={hidden}", "-c", os.devnull]
    # Passed as modules: for a name after `-p` pytest would read the metadata of every package.
    pytest.main([*where, *_ARGUMENTS, *arguments], plugins=[plugin, jsonreport, *plugins])
