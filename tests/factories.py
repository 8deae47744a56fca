"""People, tournaments and rounds for the tests. Each test sets the values that it is about."""

# mypy: disable-error-code="no-untyped-call"

from datetime import UTC, date, datetime
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.base import VALID_KEY_CHARS
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.test import Client
from django.utils.crypto import get_random_string
from factory.declarations import LazyAttribute, LazyFunction, Sequence, SubFactory
from factory.django import DjangoModelFactory, Password
from factory.faker import Faker
from factory.helpers import post_generation

from scoring.services.rounds import DrawOptions, close, draw_next
from scoring.services.sheets import write
from tournaments.models import Membership, Participant, Round, Table, Tournament
from tournaments.rulesets.loader import preset
from tournaments.services import rounds
from tournaments.sessions import begin_session

AT = datetime(2026, 11, 21, 18, 30, tzinfo=UTC)
PASSWORD = "an-der-tür-1925"


class UserFactory(DjangoModelFactory[User]):
    """A user."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    username = Sequence(lambda number: f"veranstalter{number}")
    password = Password(PASSWORD)


def enter(client: Client, user: User) -> None:
    """Give a client a session of the user, as after a log-in. No log-in happens, so none is in the security log."""
    request = HttpRequest()
    request.session = SessionStore()
    request.session[SESSION_KEY] = str(user.pk)
    request.session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    request.session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    begin_session(request)
    stored = Session.objects.create(
        session_key=get_random_string(32, VALID_KEY_CHARS),
        session_data=request.session.encode(dict(request.session.items())),
        expire_date=request.session.get_expiry_date(),
    )
    client.cookies[settings.SESSION_COOKIE_NAME] = stored.session_key


class TournamentFactory(DjangoModelFactory[Tournament]):
    """A tournament under rule sheet 1; `owner` becomes its organiser."""

    class Meta:
        model = Tournament
        skip_postgeneration_save = True

    slug = Sequence(lambda number: f"turnier-{number}")
    name = "Preisschnauzen"
    played_on = date(2026, 11, 21)
    place = "Saal"
    ruleset = LazyFunction(lambda: preset("schnauz-placing").to_dict())
    created_at = AT
    public_until_on = date(2199, 12, 31)  # whenever the tests run

    @post_generation
    def owner(self: Tournament, create: bool, extracted: User | None, **kwargs: Any) -> None:
        if extracted is not None:
            Membership.objects.create(tournament=self, user=extracted, role=Membership.Role.ORGANISER)


class ParticipantFactory(DjangoModelFactory[Participant]):
    """A participant who is present, with the next start number of the tournament."""

    class Meta:
        model = Participant

    tournament = SubFactory(TournamentFactory)
    start_number = LazyAttribute(lambda made: _next_number(made.tournament))
    name = Faker("name", locale="de_DE")
    registered_at = AT
    registered_by = "kasse"

    @classmethod
    def create_batch(cls, size: int, **values: Any) -> list[Participant]:
        """Create participants of a tournament with one statement."""
        if size == 0:
            return []
        first = _next_number(values["tournament"])
        # One is built by the factory, which takes its time; the others differ from it in number and name only.
        like = cls.build(start_number=first, **values)
        shared = {field.name: getattr(like, field.name) for field in Participant._meta.concrete_fields}
        others = (
            Participant(**shared | {"start_number": number, "name": values.get("name") or _a_name()})
            for number in range(first + 1, first + size)
        )
        return Participant.objects.bulk_create([like, *others])


def _a_name() -> str:
    return str(Faker._get_faker("de_DE").name())


def _next_number(tournament: Tournament) -> int:
    numbers = tournament.participants.order_by("-start_number").values_list("start_number", flat=True)
    return next(iter(numbers[:1]), 0) + 1


def a_round(tournament: Tournament, number: int = 1, *, released: bool = True, started: bool = True) -> Round:
    """Draw the round for all players who are present, with exceptional table sizes if needed.

    started: give the sign to start as well, if the ruleset asks for one.
    """
    options = DrawOptions(exceptions=True, seed="07" * 32)
    drawn = draw_next(tournament, number=number, options=options, by="spielleitung", at=AT)
    why = "Die Schreiber kommen noch"  # where the organiser names them
    if not released:
        return drawn
    in_play = rounds.release(tournament, number, reason=why, at=AT)
    if started and tournament.rules.starts_at_sign:
        return rounds.give_start_sign(tournament, number, at=AT)
    return in_play


def a_paper_sheet(table: Table, *, strokes: dict[int, int] | None = None) -> None:
    """Type in and accept a table's sheet: ranks in the order of the seats, strokes for Schnauz by seat."""
    seats = list(table.seats.values_list("seat_number", flat=True))
    marks = [seat for seat, count in (strokes or {}).items() for _ in range(count)]
    entries: list[tuple[str, dict[str, Any]]] = [
        *(("stroke", {"seat_number": seat, "mark": "schnauz"}) for seat in marks),
        ("ranked", {"ranks": {str(seat): rank for rank, seat in enumerate(seats, start=1)}}),
        ("accepted", {"reason": "vom Papier"}),
    ]
    write(table, entries, by="spielleitung", at=AT)


def a_played_round(tournament: Tournament, number: int = 1) -> Round:
    """Draw and close a round with every sheet accepted (see `a_paper_sheet`)."""
    played = a_round(tournament, number)
    for table in played.tables.all():
        a_paper_sheet(table)
    return close(tournament, number, at=AT)
