"""What a folder knows of its people stays there, if one person is graded, or some, or all."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import pytest

from grader.records import scoring
from grader.records.model import Environment, Person, Run, Source, Submission
from grader.teacher import runs
from grader.teacher.roster import Roster
from grader.teacher.store import Store

ADA = Person("1001", "Ada Roe", "aroe", "ada@x.edu", "A", "S1", "4101", github="ada")
BEN = Person("1002", "Ben Doe", "bdoe", "ben@x.edu", "B", "S2", "4102", github="ben")
EVE = Person("1003", "Eve Low", "elow", "eve@x.edu", "B", "S3", "4103", github="eve")
TIMES = {"1001": "2026-10-06T09:30:00+00:00", "1002": "2026-10-09T09:30:00+00:00"}
PEOPLE = Roster((ADA, BEN, EVE), TIMES)
ENVIRONMENT = Environment("0", "3", "Here", (), "1")


def work(name: str, text: str = "x = 1\n", **more: str) -> Submission:
    person = Person(name, **more) if more else None
    return Submission(name, f"digest of {text}", (Source("a/b", "b.py", text),), student=person)


def run(
    folder: Path, found: Sequence[Submission], roster: Roster | None = None, *, alone: bool = False
) -> list[Submission]:
    """A run of these, stored without results; returns who it was about."""
    with Store(folder) as store:
        every = runs.of_class(found, store, roster, runs.last(store, ""), keeps_others=alone)
        grades = tuple(scoring.grade(one, []) for one in every)
        store.finish(Run("course", "0", ENVIRONMENT, grades), [{} for _ in grades], {}, {})
        return every


def people(found: Sequence[Submission]) -> list[Person | None]:
    return [one.student for one in found]


CLASS = [work("ada"), work("4101", canvas="4101"), work("bdoe", moodle="7")]


@pytest.mark.parametrize("names", [["1001"], ["ada", "1002"], ["1001", "1002", "1003"]])
def test_who_is_graded_alone_keeps_everything(names: list[str], tmp_path: Path) -> None:
    """Also with two attempts, which gave two records of one person."""
    ben = dataclasses.replace(BEN, moodle="7")
    assert people(run(tmp_path, CLASS, PEOPLE)) == [ADA, ADA, ben, EVE]
    for text in ("x = 2\n", "x = 3\n"):
        found = run(tmp_path, [work(name, text) for name in names], alone=True)
        assert {one.student.id: one.student for one in found if one.student} == {
            "1001": ADA,
            "1002": ben,
            "1003": EVE,
        }
        assert {one.id for one in found if one.sources and one.sources[0].text == text} == {
            {"ada": "1001"}.get(name, name) for name in names
        }


def test_a_class_without_its_roster_keeps_people_and_times(tmp_path: Path) -> None:
    first = run(tmp_path, CLASS, PEOPLE)
    assert [one.at for one in first] == [*[TIMES["1001"]] * 2, TIMES["1002"], ""]
    assert run(tmp_path, CLASS) == first
    plain = run(tmp_path, [work("ada"), work("bdoe"), work("stranger")])
    assert people(plain)[:3] == [ADA, BEN, EVE]
    assert [note.path for note in plain[3].notes] == ["stranger"]


def test_a_name_stays_no_proof(tmp_path: Path) -> None:
    """Eve called herself Ben in Canvas, and submitted first."""
    names = Roster((Person("ben", "Ben Doe"), Person("eve", "Eve Low")))
    eve, ben = (
        dataclasses.replace(work(n, f"x = {n}\n"), student=Person(n, "Ben Doe", canvas=n))
        for n in ("222", "111")
    )
    taken, other = names.students
    assert people(run(tmp_path, [eve], names)) == [dataclasses.replace(taken, canvas="222"), other]
    # Alone, the other number is another person. In a class, neither of the two is sure.
    alone = run(tmp_path, [ben], alone=True)
    assert [one.id for one in alone if one.notes] == ["111"]
    for roster in (None, names):
        both = run(tmp_path, [eve, ben], roster)
        assert [one.id for one in both if one.notes] == ["222", "111"]


def test_a_name_of_two_people_is_told_as_such() -> None:
    two = Roster((Person("1", name="Li Wei"), Person("2", name="Li Wei")))
    given = [
        Submission(name, "", student=Person(name, name=name)) for name in ("Li Wei", "Eve Roe")
    ]
    said = {one.id: one.notes[-1].reason for one in two.matched(given) if one.notes}
    assert said["Li Wei"].startswith("has the name of several people on the roster.")
    assert said["Eve Roe"].startswith("is not on the roster.")


def test_a_new_roster_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    run(tmp_path, CLASS, PEOPLE)
    moved = Roster((dataclasses.replace(ADA, section="C"), BEN))
    assert people(run(tmp_path, [work("1001")], moved, alone=True))[0] == moved.students[0]
    assert people(run(tmp_path, CLASS))[0] == moved.students[0]


def test_only_equal_work_keeps_its_time(tmp_path: Path) -> None:
    """A correction is newer than the roster's times, and nothing tells how much."""
    run(tmp_path, [work("ada"), work("ben")], PEOPLE)
    same = run(tmp_path, [work("ben")], alone=True)
    assert [one.at for one in same] == [TIMES["1001"], TIMES["1002"], ""]
    other = run(tmp_path, [work("ben", "x = 2\n")], alone=True)
    assert [one.at for one in other] == [TIMES["1001"], "", ""]


def test_a_folder_of_before_knows_the_people_of_its_last_run(tmp_path: Path) -> None:
    run(tmp_path, PEOPLE.matched(CLASS))
    found = run(tmp_path, [work("1001", "x = 2\n")], alone=True)
    assert people(found)[0] == ADA
    assert people(run(tmp_path, [work("1001")])) == [None]
