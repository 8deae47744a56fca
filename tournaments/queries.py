"""Reads of who plays where: frozen rows, whose properties are the questions that a page asks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum, Value
from django.db.models.functions import Coalesce

from tournaments.core.draw import Tables
from tournaments.core.names import same_name_key, sort_key
from tournaments.core.refusal import Refusal
from tournaments.core.repeats import Repeat, repeats
from tournaments.core.sizes import Sizes, outlook
from tournaments.models import DrawAttempt, Membership, Participant, Payment, Round, Seat, Tournament
from tournaments.rulesets.schema import Ruleset


@dataclass(frozen=True, slots=True)
class SeatRow:
    seat_number: int
    start_number: int
    name: str
    club: str
    table_number: int


@dataclass(frozen=True, slots=True)
class TableRow:
    id: int
    number: int
    link_version: int
    seats: tuple[SeatRow, ...]

    @property
    def start_numbers(self) -> tuple[int, ...]:
        return tuple(seat.start_number for seat in self.seats)


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round with its seating; `attempt` is None for an imported round whose draw is not on record."""

    number: int
    state: str
    drawn_at: datetime
    released_at: datetime | None
    closed_at: datetime | None
    closed_reason: str
    attempt: DrawAttempt | None
    abandoned: tuple[DrawAttempt, ...]
    tables: tuple[TableRow, ...]

    @property
    def is_drawn_only(self) -> bool:
        return self.state == Round.State.DRAWN

    @property
    def is_released(self) -> bool:
        return self.state == Round.State.RELEASED

    @property
    def is_closed(self) -> bool:
        return self.state == Round.State.CLOSED

    @property
    def is_changed_by_hand(self) -> bool:
        return self.attempt is not None and bool(self.attempt.changes.all())

    @property
    def seating(self) -> Tables:
        return tuple(table.start_numbers for table in self.tables)

    @property
    def seats(self) -> Iterable[SeatRow]:
        return (seat for table in self.tables for seat in table.seats)


def round_with_seating(tournament: Tournament, number: int) -> RoundRow | None:
    """One round; None if it is not drawn."""
    return next(iter(rounds_with_seating(tournament, numbers=[number])), None)


def rounds_with_seating(tournament: Tournament, numbers: Sequence[int] | None = None) -> list[RoundRow]:
    """The rounds of a tournament (or some of them) in their order; four queries, however many there are."""
    rounds = tournament.rounds.order_by("number")
    if numbers is not None:
        rounds = rounds.filter(number__in=numbers)
    return [_round_row(found) for found in rounds.prefetch_related("attempts__changes", *_SEATING)]


def repeats_of(tournament: Tournament, row: RoundRow) -> tuple[Repeat, ...]:
    """Who meets again in a round whom he met in an earlier one."""
    earlier = [other.seating for other in rounds_with_seating(tournament) if other.number < row.number]
    return repeats(row.seating, earlier)


_SEATING = ("tables__seats__participant",)


def _round_row(found: Round) -> RoundRow:
    attempts = list(found.attempts.all())
    return RoundRow(
        number=found.number,
        state=found.state,
        drawn_at=found.drawn_at,
        released_at=found.released_at,
        closed_at=found.closed_at,
        closed_reason=found.closed_reason,
        attempt=next((attempt for attempt in attempts if attempt.abandoned_at is None), None),
        abandoned=tuple(attempt for attempt in attempts if attempt.abandoned_at is not None),
        tables=tuple(
            TableRow(
                id=table.pk,
                number=table.number,
                link_version=table.link_version,
                seats=tuple(_seat_row(seat, table.number) for seat in table.seats.all()),
            )
            for table in found.tables.all()
        ),
    )


def _seat_row(seat: Seat, table_number: int) -> SeatRow:
    participant = seat.participant
    return SeatRow(
        seat.seat_number, participant.start_number, participant.name, participant.club, table_number
    )


