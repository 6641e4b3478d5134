"""On the path of a judge: it believes that the kernel has Landlock `GRADER_TESTS_LANDLOCK`."""

import os

from grader.engine.sandbox import landlock

_newest = landlock.version
landlock.version = lambda: min(_newest(), int(os.environ["GRADER_TESTS_LANDLOCK"]))
