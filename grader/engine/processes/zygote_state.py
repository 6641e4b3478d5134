"""What a zygote hands on to every child that it forks, as the judge reads it in `/proc`.

    facts(pid, ...) when it is ready  --difference-->  facts(pid, ...) after a run

Each child of a zygote inherits its limits, descriptors, priority and so on. A submission that
changed one of them would decide the marks of the next ones. So the facts have to stay the same.
"""

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

Facts = dict[str, str]

MOST_NAMED = 5
_STATUS = re.compile(
    "^(Umask|TracerPid|Uid|Gid|Groups|Threads|SigBlk|SigIgn|SigCgt|CapInh|CapPrm|CapEff|CapBnd"
    "|CapAmb|NoNewPrivs|Seccomp|Seccomp_filters):(.*)$",
    re.MULTILINE,
)
# Fields of `/proc/PID/stat` after the name, counted from 0 (the kernel's number less 3).
_STAT = {"group": 2, "session": 3, "nice": 16, "realtime priority": 37, "scheduling policy": 38}


def facts(
    pid: int, scratch: Path, expected: Collection[str], variables: Mapping[str, str]
) -> Facts:
    """The facts of the process `pid`. One that the kernel doesn't tell is left out.

    `scratch` is its folder, in which the names `expected` don't count. `variables` is its
    environment: `/proc` shows only the one that it was started with.
    """
    process = f"/proc/{pid}"
    found = {f"variable {name}": value for name, value in variables.items()}
    # Each line has a name of at most 25 characters, the soft and the hard limit, and a unit.
    limits = _text(f"{process}/limits").splitlines()[1:]
    found.update((line[:26].strip(), " ".join(line[26:].split()[:2])) for line in limits)
    found.update(_STATUS.findall(_text(f"{process}/status")))
    fields = _text(f"{process}/stat").rpartition(")")[2].split()
    found.update((name, fields[n]) for name, n in _STAT.items() if n < len(fields))
    found.update(_descriptors(f"{process}/fd"))
    with suppress(OSError):
        found["folder"] = os.readlink(f"{process}/cwd")
    with suppress(OSError):
        cores = os.sched_getaffinity(pid)
        # Where both have the same cores, their number doesn't count: a container may get others.
        shared = cores == os.sched_getaffinity(0)
        found["cores"] = "the judge's" if shared else str(sorted(cores))
    found.update(_files(scratch, expected))
    return found


def difference(before: Facts, now: Facts) -> str:
    """What has changed, for the operator; "" if nothing has."""
    if before == now:
        return ""
    names = [name for name in dict.fromkeys([*before, *now]) if before.get(name) != now.get(name)]
    changes = [
        f"{ascii(name)[1:-1]}: {_said(before.get(name))}, now {_said(now.get(name))}"
        for name in names[:MOST_NAMED]
    ]
    return "; ".join(changes + ["..."] * (len(names) > MOST_NAMED))


def strays(scratch: Path, expected: Collection[str]) -> list[str]:
    """The names in the folder that nobody should have put there."""
    return sorted(name for name in os.listdir(scratch) if name not in expected)


def _descriptors(folder: str) -> Iterator[tuple[str, str]]:
    with suppress(OSError):
        for number in os.listdir(folder):
            with suppress(OSError):
                yield f"descriptor {number}", os.readlink(f"{folder}/{number}")


def _files(scratch: Path, expected: Collection[str]) -> Iterable[tuple[str, str]]:
    with suppress(OSError):
        about = scratch.stat()
        yield "scratch folder", f"{about.st_mode:o} of {about.st_uid}"
        for name in strays(scratch, expected):
            yield f"scratch file {name}", "there"


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _said(value: str | None) -> str:
    return "none" if value is None else ascii(" ".join(value.split()))[1:-1][:200]
