"""Runs in an environment: prints what `grader doctor` finds, and how attacks end, as JSON.

    python inside.py OUT COURSE [ATTACK ...]

OUT is a folder of its own, in which everything is written. `--all` stands for every attack, and
nothing for `CHOSEN`.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

# Each tries another layer, and after each a right answer has to earn all points.
CHOSEN = (
    "reads_the_solution",
    "globs_the_file_system",
    "disk_of_deleted_files",
    "reads_proc",
    "reads_its_neighbours",
    "limits_other_processes",
    "signals_by_every_call",
    "connects_out",
    "poisons_the_cache",
    "memory_bomb_of_bytes",
    "thread_bomb",
)
DOCTOR = "from grader.cli import main; main(prog_name='grader')"


def main(out: Path, course: Path, attacks: list[str]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    os.chmod(out, 0o711)
    for name in ("tmp", "home", "cache"):
        (out / name).mkdir()
        os.chmod(out / name, 0o711)
    # As in most containers, where the fewest things help: other variables aren't passed on.
    kept = {k: v for k, v in os.environ.items() if k in ("PYTHONPATH", "GRADER_TESTS_LANDLOCK")}
    environment = kept | {
        "PATH": "/usr/bin:/bin",
        "HOME": str(out / "home"),
        "TMPDIR": str(out / "tmp"),
        "XDG_CACHE_HOME": str(out / "cache"),
        "LANG": "C.UTF-8",
        "COLUMNS": "200",
    }
    doctor = _run([sys.executable, "-c", DOCTOR, "doctor", "--json", "--course", "."], environment)
    found = json.loads(doctor.stdout) if doctor.stdout.startswith("{") else doctor.stderr
    print(json.dumps({"doctor": found, "attacks": _attacks(environment, attacks or list(CHOSEN))}))


def _attacks(environment: dict[str, str], attacks: list[str]) -> dict[str, object]:
    chosen = ["-m", "slow or not slow"]
    if attacks != ["--all"]:
        chosen += ["-k", " or ".join((*attacks, "nothing_outlives"))]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rf", *chosen]
    done = _run([*command, "tests/test_attacks.py"], environment)
    counts = {what: int(n) for n, what in re.findall(r"(\d+) (passed|failed|error)", done.stdout)}
    failed = re.findall(r"^(?:FAILED|ERROR) \S+::(\S+)", done.stdout, re.MULTILINE)
    return {**counts, "names": failed, "end": done.stdout[-4000:] if failed or not counts else ""}


def _run(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


if __name__ == "__main__":
    os.chdir(sys.argv[2])
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
