"""`python -m grader.judge [ISOLATION]` answers one executor, in frames of `grader.wire`.

    standard input --frame--> Service --frame--> standard output

With a mode of isolation, its sandbox starts at once, since its imports take longest. The judge's
own imports follow, before it reads a question. So an executor can start a judge early.

Before any answer there may be warnings for the operator, and the word that the judge waits for the
races of other judges, or goes on: its deadline doesn't come nearer meanwhile.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from grader import cache
from grader.errors import BrokenSuiteError, GraderError, HostError
from grader.judge import isolation
from grader.judge.host import Host

_MAX_BYTES = 1 << 30


def main() -> None:
    """Answers frames until the executor closes the pipe."""
    # Output that a suite or a library prints must not mix with the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def send(seq: int, kind: str, value: Any) -> None:
        answers.write(wire.encode(seq, kind, value))
        answers.flush()

    host = _launched(sys.argv[1]) if len(sys.argv) > 1 else None
    _write_bytecode()
    with _no_collection():
        from grader import lean_jax, wire

        lean_jax.load()
        from grader.judge.service import Service
    service = Service(host)
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


def _launched(mode: str) -> Host | HostError:
    """Launches the zygote. Returns its host, or the error that `Service.start` will raise."""
    try:
        return isolation.launched(mode, cache.programs())
    except HostError as error:
        return error
    except OSError as error:
        return HostError(
            f"no sandbox can start: {error}. Make room, or give permission, and run this again."
        )


def _write_bytecode() -> None:
    """For the next zygote. One that is confined can't write, and would compile all anew."""
    import compileall  # not before the zygote is launched

    if not sys.dont_write_bytecode:
        for folder in ("worker", "sandbox", "."):
            compileall.compile_dir(Path(cache.__file__).parent / folder, maxlevels=0, quiet=2)


def _answer(verb: Callable[..., Any], value: dict[str, Any]) -> tuple[str, Any]:
    try:
        return "ok", verb(**value)
    except GraderError as error:
        broken = isinstance(error, BrokenSuiteError)
        return "error", {"text": str(error), "exit_code": error.exit_code, "broken": broken}
    except Exception:
        text = f"the judge failed; this is a fault of the grader:\n{traceback.format_exc()}"
        return "error", {"text": text, "exit_code": HostError.exit_code}


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """For imports: they make many objects, and none of them is garbage."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


if __name__ == "__main__":
    main()
