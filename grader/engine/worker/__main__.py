"""Starts a zygote. File descriptor 0 is its control socket.

In the sandbox, the folder that holds the package can't be listed: it may be the course with its
solutions. The import system needs the list, so `grader` is loaded by its path.
"""

import importlib.util
import sys
from pathlib import Path

if "grader" not in sys.modules:
    _package = Path(__file__).resolve().parents[2]
    _spec = importlib.util.spec_from_file_location(
        "grader", _package / "__init__.py", submodule_search_locations=[str(_package)]
    )
    assert _spec is not None and _spec.loader is not None
    sys.modules["grader"] = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(sys.modules["grader"])

from grader.engine.worker import zygote

zygote.main()
