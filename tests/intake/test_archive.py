"""How zips and folders are read: bombs, links, pipes, damage."""

from __future__ import annotations

import json
import os
import random
import stat
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest

from grader.course.course import Course
from grader.intake import archive, reader
from tests.conftest import write
from tests.intake.conftest import (
    SET_ROW,
    SPLIT_MANY,
    cells,
    needs_posix,
    notes,
    pack,
    taken,
    text_of,
)

# Error texts


def test_an_empty_zip_is_a_problem(here: Path, course: Course) -> None:
    problem = reader.read(pack(here / "ada.zip", {}), course).problem
    assert problem is not None
    assert problem.startswith("`ada.zip` is an empty zip. Submit Python files")


def test_a_zip_that_is_not_one_is_a_problem(here: Path, course: Course) -> None:
    write(here, {"ada.zip": b"Rar!\x1a\x07"})
    assert reader.read(here / "ada.zip", course).problem == (
        "`ada.zip` is not a zip, or is damaged. Pack your files again."
    )


# Zips


@pytest.mark.parametrize(
    ("name", "shown", "reason"),
    [
        ("../set_row.py", "../set_row.py", "leads out of the zip with `..`. Pack your files again"),
        ("a/../../set_row.py", "a/../../set_row.py", "leads out of the zip with `..`."),
        ("/tmp/set_row.py", "/tmp/set_row.py", "is not a path inside the zip."),
        ("C:/set_row.py", "C:/set_row.py", "is not a path inside the zip."),
        ("a\\set_row.py", "a\\u005cset_row.py", "has a backslash in its name."),
        ("a\x1b[2J/set_row.py", "a\\u001b[2J/set_row.py", "has control characters in its name."),
        ("yp.\u202eset_row.py", "yp.\\u202eset_row.py", "has control characters in its name."),
        ("x/inner.zip", "x/inner.zip", "is a zip inside a zip, and was not opened."),
        ("d/" * 40 + "set_row.py", "d/" * 40 + "set_row.py", "is more than 32 folders deep."),
    ],
)
def test_a_zip_cannot_escape_its_folder(
    here: Path, course: Course, name: str, shown: str, reason: str
) -> None:
    pack(here / "ada.zip", {name: SET_ROW, "split_many.py": SPLIT_MANY})
    submission = reader.read(here / "ada.zip", course)
    assert taken(submission) == {"02_random/split_many": "split_many.py"}
    assert list(notes(submission)) == [shown]
    assert notes(submission)[shown].startswith(reason)


@pytest.mark.parametrize(
    "name",
    ["x" * 60_000, "d/" * 3 + "x" * 5_000 + ".txt", "\u0130.txt", " "],
    ids=["huge", "long", "odd", "blank"],
)
def test_a_name_that_no_folder_could_hold_is_reported(
    here: Path, course: Course, name: str
) -> None:
    submission = reader.read(pack(here / "ada.zip", {name: "", "set_row.py": SET_ROW}), course)
    assert taken(submission) == {"01_arrays/set_row": "set_row.py"}
    (note,) = submission.notes
    assert len(note.path) <= 160


@pytest.mark.parametrize(
    ("mode", "reason"), [(stat.S_IFLNK, "is a link"), (stat.S_IFIFO, "is a pipe")]
)
def test_a_link_in_a_zip_is_reported_and_not_read(
    here: Path, course: Course, mode: int, reason: str
) -> None:
    with zipfile.ZipFile(here / "ada.zip", "w") as packed:
        info = zipfile.ZipInfo("set_row.py")
        info.create_system, info.external_attr = 3, (mode | 0o777) << 16
        packed.writestr(info, "../../solutions/01_arrays/set_row.py")
    submission = reader.read(here / "ada.zip", course)
    assert submission.sources == ()
    assert notes(submission)["set_row.py"].startswith(reason)


