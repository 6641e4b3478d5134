"""A folder whose files and folders are links to the solutions and the hidden suites (A02).

Kind: intake
Exercise: 01_arrays/set_row
Outcome: missing | unreadable
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def build(folder):
    inner = folder / "links"
    inner.mkdir()
    (inner / "set_row.py").symlink_to(ROOT / "solutions" / "01_arrays" / "set_row.py")
    (inner / "test_set_row.py").symlink_to(ROOT / "tests/hidden/01_arrays/test_set_row.py")
    (inner / "01_arrays").symlink_to(ROOT / "solutions" / "01_arrays")
    (inner / "loop").symlink_to(inner)
    return inner
