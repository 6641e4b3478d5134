"""The shared state of a process. If a student's file changes it, the next one may run differently.

The settings of JAX, those of the process, and the names in modules that all files use.
"""

import builtins
import math
import os
import sys
import threading
from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True)
class Surroundings:
    """The state that all files of a process share, at one moment."""

    settings: dict[str, Any]
    process: tuple[object, ...]
    modules: dict[str, dict[str, Any]]

    @classmethod
    def now(cls, jax: Any) -> Self:
        process = (list(sys.path), os.getcwd(), dict(os.environ), threading.active_count())
        shared = [jax, jax.numpy, jax.lax, jax.nn, jax.random, jax.tree_util, builtins, math]
        modules = {m.__name__: dict(vars(m)) for m in (*shared, sys.modules["numpy"])}
        return cls(dict(jax.config.values), process, modules)

    def differs(self, jax: Any) -> bool:
        """Whether anything was changed. New names in a module don't count: JAX loads some late."""
        now = self.now(jax)
        return (self.settings, self.process) != (now.settings, now.process) or any(
            now.modules[module].get(name, self) is not value
            for module, names in self.modules.items()
            for name, value in names.items()
        )
