"""JUnit XML as pytest writes it (its family "xunit2"): a suite per student, a case per test.

    failed, raised, ...  <failure>      broken     <error>
    missing              <failure>      undecided  <skipped>, since it has no verdict

Points are properties of the suite: a case of this family has none.
"""

from __future__ import annotations

from xml.etree import ElementTree as Xml

from grader.model import ExerciseResult, Grade, Outcome, Run, TestResult
from grader.reports import told
from grader.reports.text import clean, line, number

_TAGS = {Outcome.PASSED: "", Outcome.BROKEN: "error", Outcome.UNDECIDED: "skipped"}
_COUNTED = {"error": "errors", "failure": "failures", "skipped": "skipped"}


def render(run: Run) -> str:
    """The document. What `clean` lets through, XML can hold."""
    root = Xml.Element("testsuites", name=line(run.course))
    root.extend(_suite(grade) for grade in run.submissions)
    Xml.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{Xml.tostring(root, "unicode")}\n'


def _suite(grade: Grade) -> Xml.Element:
    cases = [case for result in grade.exercises for case in _cases(result)]
    if grade.problem and not cases:
        cases = [_case("submission", "can be read", Outcome.MISSING, 0.0, (grade.problem, ""))]
    counts = {tag: sum(case.find(tag) is not None for case in cases) for tag in _COUNTED}
    seconds = sum(test.seconds for result in grade.exercises for test in result.tests)
    attributes = {
        "name": line(grade.id),
        **{_COUNTED[tag]: str(count) for tag, count in counts.items()},
        "tests": str(len(cases)),
        "time": f"{seconds:.3f}",
    }
    suite = Xml.Element("testsuite", attributes)
    properties = Xml.SubElement(suite, "properties")
    for name, value in (("score", grade.score), ("max_score", grade.max_score)):
        if value is not None:
            Xml.SubElement(properties, "property", name=name, value=number(value))
    suite.extend(cases)
    said = "\n".join(f"{line(note.path)}: {line(note.reason, 600)}" for note in grade.notes)
    if grade.problem:
        said = clean(grade.problem)
    if said:
        Xml.SubElement(suite, "system-out").text = said
    return suite


def _cases(result: ExerciseResult) -> list[Xml.Element]:
    """A case for each test, or one for an exercise that has none."""
    name = result.id.replace("/", ".")
    if not result.tests:
        return [_case(name, result.id, result.outcome, 0.0, (result.message, ""))]
    return [_test_case(name, test) for test in result.tests]


def _test_case(name: str, test: TestResult) -> Xml.Element:
    said = (test.message or test.title, f"{clean(test.title)}\n{told.test(test)}".strip())
    return _case(name, test.id, test.outcome, test.seconds, said)


def _case(
    place: str, name: str, outcome: Outcome, seconds: float, said: tuple[str, str]
) -> Xml.Element:
    """`said` is a message, of which the first line is shown, and the whole."""
    case = Xml.Element("testcase", classname=line(place), name=line(name), time=f"{seconds:.3f}")
    if tag := _TAGS.get(outcome, "failure"):
        first = line(said[0].partition("\n")[0])
        node = Xml.SubElement(case, tag, type=outcome.value, message=first)
        node.text = said[1]
    return case
