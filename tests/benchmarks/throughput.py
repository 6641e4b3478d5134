"""A whole class: `python -m tests.benchmarks.throughput [EXERCISE ...] [--class N] [--quick]`.

Makes a class of N students (default 40, quick 10). Each submits the whole course, made of its
solutions, and right and wrong answers. The class is graded by us and, in the same run, by

    naive   pytest in a fresh process for each student, two at a time. The student's modules are
            imported beside the tests: the same suites, the same assertions (`naive.py`)
    xdist   the same, one student after another, with `pytest -n 2`
    otter   otter-grader's local run, two at a time, if it is installed (`otter_run.py`)
    floor   the same calls in one warm process: nothing is imported, all references are compiled

We grade it three times. First the class as it is: it is made of few answers, so many students
submit equal programs under different comments, and equal programs are judged once. Then a class
in which no two programs are equal. Then with nothing but the references compiled beforehand, so
that every mistake is new to the course. Before a class of this size we compile more (see
`Judge.warm_up`). All start from an empty compile cache, and the cost of filling it is printed.

Prints seconds and processor seconds for a student, students a minute, peak memory, and ratios.
Nobody runs races. Only we grade hostile submissions, since they could do anything to the other
graders. The others are timed on a sample (`--sample`, default 4 students).

`--scale` instead shows that a student costs the same among 10 and among 1,000 (one small
exercise), and what 1,000 unchanged submissions cost.

`--homework` grades one file of seven exercises from each student, no two alike, with a warm cache.
Run it in two checkouts in turn, before and after a change.

`--races` grades fast and slow answers as a class with two judges at once, and again with one judge
alone. The verdicts must be equal, since a race has the machine for itself.

Processor seconds are those of the whole machine (/proc/stat), so run it on a quiet one. The default
takes about 40 minutes on two cores, `--quick` about 12, `--scale` about 10.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from grader.api import Grader
from grader.course import course as courses
from grader.course.course import Course
from grader.engine.executors.client import JudgeClient
from grader.intake import cells, reader
from grader.records.model import Exercise, Outcome, Run, Terms
from tests.benchmarks import otter_run
from tests.benchmarks.grading import ROOT, seconds

RACE = re.compile(r"def (test_\w+)\(.*\brace\b")
SEVEN = ("set_row", "hist", "masked_mean", "one_hot", "sum_logistic", "apply_batch", "sgd")
TICKS = os.sysconf("SC_CLK_TCK")
COLD = {
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_force_host_platform_device_count=8",
    "NPROC": "32",
}


@dataclass(frozen=True)
class Cost:
    """The cost of some students."""

    name: str
    students: int
    wall: float
    cpu: float
    memory: float

    def __str__(self) -> str:
        per, cpu = self.wall / self.students, self.cpu / self.students
        return (
            f"{self.name:<22}{self.students:>5}{per:>10.2f} s{cpu:>10.2f} s"
            f"{60 / per:>10.1f}{self.memory / 2**30:>9.2f} GiB"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--class", dest="students", type=int, default=40)
    parser.add_argument("--sample", type=int, default=4)
    parser.add_argument("--quick", action="store_true", help="10 students, a sample of 2")
    parser.add_argument("exercises", nargs="*", help="these exercises rather than all")
    parser.add_argument("--scale", action="store_true", help="10, 100 and 1,000 students instead")
    parser.add_argument("--homework", action="store_true", help="one file from each student")
    parser.add_argument("--races", action="store_true", help="verdicts in a class and alone")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="grader-throughput-") as folder,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("XDG_CACHE_HOME", str(Path(folder) / "cache"))
        if options.scale:
            scale(Path(folder))
            return
        if options.races:
            races(Path(folder))
            return
        if options.homework:
            one_file(Path(folder), 10 if options.quick else options.students)
            return
        students, sample = (10, 2) if options.quick else (options.students, options.sample)
        course = courses.find(ROOT)
        chosen = course.select(options.exercises)
        compare(course, chosen, students, sample, Path(folder))


def compare(
    course: Course, chosen: tuple[Exercise, ...], students: int, sample: int, folder: Path
) -> None:
    homework, another = folder / "class", folder / "another"
    different = make_class(course, chosen, students, homework)
    make_class(course, chosen, students, another, apart=True)
    suites = [str(course.suite(exercise)) for exercise in chosen]
    few = sorted(homework.iterdir())[:sample]
    slots = os.cpu_count() or 1
    print(f"{students} students, {len(chosen)} exercises each, {slots} cores, races left out")
    print(f"{different} different programs in {students * len(chosen)} files")
    filled = seconds(lambda: fill(course, chosen, slots, 1))
    print(f"references compiled in {filled:.0f} s (once on a machine)")
    new = sorted(another.iterdir())[:sample]
    alone = measured("all different and new", sample, lambda: ours(course, chosen, new, slots))
    filled = seconds(lambda: fill(course, chosen, slots, students))
    print(f"what {students} students will share compiled in {filled:.0f} s (once on a machine)\n")
    print(f"{'':<22}{'n':>5}{'wall each':>12}{'cpu each':>12}{'a minute':>10}{'peak':>13}")
    found = [
        measured(name, students, lambda f=files: ours(course, chosen, [*f.iterdir()], slots))  # type: ignore[misc]
        for name, files in (("grader", homework), ("all different", another))
    ]
    found.append(alone)
    show(found)
    naive(suites, [ROOT / "solutions"], 1, right=True)
    found.append(measured("naive, two at a time", sample, lambda: naive(suites, few, 2)))
    show(found[-1:])
    if available("xdist"):
        found.append(
            measured("naive, xdist -n 2", sample, lambda: naive(suites, few, 1, "-n", "2"))
        )
        show(found[-1:])
    else:
        print("pytest-xdist is not installed: left out")
    if available("otter"):
        archive = folder / "autograder.zip"
        otter_run.pack(map(Path, suites), archive)
        if failed := otter_run.run(ROOT / "solutions", archive, COLD):
            sys.exit(f"otter fails solutions: {', '.join(failed)}")
        found.append(measured("otter, two at a time", sample, lambda: otter(archive, few)))
        show(found[-1:])
    else:
        print("otter-grader is not installed: left out")
    floor = warm(suites, few)
    print(f"{'floor':<22}{sample:>5}{floor:>10.2f} s{floor:>10.2f} s")
    hostile(course, folder, slots)
    for us in found[:2]:
        print(f"\n{us.name}:")
        for other in found[3:]:
            ratio = (other.wall / other.students) / (us.wall / us.students)
            print(f"    {other.name}: {ratio:.1f} times our wall time for a student")
        print(f"    processor seconds: {us.cpu / us.students / floor:.2f} times the floor")
        print(f"    peak memory for a slot: {us.memory / slots / 2**30:.2f} GiB")


def make_class(
    course: Course,
    exercises: tuple[Exercise, ...],
    students: int,
    folder: Path,
    *,
    apart: bool = False,
) -> int:
    """Writes a class: half of the answers are right, half have a mistake.

    Each student's comments are different; with `apart`, each program is, too. Returns the number
    of different programs.
    """
    chance, seen = random.Random(7), set()
    for number in range(students):
        for exercise in exercises:
            text = course.solution(exercise).read_text()
            kind = course.right if chance.random() < 0.5 else course.wrong
            answers = [cell for cell in cells.read(kind(exercise)).cells if not endless(cell)]
            answer = chance.choice([None, *answers])
            text = answer.after(text) if answer else text
            path = folder / f"s{number:03d}" / exercise.topic / f"{exercise.stem}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            seen.add((exercise.id, f"{text}{number if apart else ''}"))
            path.write_text(f"{text}\nstudent = {number}\n" if apart else f"{text}\n# {number}\n")
    return len(seen)


def endless(cell: cells.Cell) -> bool:
    """Whether a mutant runs until a limit ends it. The other graders have no limit."""
    return any(word in cell.suffix for word in ("while True", "sys.exit", "os._exit"))


def ours(
    course: Course,
    exercises: tuple[Exercise, ...],
    students: list[Path],
    slots: int,
    *,
    races: bool = False,
) -> Run:
    submissions = [reader.read(path, course) for path in sorted(students)]
    names = [exercise.id for exercise in exercises]
    with Grader(course, names, seed="benchmark", jobs=slots, races=races) as grader:
        return grader.grade_class(submissions)


def fill(course: Course, exercises: tuple[Exercise, ...], slots: int, students: int) -> None:
    """What the grader does before the first submission of a class of this size."""
    terms = Terms("required", "benchmark", with_races=False)

    def prove(number: int) -> None:
        own = exercises[number::slots]
        with closing(JudgeClient.ready(course.stubs, own, terms, submissions=students)) as judge:
            judge.prove([exercise.id for exercise in own])

    with ThreadPoolExecutor(slots) as pool:
        list(pool.map(prove, range(slots)))


def naive(
    suites: list[str], students: list[Path], at_once: int, *more: str, right: bool = False
) -> None:
    """A fresh process for each student. With `right`, every answer must pass.

    Otherwise the results are ignored. A right answer that fails would end its test early, and so
    make this way look cheaper than it is.
    """

    def one(student: Path) -> None:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.benchmarks.naive"]
        command += ["-p", "xdist"] if more else []
        command += ["-p", "no:cacheprovider", "--submitted", str(student), *more, *suites]
        done = subprocess.run(command, env={**os.environ, **COLD}, cwd=ROOT, capture_output=True)
        if done.returncode not in ((0,) if right else (0, 1)):  # passed, or some failed
            said = done.stdout.decode()[-3000:]
            sys.exit(f"pytest ended with {done.returncode} for {student}:\n{said}")

    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(one, students))


def otter(archive: Path, students: list[Path]) -> None:
    """otter-grader's local run, two at a time."""
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda student: otter_run.run(student, archive, COLD), students))


