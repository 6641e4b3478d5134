"""A call that a student tries in the browser: its value, or why there is none; nothing is kept."""

from __future__ import annotations

import pytest

from grader.serve import service as services
from grader.serve.service import Service
from tests.serve.conftest import RIGHT, STEM, Client

PAGE = f"/a/hw1/{STEM}"
TRACED = """
import jax

@jax.jit
def double(x):
    print("traced")
    return x if x > 0 else -x
"""


def tried(student: Client, expression: str, text: str = RIGHT) -> str:
    answer = student.post(f"{PAGE}/try", json={"text": text, "expression": expression})
    assert answer.status_code == 200, answer.text
    return answer.text


def test_it_shows_the_value_its_shape_and_its_dtype(service: Service, student: Client) -> None:
    said = tried(student, "{'a': double(jnp.ones((2, 3))), 'n': double(4)}")
    assert "&#39;n&#39;: 8" in said
    assert "[&#39;a&#39;]: shape (2, 3), dtype float32" in said
    assert service.database.history("", "hw1") == []


def test_it_shows_an_exception_in_our_words_and_what_was_printed(student: Client) -> None:
    said = tried(student, "double(2.0)", TRACED)
    assert "TracerBoolConversionError" in said
    assert "printed:\ntraced" in said
    assert "Line 7 uses a traced value as a condition" in said
    assert "NameError: name &#39;missing&#39; is not defined" in tried(student, "missing")


def test_nothing_of_it_is_stored_or_counted(
    service: Service, student: Client, newcomer: str
) -> None:
    tried(student, "double(31337)")
    assert service.database.history(newcomer, "hw1") == []
    assert service.database.draft(newcomer, "hw1", "01_first/double") is None
    assert "31337" not in student.get(PAGE).text


def test_without_a_script_it_computes_on_the_draft(student: Client) -> None:
    student.post(f"{PAGE}/draft", json={"text": "def double(x):\n    return 5 * x\n"})
    page = student.post(f"{PAGE}/try", data={"expression": "double(5)"})
    assert page.status_code == 200
    assert "&gt;&gt;&gt; double(5)\n25" in page.text
    assert "5 * x" in page.text


@pytest.mark.parametrize(
    "expression", ["", "x = 3", "f(", "1; 2", "\0", "(" * 900, f"'{'a' * 1000}'", "11" + "+1" * 600]
)
def test_what_is_no_expression_is_refused(student: Client, expression: str) -> None:
    answer = student.post(f"{PAGE}/try", json={"text": RIGHT, "expression": expression})
    assert answer.status_code == 422


def test_an_assignment_that_is_closed_computes_nothing(student: Client) -> None:
    answer = student.post(f"/a/hw9/{STEM}/try", json={"text": RIGHT, "expression": "1"})
    assert answer.status_code == 404


def test_who_waits_too_long_reads_so(student: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "TRIED_SECONDS", 0.0)
    answer = student.post(f"{PAGE}/try", json={"text": RIGHT, "expression": "double(1)"})
    assert answer.status_code == 503
