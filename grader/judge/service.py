"""The questions that an executor asks a judge, as methods. Records come and go in packed form.

start   course, exercises, terms, submissions  -> the environment, or an error with its exit code
prove   exercises                              -> nothing, or an error if a suite can't judge
grade   a job                                  -> its results
race    a job with one exercise                -> its tests with races; each pair is an event
doctor  course                                 -> for each layer, the ways around it that worked
"""

import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax

from grader import course as courses
from grader import files
from grader.errors import HostError
from grader.judge import isolation
from grader.judge.host import Host, programs_folder
from grader.judge.judge import Judge
from grader.model import Environment, Job, Terms, pack, unpack
from grader.sandbox.locked import Locked


class Service:
    """A judge, once `start` has been called."""

    def __init__(self, host: Host | HostError | None) -> None:
        """With the host for submissions, or why there is none."""
        self._host = host
        self._judge: Judge | None = None
        self.tell: Callable[[Any], None] = lambda _: None
        """Sends an event before the answer."""
        self.warn: Callable[[str], None] = lambda _: None
        """Sends a warning before the answer."""
        self.waits: Callable[[bool], None] = lambda _: None
        """Sends whether the judge waits."""

    def start(
        self, course: str, exercises: list[str], terms: bytes, submissions: int
    ) -> dict[str, Any]:
        if isinstance(self._host, HostError):
            raise self._host
        assert self._host is not None, "the judge was started without a mode of isolation"
        asked, cache = unpack(terms, Terms), files.cache_folder()
        loaded = courses.find(Path(course))
        chosen = loaded.select(exercises)
        jax.config.update("jax_compilation_cache_dir", str(programs_folder(cache)))
        _keep_programs(False)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
        jax.config.update("jax_persistent_cache_enable_xla_caches", "none")
        files.make_private_folder(cache / "verdicts")
        # It imports the suites that are new, while the zygote still starts.
        self._judge = Judge(loaded, chosen, self._host, cache, asked, submissions)
        layers = isolation.holding(self._host, asked.isolation, loaded.secrets())
        self._judge.warn = lambda text: self.warn(text)
        self._judge.waits = lambda waiting: self.waits(waiting)
        environment = Environment(
            jax=jax.__version__,
            python=platform.python_version(),
            platform=f"{platform.system()} {platform.machine()}",
            isolation=tuple(layers),
            seed=asked.seed,
        )
        return {"environment": pack(environment), "points": self._judge.points()}

    def prove(self, exercises: list[str]) -> None:
        """Proves the suites and fills the compile cache, which later runs use, too."""
        judge = self._started()
        _keep_programs(True)
        try:
            judge.prove(exercises)
        finally:
            _keep_programs(False)

    def grade(self, job: bytes) -> bytes:
        return pack(self._started().grade(unpack(job, Job)))

    def race(self, job: bytes) -> bytes:
        """Runs only the tests with races, and sends an event for each pair."""
        judge = self._started()
        judge.on_pair = lambda race: self.tell(pack(race))
        return pack(judge.race(unpack(job, Job)))

    def doctor(self, course: str) -> dict[str, Any]:
        programs = programs_folder(files.cache_folder())
        host = Host(Locked(programs), programs)
        try:
            found = courses.find(Path(course))
            # A handout has no secrets to protect, but the other layers can be examined.
            return isolation.probed(host, () if found.root is None else found.secrets())
        finally:
            host.close()

    def close(self) -> None:
        if self._judge is not None:
            self._judge.close()
        elif isinstance(self._host, Host):
            self._host.close()

    def _started(self) -> Judge:
        assert self._judge is not None, "asked before `start`"
        return self._judge


def _keep_programs(kept: bool) -> None:
    """Turns the compile cache on or off: it is off while programs come from a student."""
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0 if kept else 1e9)
