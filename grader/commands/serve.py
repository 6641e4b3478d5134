"""`grader serve`: submit through a browser. Its packages are the extra `serve`."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.commands import options
from grader.records.errors import UsageError

if TYPE_CHECKING:
    from grader.serve.database import Database

FOLDER = click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
PORT = 8000
_URL = click.option(
    "--url", default="", metavar="URL", help="Its public address. Default: the port, here."
)


class _Serve(click.Group):
    """`grader serve DIR` is `grader serve start DIR`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, "-h", "--help"):
            args = ["start", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_Serve)
def serve() -> None:
    """Let a class submit through a browser.

    `grader serve DIR` starts a server that keeps all of its data in DIR. `grader serve --demo`
    creates a class of three, and shows their links.
    """


@serve.command()
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option("--demo", is_flag=True, help="Create a class of three in a new folder.")
@options.ROSTER
@click.option("--assignment", metavar="FILE", help="An extra assignment, from a file hw1.toml.")
@click.option("--port", type=int, help="On this machine; 0: any. Default: 8000, or any for a demo.")
@click.option("--unix", type=click.Path(path_type=Path), help="A Unix socket instead of a port.")
@_URL
@click.option("--hub", "with_hub", is_flag=True, help="Sign in with JupyterHub, as a service.")
@click.option("--lti", "with_lti", is_flag=True, help="Let people launch from Canvas, Moodle, ...")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Judges that work in parallel.")
@click.option("--executor", metavar="WHERE", default="local", help="As for `grader grade`.")
@options.ISOLATION
@options.JUDGING_COURSE
def start(
    folder: Path | None,
    demo: bool,
    roster: Path | None,
    assignment: str | None,
    port: int | None,
    unix: Path | None,
    url: str,
    with_hub: bool,
    with_lti: bool,
    course: Path | None,
    **terms: Any,
) -> None:
    """Start the server. It listens only on this machine: a proxy provides the network and TLS."""
    require_installed(with_lti=with_lti)
    from grader.serve import demo as demos
    from grader.serve import server

    if with_lti:
        from grader.serve.lti.extension import LtiExtension
    if demo == (folder is not None):
        raise UsageError("name the folder of the class, or use `--demo`")
    clean_up_at_the_end()
    with demos.new_folder(folder) as place:
        loaded = options.judging_course(course, [place])
        if demo:
            loaded, port = demos.course(loaded), port or 0
        elif assignment is not None:
            loaded, _ = options.for_assignment(loaded, assignment)
        options.say_course(loaded, loaded.exercises)
        listening = server.bound(PORT if port is None else port, unix)
        address = server.address_of(listening, url)
        with listening, server.opened(place, loaded, address, **terms) as service:
            if roster is not None:
                service.database.add_people(options.people_of(roster).students)
            for rule in loaded.assignments:
                service.marks.team_up(rule)
            service.database.remember("address", address)
            click.echo(f"{loaded.name} is at {address}")
            if warning := server.without_editor():
                click.echo(f"warning: {warning}", err=True)
            if demo:
                click.echo(demos.links(service))
            extensions = [LtiExtension(service)] if with_lti else []
            server.serve(service, listening, with_hub=with_hub, extensions=extensions)


@serve.command()
@FOLDER
@click.argument("people", nargs=-1)
@click.option("--teacher", "teachers", multiple=True, metavar="NAME", help="A teacher. Repeatable.")
@_URL
def links(folder: Path, people: tuple[str, ...], teachers: tuple[str, ...], url: str) -> None:
    """Write personal links as a CSV for a mail merge.

    For everybody on the roster, or only for the named PEOPLE. A new link invalidates the person's
    older one. A link works once: a student's within two weeks, a teacher's within two days.
    """
    from grader.records.model import Person
    from grader.serve.people import People

    database = opened(folder)
    address = url or database.about("address")
    if not address:
        raise UsageError("the server's address isn't known: add `--url https://...`")
    for name in teachers:
        if (known := database.person(name)) is not None and not known[1]:
            raise UsageError(f"`{name}` is a student of this class. Give the teacher another name.")
    if teachers:
        database.add_people((Person(name, name) for name in teachers), teachers=True)
    names = list(teachers or people)
    click.echo(People(database).links(address, names, teachers=bool(teachers)), nl=False)


@serve.command()
@FOLDER
@click.argument("person")
def end(folder: Path, person: str) -> None:
    """End all links, sessions and tokens of a person, such as one who left. Their work stays."""
    database = opened(folder)
    if database.person(person) is None:
        raise UsageError(f"nobody here is called `{person}`")
    click.echo(f"ended {len(database.keys(person))} links, sessions and tokens of {person}")
    database.end_roles(person=person)


@serve.command()
@FOLDER
@click.argument("person")
@click.confirmation_option(prompt="Delete all drafts, attempts, sessions and results?")
def forget(folder: Path, person: str) -> None:
    """Delete all data of a person. What was exported is yours to delete. Stop the server first.

    The marks in stored runs, and what was decided, are also deleted.
    """
    from grader.teacher import decisions
    from grader.teacher.store import Store

    database = opened(folder)
    if database.person(person) is None:
        raise UsageError(f"nobody here is called `{person}`")
    with Store(folder) as store:
        store.forget(person)
        decisions.forget(folder, person)
    click.echo(f"deleted {database.forget(person)} attempts of {person}")


@serve.command()
@FOLDER
@click.argument("receipt", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def receipt(folder: Path, receipt: Path) -> None:
    """Check a receipt: whether this server signed it, and what it says."""
    from grader.serve.receipts import Signer

    text = receipt.read_text(encoding="utf-8", errors="replace")
    for name, value in Signer(opened(folder)).check(text).items():
        click.echo(f"{name:<12}{value}")


def clean_up_at_the_end() -> None:
    """A signal that ends a process ends this one as Ctrl-C does, so that all is closed.

    What was started to outlive its terminal (`nohup`) does so.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for name in ("SIGHUP", "SIGQUIT"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda *_: signal.raise_signal(signal.SIGTERM))


def opened(folder: Path) -> Database:
    require_installed()
    from grader.serve.database import NAME, Database

    if not (folder / NAME).is_file():
        raise UsageError(f"`{folder}` is not a server's folder: it contains no `{NAME}`")
    return Database(folder)


def require_installed(*, with_lti: bool = False) -> None:
    extra = "lti" if with_lti else "serve"
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401

        if with_lti:
            import joserfc  # noqa: F401
    except ImportError as error:
        raise UsageError(
            f"this needs more packages: run `pip install -e '.[{extra}]'` in the grader's clone"
        ) from error
