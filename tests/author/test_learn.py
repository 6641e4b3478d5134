"""Equal wrong answers of a class become a known mistake that waits for its sentences."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from click.testing import CliRunner

from grader.cli import main
from grader.course.course import Course
from grader.intake import cells
from tests.engine.judge.test_naming import SOLUTION, SUITE, WRONG

TEN = "def double(x):\n    return 2 * x + 10\n"
ANSWERS = {
    "ada": TEN,
    "ben": "def double(x):\n    # Ben\n    y = x + 5\n    return 2 * y\n",
    "eve": "def double(x):\n    return 2.5 * x\n",
    "kim": "def double(x):\n    return 3 * x\n",
    "joe": SOLUTION,
}


def test_a_class_teaches_the_course_a_mistake(
    make_course: Callable[..., Course], tmp_path: Path
) -> None:
    course = make_course(
        tmp_path / "course",
        {
            "tests/hidden/01_first/test_double.py": SUITE,
            "solutions/01_first/double.py": SOLUTION,
            "solutions/01_first/double.wrong.py": WRONG,
        },
    )
    for name, text in ANSWERS.items():
        path = tmp_path / "class" / name / "double.py"
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    where = ["--course", str(course.root), "--isolation", "available"]
    grade = ["grade", "--class", str(tmp_path / "class"), "--out", str(tmp_path / "out"), *where]
    graded = CliRunner().invoke(main, [*grade, "--exercise", "double", "--no-races"])
    assert graded.exit_code == 0, graded.output

    learned = CliRunner().invoke(main, ["mistakes", "--learn", str(tmp_path / "out"), *where])
    assert learned.exit_code == 0, learned.output
    assert "the mistake of 2 answers" in learned.output
    path = course.wrong(course.exercises[0])
    (cell,) = [cell for cell in cells.read(path).cells if cell.name.startswith("learned_")]
    assert cell.suffix.endswith(TEN)
    assert cell.fails == {"test_vectors", "test_matrices", "test_nothing"}
    assert not cell.todo  # so it names nothing yet
    assert "ben" not in path.read_text(encoding="utf-8").lower()
