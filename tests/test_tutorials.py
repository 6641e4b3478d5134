"""The page "From your tutorial to today's JAX" is true of the installed JAX and of the course."""

from __future__ import annotations

import pkgutil
import re
import warnings
from importlib.metadata import metadata
from pathlib import Path

import jax
import jax.numpy as jnp
import pytest
from jax.errors import ConcretizationTypeError, KeyReuseError, TracerBoolConversionError

from grader.course import find
from grader.feedback.lessons import REMOVED

ROOT = Path(__file__).resolve().parents[1]
COURSE = find(ROOT)
PAGE = (ROOT / "docs/your-tutorial.md").read_text("utf-8")
ERRORS, RUNS, LOOKS = "What raises an error", "What still runs", "What looks different"
TUTORIALS = (
    "An overview, in Italian",
    "Tensors and derivatives, in Russian",
    "XOR, in English",
    "NumPy and JAX, in Portuguese",
    "From arrays to pmap, in English",
)

# What a row teaches, and what the solution or the stub of each exercise beside it has to hold.
PRACTISED = {
    "`device_put` and where": r"",
}