# --- at the door ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DoorRow:
    """A participant as the desk sees him."""

    start_number: int
    name: str
    club: str
    presence: str
    is_withdrawn: bool
    is_excluded: bool
    paid_cents: int
    fee_cents: int
    registered_at: datetime

    @property
    def state(self) -> str:
        """One word for the badge: excluded, withdrawn, announced, present or absent."""
        if self.is_excluded:
            return "excluded"
        return "withdrawn" if self.is_withdrawn else self.presence

    @property
    def takes_part(self) -> bool:
        return not self.is_withdrawn and not self.is_excluded

    @property
    def is_present(self) -> bool:
        return self.state == Participant.Presence.PRESENT

    @property
    def is_announced(self) -> bool:
        return self.state == Participant.Presence.ANNOUNCED

    @property
    def is_absent(self) -> bool:
        return self.state == Participant.Presence.ABSENT

    @property
    def missing_cents(self) -> int:
        return max(0, self.fee_cents - self.paid_cents)

    @property
    def is_unpaid(self) -> bool:
        """Whether he owes something: who is only announced owes nothing yet."""
        return self.takes_part and not self.is_announced and self.missing_cents > 0

    @property
    def can_pay(self) -> bool:
        return self.takes_part and self.missing_cents > 0

    @property
    def can_be_refunded(self) -> bool:
        return self.paid_cents > 0 and not self.is_excluded


@dataclass(frozen=True, slots=True)
class Door:
    """Everybody who is registered, newest first, and what the desk always wants to see."""

    rows: tuple[DoorRow, ...]
    rules: Ruleset

    @property
    def version(self) -> str:
        """Changes with everything that the page shows; the same in every process."""
        return blake2b(repr((self.rows, self.rules)).encode(), digest_size=12).hexdigest()

    @property
    def present(self) -> int:
        return sum(row.is_present for row in self.rows)

    @property
    def announced(self) -> int:
        return sum(row.is_announced for row in self.rows)

    @property
    def absent(self) -> int:
        return sum(row.is_absent for row in self.rows)

    @property
    def withdrawn(self) -> int:
        return sum(not row.takes_part for row in self.rows)

    @property
    def unpaid(self) -> int:
        return sum(row.is_unpaid for row in self.rows)

    @property
    def cash_cents(self) -> int:
        """What must lie in the till: fees less refunds."""
        return sum(row.paid_cents for row in self.rows)

    @property
    def what_if(self) -> tuple[tuple[int, Sizes | Refusal], ...]:
        return outlook(self.present, self.rules.tables)

    def person(self, start_number: int) -> DoorRow | None:
        return next((row for row in self.rows if row.start_number == start_number), None)

    def namesakes(self, name: str) -> tuple[DoorRow, ...]:
        """Who is registered under what may well be the same name."""
        key = same_name_key(name)
        return tuple(row for row in self.rows if same_name_key(row.name) == key)

    def find(self, text: str) -> tuple[DoorRow, ...]:
        """Whose number, or the beginnings of whose names and club, are in `text`; everybody for an empty one."""
        words = text.replace(",", " ").split()
        return tuple(row for row in self.rows if all(_has_word(row, word) for word in words))

    def by_name(self) -> tuple[DoorRow, ...]:
        return tuple(sorted(self.rows, key=lambda row: (sort_key(row.name), row.start_number)))


def door(tournament: Tournament) -> Door:
    """The desk's view of a tournament: one query."""
    rules = tournament.rules
    paid = Coalesce(Sum("payments__cents", filter=Q(payments__kind=Payment.Kind.FEE)), 0)
    returned = Coalesce(Sum("payments__cents", filter=Q(payments__kind=Payment.Kind.REFUND)), 0)
    people = tournament.participants.annotate(paid_cents=paid - returned)
    return Door(
        rows=tuple(
            DoorRow(
                start_number=person.start_number,
                name=person.name,
                club=person.club,
                presence=person.presence,
                is_withdrawn=person.withdrawn_at is not None,
                is_excluded=person.excluded_at is not None,
                paid_cents=person.paid_cents,
                fee_cents=rules.entry_fee_cents,
                registered_at=person.registered_at,
            )
            for person in people.order_by("-registered_at", "-start_number")
        ),
        rules=rules,
    )


@lru_cache(maxsize=8192)
def _folded(text: str) -> tuple[str, ...]:
    """The words of a name both as a dictionary orders them and spelt out: Müller is muller and mueller."""
    words = (*sort_key(text)[0].replace(",", " ").split(), *same_name_key(text).split())
    return tuple(word for word in words if any(character.isalnum() for character in word))


