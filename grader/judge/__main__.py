"""Answers one executor over standard input and output, in frames of `grader.wire`.

start   course, exercises, terms            -> the environment, or an error with its exit code
prove   exercises, submissions              -> nothing, or an error if a suite can't judge
grade   a job                               -> its results
race    a job with one exercise             -> its tests with races; each pair is an event
doctor  course                              -> for each layer, the ways around it that worked

Before any answer there may be warnings for the operator, and the word that the judge waits for the
races of other judges, or goes on: its deadline doesn't come nearer meanwhile.
"""

import contextlib
import functools
import gc
import os
import platform
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from grader import course as courses
from grader import files, wire
from grader.errors import BrokenSuiteError, GraderError, HostError
from grader.judge import isolation
from grader.judge.host import Host
from grader.model import Environment, Job, Terms
from grader.records import pack, unpack

_MAX_BYTES = 1 << 30


def main() -> None:
    """Answers frames until the executor closes the pipe."""
    # Output that a suite or a library prints must not mix with the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def send(seq: int, kind: str, value: Any) -> None:
        answers.write(wire.encode(seq, kind, value))
        answers.flush()

    service = Service()
    verbs = {name: getattr(service, name) for name in ("start", "prove", "grade", "race", "doctor")}
    decoder = wire.Decoder(_MAX_BYTES)
    try:
        while data := os.read(0, 1 << 16):
            for frame in decoder.feed(data):
                service.tell = functools.partial(send, frame.seq, "event")
                service.warn = functools.partial(send, frame.seq, "warning")
                service.waits = functools.partial(send, frame.seq, "waits")
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
        """Sends an event before the answer."""
        self.warn: Callable[[str], None] = lambda _: None
        """Sends a warning before the answer."""
        self.waits: Callable[[bool], None] = lambda _: None
        """Sends whether the judge waits."""

    def start(self, course: str, exercises: list[str], terms: bytes) -> dict[str, Any]:
        asked = unpack(terms, Terms)
        loaded = courses.find(Path(course))
        cache = files.cache_folder()
        host = isolation.launched(asked.isolation, _programs_folder(cache))
        try:
            return self._started(loaded, exercises, asked, host, cache)
        except BaseException:
            host.close()
            raise

    def _started(
        self,
        loaded: courses.Course,
        exercises: list[str],
        asked: Terms,
        host: Host,
        cache: Path,
    ) -> dict[str, Any]:
        # Meanwhile the sandbox starts, which imports JAX, too.
        with _no_collection():
            import jax

            from grader.judge.judge import Judge

        chosen = loaded.select(exercises)
        jax.config.update("jax_compilation_cache_dir", str(_programs_folder(cache)))
        _keep_programs(False)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
        jax.config.update("jax_persistent_cache_enable_xla_caches", "none")
        files.make_private_folder(cache / "verdicts")
        # It imports the suites, while the sandbox still starts.
        self._judge = Judge(loaded, chosen, host, cache, asked)
        layers = isolation.holding(host, asked.isolation, loaded.secrets())
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

    def prove(self, exercises: list[str], submissions: int) -> None:
        """Proves the suites and fills the compile cache, which later runs use, too.

        With more submissions, more programs are compiled before the first one is judged.
        """
        _keep_programs(True)
        try:
            self._judge.prove(exercises)
            self._judge.warm_up(exercises, submissions)
        finally:
            _keep_programs(False)

    def grade(self, job: bytes) -> bytes:
        return pack(self._judge.grade(unpack(job, Job)))

    def race(self, job: bytes) -> bytes:
        """Runs only the tests with races, and sends an event for each pair."""
        self._judge.on_pair = lambda race: self.tell(pack(race))
        return pack(self._judge.race(unpack(job, Job)))

    def doctor(self, course: str) -> dict[str, Any]:
        from grader.sandbox.locked import Locked

        programs = _programs_folder(files.cache_folder())
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


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """For imports: they make many objects, and none of them is garbage."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _keep_programs(kept: bool) -> None:
    """Turns the compile cache on or off: it is off while programs come from a student."""
    import jax

    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0 if kept else 1e9)


def _programs_folder(cache: Path) -> Path:
    """The folder of compiled programs in the cache, which workers read.

    A worker can read an entry whose name it can compute, since it has the program. It can't list
    the folder, so it doesn't find the others: they are compiled solutions.
    """
    folder = cache / "xla"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o301)
    except OSError as error:
        raise HostError(
            f"the cache `{cache}` can't be written: {error.strerror}. Give permission or make room "
            "there, or name another folder in the environment variable `XDG_CACHE_HOME`."
        ) from error
    return folder


if __name__ == "__main__":
    main()
