"""JUnit XML as pytest writes it (its family "xunit2"): a suite per student, a case per test.

    failed, raised, ...  <failure>      broken     <error>
    missing              <failure>      undecided  <skipped>, since it has no verdict

Points are properties of the suite: a case of this family has no properties.
"""

from collections.abc import Iterator
from xml.etree import ElementTree as Xml

from grader.output.reports import sentences
from grader.records.model import Environment, ExerciseResult, Grade, Outcome, Run
from grader.records.safe_text import clean, line, note, number

_TAGS = {Outcome.PASSED: "", Outcome.BROKEN: "error", Outcome.UNDECIDED: "skipped"}
_COUNTED = {"error": "errors", "failure": "failures", "skipped": "skipped"}


def render(run: Run) -> str:
    """The document. XML can hold every character that `clean` lets through."""
    root = Xml.Element("testsuites", name=line(run.course))
    root.extend(_suite(grade, run.environment) for grade in run.submissions)
    Xml.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{Xml.tostring(root, "unicode")}\n'


def _suite(grade: Grade, environment: Environment) -> Xml.Element:
    cases = [case for result in grade.exercises for case in _cases(result)]
    if grade.problem and not cases:
        cases = [_case("submission", "can be read", Outcome.MISSING, 0.0, grade.problem, "")]
    seconds = sum(test.seconds for result in grade.exercises for test in result.tests)
    suite = Xml.Element("testsuite", name=line(grade.id))
    for tag, plural in _COUNTED.items():
        suite.set(plural, str(sum(case.find(tag) is not None for case in cases)))
    suite.set("tests", str(len(cases)))
    suite.set("time", f"{seconds:.3f}")
    properties = Xml.SubElement(suite, "properties")
    for name, value in (("score", grade.score), ("max_score", grade.max_score)):
        if value is not None:
            Xml.SubElement(properties, "property", name=name, value=number(value))
    held = sentences.isolation_in_short(environment)
    Xml.SubElement(properties, "property", name="isolation", value=held)
    suite.extend(cases)
    notes = "\n".join(f"note {note(each)}" for each in grade.notes)
    reasons = clean(grade.problem) if grade.problem else notes
    lines = [sentences.isolation(environment), reasons, *sentences.handed_in(grade)]
    if text := "\n".join(lines).strip():
        Xml.SubElement(suite, "system-out").text = text
    return suite


def _cases(result: ExerciseResult) -> Iterator[Xml.Element]:
    """A case for each test, or one for an exercise that has none."""
    name = result.id.replace("/", ".")
    if not result.tests:
        yield _case(name, result.id, result.outcome, 0.0, result.message, "")
    for test in result.tests:
        text = f"{clean(test.title)}\n{sentences.test(test)}".strip()
        yield _case(name, test.id, test.outcome, test.seconds, test.message or test.title, text)


def _case(
    place: str, name: str, outcome: Outcome, seconds: float, message: str, text: str
) -> Xml.Element:
    """Only the first line of the message is shown; `text` is the whole feedback."""
    case = Xml.Element("testcase", classname=line(place), name=line(name), time=f"{seconds:.3f}")
    if tag := _TAGS.get(outcome, "failure"):
        first = line(message.partition("\n")[0])
        Xml.SubElement(case, tag, type=outcome.value, message=first).text = text
    return case