def _has_word(row: DoorRow, word: str) -> bool:
    if word.isdecimal():
        return str(row.start_number).startswith(str(int(word)))
    begins = _folded(word)
    return not begins or any(known.startswith(begins) for known in _folded(f"{row.name} {row.club}"))


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One line of the cash book; `cents` is negative for a refund, `total_cents` the till after it."""

    at: datetime
    by: str
    desk: str
    kind: str
    cents: int
    total_cents: int
    start_number: int
    name: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """The cash book, oldest line first."""

    lines: tuple[LedgerLine, ...]

    @property
    def total_cents(self) -> int:
        return self.lines[-1].total_cents if self.lines else 0

    @property
    def desks(self) -> tuple[tuple[str, int], ...]:
        """What lies in each desk's till."""
        totals: dict[str, int] = {}
        for line in self.lines:
            totals[line.desk] = totals.get(line.desk, 0) + line.cents
        return tuple(sorted(totals.items()))


def ledger(tournament: Tournament, start_number: int | None = None) -> Ledger:
    """All payments, or those of one participant: one query."""
    payments = Payment.objects.filter(participant__tournament=tournament).select_related("participant")
    if start_number is not None:
        payments = payments.filter(participant__start_number=start_number)
    lines, total = [], 0
    for payment in payments.order_by("at", "id"):
        cents = payment.cents if payment.kind == Payment.Kind.FEE else -payment.cents
        total += cents
        person = payment.participant
        lines.append(
            LedgerLine(
                at=payment.at,
                by=payment.by,
                desk=payment.desk,
                kind=payment.kind,
                cents=cents,
                total_cents=total,
                start_number=person.start_number,
                name=person.name,
            )
        )
    return Ledger(tuple(lines))


# --- tournaments and who may work on them --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TournamentRow:
    slug: str
    name: str
    played_on: date
    place: str
    is_practice: bool
    role: str
    players: int
    rounds: int

    @property
    def is_cashier(self) -> bool:
        return self.role == Membership.Role.CASHIER


@dataclass(frozen=True, slots=True)
class MemberRow:
    user_id: int
    name: str
    role: str

    @property
    def is_cashier(self) -> bool:
        return self.role == Membership.Role.CASHIER


def tournaments_of(user: User) -> list[TournamentRow]:
    """The tournaments that somebody works on, latest day first; all of them for the installation's owner."""
    if user.is_superuser:
        found = Tournament.objects.annotate(role=Value(Membership.Role.ORGANISER.value))
    else:
        found = Tournament.objects.filter(memberships__user=user).annotate(role=F("memberships__role"))
    return [_tournament_row(tournament, tournament.role) for tournament in _counted(found)]


def tournaments_to_watch(today: date) -> list[TournamentRow]:
    """What a stranger may know of: tournaments of today, and those whose seating has been shown."""
    released = Round.objects.filter(tournament=OuterRef("pk")).exclude(state=Round.State.DRAWN)
    found = Tournament.objects.filter(Q(played_on=today) | Exists(released))
    return [_tournament_row(tournament, "") for tournament in _counted(found)[:12]]


def members(tournament: Tournament) -> list[MemberRow]:
    found = tournament.memberships.select_related("user").order_by("-role", "user__username")
    return [MemberRow(member.user_id, member.user.get_username(), member.role) for member in found]


def has_rounds(tournament: Tournament) -> bool:
    """Whether anything is drawn: then the ruleset stands."""
    return tournament.rounds.exists()


def taken_slugs(beginning: str) -> set[str]:
    """The slugs of tournaments that begin with these letters."""
    return set(Tournament.objects.filter(slug__startswith=beginning).values_list("slug", flat=True))


def _counted(found: QuerySet[Tournament]) -> QuerySet[Any]:
    return found.annotate(
        players=Count("participants", distinct=True), drawn=Count("rounds", distinct=True)
    ).order_by("-played_on", "-id")


def _tournament_row(tournament: Any, role: str) -> TournamentRow:
    return TournamentRow(
        slug=tournament.slug,
        name=tournament.name,
        played_on=tournament.played_on,
        place=tournament.place,
        is_practice=tournament.is_practice,
        role=role,
        players=tournament.players,
        rounds=tournament.drawn,
    )
