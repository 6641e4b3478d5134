"""Which layers of isolation hold on this machine: the judge tries to break each of them.

A fresh worker gets targets for this test (a file, a folder, a listening port, this process) and
tries every way to reach them. A layer holds if no way works. The judge does this before it grades;
`grader doctor` prints the result.
"""

import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from grader.engine.processes.host import Host
from grader.engine.sandbox import Plain
from grader.engine.sandbox.locked import Locked
from grader.records.errors import HostError

_VARIABLE = "GRADER_CANARY"


def launched(mode: str, cache: Path | None) -> Host:
    """A host whose zygote is starting. See `holding` for the modes.

    Unconfined workers get no compile cache: they could write to it. Raises `HostError` if this
    machine has no sandbox.
    """
    try:
        host = Host(Plain()) if mode == "none" else Host(Locked(cache), cache)
    except HostError as error:
        raise HostError(_refusal(str(error), holding=[])) from error
    host.launch()
    return host


def holding(host: Host, mode: str, secrets: tuple[Path, ...]) -> list[str]:
    """The layers that hold. If the mode asks for more, closes the host and raises `HostError`.

    "required" asks for every layer, "available" for at least one, and "none" for none.
    """
    from grader.records.model import LAYERS

    if mode == "none":
        return []
    try:
        ways: dict[str, list[str]] = probed(host, secrets)["ways"]
    except HostError as error:
        host.close()
        raise HostError(_refusal(str(error), holding=[])) from error
    held = [layer for layer in LAYERS if not ways[layer]]
    if not held or (mode == "required" and len(held) < len(LAYERS)):
        host.close()
        opened = ((layer, ", ".join(names)) for layer, names in ways.items() if names)
        why = "; ".join(f"{layer}: a worker could {names}" for layer, names in opened)
        raise HostError(_refusal(why, held))
    return held


def probed(host: Host, secrets: tuple[Path, ...]) -> dict[str, Any]:
    """What a probe found: the open `ways` of each layer, the secrets that it could name (`named`),
    and the `means` that confine it (see `grader.engine.worker.lockdown.enter_zygote`).

    Raises `HostError` if no worker starts.
    """
    # Not before the zygote is launched: its imports take longest.
    from grader.engine.processes.clock import Budget
    from grader.records.model import LAYERS, Limits

    with _targets(secrets, host.cache) as targets:
        child = host.fork("probe", Limits())
        try:
            frame = child.ask("attempt", {"targets": targets}, (Budget(60.0),))
        except Exception as error:
            raise HostError(f"a worker does not start in the sandbox ({error})") from error
        finally:
            host.reap(child)
            host.settle()
    if frame.kind != "ok":
        raise HostError(f"the probe of the sandbox failed: {frame.value}")
    found: dict[str, Any] = frame.value
    own = set(map(str, secrets))  # the canary is none of the course's
    return found | {
        "ways": {layer: list(found["ways"][layer]) for layer in LAYERS},
        "named": [path for path in found["named"] if path in own],
    }


@contextmanager
def _targets(secrets: tuple[Path, ...], cache: Path | None) -> Iterator[dict[str, Any]]:
    with tempfile.TemporaryDirectory(prefix="canary-") as folder:
        canary = Path(folder) / "canary"
        canary.write_text("a secret\n")
        listener, local = socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_UNIX)
        local.bind(os.path.join(folder, "socket"))
        local.listen()
        os.environ[_VARIABLE] = "a secret"
        try:
            yield {
                "judge": os.getpid(),
                "secrets": [str(canary), *(str(path) for path in secrets)],
                "cache": str(cache or folder),
                "canary": str(canary),
                "outside": os.path.join(folder, "written"),
                "port": listener.getsockname()[1],
                "socket": os.path.join(folder, "socket"),
                "variable": _VARIABLE,
            }
        finally:
            del os.environ[_VARIABLE]
            listener.close()
            local.close()


def _refusal(why: str, holding: list[str]) -> str:
    """What is open, and the weaker mode that is left. If nothing holds, only `none` is left."""
    weaker = (
        "`--isolation available` grades with the layers that hold, for code that you trust."
        if holding
        else "No layer holds. `grader grade --isolation none` grades code that you trust without "
        "any protection, and every report then says so."
    )
    return (
        f"this machine can't isolate submissions ({why}). `grader doctor` shows what is missing. "
        f"{weaker}"
    )
