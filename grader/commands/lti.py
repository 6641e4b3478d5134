"""`grader serve lti`: how Canvas, Moodle or Open edX are registered with a server. Extra: `lti`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.commands.serve import FOLDER, opened, require_installed
from grader.records.errors import UsageError

if TYPE_CHECKING:
    from grader.serve.lti.records import Platform, Records

_LOCAL = click.option("--local", "is_local", is_flag=True, help="On this machine, for a trial.")


@click.group()
def lti() -> None:
    """Let people launch from Canvas, Moodle or Open edX, and send their marks back.

    Start the server with `--lti`. Then register a platform, with `invite` or `add`.
    """


@lti.command()
@FOLDER
@_LOCAL
def invite(folder: Path, is_local: bool) -> None:
    """Print an address for a platform's admin to paste there, for dynamic registration.

    It works once, within two days.
    """
    require_installed(with_lti=True)
    from grader.serve.lti import registration

    database = opened(folder)
    if not (address := database.about("address")):
        raise UsageError("start the server once with `--url`, so that its address is known")
    click.echo(registration.invite(database, address, is_local=is_local))
    note = "For a platform with dynamic registration. It works once, within two days."
    click.echo(f"{note} Others: `grader serve lti show`", err=True)


@lti.command()
@FOLDER
@click.argument("kind", type=click.Choice(["canvas", "moodle", "other"]))
@click.argument("url")
@click.option("--client", required=True, metavar="ID", help="The platform's name for this server.")
@click.option("--issuer", metavar="URL", help="The platform's own name for itself.")
@click.option("--auth", metavar="URL", help="Its address for authentication requests.")
@click.option("--token", metavar="URL", help="Its address for access tokens.")
@click.option("--jwks", metavar="URL", help="Its address for public keys.")
@click.option("--deployment", "deployments", multiple=True, metavar="ID", help="Only this one.")
@click.option(
    "--claim",
    metavar="NAME",
    help="What contains a roster's id: `sourcedid`, or a custom parameter. Default: unchanged.",
)
@_LOCAL
def add(
    folder: Path,
    kind: str,
    url: str,
    client: str,
    deployments: tuple[str, ...],
    claim: str | None,
    is_local: bool,
    **addresses: str | None,
) -> None:
    """Register a platform manually: its KIND, its own URL, and what its page shows.

    For Canvas and Moodle, the other addresses follow from the URL. Repeating the same issuer and
    client replaces the registration.
    """
    from msgspec.structs import replace

    records = _records(folder)
    from grader.serve.lti import registration
    from grader.serve.lti.net import NoAnswer, ask
    from grader.serve.lti.records import Platform, PlatformCourse

    about = {name: value for name, value in addresses.items() if value}
    made = registration.known(kind, url.strip(), client.strip(), about)
    before = records.get(Platform, made.id)
    if claim is None:  # what teachers have said at `/lti` holds
        claim = before.claim if before else ""
    made = replace(made, deployments=deployments, claim=claim, is_local=is_local)
    if problem := made.problem():
        raise UsageError(
            f"{problem}. Canvas and Moodle need only their own URL; another platform needs "
            "`--auth`, `--token` and `--jwks`, as its page shows them."
        )
    try:
        ask(made.jwks, is_local=is_local).object()
    except NoAnswer as error:
        click.echo(f"Warning: its keys can't be read from {made.jwks}: {error}", err=True)
    records.put(made)
    for course in records.all(PlatformCourse):
        if course.platform == made.id and deployments and course.deployment not in deployments:
            records.database.end_roles(place=course.as_text)
    click.echo(f"{made.name} is {'updated' if before else 'registered'}, as {made.id}")


@lti.command()
@FOLDER
def show(folder: Path) -> None:
    """List the platforms, and what to enter there manually."""
    from grader.serve.lti import registration
    from grader.serve.lti.records import Platform, PlatformCourse

    records = _records(folder)
    address = records.database.about("address") or "https://..."
    for name, value in registration.by_hand(address):
        click.echo(f"{name:<26}{value}")
    for platform in records.all(Platform):
        click.echo(f"\n{platform.id}  {platform.name}")
        for name in ("issuer", "client", "deployments", "auth", "token", "jwks", "claim"):
            value = getattr(platform, name)
            click.echo(f"  {name:<12}{value if isinstance(value, str) else ' '.join(value)}")
        for course in records.all(PlatformCourse):
            if course.platform == platform.id:
                state = "accepted" if course.is_in else "asks"
                click.echo(f"  course      {course.context} {course.title} ({state})")


@lti.command()
@FOLDER
@click.argument("platform")
@click.argument("course")
def accept(folder: Path, platform: str, course: str) -> None:
    """Accept a COURSE of a PLATFORM, by their ids in `show`.

    A course whose id you know can be accepted before anybody launches from it.
    """
    records = _records(folder)
    known = _known(records, platform)
    records.accept(known.id, course)
    click.echo(f"the course {course} of {known.name} is accepted")


@lti.command()
@FOLDER
@click.argument("platform")
@click.option("--yes", is_flag=True, help="Don't ask.")
def remove(folder: Path, platform: str, yes: bool) -> None:
    """Forget a PLATFORM, by the first word of its entry in `show`.

    Nobody can launch from it any more, its sessions and tokens end, and no marks are sent there.
    Submissions stay. Added again with the same issuer and client, it keeps its people.
    """
    records = _records(folder)
    known = _known(records, platform)
    yes or click.confirm(f"Nobody will be able to launch from {known.name}. Continue?", abort=True)
    records.remove(known)
    click.echo(f"{known.name} is removed")


def _records(folder: Path) -> Records:
    require_installed(with_lti=True)
    from grader.serve.lti.records import Records

    return Records(opened(folder))


def _known(records: Records, platform: str) -> Platform:
    from grader.serve.lti.records import Platform

    if (known := records.get(Platform, platform)) is None:
        raise UsageError(f"there is no platform `{platform}`. `grader serve lti show` lists them.")
    return known
