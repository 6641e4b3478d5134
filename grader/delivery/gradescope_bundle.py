"""An autograder for Gradescope as a zip that needs nothing but a package registry.

    setup.sh            runs once for an image: Python, packages, a proof of every suite
    run_autograder      runs for each submission
    requirements.txt    every package that is needed, in the version installed here
    jax_grader-*.whl    this package
    course/             catalogue, stubs, solutions, hidden suites
    autograder.json     what is graded, and how
    no_mark.json        the results until a submission is graded

The wheel is packed from the files that run here, whether they are a checkout or an installation.
"""

import base64
import sys
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from grader.course.course import Course, written
from grader.delivery.autograder import COURSE, SETTINGS, Settings
from grader.output.reports import gradescope
from grader.records import digests
from grader.records.errors import UsageError
from grader.records.files import write, zipped
from grader.records.model import Assignment, Exercise, pack

DISTRIBUTION = "jax-grader"
NAME = "autograder.zip"
_PACKAGE = Path(__file__).parents[1]
_TEMPLATES = Path(__file__).parent / "templates"
# The run ends this long before Gradescope's limit: a run that Gradescope ends gets a 0.
_SPARE_SECONDS = 30


def build(
    course: Course,
    exercises: tuple[Exercise, ...],
    target: Path,
    *,
    minutes: int,
    isolation: str,
    rule: Assignment | None = None,
) -> Path:
    """Writes the zip to `target`, a `.zip` or a folder; returns its path."""
    course.require_suites(exercises)
    if not any(exercise.counts for exercise in exercises):
        raise UsageError(
            "all these exercises are for practice (`counts = false`), so no mark can be made of "
            "them. Name one that counts"
        )
    path = target if target.suffix == ".zip" else target / NAME
    settings = Settings(1, tuple(e.id for e in exercises), isolation, rule)
    values = {
        "@PYTHON@": f"python{sys.version_info[0]}.{sys.version_info[1]}",
        "@SECONDS@": str(60 * minutes - _SPARE_SECONDS),
    }
    files = {
        "setup.sh": _script("setup.sh", values),
        "run_autograder": _script("run_autograder", values),
        "requirements.txt": "".join(f"{pin}\n" for pin in requirements(exercises)).encode(),
        SETTINGS: pack(settings),
        "no_mark.json": gradescope.no_mark().encode(),
        f"{_stem()}-py3-none-any.whl": wheel(),
        **{f"{COURSE}/{name}": data for name, data in course.bundle(exercises).items()},
    }
    try:
        packed = zipped(files, executable={"setup.sh", "run_autograder"})
        return write(path, packed, secret=True)
    except OSError as error:
        raise UsageError(
            f"`{path}` can't be written: {error.strerror}. Name another folder, or a file `*.zip`."
        ) from error


def requirements(exercises: tuple[Exercise, ...] = ()) -> list[str]:
    """Every package that is needed on Linux, also indirectly, in the version used here."""
    pins: dict[str, str] = {}
    own = [Requirement(package) for exercise in exercises for package in exercise.packages]
    waiting = [*_needs(DISTRIBUTION), *own]
    while waiting:
        needed = waiting.pop()
        name = canonicalize_name(needed.name)
        if name in pins:
            continue
        try:
            pins[name] = f"{name}=={Version(metadata.version(name)).public}"
            waiting += _needs(name)
        except metadata.PackageNotFoundError:
            # It isn't installed here: something that only Linux needs.
            pins[name] = f"{name}{needed.specifier}"
    return sorted(pins.values())


def wheel() -> bytes:
    made = metadata.distribution(DISTRIBUTION)
    about = f"{_stem()}.dist-info"
    files = {
        f"{_PACKAGE.name}/{path.relative_to(_PACKAGE).as_posix()}": path.read_bytes()
        for path in written(_PACKAGE)
        # An installation includes a course; the zip holds the one that was named.
        if path.relative_to(_PACKAGE).parts[0] != "_course"
    }
    files[f"{about}/METADATA"] = (made.read_text("METADATA") or "").encode()
    files[f"{about}/entry_points.txt"] = (made.read_text("entry_points.txt") or "").encode()
    files[f"{about}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: jax-grader\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    record = "".join(f"{name},{_digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{about}/RECORD"] = f"{record}{about}/RECORD,,\n".encode()
    return zipped(files)


def _needs(distribution: str) -> list[Requirement]:
    """What a package needs on Linux, without extras."""
    asked = map(Requirement, metadata.requires(distribution) or ())
    where = {"extra": "", "sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"}
    return [needed for needed in asked if not needed.marker or needed.marker.evaluate(where)]


def _script(name: str, values: dict[str, str]) -> bytes:
    text = (_TEMPLATES / name).read_text(encoding="utf-8")
    for placeholder, value in values.items():
        text = text.replace(placeholder, value)
    # On Linux a CR at the end of the first line would be a part of the shell's name.
    return text.replace("\r\n", "\n").encode()


def _digest(data: bytes) -> str:
    digest = base64.urlsafe_b64encode(digests.plain(data))
    return f"sha256={digest.decode().rstrip('=')}"


def _stem() -> str:
    return f"{DISTRIBUTION.replace('-', '_')}-{metadata.version(DISTRIBUTION)}"
