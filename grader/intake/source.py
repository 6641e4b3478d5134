"""The text of a Python file: decoded, searched for definitions, made safe to print.

    bytes --decode--> text --names--> Names; --written--> what broken text was to define
                           --without_comments--> the text to judge, the same for equal programs

Nothing is executed. `names` reads the compiler's symbol table, not a syntax tree: the table also
has what is defined under `if` and `try`, and hostile text costs far less memory.
"""

import _symtable  # type: ignore[import-not-found]  # typeshed leaves it out
import codecs
import io
import re
import tokenize
import warnings
from dataclasses import dataclass

from grader.records.errors import SubmissionError
from grader.records.student_code import HEAD

MAX_BYTES = 256 * 1024
"""The largest Python file. For hostile text the compiler needs up to 700 times its size."""
MAX_COMMENTED, MAX_COMMENTED_LINE = 64 * 1024, 500
"""The longest text and the longest line, in characters, that are searched for comments."""

# The encodings that editors write. Python has other codecs, and some of them unpack or compute.
_ENCODINGS = re.compile(
    r"utf-8(-sig)?|ascii|iso8859-\d+|cp\d+|mac-\w+|koi8-\w|gbk|gb2312|gb18030|big5|euc_\w+|shift_jis"
)

_DEFINITION = re.compile(r"^(?:(?:async[ \t]+)?def|class)[ \t]+(\w+)", re.MULTILINE)
# Space in Python's grammar. `str.strip` removes more characters, which are errors in code.
_SPACE = " \t\f\n"
_JOINED_COMMENT = re.compile(r"\\\n[ \t\f]*#")
# Only newer Pythons have these tokens.
_FORMAT_STARTS = {getattr(tokenize, f"{kind}STRING_START", None) for kind in "FT"}
_FORMAT_ENDS = {getattr(tokenize, f"{kind}STRING_END", None) for kind in "FT"}


class UnreadableError(SubmissionError):
    """Why a file can't be read. The text continues a sentence that starts with the file's path."""


@dataclass(frozen=True)
class Names:
    """What the top level of a module defines and imports; `error`: why it isn't Python."""

    own: frozenset[str] = frozenset()
    imported: frozenset[str] = frozenset()
    error: str | None = None


def decode(data: bytes) -> str:
    r"""The text in its declared encoding, with `\n` between lines. Raises `UnreadableError`."""
    if len(data) > MAX_BYTES:
        raise too_large(MAX_BYTES)
    if not data.strip():
        raise UnreadableError("is an empty file. Save your work, and submit it again")
    if b"\0" in data:
        raise UnreadableError("is not Python: it contains NUL bytes. Save it as plain UTF-8 text")
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        if not _ENCODINGS.fullmatch(codecs.lookup(encoding).name):
            raise UnreadableError(
                f"declares the unsupported encoding `{printable(encoding)}`. Save it in UTF-8"
            )
        return unix_lines(data.decode(encoding))
    except UnicodeDecodeError as error:
        why = f"byte {error.start + 1} is not text in its encoding"
    except SyntaxError:
        declares = re.search(rb"coding[:=]", b"".join(data.splitlines()[:2]))
        why = "the encoding that it declares is unknown or wrong"
        if not declares:
            why = "it is not UTF-8 text, and declares no other encoding"
    raise UnreadableError(f"is not Python: {why}. Save it as plain UTF-8 text")


def names(text: str) -> Names:
    """What `text` defines if it runs: functions, classes, variables and imports."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # `symtable.Symbol` says the same in a time that grows with the square of the text. With
            # a file's name, an error would open that file, if the current folder has one.
            symbols = _symtable.symtable(text, "", "exec").symbols
    except SyntaxError as error:
        return Names(error=f"line {error.lineno}: {printable(error.msg, 120)}")
    except (ValueError, RecursionError, MemoryError, OverflowError):
        return Names(error="it is nested too deeply or contains characters that Python refuses")
    own = frozenset(name for name, flags in symbols.items() if flags & _symtable.DEF_LOCAL)
    imported = frozenset(name for name, flags in symbols.items() if flags & _symtable.DEF_IMPORT)
    return Names(own, imported - own)


def written(text: str) -> frozenset[str]:
    """What text that isn't Python was to define. A line of a docstring may look alike."""
    return frozenset(_DEFINITION.findall(text))


def bare(text: str) -> str:
    """`text` without comments and empty lines: equal for two texts of the same program."""
    return "\n".join(line for line in without_comments(text).split("\n") if line.strip())


def without_comments(text: str) -> str:
    """`text` without comments and without space at its end; all else keeps its line and column.

    Python compiles both to the same program. The heads of a notebook's cells stay. If a `#` may not
    start a comment, the text is left as it is.
    """
    end, lines, depth = text.rstrip(_SPACE), text.split("\n"), 0
    # After a backslash, the next line belongs to this one, even if it is only a comment.
    if end.endswith("\\") or _JOINED_COMMENT.search(text):
        return text
    if "#" not in text:
        return end + "\n"
    # On hostile text the tokenizer's time grows with the square of a line's length.
    if len(text) > MAX_COMMENTED or max(map(len, lines)) > MAX_COMMENTED_LINE:
        return text
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            depth += (token.type in _FORMAT_STARTS) - (token.type in _FORMAT_ENDS)
            if token.type == tokenize.ERRORTOKEN:
                return text
            if token.type == tokenize.COMMENT and not HEAD.fullmatch(token.line.rstrip("\n")):
                row, column = token.start
                line = lines[row - 1]
                # In a formatted string, `{x = }` prints its own source text, comments included.
                if depth or line[column:] != token.string:
                    return text
                lines[row - 1] = line[:column].rstrip(_SPACE)
    # A lone surrogate is no text for newer tokenizers.
    except (SyntaxError, UnicodeError, tokenize.TokenError, RecursionError, MemoryError):
        return text
    return "\n".join(lines).rstrip(_SPACE) + "\n"


def printable(text: str, limit: int | None = None) -> str:
    """`text` without control, bidi and backquote characters; of a long text, only the end."""
    safe = "".join(
        c if c.isprintable() and c not in "\\`" else f"\\u{ord(c):04x}" for c in text[-4096:]
    )
    return safe if limit is None or len(safe) <= limit else "..." + safe[3 - limit :]


def unix_lines(text: str) -> str:
    r"""`text` with `\n` between lines, as Python itself reads it."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def too_large(limit: int) -> UnreadableError:
    """The refusal of a file that holds more than `limit` bytes."""
    size = f"{limit >> 20} MiB" if limit >> 20 else f"{limit >> 10} KiB"
    return UnreadableError(
        f"is larger than {size}, the largest size that is read. Remove what isn't code"
    )
