"""What each choice of `--isolation` does where layers are missing."""

from __future__ import annotations

import os

import pytest

from grader.engine.processes import isolation
from grader.engine.processes.host import Host
from grader.engine.sandbox import Plain
from grader.engine.worker import raw_calls
from grader.records.errors import HostError
from grader.records.model import LAYERS

SOME = ("files", "memory")


def host_where(holding: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which these layers hold."""
    ways = {layer: [] if layer in holding else ["get out"] for layer in LAYERS}
    monkeypatch.setattr(isolation, "probed", lambda host, secrets: {"ways": ways})


def test_without_a_sandbox_the_probe_gets_through_every_call() -> None:
    """The counterpart: a call that can't get through at all would prove nothing."""
    host = Host(Plain())
    try:
        found = isolation.probed(host, ())["ways"]
    finally:
        host.close()
    ways = {call.way for call in raw_calls.CALLS}
    # Some kernels lack these, and let only root do others.
    may_lack = {"compare itself with the judge", "move the judge's memory"}
    for_root = {"handle its own page faults", "load a program into the kernel", "enter a namespace"}
    missed = ways - {way for layer in found.values() for way in layer}
    assert missed <= may_lack | (set() if os.geteuid() == 0 else for_root)


def opened(mode: str) -> list[str]:
    host = isolation.launched(mode, None)
    layers = isolation.holding(host, mode, ())
    host.close()
    return layers


@pytest.mark.parametrize(
    ("mode", "holding"), [("required", LAYERS), ("available", LAYERS), ("available", SOME)]
)
def test_layers_that_hold_are_used(
    mode: str, holding: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    host_where(holding, monkeypatch)
    assert tuple(opened(mode)) == holding


@pytest.mark.parametrize(("mode", "holding"), [("required", SOME), ("available", ())])
def test_a_machine_that_is_too_open_is_refused(
    mode: str, holding: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    host_where(holding, monkeypatch)
    with pytest.raises(HostError, match=r"network: a worker could get out.*`grader doctor`"):
        opened(mode)


@pytest.mark.parametrize("mode", ["required", "available"])
def test_without_any_layer_the_only_way_is_to_ask_for_none(
    mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_sandbox(host: object, secrets: object) -> None:
        raise HostError("no worker starts")

    monkeypatch.setattr(isolation, "probed", no_sandbox)
    with pytest.raises(HostError, match=r"no worker starts.*No layer holds.*`grader grade --isol"):
        opened(mode)
    assert opened("none") == []
