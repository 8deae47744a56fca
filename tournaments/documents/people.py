"""The tournament and its players in the document.

The document omits data of this installation only: accounts, memberships, invitations, link versions, the time
of import, the last public day, whether the start page lists the tournament, and sign-ups with their terms.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from tournaments.core.document_reader import DocumentError, Reader
from tournaments.core.names import clean_name
from tournaments.core.refusal import Refusal
from tournaments.core.wishes import wish_from_dict
from tournaments.documents.fields import IMPORT_TIME, NEEDED, Field, FieldTable, parts_of, read_object
from tournaments.documents.money import PAYMENTS, read_fees, write_fees
from tournaments.models import Participant, Payment, PersonChange, Tournament
from tournaments.person_details import PERSON_DETAILS
from tournaments.rulesets.loader import PRESETS, preset
from tournaments.rulesets.reading import RulesetError
from tournaments.rulesets.schema import Ruleset
from tournaments.services.ending import check_can_end

People = Mapping[int, Participant]
"""Players by start number."""


def read_slug(reader: Reader) -> str:
    """Return a web address."""
    slug = reader.text(most=60)
    if not all(c.isascii() and (c.isalnum() or c in "-_") for c in slug):
        raise reader.error("slug_bad")
    return slug


def _read_ruleset(reader: Reader) -> dict[str, Any]:
    if isinstance(reader.value, str):
        return preset(reader.choice(PRESETS)).to_dict()
    try:
        return Ruleset.from_dict(read_object(reader)).to_dict()
    except RulesetError as error:
        path = f"{reader.path}.{error.path}" if error.path else reader.path
        raise DocumentError(path, Refusal("ruleset_bad", path=error.path, message=error.message)) from None


def read_name(reader: Reader) -> str:
    """Return a player's name."""
    try:
        return clean_name(reader.value) if isinstance(reader.value, str) else reader.text(most=80)
    except Refusal as refusal:
        raise DocumentError(reader.path, refusal) from None


def read_wishes(reader: Reader) -> list[dict[str, object]]:
    return [_read_wish(item) for item in reader.items()]


def _read_wish(reader: Reader) -> dict[str, object]:
    wish = read_object(reader)
    reason = reader.key("reason")
    text = "" if reason.is_null else reason.text(most=500, required=False)
    try:
        return wish_from_dict(wish | {"reason": text}).to_dict()
    except Refusal as refusal:
        raise DocumentError(reader.path, refusal) from None


ENDINGS = FieldTable(
    Tournament,
    Field("reason", "ended_reason", default=NEEDED, required=True),
    Field("by", "ended_by"),
    Field("at", "ended_at", default=NEEDED),
)
TOURNAMENTS = FieldTable(
    Tournament,
    Field("slug", read=read_slug),
    Field("name", required=True),
    Field("date", "played_on"),
    "place",
    "names",
    "draw_mode",
    "ceremony",
    Field("wishes", read=read_wishes),
    Field("fees", read=read_fees, write=write_fees),
    "hides_amounts",
    "starts_at",
    "admits_at",
    Field("prize_plan", read=read_object),
    Field("practice", "is_practice"),
    "ended",
    Field("created_at", default=IMPORT_TIME),
    Field("ruleset", read=_read_ruleset, write=lambda stored: Ruleset.from_dict(stored).to_dict()),
)
PERSON_CHANGES = FieldTable(PersonChange, "kind", "text", Field("by", default=""), "at")
PARTICIPANTS = FieldTable(
    Participant,
    Field("start_number", least=1),
    Field("name", read=read_name),
    "club",
    *PERSON_DETAILS,
    Field("fee", or_null=True),
    Field("names", or_null=True),
    "presence",
    "withdrawn",
    "withdrawn_at",
    Field("excluded", "excluded_reason", required=True, or_null=True),
    "excluded_at",
    Field("registered_at", default=IMPORT_TIME),
    Field("registered_by", default=""),
    "payments",
    "changes",
)


def tournament_document(tournament: Tournament) -> dict[str, Any]:
    ended = ENDINGS.write(tournament) if tournament.ended_at else None
    return TOURNAMENTS.write(tournament, ended=ended)


def participant_documents(tournament: Tournament) -> list[dict[str, Any]]:
    people = tournament.participants.order_by("start_number").prefetch_related("payments", "changes")
    return [
        PARTICIPANTS.write(
            person,
            withdrawn=person.withdrawn_at is not None,
            payments=[PAYMENTS.write(row) for row in sorted(person.payments.all(), key=lambda row: row.pk)],
            changes=[
                PERSON_CHANGES.write(row) for row in sorted(person.changes.all(), key=lambda row: row.pk)
            ],
        )
        for person in people
    ]


def read_tournament(reader: Reader, *, at: datetime) -> Tournament:
    """Return the tournament, unsaved. `check_ending` checks whether the rounds allow its early end."""
    tournament = TOURNAMENTS.read(reader, at=at, imported_at=at)
    ended = reader.key("ended")
    for column, value in {} if ended.is_null else ENDINGS.columns(ended, at=at).items():
        setattr(tournament, column, value)
    return tournament


def check_ending(reader: Reader, tournament: Tournament, states: Mapping[int, str]) -> None:
    """Check that the states of the rounds allow the early end of the tournament, if it has one."""
    if tournament.ended_at is None:
        return
    try:
        check_can_end(tournament.rules, states)
    except Refusal as refusal:
        raise DocumentError(f"{reader.path}.ended", refusal) from None


def read_participants(
    reader: Reader, tournament: Tournament, *, at: datetime
) -> tuple[People, list[Payment], list[PersonChange]]:
    """Return the players with their payments and changes, unsaved. Each start number must be unique."""
    people: dict[int, Participant] = {}
    payments, changes = list[Payment](), list[PersonChange]()
    fees = {kind.key for kind in tournament.fee_kinds}
    for item in reader.items():
        person = _read_person(item, tournament, fees, at)
        payments += [PAYMENTS.read(row, at=at, participant=person) for row in parts_of(item, "payments")]
        changes += [PERSON_CHANGES.read(row, at=at, participant=person) for row in parts_of(item, "changes")]
        if person.start_number in people:
            raise item.key("start_number").error("document_number_twice", number=person.start_number)
        people[person.start_number] = person
    return people, payments, changes


def _read_person(reader: Reader, tournament: Tournament, fees: Collection[str], at: datetime) -> Participant:
    person = PARTICIPANTS.read(reader, at=at, tournament=tournament)
    if person.fee:
        reader.key("fee").choice(fees)
    withdrawn = reader.key("withdrawn")
    is_withdrawn = not withdrawn.is_null and withdrawn.yes_or_no()
    person.withdrawn_at = _since(person.withdrawn_at, reader.key("withdrawn_at"), at, holds=is_withdrawn)
    is_excluded = bool(person.excluded_reason)
    person.excluded_at = _since(person.excluded_at, reader.key("excluded_at"), at, holds=is_excluded)
    return person


def _since(moment: datetime | None, reader: Reader, at: datetime, *, holds: bool) -> datetime | None:
    """Return the time since which a state holds, by default `at`; None if it does not hold. Then `moment` must be None."""
    if moment is not None and not holds:
        raise reader.error("document_moment_of_nothing")
    return (moment or at) if holds else None
