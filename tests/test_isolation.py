"""What each choice of `--isolation` does where layers are missing."""

from __future__ import annotations

import pytest

from grader.errors import HostError
from grader.judge import isolation
from grader.model import LAYERS

SOME = ("files", "memory")


def host_where(holding: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which these layers hold."""
    ways = {layer: [] if layer in holding else ["get out"] for layer in LAYERS}
    monkeypatch.setattr(isolation, "try_to_break", lambda host, secrets: ways)


def opened(mode: str) -> list[str]:
    host, layers = isolation.open_host(mode, None, ())
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

    monkeypatch.setattr(isolation, "try_to_break", no_sandbox)
    with pytest.raises(HostError, match=r"no worker starts.*No layer holds.*`grader grade --isol"):
        opened(mode)
    assert opened("none") == []
