"""A class on a Dask cluster: real schedulers and workers, with TLS and without, some of which die.

The certificates are made by the command, and used in the configuration, of `docs/operators.md`.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import dask
import pytest
import yaml

from grader.course.course import Course, find
from grader.engine.executors import dask_connection
from grader.records.files import zipped
from tests.conftest import CourseMaker, kept, marks

TEXTS = {"right": "def double(x):\n    return 2 * x\n", "wrong": "def double(x):\n    return x\n"}


@pytest.fixture(scope="module")
def course(make_course: CourseMaker, tmp_path_factory: pytest.TempPathFactory) -> Course:
    return make_course(tmp_path_factory.mktemp("taught"))


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler without TLS, and with two workers."""
    with running(tmp_path_factory.mktemp("cluster"), workers=2) as found:
        yield found.address.removeprefix("tcp://")


@pytest.fixture(scope="module")
def secured(keys: Keys, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler with TLS, and with one worker."""
    with running(tmp_path_factory.mktemp("secured"), workers=1, config=keys.config) as found:
        yield found.address


class Running(NamedTuple):
    address: str
    scheduler: subprocess.Popen[bytes]


@contextlib.contextmanager
def running(
    folder: Path, workers: int, config: Path | None = None, port: int = 0
) -> Iterator[Running]:
    """A scheduler and its workers, all of them processes of their own."""
    with contextlib.ExitStack() as stack:
        log = stack.enter_context(open(folder / "log", "a"))

        def start(*arguments: str) -> subprocess.Popen[bytes]:
            process = subprocess.Popen(
                [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:]],
                cwd=folder,
                env={**surroundings(config), "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "error"},
                stdout=log,
                stderr=log,
            )
            stack.callback(_end, process)
            return process

        contact = folder / "scheduler.json"
        common = ("--scheduler-file", str(contact), "--no-dashboard")
        scheduler = start("scheduler", "--host", "127.0.0.1", "--port", str(port), *common)
        for _ in range(workers):
            start("worker", "--nthreads", "1", "--local-directory", str(folder), *common)
        deadline = time.monotonic() + 240
        while not contact.exists():
            assert time.monotonic() < deadline, (folder / "log").read_text()
            time.sleep(0.1)
        address = json.loads(contact.read_text())["address"]
        waits = f"import distributed as d; d.Client({address!r}).wait_for_workers({workers})"
        subprocess.run([sys.executable, "-c", waits], env=surroundings(config), check=True)
        yield Running(address, scheduler)


Refusal: TypeAlias = Callable[..., str]


def surroundings(config: Path | None) -> dict[str, str]:
    """The environment, with this file as Dask's configuration."""
    return {**os.environ, **({} if config is None else {"DASK_CONFIG": str(config)})}


class Keys(NamedTuple):
    """A certificate in files, and a configuration of Dask that names them."""

    certificate: str
    key: str
    config: Path

    @property
    def settings(self) -> dict[str, str]:
        """The configuration, each value by its whole name."""
        return dict(_flat(yaml.safe_load(self.config.read_text()), ""))


def _flat(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    if not isinstance(value, dict):
        yield name, value
        return
    for key, inner in value.items():
        yield from _flat(inner, f"{name}.{key}" if name else key)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    return made(tmp_path_factory.mktemp("keys"))


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    """The certificate of another cluster."""
    return made(tmp_path_factory.mktemp("other"))


def made(folder: Path) -> Keys:
    """Does what `docs/operators.md` says, in a folder."""
    if shutil.which("openssl") is None:
        pytest.skip("certificates are made with the program `openssl`, which isn't here")
    text = (Path(__file__).parents[3] / "docs" / "operators.md").read_text()
    (command,) = re.findall(r"^openssl .*$", text, re.MULTILINE)
    subprocess.run(["sh", "-c", command], cwd=folder, check=True, capture_output=True)
    assert (folder / "cluster.key").stat().st_mode & 0o077 == 0
    (config,) = re.findall(r"^```yaml\n(distributed:.*?)^```$", text, re.MULTILINE | re.DOTALL)
    (folder / "dask.yaml").write_text(config.replace("/home/grader/cluster", str(folder)))
    return Keys(str(folder / "cluster.crt"), str(folder / "cluster.key"), folder / "dask.yaml")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def test_a_course_travels_with_its_suites_and_without_what_judges_dont_need(
    course: Course, tmp_path: Path
) -> None:
    beside = course.suite(course.exercises[0]).with_name("digits.csv")
    beside.write_text("1,2\n")
    with zipfile.ZipFile(io.BytesIO(zipped(course.bundle(course.exercises)))) as archive:
        archive.extractall(tmp_path)
    there = find(tmp_path)
    assert there.suite(there.exercises[0]).with_name(beside.name).read_text() == "1,2\n"
    assert (
        there.suite(there.exercises[0]).read_bytes()
        == course.suite(course.exercises[0]).read_bytes()
    )
    assert not (tmp_path / "tests" / "mutants").exists()
    assert zipped(course.bundle(course.exercises)) == zipped(course.bundle(course.exercises))


@pytest.mark.slow
def test_without_a_cluster_it_says_what_to_start(course: Course, tmp_path: Path) -> None:
    (tmp_path / "double.py").write_text(TEXTS["right"])
    done = subprocess.run(
        [
            *(sys.executable, "-m", "grader.cli", "grade", str(tmp_path / "double.py")),
            *("--course", str(course.root), "--executor", "dask://127.0.0.1:9"),
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 4
    assert "no Dask worker answers at `dask://127.0.0.1:9`" in done.stderr


@pytest.fixture
def refusal(course: Course, tmp_path: Path) -> Refusal:
    """What `grader grade` prints as it refuses an address, with such a configuration of Dask."""
    (tmp_path / "double.py").write_text(TEXTS["right"])

    def run(where: str, exit_code: int, settings: dict[str, str] | None = None) -> str:
        config = tmp_path / "dask.yaml"
        dask.config.set(settings or {}, config=(tree := dict[str, Any]()))
        config.write_text(yaml.safe_dump(tree))
        done = subprocess.run(
            [
                *(sys.executable, "-m", "grader.cli", "grade", str(tmp_path / "double.py")),
                *("--course", str(course.root), "--executor", where),
            ],
            env=surroundings(config),
            capture_output=True,
            text=True,
        )
        assert done.returncode == exit_code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stderr

    return run


@pytest.mark.slow
def test_an_address_that_is_none_is_refused(refusal: Refusal) -> None:
    assert "no executor `tcp://a:1`; choose `local`, `tls://HOST:PORT`" in refusal("tcp://a:1", 2)
    assert "`dask://a` isn't the address of a scheduler" in refusal("dask://a", 2)


@pytest.mark.slow
def test_tls_needs_certificates_that_can_be_read(
    refusal: Refusal, keys: Keys, other: Keys, tmp_path: Path
) -> None:
    nobody = "tls://127.0.0.1:9"
    assert f"`{nobody}` needs a certificate" in refusal(nobody, 2)
    gone = str(tmp_path / "gone.crt")
    missing = {**keys.settings, "distributed.comm.tls.client.cert": gone}
    text = f"can't be used: [Errno 2] No such file or directory: `{gone}`"
    assert text in refusal(nobody, 2, missing)
    strange = {**keys.settings, "distributed.comm.tls.client.key": other.key}
    assert "can't be used: [X509: KEY_VALUES_MISMATCH]" in refusal(nobody, 2, strange)


@pytest.mark.slow
def test_only_who_has_the_certificate_of_the_cluster_gets_in(
    refusal: Refusal, keys: Keys, other: Keys, secured: str
) -> None:
    theirs = refusal(secured, 4, other.settings)
    assert "isn't accepted here (self-signed certificate)" in theirs
    cert, key = "distributed.comm.tls.client.cert", "distributed.comm.tls.client.key"
    mine = {**keys.settings, cert: other.certificate, key: other.key}
    for _ in range(4):  # the scheduler's answer comes in more than one way
        assert "doesn't accept this machine's certificate" in refusal(secured, 4, mine)
    plain = refusal(secured.replace("tls://", "dask://"), 4)
    assert f"disconnected. If it uses TLS, use `{secured}`" in plain


@pytest.mark.slow
def test_who_accepts_everything_and_has_no_certificate_hears_nothing(
    keys: Keys, secured: str
) -> None:
    def heard(context: ssl.SSLContext) -> bytes:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        host, port = secured.removeprefix("tls://").split(":")
        try:
            with (
                socket.create_connection((host, int(port)), 240) as tcp,
                context.wrap_socket(tcp) as tls,
            ):
                return tls.recv(1)
        except (ConnectionError, ssl.SSLError):
            return b""

    context = ssl.create_default_context()
    assert heard(context) == b""
    context.load_cert_chain(keys.certificate, keys.key)
    assert heard(context) != b""


@pytest.mark.slow
def test_a_scheduler_without_tls_is_refused_where_tls_is_asked_for(
    refusal: Refusal, keys: Keys, scheduler: str
) -> None:
    for _ in range(4):  # which of the two speaks first differs
        text = "doesn't use TLS. Start it with certificates"
        assert text in refusal(f"tls://{scheduler}", 4, keys.settings)
    assert "requires encryption" in refusal(f"dask://{scheduler}", 2, keys.settings)


def test_names_and_addresses_of_this_machine_are_known() -> None:
    for here in ("127.0.0.1", "127.1.2.3", "localhost", socket.gethostname()):
        assert dask_connection.is_here(here), here
    # Addresses for documents (RFC 5737 and 3849), which no machine has; and a name that isn't one.
    for elsewhere in ("203.0.113.7", "2001:db8::7", "scheduler.invalid"):
        assert not dask_connection.is_here(elsewhere), elsewhere


@pytest.mark.parametrize("outside", ["tcp://203.0.113.7:8786", "tcp://[2001:db8::7]:8786"])
def test_a_cluster_on_other_machines_without_tls_is_told(outside: str) -> None:
    inside = "tcp://127.0.0.1:8786"
    assert dask_connection.warning("dask://127.0.0.1:8786", [inside, inside]) == ""
    said = dask_connection.warning("dask://127.0.0.1:8786", [inside, outside, outside])
    assert said == (
        f"warning   `dask://127.0.0.1:8786` has no TLS, and `{outside}` is on another machine: "
        "anyone who can reach these ports can read the solutions, set marks and run code on all "
        'machines, so use `tls://HOST:PORT` ("Grade on several machines" in `docs/operators.md`).'
    )


@pytest.mark.slow
def test_the_warning_is_given_once_and_only_without_tls(
    keys: Keys,
    scheduler: str,
    secured: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def warned(where: str) -> int:
        dask_connection.connect(where).close()
        return capsys.readouterr().err.count("has no TLS")

    assert warned(f"dask://{scheduler}") == 0
    # Nobody has a second machine for this test, so this one is taken for another.
    monkeypatch.setattr(dask_connection, "is_here", lambda host: False)
    assert warned(f"dask://{scheduler}") == 1
    with dask.config.set(keys.settings):
        assert warned(secured) == 0


@pytest.mark.slow
def test_a_submission_is_graded_over_tls(
    course: Course, keys: Keys, secured: str, tmp_path: Path
) -> None:
    (tmp_path / "double.py").write_text(TEXTS["right"])
    out = tmp_path / "out"
    done = subprocess.run(
        [
            *(sys.executable, "-m", "grader.cli", "grade", str(tmp_path / "double.py")),
            *("--course", str(course.root), "--out", str(out), "--executor", secured),
        ],
        env=surroundings(keys.config),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in done.stderr
    (graded,) = marks(out)["submissions"]
    assert graded["score"] == graded["max_score"] > 0


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_cluster_gives_the_same_marks_though_a_worker_dies(
    course: Course, scheduler: str, tmp_path: Path
) -> None:
    here, far, go = tmp_path / "here", tmp_path / "far", tmp_path / "go"
    go.touch()
    done = subprocess.run(a_class(course, tmp_path, here), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    go.unlink()
    grading = begun(a_class(course, tmp_path, far, "--executor", f"dask://{scheduler}"), far)
    _kill_one_worker(scheduler)
    go.touch()
    out, errors = grading.communicate(timeout=300)
    assert grading.returncode == 0, out + errors
    assert marks(far) == marks(here)


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_scheduler_that_dies_is_an_error_and_what_was_judged_is_kept(
    course: Course, tmp_path: Path, how: signal.Signals
) -> None:
    folder, out = tmp_path / "cluster", tmp_path / "out"
    folder.mkdir()
    with running(folder, workers=1) as cluster:
        where = cluster.address.replace("tcp://", "dask://")
        grading = begun(a_class(course, tmp_path, out, "--executor", where), out)
        cluster.scheduler.send_signal(how)
        printed, errors = grading.communicate(timeout=240)
        (tmp_path / "go").touch()
    assert grading.returncode == 4, printed + errors
    assert f"Error: the Dask cluster at `{where}` failed" in errors
    assert "with `--out`, what was judged is kept" in errors
    assert "Traceback" not in errors
    before = kept(out)
    assert before >= 2
    done = subprocess.run(a_class(course, tmp_path, out), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def a_class(course: Course, folder: Path, out: Path, *more: str) -> list[str]:
    """The command that grades a class of twelve. The first of them waits for the file `go`."""
    homework, go = folder / "class", str(folder / "go")
    waits = f"import os, time\nwhile not os.path.exists({go!r}):\n    time.sleep(0.01)\n"
    for number in range(12):
        (homework / f"s{number:02d}").mkdir(parents=True, exist_ok=True)
        text = ("" if number else waits) + TEXTS["right" if number % 2 else "wrong"]
        (homework / f"s{number:02d}" / "double.py").write_text(f"{text}number = {number}\n")
    where = ["--class", str(homework), "--course", str(course.root), "--out", str(out)]
    # Only without a sandbox does a submission see that file.
    where += ["--isolation", "none"]
    return [sys.executable, "-m", "grader.cli", "grade", *where, "--seed", "3", *more]


def begun(command: list[str], out: Path) -> subprocess.Popen[str]:
    """The process of a run, as soon as some of its results are stored."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while kept(out) < 2:
        assert process.poll() is None
        time.sleep(0.05)
    return process


def _kill_one_worker(scheduler: str) -> None:
    """The process that computes, not the nanny that starts it again."""
    from distributed import Client

    with Client(scheduler) as client:
        pids: dict[str, int] = client.run(os.getpid)
    os.kill(next(iter(pids.values())), signal.SIGKILL)
