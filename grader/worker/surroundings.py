"""What one file finds in its process, and could leave otherwise for the next one.

Settings of JAX, the process's own, and the names of modules that everybody uses. Whoever changed
one of these gets a process of its own: the next file gets another.
"""

from __future__ import annotations

import builtins
import math
import os
import sys
import threading
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Surroundings:
    """What one file finds, and could leave otherwise for the next one."""

    settings: dict[str, Any]
    process: tuple[object, ...]
    modules: dict[str, dict[str, Any]]

    @classmethod
    def now(cls, jax: Any) -> Surroundings:
        process = (list(sys.path), os.getcwd(), dict(os.environ), threading.active_count())
        shared = [jax, jax.numpy, jax.lax, jax.nn, jax.random, jax.tree_util, builtins, math]
        modules = {
            module.__name__: dict(vars(module)) for module in (*shared, sys.modules["numpy"])
        }
        return cls(dict(jax.config.values), process, modules)

    def differs(self, jax: Any) -> bool:
        """Whether anything was changed; a name that a module has gained is lazily loaded."""
        now = self.now(jax)
        return (self.settings, self.process) != (now.settings, now.process) or any(
            now.modules[module].get(name, self) is not value
            for module, names in self.modules.items()
            for name, value in names.items()
        )