def test_an_encrypted_member_is_reported(here: Path, course: Course) -> None:
    data = bytearray(pack(here / "ada.zip", {"set_row.py": SET_ROW}).read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    write(here, {"ada.zip": bytes(data)})
    assert reader.read(here / "ada.zip", course).problem == (
        "nothing in `ada.zip` can be graded: `set_row.py` is encrypted. "
        "Pack your files again without a password."
    )


def test_an_unusual_compression_is_reported(here: Path, course: Course) -> None:
    with zipfile.ZipFile(here / "ada.zip", "w", zipfile.ZIP_LZMA) as packed:
        packed.writestr("set_row.py", SET_ROW)
    submission = reader.read(here / "ada.zip", course)
    assert notes(submission)["set_row.py"].startswith("is compressed in an unusual way.")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_two_members_with_one_name_the_last_counts(here: Path, course: Course) -> None:
    with zipfile.ZipFile(here / "ada.zip", "w") as packed:
        packed.writestr("./set_row.py", "set_row = 1\n")
        packed.writestr("set_row.py", SET_ROW)
    submission = reader.read(here / "ada.zip", course)
    assert text_of(submission) == SET_ROW
    assert notes(submission) == {
        "set_row.py": "is in the zip more than once; the last one was read"
    }


def test_a_bomb_is_not_unpacked(here: Path, course: Course) -> None:
    pack(here / "ada.zip", {"set_row.py": b"#" * 50_000_000, "split_many.py": SPLIT_MANY})
    tracemalloc.start()
    try:
        submission = reader.read(here / "ada.zip", course)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()
    assert taken(submission) == {"02_random/split_many": "split_many.py"}
    assert notes(submission)["set_row.py"].startswith("is larger than 256 KiB")


@pytest.mark.parametrize(("claimed", "read"), [(10, False), (0xFFFFFF, True)])
def test_bytes_count_and_not_what_a_zip_says_of_them(
    here: Path, course: Course, claimed: int, read: bool
) -> None:
    data = bytearray(pack(here / "ada.zip", {"set_row.py": b"#" * 100_000}).read_bytes())
    for at in (data.index(b"PK\x01\x02") + 24, data.index(b"PK\x03\x04") + 22):
        data[at : at + 4] = claimed.to_bytes(4, "little")
    write(here, {"ada.zip": bytes(data)})
    submission = reader.read(here / "ada.zip", course)
    if read:
        assert len(text_of(submission)) == 100_000
    else:
        assert notes(submission)["set_row.py"].startswith("is damaged inside the zip.")


def test_what_many_members_hold_together_is_counted_from_the_top(
    here: Path, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_TOTAL", 1000)
    deep = {f"deep/{i}.py": "#" * 400 for i in range(4)}
    pack(here / "ada.zip", deep | {"set_row.py": SET_ROW})
    submission = reader.read_own(here / "ada.zip", course)
    assert taken(submission) == {"01_arrays/set_row": "set_row.py"}
    assert notes(submission)["deep/0.py"].startswith("matches no exercise")
    assert notes(submission)["deep/2.py"].startswith(
        "was not read: the submission contains more than "
    )


def test_a_zip_with_too_many_members_is_refused(here: Path, course: Course) -> None:
    pack(here / "ada.zip", {f"{i}.py": "" for i in range(archive.MAX_FILES + 1)})
    assert reader.read(here / "ada.zip", course).problem == (
        "`ada.zip` contains more than 10,000 files. Submit only your exercises."
    )


def test_a_damaged_zip_is_never_a_crash(here: Path, course: Course) -> None:
    members: dict[str, str | bytes] = {"01_arrays/set_row.py": SET_ROW, "w.ipynb": cells(SET_ROW)}
    good = pack(here / "ada.zip", members).read_bytes()
    dice = random.Random(0)
    for _ in range(300):
        data = bytearray(good)
        for _ in range(dice.randrange(1, 6)):
            data[dice.randrange(len(data))] = dice.choice([0, 1, 0x2F, 0x7F, 0x80, 0xFF])
        if dice.random() < 0.2:
            del data[dice.randrange(len(data)) :]
        write(here, {"ada.zip": bytes(data)})
        submission = reader.read(here / "ada.zip", course)
        assert bool(submission.sources) == (submission.problem is None)


@pytest.mark.parametrize(
    "name",
    [
        "__MACOSX/._set_row.py",
        ".DS_Store",
        "__pycache__/set_row.cpython-311.pyc",
        ".git/set_row.py",
        ".ipynb_checkpoints/set_row-checkpoint.ipynb",
        ".venv/lib/x.py",
        "venv/bin/activate_this.py",
        "env/lib/python3.11/site-packages/x.py",
    ],
)
def test_what_no_student_wrote_is_skipped_in_silence(here: Path, course: Course, name: str) -> None:
    files: dict[str, str | bytes] = {f"ada/{name}": "x", "ada/set_row.py": SET_ROW}
    write(here, files)
    pack(here / "ada.zip", files)
    for path in ("ada", "ada.zip"):
        assert reader.read(here / path, course).notes == ()


# Folders


def test_a_zip_in_a_folder_is_read_in_its_place(here: Path, course: Course) -> None:
    (here / "ada").mkdir()
    pack(here / "ada" / "hw.zip", {"exercises/01_arrays/set_row.py": SET_ROW, "../x.py": ""})
    submission = reader.read(here / "ada", course)
    assert taken(submission) == {"01_arrays/set_row": "hw.zip/exercises/01_arrays/set_row.py"}
    assert list(notes(submission)) == ["hw.zip/../x.py"]


@needs_posix
def test_no_link_in_a_folder_is_followed(here: Path, course: Course) -> None:
    write(here / "solutions", {"set_row.py": SET_ROW})
    write(here / "ada", {"split_many.py": SPLIT_MANY})
    (here / "ada" / "set_row.py").symlink_to(here / "solutions" / "set_row.py")
    (here / "ada" / "more").symlink_to(here / "solutions")
    submission = reader.read(here / "ada", course)
    reason = "is a link, and links are not followed. Submit the file itself"
    assert taken(submission) == {"02_random/split_many": "split_many.py"}
    assert notes(submission) == {"set_row.py": reason, "more": reason}


@needs_posix
def test_a_link_that_is_named_on_purpose_is_followed(here: Path, course: Course) -> None:
    write(here / "real", {"set_row.py": SET_ROW})
    (here / "ada").symlink_to(here / "real")
    submission = reader.read(here / "ada", course)
    assert submission.id == "ada"
    assert taken(submission) == {"01_arrays/set_row": "set_row.py"}


@needs_posix
def test_a_pipe_is_never_opened(here: Path, course: Course) -> None:
    (here / "ada").mkdir()
    os.mkfifo(here / "ada" / "set_row.py")
    assert reader.read(here / "ada", course).problem == (
        "nothing in `ada` can be graded: `set_row.py` is a pipe, a device or a socket. "
        "Submit a plain file."
    )
    assert reader.read(here / "ada" / "set_row.py", course).problem is not None
    assert reader.read(Path("/dev/zero"), course).problem is not None


@needs_posix
@pytest.mark.parametrize(
    ("becomes", "reason"), [("a pipe", "is a pipe"), ("a link", "can't be read")]
)
def test_a_file_that_turns_into_something_else_is_not_read(
    here: Path, course: Course, monkeypatch: pytest.MonkeyPatch, becomes: str, reason: str
) -> None:
    write(here, {"ada/set_row.py": SET_ROW, "secret.py": SET_ROW})
    lstat = Path.lstat

    def swapped(path: Path) -> os.stat_result:
        found = lstat(path)
        if path.name == "set_row.py":
            path.unlink()
            if becomes == "a pipe":
                os.mkfifo(path)
            else:
                path.symlink_to("../secret.py")
        return found

    monkeypatch.setattr(Path, "lstat", swapped)
    submission = reader.read_own(here / "ada", course)
    assert submission.sources == ()
    assert notes(submission)["set_row.py"].startswith(reason)


def test_a_file_without_permission_is_reported(
    here: Path, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(here / "ada", {"set_row.py": SET_ROW, "split_many.py": SPLIT_MANY})
    opened = os.open

    def refuse(path: Any, *rest: Any) -> int:
        if Path(path).name == "set_row.py":
            raise PermissionError(13, "Permission denied")
        return opened(path, *rest)

    monkeypatch.setattr(os, "open", refuse)
    submission = reader.read_own(here / "ada", course)
    assert taken(submission) == {"02_random/split_many": "split_many.py"}
    assert notes(submission) == {"set_row.py": "can't be read: permission denied. Submit it again"}


def test_a_folder_that_is_too_deep_is_reported(here: Path, course: Course) -> None:
    write(here / "ada", {"d/" * 40 + "set_row.py": SET_ROW})
    submission = reader.read(here / "ada", course)
    assert submission.sources == ()
    assert submission.notes[0].reason == "is more than 32 folders deep. Move it up"


def test_a_folder_with_too_many_files_is_read_from_the_top(
    here: Path, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_FILES", 100)
    deep = {f"z/deep/{i}.txt": "" for i in range(200)}
    write(here / "ada", deep | {"a/set_row.py": SET_ROW})
    submission = reader.read_own(here / "ada", course)
    assert taken(submission) == {"01_arrays/set_row": "a/set_row.py"}
    assert len(submission.notes) == reader.MAX_NOTES + 1
    assert submission.notes[-1].path == "ada"
    assert submission.notes[-1].reason == "contains 57 more things that were not graded"


@needs_posix
def test_no_name_reaches_a_report_raw(here: Path, course: Course) -> None:
    folder = here / "a\x1b[31m`\u202e\\\udcff"
    write(folder, {"b\n.py": SET_ROW, "c\u200b.py": SPLIT_MANY, "d" * 200 + ".txt": ""})
    submission = reader.read(folder, course)
    assert submission.id == "a\\u001b[31m\\u0060\\u202e\\u005c\\udcff"
    assert taken(submission) == {"02_random/split_many": "c\\u200b.py"}
    for note in submission.notes:
        assert (note.path + note.reason).isprintable()
        assert len(note.path) <= 160
    json.dumps(submission.id).encode()
