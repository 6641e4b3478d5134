"""An autograder for Gradescope as a zip that needs nothing but a package registry.

    setup.sh            once for an image: Python, packages, a proof of every suite
    run_autograder      for each submission
    requirements.txt    every package that is needed, in the versions from here
    jax_grader-*.whl    this package
    course/             catalogue, stubs, solutions, hidden suites
    autograder.json     what is graded, and how
    no_mark.json        the results until there are others

The wheel is packed from the files of the package as it runs here, a checkout or an installation.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import stat
import sys
import zipfile
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from grader.autograder import COURSE, SETTINGS
from grader.course import Course, written
from grader.errors import UsageError
from grader.model import Exercise
from grader.reports import gradescope

DISTRIBUTION = "jax-grader"
NAME = "autograder.zip"
_PACKAGE = Path(__file__).parent
_TEMPLATES = _PACKAGE / "templates" / "autograder"
_EPOCH = (1980, 1, 1, 0, 0, 0)
# So long before Gradescope's own limit the run ends: one that it ends itself gets a 0.
_SPARE_SECONDS = 30


def build(
    course: Course, exercises: tuple[Exercise, ...], target: Path, *, minutes: int, isolation: str
) -> Path:
    """Writes the zip to `target`, a `.zip` or a folder for one; where it is."""
    course.require_suites(exercises)
    path = target if target.suffix == ".zip" else target / NAME
    settings = {"schema": 1, "exercises": [e.id for e in exercises], "isolation": isolation}
    values = {
        "@PYTHON@": f"python{sys.version_info[0]}.{sys.version_info[1]}",
        "@SECONDS@": str(60 * minutes - _SPARE_SECONDS),
    }
    files = {
        "setup.sh": _script("setup.sh", values),
        "run_autograder": _script("run_autograder", values),
        "requirements.txt": "".join(f"{pin}\n" for pin in requirements()).encode(),
        SETTINGS: json.dumps(settings, indent=1).encode(),
        "no_mark.json": gradescope.no_mark().encode(),
        wheel_name(): wheel(),
        **_course(course, exercises),
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.part")
        beside.write_bytes(_zip(files, executable={"setup.sh", "run_autograder"}))
        beside.replace(path)
    except OSError as error:
        raise UsageError(
            f"`{path}` can't be written: {error.strerror}. Name another folder, or a file `*.zip`."
        ) from error
    return path


def requirements() -> list[str]:
    """Every package that the grader needs on Linux, directly or not, with its version here."""
    pins: dict[str, str] = {}
    waiting = _needs(DISTRIBUTION)
    while waiting:
        needed = waiting.pop()
        name = canonicalize_name(needed.name)
        if name in pins:
            continue
        try:
            pins[name] = f"{name}=={Version(metadata.version(name)).public}"
            waiting += _needs(name)
        except metadata.PackageNotFoundError:
            # Not made for this machine, as a sandbox for Linux isn't for others.
            pins[name] = f"{name}{needed.specifier}"
    return sorted(pins.values())


def wheel_name() -> str:
    return f"{_stem()}-py3-none-any.whl"


def wheel() -> bytes:
    """This package as a wheel."""
    made = metadata.distribution(DISTRIBUTION)
    about = f"{_stem()}.dist-info"
    files = {
        f"{_PACKAGE.name}/{path.relative_to(_PACKAGE).as_posix()}": path.read_bytes()
        for path in written(_PACKAGE)
        # The course that an installation brings along: the zip holds the one that was named.
        if path.relative_to(_PACKAGE).parts[0] != "_course"
    }
    files[f"{about}/METADATA"] = (made.read_text("METADATA") or "").encode()
    files[f"{about}/entry_points.txt"] = (made.read_text("entry_points.txt") or "").encode()
    files[f"{about}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: jax-grader\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    record = "".join(f"{name},{_digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{about}/RECORD"] = f"{record}{about}/RECORD,,\n".encode()
    return _zip(files)


def _needs(distribution: str) -> list[Requirement]:
    """What a package asks for on Linux, without extras."""
    asked = map(Requirement, metadata.requires(distribution) or ())
    where = {"extra": "", "sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"}
    return [needed for needed in asked if not needed.marker or needed.marker.evaluate(where)]


def _course(course: Course, exercises: tuple[Exercise, ...]) -> dict[str, bytes]:
    assert course.root is not None
    return {
        f"{COURSE}/{path.relative_to(course.root).as_posix()}": path.read_bytes()
        for path in course.needed_to_judge(exercises)
    }


def _script(name: str, values: dict[str, str]) -> bytes:
    text = (_TEMPLATES / name).read_text(encoding="utf-8")
    for placeholder, value in values.items():
        text = text.replace(placeholder, value)
    # Linux takes a script with CR for one that names another shell.
    return text.replace("\r\n", "\n").encode()


def _zip(files: dict[str, bytes], executable: Iterable[str] = ()) -> bytes:
    """The same bytes for the same files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            member = zipfile.ZipInfo(name, _EPOCH)
            member.create_system = 3
            member.compress_type = zipfile.ZIP_DEFLATED
            mode = 0o755 if name in executable else 0o644
            member.external_attr = (stat.S_IFREG | mode) << 16
            archive.writestr(member, data)
    return packed.getvalue()


def _digest(data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
    return f"sha256={digest.decode().rstrip('=')}"


def _stem() -> str:
    return f"{DISTRIBUTION.replace('-', '_')}-{metadata.version(DISTRIBUTION)}"
