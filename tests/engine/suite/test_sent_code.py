"""What a suite's function carries into a student's process, and that it still runs there."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cloudpickle
import pytest

from grader.engine.suite.sent_code import FILE, pickled

SHARED = 3


def shared(x: Any) -> Any:
    return x * SHARED


@dataclasses.dataclass
class Box:
    value: int

    def double(self) -> int:
        return 2 * self.value


def made() -> Callable[..., Any]:
    """Around a body, as a test is."""
    plus = 1

    def body(f: Any, x: Any) -> Any:
        def inner(y: Any) -> Any:
            return f(y) + plus

        return shared(inner(x)) + Box(x).double()

    return body


def test_no_path_of_the_suite_crosses() -> None:
    sent = pickled(made())
    assert __file__.encode() not in sent
    assert b"test_suite_code.py" not in sent
    assert pickled(made()) == sent


def test_what_crosses_computes_the_same() -> None:
    body = cloudpickle.loads(pickled(made()))
    assert body(lambda y: y * 10, 2) == made()(lambda y: y * 10, 2) == 67
    assert cloudpickle.loads(pickled(Box))(4).double() == 8


def test_what_a_suite_imports_from_a_file_beside_it_crosses_too(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text(
        "def g(x):\n    return h(x) + 1\n\ndef h(x):\n    return 2 * x\n"
    )
    (tmp_path / "a_suite.py").write_text("from beside import g\n\ndef body(x):\n    return g(x)\n")
    make = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import a_suite; "
    make += "from grader.engine.suite.sent_code import pickled; print(pickled(a_suite.body).hex())"
    made = subprocess.run([sys.executable, "-c", make], capture_output=True, text=True, check=True)
    # Here nobody can import either file.
    assert cloudpickle.loads(bytes.fromhex(made.stdout.strip()))(3) == 7


def test_an_error_in_a_body_still_has_a_traceback() -> None:
    body = cloudpickle.loads(pickled(made()))
    with pytest.raises(ZeroDivisionError) as caught:
        body(lambda y: y / 0, 2)
    frames = [(f.filename, f.name) for f in traceback.extract_tb(caught.tb)]
    assert (FILE, "body") in frames
    assert (FILE, "inner") in frames
