"""CI's steps, each written once: `nox -f .ci/noxfile.py --session lint`.

    .ci/run                      the sessions of a push, on one machine, within 25 minutes
    .ci/run whole                everything
    .github/workflows/ci.yml     the same sessions but `environments`, in jobs beside each other

The sessions use the environment that nox is in (the extra `ci`): the newest Python and the newest
JAX. Only `oldest`, `releases` and `platforms` have one of their own. What a push has to try follows
from the files that changed: see `selection.py`.

    GRADER_SINCE=COMMIT    what changed since then. Default: since `origin/main`, or the last commit
    GRADER_WHOLE=1         try everything
    GRADER_STARTED=TIME    `.ci/run` began then (in seconds since 1970), and has to end soon
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import nox

HERE = Path(__file__).resolve().parent
ROOT, SCRIPTS = HERE.parent, Path(sysconfig.get_path("scripts"))
PYTHON = Path(sys.executable).name
sys.path.insert(0, str(HERE))

from newest import newest  # noqa: E402
from selection import DOCUMENTS, Selection, sample, select, turned  # noqa: E402
from skips import allowed  # noqa: E402

os.environ.setdefault("GRADER_SKIPS", allowed())
nox.needs_version = ">=2024.3"
nox.options.sessions = ["tests", "lint"]

WHOLE, STARTED = bool(os.environ.get("GRADER_WHOLE")), os.environ.get("GRADER_STARTED")
LEFT_OUT = ROOT / "build" / "ci" / "left-out"
# A push samples what it doesn't try in full: one part of so many, by the commit.
PARTS = 16
# After so many minutes of `.ci/run`, a session begins nothing new.
ENDS = {"course": 19, "slow": 22, "oldest": 20, "benchmarks": 23, "environments": 22}
COURSE = "tests/test_proof.py::test_the_course_holds"
# What the course promises of each exercise.
PROMISES = "tests/test_own_course.py"
ATTACKS = "tests/test_attacks.py"
FUZZERS = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/**/test_fuzz_*.py"))
# Every known mistake is judged once more: of this a push tries a sample, whatever changed.
REPORTS = "tests/test_reports.py"
PLATFORMS = "tests/serve/lti/test_foreign.py"
OTHERS = (ATTACKS, PROMISES, *DOCUMENTS, *FUZZERS, PLATFORMS)  # they have sessions of their own
# What students run, on every system. The tests need nothing that only Linux has.
STUDENTS = tuple(
    f"tests/student/test_{name}.py" for name in ("check", "literals", "progress", "start", "submit")
)
BENCHMARKS = (
    ("grading", "--pairs", "2"),
    ("latency", "--quick"),
    ("verdicts", "--quick"),
    ("throughput", "--class", "4", "--sample", "1", "set_row", "masked_mean", "sgd"),
    ("library", "--answers", "24"),
    ("report", "--class", "100"),
    ("programs", "masked_mean"),
    ("serve", "--quick"),
)


def session_here(function):  # type: ignore[no-untyped-def]
    """A session in the environment that nox is in."""
    return nox.session(venv_backend="none")(function)


def run(session: nox.Session, program: str, *arguments: object, **settings: str) -> None:
    """Runs a program of this environment in the root; the settings are environment variables."""
    session.chdir(ROOT)
    is_here = session.virtualenv.venv_backend == "none"
    path = str(SCRIPTS / program) if is_here else program
    # pytest returns 5 if a part holds no test.
    codes = (0, 5) if "GRADER_PART" in settings else (0,)
    session.run(path, *map(str, arguments), env=settings, external=is_here, success_codes=codes)


# What is selected


def git(*arguments: str) -> str | None:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def place() -> int:
    """A number that follows from the commit."""
    return int((git("rev-parse", "HEAD") or "0").strip()[-4:], 16)


def changed() -> set[str] | None:
    """The files that changed, with those that aren't committed; None if nobody knows."""
    head = git("rev-parse", "HEAD")
    asked = os.environ.get("GRADER_SINCE")
    for name in [asked] if asked else ["origin/main", "HEAD~1"]:
        base = git("merge-base", name, "HEAD")
        if base and (asked or base != head):
            listed = git("diff", "--name-only", "--no-renames", "-z", base.strip())
            new = git("ls-files", "--others", "--exclude-standard", "-z")
            return {path for path in f"{listed}{new}".split("\0") if path}
    return None


def part(*, is_all: bool) -> dict[str, str]:
    """For `tests/conftest.py`: all slow tests, or a sample of them."""
    return {"GRADER_PART": "0/1" if is_all else f"{place() % PARTS}/{PARTS}"}


def exercises() -> tuple[str, ...]:
    from grader.course.course import find

    return tuple(exercise.id for exercise in find(ROOT).exercises)


