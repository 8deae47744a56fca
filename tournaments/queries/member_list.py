"""A list of members beside the people whom the club knows: who is new, what changes, and who is missing in it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import blake2b
from uuid import UUID

from tournaments.core.names import same_name_key
from tournaments.core.refusal import Refusal
from tournaments.models import Person

MEMBER_COLUMNS = ("name", "club", "town", "member_number", "member_from_on", "member_until_on")
"""Columns of Person that such a list has."""

Values = Mapping[str, str | date]
"""By column, without empty ones: what a list leaves empty stays as it is."""


@dataclass(frozen=True, slots=True)
class MemberLine:
    """A line of a list with a name."""

    line: int
    values: Values

    @property
    def name(self) -> str:
        return str(self.values["name"])

    @property
    def details(self) -> list[str | date]:
        return [value for column, value in self.values.items() if column != "name"]


@dataclass(frozen=True, slots=True)
class MemberChange:
    """A person whom a line changes. pairs: each value before and after."""

    line: int
    key: UUID
    name: str
    values: Values
    pairs: tuple[tuple[str | date, str | date], ...]


@dataclass(frozen=True, slots=True)
class MemberPlan:
    """Effects of a list. unchanged: how many people stay as they are. refused: line, name and why it is not taken.

    missing: members whom the list does not have; nothing happens to them.
    """

    new: tuple[MemberLine, ...]
    changed: tuple[MemberChange, ...]
    unchanged: int
    refused: tuple[tuple[int, str, Refusal], ...]
    missing: tuple[Person, ...]

    @property
    def digest(self) -> str:
        """A hash of all that would be written."""
        return blake2b(repr((self.new, self.changed)).encode(errors="replace"), digest_size=12).hexdigest()


def member_plan(lines: Sequence[MemberLine], *, on: date) -> MemberPlan:
    """Compare a list with all people. on: the day; whose membership has ended before is not missing.

    A line is refused with member_ambiguous if several people of its name may be meant, and with member_twice (line) if an earlier
    line is the same person.
    """
    match, new, changed, refused = _Matching(), [], [], []
    # Numbers are sure: they have their people before the others look for theirs.
    for line in sorted(lines, key=lambda line: "member_number" not in line.values):
        try:
            person, values = match.take(line)
        except Refusal as refusal:
            refused.append((line.line, line.name, refusal))
            continue
        if person is None:
            new.append(line)
        elif values:
            pairs = tuple((getattr(person, column) or "–", value) for column, value in values.items())
            changed.append(MemberChange(line.line, person.key, person.name, values, pairs))
            for column, value in values.items():
                setattr(person, column, value)
    return MemberPlan(
        tuple(sorted(new, key=lambda line: line.line)),
        tuple(sorted(changed, key=lambda change: change.line)),
        len(lines) - len(new) - len(changed) - len(refused),
        tuple(sorted(refused, key=lambda line: line[0])),
        match.missing(on),
    )


class _Matching:
    """People by number and name. A new one is among them from its line on, so that no list doubles by itself."""

    def __init__(self) -> None:
        rows = {
            person.key: person for person in Person.objects.filter(erased_at=None).order_by("name", "key")
        }
        self.people = [person for person in rows.values() if person.merged_into_id is None]
        self.by_number: dict[str, Person] = {}
        self.by_name: dict[str, list[Person]] = defaultdict(list)
        self.lines: dict[UUID, int] = {}
        for row in rows.values():
            person = row
            while person.merged_into_id:
                person = rows[person.merged_into_id]
            if row.member_number:
                self.by_number[row.member_number] = person
        for person in self.people:
            self.by_name[same_name_key(person.name)].append(person)

    def take(self, line: MemberLine) -> tuple[Person | None, Values]:
        """Return the person of a line, None for a new one, and the values that differ. Refuses member_ambiguous, member_twice (line)."""
        number = str(line.values.get("member_number", ""))
        by_number = self.by_number.get(number) if number else None
        person = by_number or self._of_name(line, number)
        if person is not None and person.key in self.lines:
            raise Refusal("member_twice", line=self.lines[person.key])
        taken = person or Person(**line.values)
        self.lines[taken.key] = line.line
        if number:
            self.by_number[number] = taken
        if person is None:
            self.by_name[same_name_key(line.name)].append(taken)
            return None, line.values
        # The number of a row that is merged into the person stays there.
        kept = {"member_number"} if by_number else set()
        differ = {
            column: value
            for column, value in line.values.items()
            if column not in kept and getattr(person, column) != value
        }
        return person, differ

    def _of_name(self, line: MemberLine, number: str) -> Person | None:
        """Return the person of this name and town, else the one of this name where one of both towns is unknown."""
        people = [
            person
            for person in self.by_name[same_name_key(line.name)]
            if not (number and person.member_number)
        ]
        town = same_name_key(str(line.values.get("town", "")))
        there = [person for person in people if same_name_key(person.town) == town]
        there = there or [person for person in people if not (town and person.town)]
        if len(there) > 1:
            raise Refusal("member_ambiguous")
        return there[0] if there else None

    def missing(self, on: date) -> tuple[Person, ...]:
        return tuple(
            person
            for person in self.people
            if person.key not in self.lines
            and (person.member_number or person.member_from_on)
            and not (person.member_until_on and person.member_until_on < on)
        )
