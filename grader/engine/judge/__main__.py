"""`python -m grader.engine.judge [ISOLATION]` answers one client, in frames of the wire.

    standard input --frame--> JudgeService.answer --> Judge
    standard output <--frames-- warnings, events, the answer

    start   course, exercises, terms, submissions  -> the environment, and the points of exercises
    prove   an exercise                            -> nothing, or an error if its suite can't judge
    grade   a job                                  -> its results; before each test an event
    name    the results of that job                -> the same, with known mistakes
    race    a job with one exercise                -> its tests with races; each pair is an event
    examine course                                 -> what a probe found in the sandbox

Records come and go in packed form. With a mode of isolation, its sandbox starts at once, since its
imports take longest. The judge's own imports follow, before it reads a question. So a client can
launch a judge before it knows what to ask.

While a judge waits for the races of other judges, it says so, and its deadline doesn't come nearer.
"""

from __future__ import annotations

import gc
import os
import platform
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.engine.processes import isolation
from grader.engine.processes.host import Host
from grader.records import cache
from grader.records.errors import BrokenSuiteError, GraderError, HostError

if TYPE_CHECKING:
    from grader.engine.judge.judge import Judge
    from grader.engine.wire import Frame

_MAX_BYTES = 1 << 30


def main() -> None:
    """Answers frames until the client closes the pipe."""
    # Output that a suite or a library prints must not mix with the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def send(seq: int, kind: str, value: Any) -> None:
        answers.write(wire.encode(seq, kind, value))
        answers.flush()

    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    host = _launched(sys.argv[1]) if len(sys.argv) > 1 else None
    _write_bytecode()
    gc.disable()  # imports make many objects, and none of them is garbage
    import grader.engine.judge.judge  # noqa: F401
    from grader.engine import wire

    gc.freeze()
    gc.enable()
    service = JudgeService(host, send)
    decoder = wire.Decoder(_MAX_BYTES)
    try:
        while data := os.read(0, 1 << 16):
            for frame in decoder.feed(data):
                send(frame.seq, *service.answer(frame))
    finally:
        service.close()


def _end_with(parent: int) -> None:
    """Ends this process soon after its client was killed: nobody reads the answer any more.

    Its sandbox ends with it. A client that closes its judge waits until it has ended by itself.
    """
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


class JudgeService:
    """A judge, once `start` has been asked."""

    def __init__(
        self, host: Host | HostError | None, send: Callable[[int, str, Any], None]
    ) -> None:
        """With the host for submissions, or why there is none."""
        self._host = host
        self._send = send
        self._judge: Judge | None = None

    def answer(self, frame: Frame) -> tuple[str, Any]:
        # Here and below, not at the top: the sandbox is launched before anything large is imported.
        from grader.records.model import ExerciseResult, Job, pack, unpack

        # What is said before the answer belongs to the question, too.
        self._seq = frame.seq
        try:
            match frame.kind, frame.value:
                case "grade", {"job": job}:
                    return "ok", pack(self._started().grade(unpack(job, Job), self._tell))
                case "name", {"results": results}:
                    judged = unpack(results, tuple[ExerciseResult, ...])
                    return "ok", pack(self._started().named(judged))
                case "race", {"job": job}:
                    return "ok", pack(self._started().race(unpack(job, Job), self._tell))
                case "prove", {"exercise": exercise}:
                    self._prove(exercise)
                    return "ok", None
                case "start", start:
                    return "ok", self._start(**start)
                case "examine", {"course": course}:
                    return "ok", self._examine(course)
            raise HostError(f"a judge can't answer `{frame.kind}`: its client has another version")
        except GraderError as error:
            broken = isinstance(error, BrokenSuiteError)
            return "error", {"text": str(error), "exit_code": error.exit_code, "broken": broken}
        except Exception:
            text = f"the judge failed; this is a fault of the grader:\n{traceback.format_exc()}"
            return "error", {"text": text, "exit_code": HostError.exit_code}

    def close(self) -> None:
        if self._judge is not None:
            self._judge.close()
        elif isinstance(self._host, Host):
            self._host.close()

    def _start(
        self, course: str, exercises: list[str], terms: bytes, submissions: int
    ) -> dict[str, Any]:
        import jax

        from grader.course import course as courses
        from grader.engine.judge.judge import Judge
        from grader.records.model import Environment, Terms, pack, unpack

        if isinstance(self._host, HostError):
            raise self._host
        assert self._host is not None, "the judge was started without an isolation mode"
        asked = unpack(terms, Terms)
        loaded = courses.find(Path(course))
        chosen = loaded.select(exercises)
        cache.configure_jax(str(cache.programs()), 1e9)  # see `_keep_programs`
        # It imports the suites that are new, while the zygote still starts.
        self._judge = Judge(
            loaded,
            chosen,
            self._host,
            asked,
            submissions,
            warn=lambda text: self._send(self._seq, "warning", text),
            waits=lambda waiting: self._send(self._seq, "waits", waiting),
        )
        layers = isolation.holding(self._host, asked.isolation, loaded.secrets())
        environment = Environment(
            jax=jax.__version__,
            python=platform.python_version(),
            platform=f"{platform.system()} {platform.machine()}",
            isolation=tuple(layers),
            seed=asked.seed,
        )
        return {"environment": pack(environment), "points": self._judge.points()}

    def _tell(self, event: object) -> None:
        from grader.records.model import pack

        self._send(self._seq, "event", pack(event))

    def _prove(self, exercise: str) -> None:
        """Proves a suite and fills the compile cache, which later runs use, too."""
        _keep_programs(True)
        try:
            self._started().prove(exercise)
        finally:
            _keep_programs(False)

    def _examine(self, course: str) -> dict[str, Any]:
        from grader.course import course as courses
        from grader.engine.sandbox.locked import Locked

        programs = cache.programs()
        host = Host(Locked(programs), programs)
        try:
            loaded = courses.find(Path(course))
            # A handout has no secrets to protect, but the other layers can be examined.
            return isolation.probed(host, () if loaded.root is None else loaded.secrets())
        finally:
            host.close()

    def _started(self) -> Judge:
        assert self._judge is not None, "asked before `start`"
        return self._judge


def _keep_programs(kept: bool) -> None:
    """Turns the compile cache on or off: it is off while programs come from a student."""
    import jax

    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0 if kept else 1e9)


def _launched(mode: str) -> Host | HostError:
    """Launches the zygote. Returns its host, or the error that `start` will raise."""
    try:
        return isolation.launched(mode, cache.programs())
    except HostError as error:
        return error
    except OSError as error:
        return HostError(
            f"no sandbox can start: {error}. Free some space, or grant permission, and run this "
            "again."
        )


def _write_bytecode() -> None:
    """For the next zygote. One that is confined can't write, and would compile all anew."""
    import compileall  # not before the zygote is launched

    from grader.records import digests

    if not sys.dont_write_bytecode:
        for path in digests.code(Path(cache.__file__).parents[1], "grader.engine.worker.__main__"):
            compileall.compile_file(path, quiet=2)


if __name__ == "__main__":
    main()
