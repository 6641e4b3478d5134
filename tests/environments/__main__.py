"""Examines each environment and writes the table (see the package's docstring)."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from grader.records.model import LAYERS
from tests.environments.columns import ROOT, Column, columns, is_available

PAGE = ROOT / "docs" / "environments.md"
BEGIN, END = "<!-- the table begins -->\n", "<!-- the table ends -->\n"
Found = dict[str, Any]


def examine(column: Column, folder: Path, *, attacks: list[str]) -> Found:
    """What `inside` printed in this environment. Raises `RuntimeError` if it printed nothing."""
    # A container writes into a layer above this machine's files, which is thrown away.
    out = Path(tempfile.mkdtemp(dir=folder)) / "out"
    out.parent.chmod(0o777)
    inside = [sys.executable, "-B", str(ROOT / "tests" / "environments" / "inside.py")]
    command = [*column.command, *inside, str(out), str(ROOT), *attacks]
    environment = os.environ | column.environment
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    last = done.stdout.strip().rpartition("\n")[2]
    if not last.startswith("{"):
        raise RuntimeError(f"`{column.name}` printed no findings: {done.stderr[-2000:]}")
    found: Found = json.loads(last)
    return found


def cells(column: Column, found: Found) -> list[str]:
    """The row of an environment."""
    doctor, attacks = found["doctor"], found["attacks"]
    if not column.holds:
        refused = isinstance(doctor, dict) and not doctor["layers"]
        return [column.name, *["refuses" if refused else "NOT REFUSED"] * len(LAYERS), "", ""]
    layers = {layer["name"]: layer for layer in doctor["layers"]} if doctor["layers"] else {}
    said = []
    for name in LAYERS:
        layer = layers.get(name)
        holds = layer is not None and not layer["open"]
        said.append(", ".join(layer["carried_by"]) if layer and holds else "OPEN")
    tried = sum(attacks.get(kind, 0) for kind in ("passed", "failed", "error"))
    names = "visible" if doctor["named"] else "hidden"
    return [column.name, *said, names, f"{attacks.get('passed', 0)} of {tried}"]


def table(rows: list[list[str]]) -> str:
    head = ["environment", *LAYERS, "names of suites", "attacks that got nothing"]
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def written(page: str, rows: list[list[str]]) -> str:
    """The page with a new table."""
    import jax

    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    where = f"Linux {platform.release().split('-')[0]}, {platform.machine()}, JAX {jax.__version__}"
    said = f"Measured on {where}, Python {platform.python_version()}.\n\n"
    return f"{before}{BEGIN}\n{said}{table(rows)}\n{END}{after}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.environments")
    parser.add_argument("--only", help="the environment of this name")
    parser.add_argument("--attack", action="append", default=[], help="only this one")
    parser.add_argument("--all", action="store_true", help="every attack, not one of each kind")
    parser.add_argument("--write", action="store_true", help=f"write into {PAGE.name}")
    asked = parser.parse_args()
    rows, bad = [], []
    with tempfile.TemporaryDirectory(prefix="environments-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        for column in columns(folder):
            if asked.only not in (None, column.name):
                continue
            if not is_available(column):
                print(f"{column.name}: not available here (it needs root, and its tools)")
                continue
            found = examine(column, folder, attacks=["--all"] if asked.all else asked.attack)
            rows.append(cells(column, found))
            print("  ".join(rows[-1]), flush=True)
            if isinstance(found["doctor"], dict) and found["doctor"]["uid"]:
                print(f"    no uid: {found['doctor']['uid']}", flush=True)
            attacks = found["attacks"]
            well = attacks.get("passed", 0) > 0 and not attacks["names"] and "OPEN" not in rows[-1]
            if column.holds and not well:
                bad.append(column.name)
                print(json.dumps(found, indent=2))
    if asked.write:
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), rows), encoding="utf-8")
    print(table(rows))
    return 1 if bad or any("NOT REFUSED" in row for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
