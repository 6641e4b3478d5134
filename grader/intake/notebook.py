"""A Jupyter notebook -> the Python text of its code cells.

    bytes --json--> cells --without magics--> "# cell 1", its text, "# cell 2", its text ...

Outputs and other kinds of cells are ignored. A cell is changed only if it isn't valid Python: then
the lines that only IPython understands become comments, so that all other lines keep their numbers.
A cell that still isn't valid is left out, with a note: in Jupyter, too, the later cells would run.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from grader.intake import source
from grader.intake.source import UnreadableError
from grader.records.student_code import head

MAX_BYTES = 32 * 1024 * 1024
MAX_CELLS = 2_000
MAX_MARK = 200

# After these magics the cell is Python; after others, such as `%%bash`, it isn't. The last is ours.
_TRANSPARENT = {"time", "timeit", "capture", "prun", "check", "submit"}
_MAGIC = re.compile(r"[%!?]|(pip|conda)\s+install\b|[\w., ]+=\s*[%!]\s*\w|[\w.]+\?{1,2}\s*$")
_TOKEN = re.compile(r"""\\.|'{3}|"{3}|['"#()\[\]{}]""")
_FUTURE = re.compile(r"^from __future__ import [\w, ]+$", re.MULTILINE)


@dataclass(frozen=True)
class Notebook:
    """The code of a notebook: as a whole, and by exercise if the course has marked the cells."""

    text: str  # without the cells that aren't valid Python
    complete: str  # with them, as they are
    left_out: tuple[str, ...]
    broken: str = ""  # the cells that were to be Python and aren't
    cells: tuple[tuple[str | None, str], ...] = ()  # those of `text`, each after its exercise
    # Exercises with a name that a later one redefines: in one module, only the later one stays.
    overridden: frozenset[str] = frozenset()

    def section(self, exercise: str) -> str:
        """The cells that are marked for one exercise."""
        return "".join(f"{text}\n" for mark, text in self.cells if mark == exercise)

    def others(self, exercise: str) -> str:
        """All other cells, each below its head."""
        cells = ((n, t) for n, (mark, t) in enumerate(self.cells, 1) if mark != exercise)
        return "".join(f"{head(number)}\n{text}\n" for number, text in cells)


def read(data: bytes) -> Notebook:
    """The code of a notebook. Raises `UnreadableError` if it isn't one, or holds no code."""
    found = list(islice(_code_cells(_document(data)), MAX_CELLS + 1))
    cells = [cell for cell, _ in found]
    if not cells:
        raise UnreadableError("is a notebook without code. Submit the notebook that you worked in")
    if len(cells) > MAX_CELLS:
        raise UnreadableError(f"contains more than {MAX_CELLS:,} code cells. Remove some of them")
    if sum(map(len, cells)) > source.MAX_BYTES:
        raise source.too_large(source.MAX_BYTES)
    text, complete, broken, left_out = "", "", "", []
    kept: list[tuple[str | None, str]] = []
    for number, (cell, mark) in enumerate(found, 1):
        python, foreign = as_python(cell)
        trouble = foreign or source.names(python).error
        if trouble:
            left_out.append(f"is graded without its code cell {number}: {trouble}")
        kept.append((mark, _commented(python) if trouble else python))
        text += f"{head(number)}\n{kept[-1][1]}\n"
        complete += f"{head(number)}\n{_commented(python) if foreign else python}\n"
        broken += f"{python}\n" if trouble and not foreign else ""
    return Notebook(
        _futures_first(text), complete, tuple(left_out), broken, tuple(kept), _overridden(kept)
    )


def _overridden(cells: Sequence[tuple[str | None, str]]) -> frozenset[str]:
    marked_cells: dict[str, list[str]] = {}
    for mark, cell in cells:
        if mark is not None:
            marked_cells.setdefault(mark, []).append(cell)
    found: set[str] = set()
    later: set[str] = set()
    for mark, own in reversed(marked_cells.items()):
        defined = source.names("\n".join(own)).own
        if not later.isdisjoint(defined):
            found.add(mark)
        later |= defined
    return frozenset(found)


