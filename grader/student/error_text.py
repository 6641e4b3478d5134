"""The words of an exception, as an example of a docstring has them."""

import contextlib
import difflib

# Not the exercise's own name: JAX may need a module of the same name.
MODULE = "submission"


def full_name(error: BaseException) -> str:
    """The name as Python prints it: builtin classes without their module."""
    module, name = type(error).__module__, type(error).__qualname__
    return name if module in ("builtins", MODULE) else f"{module}.{name}"


def class_of(message: str) -> str:
    return message.partition(":")[0].strip().rpartition(".")[2]


def text_of(error: BaseException) -> str:
    with contextlib.suppress(BaseException):  # a student's own class may fail here
        return str(error)
    return ""


def meant(error: BaseException) -> str:
    """The attribute that is most like one that isn't there, as Python's own traceback has it."""
    if not isinstance(error, AttributeError) or not isinstance(error.name, str):
        return ""
    with contextlib.suppress(Exception):  # a student's own class may fail here
        close = difflib.get_close_matches(error.name, dir(error.obj), n=1)
        return f". Did you mean `{close[0]}`?" if close else ""
    return ""
