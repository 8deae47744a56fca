"""Sign-ups: unconfirmed ones for the desk, those of a browser, and the figures."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Q

from tournaments.core.alike import are_alike
from tournaments.core.person_search import name_fits
from tournaments.core.sign_up_codes import sign_up_number_in
from tournaments.links import code_hash
from tournaments.models import Participant, Round, SignUp, SignUpTerms, Tournament
from tournaments.queries.ledger import with_balance
from tournaments.queries.people import allowed_by, person_of

MOST_OWN = 8
"""The most sign-ups of one browser: a table of friends."""


@dataclass(frozen=True, slots=True)
class SignUpRow:
    """A sign-up for the desk. waits: on the waiting list. start_number: of the player if it was admitted without a desk, else 0.

    sender: a digest that those of one browser share, "" if unknown. Many phones share the address of a router.
    """

    number: int
    name: str
    club: str
    names: str
    in_hall: bool
    made_at: datetime
    waits: bool
    arrived_at: datetime | None
    start_number: int
    sender: str

    @property
    def is_here(self) -> bool:
        """Whether the player has reported to be in the hall."""
        return self.arrived_at is not None


def sign_ups_to_confirm(tournament: Tournament) -> tuple[SignUpRow, ...]:
    """Return the unconfirmed sign-ups: those in the hall first, each group by arrival or sign-up time. One query."""
    entries = tournament.sign_ups.filter(confirmed_at=None, withdrawn_at=None)
    rows = [_row(entry) for entry in entries.select_related("participant")]
    return tuple(sorted(rows, key=lambda row: (not row.is_here, row.arrived_at or row.made_at, row.number)))


def _row(entry: SignUp) -> SignUpRow:
    person = entry.participant
    return SignUpRow(
        number=entry.number,
        name=person.name if person else entry.name,
        club=person.club if person else entry.club,
        names=entry.names,
        in_hall=entry.in_hall,
        made_at=entry.made_at,
        waits=entry.placed_at is None,
        arrived_at=entry.arrived_at,
        start_number=person.start_number if person else 0,
        sender=entry.phone,
    )


def find_sign_ups(rows: Iterable[SignUpRow], text: str) -> tuple[SignUpRow, ...]:
    """Return the sign-ups whose number ("A17") starts like the text, or whose name or club fits it; all for an empty one.

    A full name also matches similar spellings.
    """
    text = text[:200]
    if not text.strip():
        return tuple(rows)
    number = sign_up_number_in(text)
    if number is not None:
        return tuple(row for row in rows if str(row.number).startswith(str(number)))
    return tuple(
        row for row in rows if name_fits(f"{row.name} {row.club}", text) or are_alike(row.name, text)
    )


def names_of_the_unconfirmed(tournament: Tournament) -> list[str]:
    """Return the names of arrived players whose sign-up no desk has confirmed."""
    arrived = tournament.sign_ups.filter(participant=None, withdrawn_at=None).exclude(arrived_at=None)
    return list(arrived.order_by("arrived_at", "number").values_list("name", flat=True))


def terms_of_sign_up(tournament: Tournament) -> SignUpTerms | None:
    """Return the terms, None if the organiser has never set any. `terms.tournament` is the tournament."""
    return SignUpTerms.objects.select_related("tournament").filter(tournament=tournament).first()


@dataclass(frozen=True, slots=True)
class OwnSignUp:
    """A sign-up as its own player sees it.

    waits: the position on the waiting list from 1, 0 if not on it. start_number: 0 until there is a player; state_of_player as
    of a row of the door, "" without one. pauses: the round that they sit out, 0 for none. owed_cents: what the player still owes.
    allowed: the kinds of consent that the player has given the club, and not withdrawn.
    """

    code: str
    number: int
    name: str
    club: str
    names: str
    waits: int
    has_arrived: bool
    is_withdrawn: bool
    is_confirmed: bool
    start_number: int
    state_of_player: str
    pauses: int
    owed_cents: int
    allowed: frozenset[str]


def own_sign_ups(tournament: Tournament, codes: Collection[str]) -> list[OwnSignUp]:
    """Return the sign-ups of these codes, in the order of their numbers; unknown codes are left out. Four queries at most,
    and four for each player."""
    digests = {code_hash(code): code for code in list(codes)[:MOST_OWN]}
    entries = list(tournament.sign_ups.filter(code_hash__in=digests).order_by("number"))
    admitted = [entry.participant_id for entry in entries if entry.participant_id]
    players = with_balance(Participant.objects.all(), tournament.fee_kinds).in_bulk(admitted)
    waiting: list[int] = []
    if any(entry.placed_at is None and entry.participant_id is None for entry in entries):
        open_ones = tournament.sign_ups.filter(participant=None, withdrawn_at=None, placed_at=None)
        waiting = list(open_ones.order_by("number").values_list("number", flat=True))
    pauses = {person.pauses_round for person in players.values() if person.pauses_round}
    closed = tournament.rounds.filter(number__in=pauses, state="closed") if pauses else Round.objects.none()
    over = set(closed.values_list("number", flat=True))
    return [
        _own(entry, players.get(entry.participant_id), digests[entry.code_hash], waiting, over)
        for entry in entries
    ]


def _own(entry: SignUp, person: Any, code: str, waiting: list[int], over: Collection[int]) -> OwnSignUp:
    """Return the sign-up. person: its player with balance, None without one."""
    return OwnSignUp(
        code=code,
        number=entry.number,
        name=person.name if person else entry.name,
        club=person.club if person else entry.club,
        names=person.names if person and entry.confirmed_at else entry.names,
        waits=waiting.index(entry.number) + 1 if entry.number in waiting else 0,
        has_arrived=entry.arrived_at is not None,
        is_withdrawn=entry.withdrawn_at is not None,
        is_confirmed=entry.confirmed_at is not None,
        start_number=person.start_number if person else 0,
        state_of_player=person.state if person else "",
        pauses=person.pauses_round or 0 if person and person.pauses_round not in over else 0,
        owed_cents=person.owed_cents if person else 0,
        allowed=allowed_by(key) if person and (key := person_of(person)) else frozenset(),
    )


@dataclass(frozen=True, slots=True)
class SignUpFigures:
    """Numbers of sign-ups. placed: with a place, and not confirmed yet; arrived: those of them who have reported to be in the hall.

    free: places that are left, None without a limit.
    """

    placed: int
    arrived: int
    waiting: int
    confirmed: int
    free: int | None


def sign_up_figures(tournament: Tournament, terms: SignUpTerms | None) -> SignUpFigures:
    """Return the figures. Two queries with a limit, else one."""
    is_open = Q(confirmed_at=None, withdrawn_at=None)
    has_place = ~Q(placed_at=None) | ~Q(participant=None)
    counted = tournament.sign_ups.aggregate(
        placed=Count("pk", filter=is_open & has_place),
        arrived=Count("pk", filter=is_open & has_place & ~Q(arrived_at=None)),
        waiting=Count("pk", filter=is_open & ~has_place),
        confirmed=Count("pk", filter=~Q(confirmed_at=None)),
        places=Count("pk", filter=Q(participant=None, withdrawn_at=None) & ~Q(placed_at=None)),
    )
    places = counted.pop("places")
    free = None
    if terms is not None and terms.most is not None:
        players = tournament.participants.filter(withdrawn_at=None, excluded_at=None).count()
        free = max(0, terms.most - players - places)
    return SignUpFigures(**counted, free=free)