def warm(suites: list[str], students: list[Path]) -> float:
    """Processor seconds per student in a warm process: the second of two rounds."""
    script = """
        import json, sys, time, pytest
        suites, students = json.loads(sys.argv[1])
        def run(student):
            pytest.main(["-q", "-p", "tests.benchmarks.naive", "-p", "no:cacheprovider",
                         "--submitted", student, *suites])
        run("solutions")
        started = time.process_time()
        for student in students:
            run(student)
        print((time.process_time() - started) / len(students), file=sys.stderr)
    """
    told = json.dumps([suites, [str(student) for student in students]])
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), told],
        env={**os.environ, **COLD},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    return float(done.stderr.strip().splitlines()[-1])


def hostile(course: Course, folder: Path, slots: int) -> None:
    """Attacks in a class: what they cost us, and that none of them gets full marks."""
    (exercise,) = course.select(["set_row"])
    attacks = sorted(course.attacks().glob("*.py"))[:10]
    for path in attacks:
        place = folder / "attacks" / path.stem / f"{exercise.stem}.py"
        place.parent.mkdir(parents=True)
        shutil.copy(path, place)
    run: list[Run] = []
    cost = measured(
        "grader, attacks",
        len(attacks),
        lambda: run.append(ours(course, (exercise,), [*(folder / "attacks").iterdir()], slots)),
    )
    show([cost])
    full = [g.id for g in run[0].submissions if g.exercises[0].outcome is Outcome.PASSED]
    print(f"attacks with full marks: {', '.join(full) or 'none'}")


