"""SHA-256 of data, of files and of code. No other module hashes.

of(part, ...)          texts, bytes and plain data, each after its length
of_files(paths)        their names and contents
of_code(module, ...)   all modules of the grader that these import
plain(data)            the bytes alone, for a digest that other programs compute, too
"""

import hashlib
import json
import re
from collections.abc import Iterable
from functools import cache
from itertools import accumulate
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]
_IMPORT = re.compile(r"^ *(?:from ([\w.]+) )?import (\([^)]*\)|[^(\n#]+)", re.MULTILINE)
# A name, but not the one that `as` gives it.
_NAME = re.compile(r"(?<!\bas )\b(?!as\b)[\w.]+")


def plain(data: bytes | str) -> bytes:
    """SHA-256 as it is; a text counts as UTF-8."""
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).digest()


def of(*parts: object) -> str:
    """One digest of several parts. What is neither text nor bytes counts as JSON."""
    digest = hashlib.sha256()
    for part in parts:
        text = part if isinstance(part, str | bytes) else json.dumps(part, sort_keys=True)
        data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()


def of_files(paths: Iterable[Path]) -> str:
    """Of those that are there, in the order of their paths."""
    there = (path for path in sorted(paths) if path.exists())
    return of(*(part for path in there for part in (path.name, path.read_bytes())))


def of_code(*modules: str) -> str:
    """Of the code that runs when these modules of the grader are imported."""
    return of_files(code(_PACKAGE, *modules))


@cache
def code(package: Path, *modules: str) -> frozenset[Path]:
    """These modules, and every one that they import, also indirectly or in a function.

    The package's own `__init__.py` decides nothing: it holds the map, the version and the library's
    names.
    """
    paths: dict[str, Path] = {}
    for path in package.rglob("*.py"):
        name = ".".join(path.relative_to(package.parent).with_suffix("").parts)
        paths[name.removesuffix(".__init__")] = path
    known = {package.name}
    new = set(modules)
    while new:
        known |= new
        new = {
            name for module in new for name in imported(paths[module].read_text(encoding="utf-8"))
        } & set(paths) - known
    return frozenset(paths[name] for name in known - {package.name})


def imported(text: str) -> set[str]:
    """The names that a module imports, and the names of their packages.

    Every line that begins as an import counts, also one in a text: a name too many does no harm,
    and to parse all modules takes a fifth of a second.
    """
    names: set[str] = set()
    for package, named in _IMPORT.findall(text):
        start = f"{package}." if package else ""
        names |= {start + name for name in _NAME.findall(named)}
    return {each for name in names for each in accumulate(name.split("."), "{}.{}".format)}
