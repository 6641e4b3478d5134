"""What can be said of one cause, before it is told to anybody."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Lesson:
    """`says` names the cause, `means` what JAX means by it; `page` is below JAX's docs."""

    says: str
    means: str
    todo: str
    page: str