def _document(data: bytes) -> object:
    if not data.strip():
        raise UnreadableError("is an empty file. Save your notebook and submit it again")
    try:
        return json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}: {error.msg}"
    except UnicodeDecodeError as error:
        where = f"byte {error.start + 1} is not UTF-8"
    except (ValueError, RecursionError):
        where = "it is nested too deeply, or contains a number with too many digits"
    raise UnreadableError(f"is not a notebook: it isn't JSON ({where}). Save it again in Jupyter")


def _code_cells(document: object) -> Iterator[tuple[str, str | None]]:
    """The text of each code cell that isn't empty, in format 4, or in format 3 with worksheets.

    Each comes with its exercise: that of its own mark, or of the last mark before it.
    """
    top = document if isinstance(document, dict) else {}
    sheets = [top] if isinstance(top.get("cells"), list) else top.get("worksheets")
    if not isinstance(sheets, list):
        raise UnreadableError(
            "is JSON, but not a notebook: it has no cells. Save it again in Jupyter"
        )
    for sheet in sheets:
        cells = sheet.get("cells") if isinstance(sheet, dict) else None
        mark = None
        for cell in cells if isinstance(cells, list) else ():
            if not isinstance(cell, dict):
                continue
            mark = _mark(cell) or mark
            if cell.get("cell_type") == "code":
                lines = cell.get("source", cell.get("input"))
                if isinstance(lines, list):
                    lines = "".join(line for line in lines if isinstance(line, str))
                if isinstance(lines, str) and lines.strip():
                    yield _clean(lines), mark


def marked(exercise: str) -> dict[str, object]:
    """The metadata that marks the first cell of an exercise. Jupyter keeps it."""
    return {"grader": {"exercise": exercise}}


def _mark(cell: dict[str, object]) -> str | None:
    metadata = cell.get("metadata")
    ours = metadata.get("grader") if isinstance(metadata, dict) else None
    mark = ours.get("exercise") if isinstance(ours, dict) else None
    return mark if isinstance(mark, str) and len(mark) <= MAX_MARK else None


def _clean(text: str) -> str:
    """`text` with Unix line ends, and without a character that can't be encoded or compiled."""
    text = source.unix_lines(text).replace("\0", "\ufffd").rstrip("\n")
    return text.encode("utf-8", "replace").decode("utf-8")


def as_python(cell: str) -> tuple[str, str | None]:
    """The cell with its magics as comments, and why the whole cell isn't Python, if it isn't."""
    if magic := re.match(r"\s*%%(\w*)", cell):
        if magic[1] not in _TRANSPARENT:
            return cell, f"it begins with `%%{magic[1][:40]}`"
        start = cell.index("%%")
        cell = f"{cell[:start]}# {cell[start:]}"
    # A valid line can begin with `%`, too: the second line of a long expression.
    return (_without_magics(cell) if source.names(cell).error else cell), None


def _without_magics(cell: str) -> str:
    """The cell with every magic as a comment; only the start of a statement can be a magic."""
    lines: list[str] = []
    depth, quote, continued, magic = 0, "", False, False
    for line in cell.split("\n"):
        if not continued:
            magic = depth <= 0 and not quote and _MAGIC.match(line.lstrip()) is not None
        if not magic:
            depth, quote = _scan(line, depth, quote)
            lines.append(line)
        elif continued or line[:1] in "%!?":
            lines.append(f"# {line}")
        else:
            # Without `pass`, an indented block may be empty.
            indent = line[: len(line) - len(line.lstrip())]
            lines.append(f"{indent}pass  # {line.lstrip()}")
        continued = line.endswith("\\")
    return "\n".join(lines)


def _scan(line: str, depth: int, quote: str) -> tuple[int, str]:
    """How many brackets are open after the line, and which quotes, if any."""
    for token in _TOKEN.findall(line):
        if quote:
            quote = "" if token.startswith(quote) else quote
        elif token == "#":
            break
        elif token[0] in "'\"":
            quote = token
        else:
            depth += (token in "([{") - (token in ")]}")
    # Only a triple quote, or a backslash at the end, continues a string on the next line.
    return depth, quote if len(quote) == 3 or line.endswith("\\") else ""


def _commented(text: str) -> str:
    return "\n".join(f"# {line}" for line in text.split("\n"))


def _futures_first(text: str) -> str:
    """`text` with all imports from `__future__` in its first line: a module needs them there."""
    futures = "; ".join(_FUTURE.findall(text))
    return futures + "  " + _FUTURE.sub(r"# \g<0>", text) if futures else text
