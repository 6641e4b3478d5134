"""A client of a Dask scheduler: with TLS and certificates, or plain.

    tls://HOST:PORT  --certificates of Dask's configuration--> client
    dask://HOST:PORT --no password, no encryption------------> client, and a warning

Dask has no passwords: whoever may connect may run code on every machine of the cluster.
"""

import ipaddress
import logging
import os
import socket
import ssl
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from distributed import Client, Security
from distributed.comm.addressing import get_address_host, parse_host_port
from distributed.comm.core import CommClosedError
from distributed.scheduler import KilledWorker

from grader.engine.executors.client import print_warning
from grader.records.errors import HostError, UsageError

CONNECT_SECONDS = 20
# What Dask's configuration must name before this machine can use TLS.
CONFIGURED = "`distributed.comm.tls.ca-file`, `client.cert` and `client.key`"
GUIDE = '"Grade on several machines" in `docs/operators.md`'


def connect(where: str) -> Any:
    """A client of the scheduler at `where`, which has at least one worker.

    Raises `HostError` if no scheduler or no worker answers there, or one of the two sides doesn't
    accept the other; and `UsageError` if the address or Dask's configuration can't be used.
    """
    scheme, _, place = where.partition("://")
    try:
        parse_host_port(where)
    except ValueError as error:
        raise UsageError(f"`{where}` isn't the address of a scheduler: {error}") from error
    security = certificates(where) if scheme == "tls" else _plain(where)
    address = f"{'tls' if scheme == 'tls' else 'tcp'}://{place}"
    with ExitStack() as opened:
        try:
            client: Any = Client(address, timeout=CONNECT_SECONDS, security=security)
            opened.callback(client.close)
            client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        # A `ValueError` is how Tornado notices that a plain scheduler speaks before TLS does.
        except (OSError, TimeoutError, ValueError) as error:
            raise HostError(_reason(where, error)) from error
        if scheme != "tls" and (text := warning(where, (address, *client.nthreads()))):
            print_warning(text)
        opened.pop_all()
    return client


def close(client: Any) -> None:
    """Ends the connection; also one that is lost already."""
    log = logging.getLogger("distributed.client")
    level = log.level
    if client.status != "running":
        # Dask writes a traceback as it gives up to connect again; our error says it already.
        log.setLevel(logging.CRITICAL + 1)
    try:
        client.close()
    finally:
        log.setLevel(level)


def certificates(where: str) -> Security:
    """What Dask's configuration says of TLS. Raises `UsageError` if it isn't enough."""
    try:
        security = Security(require_encryption=True)
        context = security.get_connection_args("client")["ssl_context"]
    except (OSError, ValueError) as error:
        raise UsageError(
            f"the certificates in Dask's configuration can't be used: {_named(error)}. Check "
            f"{CONFIGURED} there; {GUIDE} shows them."
        ) from error
    if context is None:
        raise UsageError(
            f"`{where}` needs a certificate, but Dask's configuration on this machine has none. "
            f"Set {CONFIGURED}; {GUIDE} says how."
        )
    return security


def _named(error: Exception) -> str:
    """The error, with the file that is missing: Python doesn't say which of the three it is."""
    configured = Security().get_tls_config_for_role("client")
    files = [configured[name] for name in ("ca_file", "cert", "key")]
    # A certificate may also stand in the configuration itself, in lines.
    paths = [path for path in files if path and "\n" not in path]
    missing = [f"`{path}`" for path in paths if not os.access(path, os.R_OK)]
    return f"{error}: {', '.join(missing)}" if missing else str(error)


def _plain(where: str) -> Security:
    security = Security()
    if security.require_encryption:
        raise UsageError(
            f"`{where}` isn't encrypted, but Dask's configuration on this machine requires "
            "encryption (`distributed.comm.require-encryption`). Use `tls://HOST:PORT`."
        )
    return security


def _reason(where: str, error: Exception) -> str:
    """Why there is no connection, and what to do."""
    of_tls = next((cause for cause in _causes(error) if isinstance(cause, ssl.SSLError)), None)
    if where.startswith("tls://") and (text := _refused(where, error, of_tls)):
        return f"{text}; {GUIDE} says how."
    # A scheduler with TLS hangs up as soon as somebody speaks plainly.
    if isinstance(error, CommClosedError):
        tls = where.replace("dask://", "tls://")
        return f"the Dask scheduler at `{where}` disconnected. If it uses TLS, use `{tls}`."
    return (
        f"no Dask worker answers at `{where}` ({error}). Start the cluster (`dask scheduler`, "
        "`dask worker`), or name another address."
    )


def _refused(where: str, error: Exception, of_tls: ssl.SSLError | None) -> str:
    """Why the two sides don't agree on TLS; empty if there is nobody to agree with."""
    same = "Use the same `distributed.comm.tls.ca-file` on all machines"
    if isinstance(of_tls, ssl.SSLCertVerificationError):
        return (
            f"the certificate of the Dask scheduler at `{where}` isn't accepted here "
            f"({of_tls.verify_message}). {same}"
        )
    # The scheduler says no only after the handshake, and often hangs up before that is read.
    hung_up = of_tls is None or isinstance(of_tls, ssl.SSLEOFError) or "_ALERT_" in str(of_tls)
    if isinstance(error, ValueError) or not hung_up:
        return f"the Dask scheduler at `{where}` doesn't use TLS. Start it with certificates"
    if isinstance(error, CommClosedError):
        return (
            f"the Dask scheduler at `{where}` closed the connection. Most likely, it doesn't "
            f"accept this machine's certificate, or the certificate is too old. {same}"
        )
    return ""


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def warning(where: str, addresses: Iterable[str]) -> str:
    """What follows if a connection without TLS leaves this machine; empty if it doesn't."""
    outside = next((each for each in addresses if not is_here(get_address_host(each))), None)
    if outside is None:
        return ""
    return (
        f"warning   `{where}` has no TLS, and `{outside}` is on another machine: anyone who can "
        "reach these ports can read the solutions, set marks and run code on all machines, so use "
        f"`tls://HOST:PORT` ({GUIDE})."
    )


def is_here(host: str) -> bool:
    """Whether a name or an address is of this machine alone. One that nobody knows is not."""
    try:
        addresses = socket.getaddrinfo(host, 0, type=socket.SOCK_DGRAM)
    except OSError:
        return False
    return all(_is_own(family, address) for family, _, _, _, address in addresses)


def _is_own(family: int, address: tuple[Any, ...]) -> bool:
    if ipaddress.ip_address(address[0].partition("%")[0]).is_loopback:
        return True
    # The system gives a socket only an address that this machine has.
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.bind(address)
        return True
    return False


@contextmanager
def explained(where: str) -> Iterator[None]:
    """Raises `HostError` where Dask says that the cluster has failed in the middle of its work."""
    try:
        yield
    except (CancelledError, OSError) as error:
        line = str(error).splitlines()[-1].rstrip(".") if str(error) else type(error).__name__
        raise HostError(
            f"the Dask cluster at `{where}` failed ({line}). Check that its scheduler is still "
            "running, and run the same command again: with `--out`, what was judged is kept."
        ) from error
    except KilledWorker as error:
        raise HostError(
            f"several workers of the Dask cluster at `{where}` ended, one after another, while "
            "they judged the same work. Check their logs, and whether they have enough memory."
        ) from error