def scale(folder: Path) -> None:
    """The cost of a student among 10, 100 and 1,000, and of 1,000 unchanged submissions."""
    course = courses.find(ROOT)
    chosen = course.select(["set_row"])
    text = course.solution(chosen[0]).read_text()
    print(f"one exercise, every file another, {os.cpu_count()} cores\n")
    print(f"{'':<22}{'n':>5}{'wall each':>12}{'cpu each':>12}{'a minute':>10}{'peak':>13}")
    fill(course, chosen, 1, 1)
    for students in (10, 100, 1000):
        homework, out = folder / f"class{students}", folder / f"out{students}"
        for number in range(students):
            place = homework / f"s{number:04d}" / "set_row.py"
            place.parent.mkdir(parents=True)
            place.write_text(f"{text}\nstudent = {number}\n")
        command = [sys.executable, "-m", "grader.cli", "grade", "--class", str(homework)]
        command += ["--exercise", "set_row", "--out", str(out), "--course", str(ROOT)]
        show([measured(f"of {students}", students, lambda c=command: run(c))])  # type: ignore[misc]
    started = time.perf_counter()
    run(command)
    print(f"\n1,000 that didn't change: {time.perf_counter() - started:.2f} s in all")


def one_file(folder: Path, students: int) -> None:
    """Each student submits one file with all exercises of a homework; no two are alike."""
    course = courses.find(ROOT)
    chosen = course.select(SEVEN)
    slots = os.cpu_count() or 1
    make_class(course, chosen, students, folder / "parts", apart=True)
    (folder / "class").mkdir()
    for student in (folder / "parts").iterdir():
        texts = [path.read_text() for path in sorted(student.rglob("*.py"))]
        (folder / "class" / f"{student.name}.py").write_text("\n".join(texts))
    fill(course, chosen, slots, students)
    files = [*(folder / "class").iterdir()]
    show([measured("homework", students, lambda: ours(course, chosen, files, slots))])


