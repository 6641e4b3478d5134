"""The process that reads submissions for another one: see `apart`."""

from grader.intake import (
    apart,
    reader,  # noqa: F401  (what it will need, before it says that it is ready)
)

if __name__ == "__main__":
    apart.serve()