def selection() -> Selection:
    tests = sorted(
        path.relative_to(ROOT).as_posix()
        for pattern in ("test_*.py", "[!h]*/**/test_*.py")  # not those of `hidden`
        for path in (ROOT / "tests").glob(pattern)
        if "mark.slow" in path.read_text(encoding="utf-8")
    )
    mine = [test for test in tests if test not in OTHERS and (WHOLE or test != REPORTS)]
    return select(None if WHOLE else changed(), exercises(), mine)


# What there is no time for


def is_late(session: nox.Session) -> bool:
    minutes = (time.time() - float(STARTED or time.time())) / 60
    return minutes >= ENDS.get(session.name, 25)


def leave_out(session: nox.Session, what: str) -> None:
    """Says it now, and once more at the end of `.ci/run`."""
    LEFT_OUT.parent.mkdir(parents=True, exist_ok=True)
    with LEFT_OUT.open("a", encoding="utf-8") as file:
        file.write(f"{session.name}: {what}\n")
    session.warn(f"left out: {what}")


def in_time(session: nox.Session, things: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """The things in groups, until the time is up. Without a limit they are one group."""
    size = size if STARTED else len(things) or 1
    for start in range(0, len(things), size):
        if is_late(session):
            leave_out(session, " ".join(things[start:]))
            return
        yield things[start : start + size]


# The sessions

LINES = 41_700
"""Of Python in `grader/`, at most: a change that adds a capability names what it removed. The last
were the digests of predictions, the local race, teams, and calls that are tried in the browser."""


@session_here
def tests(session: nox.Session) -> None:
    """What a developer runs every day."""
    run(session, "pytest", "-n", 2)


@session_here
def lint(session: nox.Session) -> None:
    """Style, types, and the size of the package."""
    listed = (git("ls-files", "-z", "--", "grader/*.py") or "").split("\0")
    lines = sum(len((ROOT / name).read_bytes().splitlines()) for name in listed if name)
    session.log(f"grader/ has {lines:,} lines of Python; at most {LINES:,} are allowed")
    if lines > LINES:
        session.error("grader/ is too large: remove what nobody uses, or raise `LINES` and say why")
    run(session, "ruff", "check", ".")
    run(session, "ruff", "format", "--check", ".")
    run(session, "mypy")


@session_here
def docs(session: nox.Session) -> None:
    """Builds the documents, and does what they say."""
    run(session, "sphinx-build", "-q", "-W", "--keep-going", "docs", "build/docs")
    which = part(is_all=selection().documents)
    run(session, "pytest", "-q", "-n", 2, "-m", "slow", *DOCUMENTS, **which)


@session_here
def attacks(session: nox.Session) -> None:
    """All attacks if what holds them off changed; else a sample. They share one judge."""
    which = part(is_all=selection().attacks)
    run(session, "pytest", "-q", "-m", "slow", ATTACKS, "--durations", 3, **which)


@session_here
def course(session: nox.Session) -> None:
    """All promises, then a proof where it or its judging changed. `-- 1/4`: one part of four."""
    share = (*session.posargs, "0/1")[0]
    run(session, "pytest", "-q", "-m", "", PROMISES, GRADER_SKIPS="none", GRADER_PART=share)
    wanted, everything = selection(), exercises()
    others = turned(everything, place()) if wanted.course else sample(everything, place(), PARTS)
    # Each exercise once, first those that changed.
    names = tuple(dict.fromkeys((*wanted.exercises, *others)))
    number, parts = map(int, share.split("/"))
    for group in in_time(session, names[number::parts], size=3):
        run(session, "pytest", "-q", "-m", "slow", COURSE, GRADER_EXERCISES=" ".join(group))


@session_here
def slow(session: nox.Session) -> None:
    """The slow tests of the packages that changed, and a sample of all others."""
    options = ("-q", "-n", 2, "--dist", "loadfile", "-m", "slow", f"--deselect={COURSE}")
    chosen = selection().slow
    for group in in_time(session, chosen, size=2):
        run(session, "pytest", *options, "--durations", 3, *group, **part(is_all=True))
    if is_late(session):
        leave_out(session, "a sample of the slow tests of the packages that didn't change")
    elif not WHOLE:
        others = (f"--ignore={path}" for path in (*OTHERS, *chosen))
        run(session, "pytest", *options, "--durations", 3, *others, **part(is_all=False))


@session_here
def fuzz(session: nox.Session) -> None:
    """By hand, before a release: GRADER_FUZZ=100000 for frames, 20000 for intake."""
    cases = os.environ.get("GRADER_FUZZ", "2000")
    run(session, "pytest", "-q", "-n", 2, "-m", "slow", *FUZZERS, GRADER_FUZZ=cases)


@session_here
def demo(session: nox.Session) -> None:
    """A small class, graded."""
    with tempfile.TemporaryDirectory() as folder:
        run(session, "grader", "demo", "--out", Path(folder) / "demo")


@session_here
def benchmarks(session: nox.Session) -> None:
    """Briefly, so that they don't break: one by the commit, or all."""
    for name, *options in BENCHMARKS if WHOLE else sample(BENCHMARKS, place(), len(BENCHMARKS)):
        if is_late(session):
            leave_out(session, name)
        else:
            run(session, PYTHON, "-m", f"tests.benchmarks.{name}", *options)


@session_here
def environments(session: nox.Session) -> None:
    """The sandbox in other environments: containers, and kernels that refuse."""
    is_able = hasattr(os, "getuid") and os.getuid() == 0
    if not (is_able and shutil.which("podman") and shutil.which("runc")):
        leave_out(session, "no root, podman or runc here")
    elif is_late(session):
        leave_out(session, "the sandbox in other environments")
    else:
        run(session, PYTHON, "-m", "tests.environments")


@session_here
def coverage(session: nox.Session) -> None:
    """Fails below `fail_under` in `pyproject.toml`. It slows the tests down by two fifths."""
    run(session, "pytest", "-q", "-n", 2, "--cov")


@session_here
def students(session: nox.Session) -> None:
    """What students run on macOS and Windows, too."""
    with tempfile.TemporaryDirectory() as folder:
        session.chdir(folder)
        grader = str(SCRIPTS / "grader")
        session.run(grader, "start", "course", external=True)
        session.chdir(Path(folder) / "course")
        for words in ("list", "hint set_row", "submit"):
            session.run(grader, *words.split(), external=True)
        # Nothing is written yet, and that is no success.
        session.run(grader, "check", "set_row", external=True, success_codes=[1])
        session.chdir(ROOT)
    run(session, "pytest", "-q", *STUDENTS)


@nox.session(python="3.11")
def oldest(session: nox.Session) -> None:
    """The oldest JAX and the oldest Python that `pyproject.toml` allows."""
    if is_late(session):
        leave_out(session, "the oldest JAX on the oldest Python")
        return
    own_jax(session, "jax==0.10.*", "jaxlib==0.10.*")
    judging = ("tests/engine/judge/test_judge.py", "tests/engine/suite/test_program.py")
    run(session, "pytest", "-q", "-n", 2, "-m", "", *judging)
    # `.ci/run` has no time for all of every day's tests twice.
    run(session, "pytest", "-q", "-n", 2, *(["tests/engine/race/test_races.py"] if STARTED else []))
    names = exercises() if WHOLE else sample(exercises(), place() + 1, PARTS)
    run(session, "grader", "verify", "--again", "--skip-wrong", *names)


@nox.session(python=newest())
def releases(session: nox.Session) -> None:
    """The newest releases of JAX and NumPy, also those before a release. It may fail, and is read.

    `-- NAME ...`: these exercises only. Prints which ones judge otherwise than they were proved to.
    """
    own_jax(session)
    session.install("--pre", "--upgrade", "jax", "jaxlib", "numpy")
    session.run("python", "-c", "import jax, numpy; print(jax.__version__, numpy.__version__)")
    words = ("grader", "verify", "--again", "--skip-wrong", *session.posargs)
    said = session.run(*words, silent=True, success_codes=[0, 1]) or ""
    print(said)
    changed = dict.fromkeys(re.findall(r"(?m)^\S+?(\d\d_\w+)/(?:test_)?(\w+)\.py", said))
    if changed:
        names = " ".join(f"{topic}/{stem}" for topic, stem in changed)
        session.error(f"{len(changed)} exercises changed their minds: {names}")


@nox.session(python="3.11")
def platforms(session: nox.Session) -> None:
    """Learning platforms that share no code with us, in an environment that isn't ours."""
    if not WHOLE and not any(path.startswith("tests/serve/lti/") for path in selection().slow):
        session.log("nothing of LTI changed")
        return
    session.install("lti-consumer-xblock==11.4.4", "cryptography", "lti1p3platform==0.1.8")
    session.install("pylti1p3next==2.0.2")
    foreign = shutil.which("python", path=session.bin)
    settings = {"GRADER_FOREIGN_PYTHON": str(foreign), "GRADER_SKIPS": "none"}
    session.chdir(ROOT)
    program = str(SCRIPTS / "pytest")
    session.run(program, "-q", "-m", "slow", PLATFORMS, env=settings, external=True)


def own_jax(session: nox.Session, *versions: str) -> None:
    session.chdir(ROOT)
    session.install("-e", ".[dev,ecosystem]", *versions)
    session.run("python", "-c", "import jax, sys; print('jax', jax.__version__, sys.version)")
