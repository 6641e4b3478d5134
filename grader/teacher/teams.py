"""Who works together on an assignment: `teams = "roster"`, or a CSV beside the assignment's file.

    the people of a class + a rule --resolved--> the rule with the team of each person

A person without a team works alone. Teams are read when the marks are made: who joins a team later
gets its mark, and who leaves it loses that.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from grader.records.model import Assignment, Person, Submission
from grader.teacher import roster

ROSTER = "roster"


def called(team: str) -> str:
    """The name of a team where a person's id might stand, as in a decision."""
    return f"team:{team}"


def resolved(rule: Assignment, people: Iterable[Person], told: list[str]) -> Assignment:
    """The rule with its teams. Adds to `told` the rows that name nobody of the class.

    Raises `UsageError` if the CSV can't be read.
    """
    if not rule.teams:
        return rule
    everybody = list({person.id: person for person in people}.values())
    if rule.teams == ROSTER:
        return replace(rule, team_of={p.id: p.team for p in everybody if p.team})
    rows = roster.read(Path(rule.teams)).students
    found = roster.Roster(tuple(everybody)).find(
        [Submission(row.id, digest="", student=row) for row in rows]
    )
    pairs = list(zip(rows, found, strict=True))
    told += [
        f"`{row.id}` in `{rule.teams}` is not in the class. Correct the row."
        for row, person in pairs
        if person is None
    ]
    return replace(rule, team_of={p.id: row.team for row, p in pairs if p and row.team})


def names(team_of: Mapping[str, str], person: str) -> set[str]:
    """What a decision about a person names: the id, or the team."""
    return {person, called(team_of[person])} if person in team_of else {person}


def members(team_of: Mapping[str, str], name: str) -> list[str]:
    """The ids of the people in the team that is `called` so."""
    return sorted(person for person, team in team_of.items() if called(team) == name)


def groups(team_of: Mapping[str, str], people: Iterable[str]) -> dict[str, list[str]]:
    """For each of `people`, those in the same team, the person among them."""
    of = {person: (person in team_of, team_of.get(person, person)) for person in people}
    together: dict[tuple[bool, str], list[str]] = defaultdict(list)
    for person, group in of.items():
        together[group].append(person)
    return {person: together[group] for person, group in of.items()}
