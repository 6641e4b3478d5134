"""`grader serve lti`: how Canvas, Moodle or Open edX become known to a server. Extra: `lti`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.commands.serve import FOLDER, opened, require_installed
from grader.errors import UsageError

if TYPE_CHECKING:
    from grader.lti.records import Platform, Records

_LOCAL = click.option("--local", "is_local", is_flag=True, help="It is on this machine: a trial.")


@click.group()
def lti() -> None:
    """Let people come from Canvas, Moodle or Open edX, and send their marks back.

    Start the server with `--lti`. Then make a platform known to it: with `invite`, or with `add`.
    """


@lti.command()
@FOLDER
@_LOCAL
def invite(folder: Path, is_local: bool) -> None:
    """Print an address that a platform's admin pastes there, for dynamic registration.

    It works once, within two days.
    """
    require_installed(with_lti=True)
    from grader.lti import registration

    database = opened(folder)
    if not (address := database.about("address")):
        raise UsageError("start the server once with `--url`, so that its address is known")
    click.echo(registration.invite(database, address, is_local=is_local))


@lti.command()
@FOLDER
@click.argument("kind", type=click.Choice(["canvas", "moodle", "other"]))
@click.argument("url")
@click.option("--client", required=True, metavar="ID", help="What the platform calls this server.")
@click.option("--issuer", metavar="URL", help="The platform's own name for itself.")
@click.option("--auth", metavar="URL", help="Its address of authentication requests.")
@click.option("--token", metavar="URL", help="Its address of access tokens.")
@click.option("--jwks", metavar="URL", help="Its address of public keys.")
@click.option("--deployment", "deployments", multiple=True, metavar="ID", help="Only this one.")
@click.option("--claim", default="", metavar="NAME", help="Custom parameter with a roster's id.")
@_LOCAL
def add(
    folder: Path,
    kind: str,
    url: str,
    client: str,
    deployments: tuple[str, ...],
    claim: str,
    is_local: bool,
    **addresses: str | None,
) -> None:
    """Make a platform known by hand: its KIND, its own URL, and what its page shows.

    For Canvas and Moodle the other addresses follow from the URL. The same issuer and client again
    replaces what was known.
    """
    from msgspec.structs import replace

    records = _records(folder)
    from grader.lti import registration

    about = {name: value for name, value in addresses.items() if value}
    made = registration.known(kind, url, client, about)
    made = replace(made, deployments=deployments, claim=claim, is_local=is_local)
    if problem := made.problem():
        raise UsageError(f"{problem}. Give the addresses as the platform's page shows them.")
    records.put(made)
    click.echo(f"{made.name} is known, as {made.id}. Its people come in by the tool's links.")


@lti.command()
@FOLDER
def show(folder: Path) -> None:
    """List the platforms, and what to enter there by hand."""
    from grader.lti import registration
    from grader.lti.records import Platform

    records = _records(folder)
    address = records.database.about("address") or "https://..."
    for name, value in registration.by_hand(address):
        click.echo(f"{name:<26}{value}")
    for one in records.all(Platform):
        click.echo(f"\n{one.id}  {one.name}\n  issuer  {one.issuer}\n  client  {one.client}")


@lti.command()
@FOLDER
@click.argument("platform")
@click.confirmation_option(prompt="No marks are sent there any more. Go on?")
def remove(folder: Path, platform: str) -> None:
    """Forget a PLATFORM, by its id in `show`. People, and what they handed in, stay."""
    records = _records(folder)
    records.remove(_named(records, platform))


def _named(records: Records, name: str) -> Platform:
    from grader.lti.records import Platform

    if (found := records.get(Platform, name)) is None:
        raise UsageError(f"no platform is called `{name}`. `grader serve lti show` lists them.")
    return found


def _records(folder: Path) -> Records:
    require_installed(with_lti=True)
    from grader.lti.records import Records

    return Records(opened(folder))
