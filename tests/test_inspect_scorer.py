"""The task and the scorer for Inspect, with the real package and a model that follows a script."""

from __future__ import annotations

import gc
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.course.course import Course
from grader.engine import executors
from tests.test_api import NAME, RIGHT, WRONG, Fake

pytestmark = [
    pytest.mark.slow,  # the extra `inspect` is for CI only
    pytest.mark.filterwarnings("ignore"),  # Inspect leaves streams and loops open
]
Ask = Callable[[str], Any]


@pytest.fixture
def ask(foreign: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ask]:
    """Runs the task with a model that gives this answer; returns the log of its only sample."""
    from inspect_ai import eval as evaluate
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from grader import inspect_scorer

    inspect_scorer._grader.cache_clear()

    def asked(answer: str) -> Any:
        task = inspect_scorer.course_task(course=str(foreign.root), jobs=1)
        output = ModelOutput.from_content("mockllm", answer)
        # Without it, Inspect counts tokens with a file from a network.
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        model = get_model("mockllm/model", custom_outputs=[output])
        (log,) = evaluate(task, model=model, log_dir=str(tmp_path), display="none")
        assert log.status == "success", log.error
        (sample,) = log.samples or []
        return sample

    yield asked
    inspect_scorer._grader(str(foreign.root), (), "inspect", 1).close()
    inspect_scorer._grader.cache_clear()
    gc.collect()  # what Inspect left open must warn here, where that is ignored


def test_a_right_answer_scores_one_and_a_wrong_one_its_share(ask: Ask) -> None:
    right = ask(f"Here:\n```python\n{RIGHT}```\n")
    assert right.target == NAME
    assert "def double(x)" in right.input
    score = right.scores["hidden_suite"]
    assert (score.value, score.answer) == (1.0, RIGHT)
    assert score.metadata == {"compiled": 1.0, "right": 1.0, "fast": None}
    wrong = ask(WRONG).scores["hidden_suite"]
    assert wrong.value == 0.0
    assert "A number is doubled." in wrong.explanation


def test_an_answer_that_cheats_scores_nothing(ask: Ask) -> None:
    cheat = "import os\n\n\ndef double(x):\n    os._exit(0)\n"
    assert ask(cheat).scores["hidden_suite"].value == 0.0


def test_where_the_machine_failed_the_sample_is_unscored(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executors, "choose", lambda *_: lambda *_: Fake())
    score = ask(RIGHT + "machine = 1\n").scores["hidden_suite"]
    assert math.isnan(score.value)
    assert score.explanation == "the judge ended"