def races(folder: Path) -> None:
    """Verdicts on speed in a class with a judge on every core, and with one judge alone."""
    course = courses.find(ROOT)
    texts = {}
    racing: set[str] = set()
    for exercise in course.exercises:
        racing |= (own := set(RACE.findall(course.suite(exercise).read_text())))
        if own:
            text = course.solution(exercise).read_text()
            texts[exercise, "solution"] = text
            for cell in cells.read(course.wrong(exercise)).cells:
                if own & cell.fails:
                    texts[exercise, cell.name] = cell.after(text)
    found: dict[str, dict[tuple[str, str], Outcome]] = {}
    chosen = tuple(dict.fromkeys(exercise for exercise, _ in texts))
    for name, slots in (("class", os.cpu_count() or 1), ("alone", 1)):
        students = []
        for number, ((exercise, stem), text) in enumerate(texts.items()):
            path = folder / name / f"{number:02d}.{exercise.stem}.{stem}" / f"{exercise.stem}.py"
            path.parent.mkdir(parents=True)
            # Every text is new, so no verdict is remembered.
            path.write_text(f"{text}\nmade = '{name} {time.time_ns()}'\n")
            students.append(path.parent)
        graded = ours(course, chosen, students, slots, races=True)
        found[name] = {
            (grade.id, result.id): test.outcome
            for grade in graded.submissions
            for result in grade.exercises
            for test in result.tests
            if test.id in racing and test.outcome is not Outcome.MISSING
        }
    unequal = [key for key, outcome in found["alone"].items() if found["class"][key] != outcome]
    for key in unequal:
        print(f"{key[0]}: {found['class'][key]} in the class, {found['alone'][key]} alone")
    passed = sum(outcome is Outcome.PASSED for outcome in found["class"].values())
    total = len(found["alone"])
    print(f"{total} races, {passed} passed in the class; {len(unequal)} verdicts differ from alone")


def run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def show(costs: list[Cost]) -> None:
    for cost in costs:
        print(cost, flush=True)


def measured(name: str, students: int, work: Callable[[], Any]) -> Cost:
    """What `work` needs: seconds, processor seconds and memory of the machine."""
    peak, stop = [0], threading.Event()

    def watch() -> None:
        while not stop.wait(0.5):
            peak[0] = max(peak[0], sum(map(memory_of, descendants(os.getpid()))))

    watching = threading.Thread(target=watch)
    watching.start()
    cpu, started = _cpu(), time.perf_counter()
    try:
        work()
    finally:
        wall, cpu = time.perf_counter() - started, _cpu() - cpu
        stop.set()
        watching.join()
    return Cost(name, students, wall, cpu, peak[0])


def _cpu() -> float:
    """Seconds that the cores of this machine were busy so far."""
    user, nice, system, *_ = map(int, Path("/proc/stat").read_text().split("\n")[0].split()[1:])
    return (user + nice + system) / TICKS


def descendants(pid: int) -> Iterator[int]:
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            children = Path(f"/proc/{pid}/task/{task}/children").read_text().split()
            for child in map(int, children):
                yield child
                yield from descendants(child)


def memory_of(pid: int) -> int:
    """Bytes. Memory that processes share is divided among them."""
    with suppress(OSError, ValueError, IndexError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) << 10
    return 0


def available(module: str) -> bool:
    from importlib.util import find_spec

    return find_spec(module) is not None


if __name__ == "__main__":
    main()
