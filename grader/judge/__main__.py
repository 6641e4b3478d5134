"""Serves one pipeline over standard input and output, in frames of `grader.wire`.

start   course, exercises, terms            -> the environment, or an error with its exit code
prove   exercises, submissions              -> nothing, or the error that one can't judge
grade   a submission, exercises, races      -> their results
race    a submission, one exercise          -> its tests that race; each pair is an event
doctor  course                              -> for each layer, the ways that were open
"""

from __future__ import annotations

import functools
import os
import platform
import sys
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader import course as courses
from grader import wire
from grader.errors import BrokenSuiteError, GraderError, HostError
from grader.model import Environment, Terms
from grader.records import submission_from_json, to_json

_MAX_BYTES = 1 << 30


def main() -> None:
    """Answers frames until the pipeline hangs up."""
    # What a suite or a library prints must not end up among the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def send(seq: int, kind: str, value: Any) -> None:
        answers.write(wire.encode(seq, kind, value))
        answers.flush()

    service = Service()
    verbs: dict[str, Callable[..., Any]] = {
        "start": service.start,
        "prove": service.prove,
        "grade": service.grade,
        "race": service.race,
        "doctor": service.doctor,
    }
    decoder = wire.Decoder(_MAX_BYTES)
    try:
        while data := os.read(0, 1 << 16):
            for frame in decoder.feed(data):
                service.tell = functools.partial(send, frame.seq, "event")
                send(frame.seq, *_answer(verbs[frame.kind], frame.value))
    finally:
        service.close()


def _answer(verb: Callable[..., Any], value: dict[str, Any]) -> tuple[str, Any]:
    try:
        return "ok", verb(**value)
    except GraderError as error:
        broken = isinstance(error, BrokenSuiteError)
        return "error", {"text": str(error), "exit_code": error.exit_code, "broken": broken}
    except Exception:
        text = f"the judge failed; this is a fault of the grader:\n{traceback.format_exc()}"
        return "error", {"text": text, "exit_code": HostError.exit_code}


class Service:
    """A judge, once `start` has been called."""

    def __init__(self) -> None:
        self._judge: Any = None
        self.tell: Callable[[Any], None] = lambda _: None
        """Sends something ahead of the answer."""

    def start(self, course: str, exercises: list[str], terms: dict[str, Any]) -> dict[str, Any]:
        import jax

        from grader.judge.isolation import open_host
        from grader.judge.service import Judge

        asked = Terms(**terms)
        loaded = courses.find(Path(course))
        chosen = tuple(
            replace(e, limits=e.limits.scaled(asked.scale)) for e in loaded.select(exercises)
        )
        cache = cache_folder()
        jax.config.update("jax_compilation_cache_dir", str(cache / "xla"))
        _keep_programs(False)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
        jax.config.update("jax_persistent_cache_enable_xla_caches", "none")
        # Workers read an entry whose name they can compute, since they have its program; they
        # can't list the others, which are compiled solutions.
        (cache / "xla").mkdir(parents=True, exist_ok=True)
        (cache / "xla").chmod(0o300)
        host, layers = open_host(asked.isolation, cache / "xla", loaded.secrets())
        try:
            self._judge = Judge(loaded, chosen, host, cache, asked)
        except BaseException:
            host.close()
            raise
        environment: dict[str, Any] = to_json(
            Environment(
                jax=jax.__version__,
                python=platform.python_version(),
                platform=f"{platform.system()} {platform.machine()}",
                isolation=tuple(layers),
                seed=asked.seed,
            )
        )
        return {"environment": environment, "points": self._judge.points()}

    def prove(self, exercises: list[str], submissions: int) -> None:
        """Compiles what the references need, and keeps it for every run to come.

        The more submissions there will be, the more is compiled beforehand.
        """
        _keep_programs(True)
        try:
            self._judge.prove(exercises)
            self._judge.warm_up(exercises, submissions)
        finally:
            _keep_programs(False)

    def grade(
        self, submission: dict[str, Any], exercises: list[str], races: dict[str, list[str]]
    ) -> list[Any]:
        results = self._judge.grade(submission_from_json(submission), exercises, races)
        return [to_json(result) for result in results]

    def race(self, submission: dict[str, Any], exercise: str) -> list[Any]:
        """The tests that race; every pair of theirs is an event."""
        self._judge.on_pair = lambda race: self.tell(to_json(race))
        tests = self._judge.race(submission_from_json(submission), exercise)
        return [to_json(test) for test in tests]

    def doctor(self, course: str) -> dict[str, list[str]]:
        from grader.judge.host import Host
        from grader.judge.isolation import try_to_break
        from grader.sandbox.locked import Locked

        host = Host(Locked(None))
        try:
            found = courses.find(Path(course))
            # A handout has no secrets; its machine can be examined all the same.
            return try_to_break(host, () if found.root is None else found.secrets())
        finally:
            host.close()

    def close(self) -> None:
        if self._judge is not None:
            self._judge.close()


def _keep_programs(kept: bool) -> None:
    """Whether this process writes what it compiles to the cache: not where students choose it."""
    import jax

    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0 if kept else 1e9)


def cache_folder() -> Path:
    """Where compiled programs of trusted code lie: one folder for each jax and each Python.

    The key of an entry depends on the folder's path, so it has to stay the same.
    """
    import jax
    from jaxlib import version as jaxlib

    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    version = (
        f"jax{jax.__version__}-{jaxlib.__version__}-py{sys.version_info[0]}.{sys.version_info[1]}"
    )
    return base / "jax-grader" / version


if __name__ == "__main__":
    main()
