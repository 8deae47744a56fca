"""Participants and their payments, as the registration page shows them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from tournaments.core.alike import are_alike
from tournaments.core.fees import FeeKind, kind_of
from tournaments.core.name_order import surname_first
from tournaments.core.names import same_name_key, sort_key
from tournaments.core.person_search import name_fits
from tournaments.core.refusal import Refusal
from tournaments.core.sizes import Sizes, fewest, outlook
from tournaments.models import Appearance, Participant, PersonChange, Round, Seat, SignUp, Tournament
from tournaments.person_details import PERSON_DETAILS
from tournaments.queries.ledger import cash_total, with_balance
from tournaments.queries.sign_ups import SignUpRow, sign_ups_to_confirm
from tournaments.rulesets.schema import Ruleset

HEAD_COUNTS_AROUND = 3
"""The outlook covers this many players more and fewer."""


@dataclass(frozen=True, slots=True)
class DoorRow:
    """A participant for the cashier. names: how they are named in public, "" for the tournament's default.

    state: excluded, withdrawn, announced, present or absent. owed_cents: what they owe (see `with_balance`). fee, fee_name: key and name of their kind of fee, "" for the default. lacks_seat: whether they are present without a seat in the round that is drawn or played (see `Door.open_round`) and do not pause
    in it. pauses_round: the round that they sit out, now or next, 0 for none. is_home_by_phone: whether they have withdrawn themselves, with their own phone. has_sign_up: whether they were registered by themselves, or a sign-up turned out to be theirs. is_known: whether it is said which person of the club they are.
    """

    start_number: int
    name: str
    club: str
    details: tuple[tuple[str, str], ...]
    fee: str
    fee_name: str
    names: str
    presence: str
    state: str
    paid_cents: int
    fee_cents: int
    registered_at: datetime
    excluded_reason: str = ""
    owed_cents: int = 0
    lacks_seat: bool = False
    pauses_round: int = 0
    is_home_by_phone: bool = False
    has_sign_up: bool = False
    is_known: bool = False

    @property
    def is_unpaid(self) -> bool:
        return self.owed_cents > 0

    @property
    def takes_part(self) -> bool:
        return self.state not in ("withdrawn", "excluded")

    @property
    def is_present(self) -> bool:
        return self.state == Participant.Presence.PRESENT

    @property
    def is_announced(self) -> bool:
        return self.state == Participant.Presence.ANNOUNCED

    @property
    def is_awaited(self) -> bool:
        """Whether they take part and are not present: announced, or absent since a roll call."""
        return self.is_announced or self.is_absent

    @property
    def is_absent(self) -> bool:
        return self.state == Participant.Presence.ABSENT

    @property
    def has_withdrawn(self) -> bool:
        """Whether they have left and may return: withdrawn, not excluded."""
        return self.state == "withdrawn"

    @property
    def keeps_name_back(self) -> bool:
        return self.names == Tournament.Names.NUMBER

    @property
    def missing_cents(self) -> int:
        return max(0, self.fee_cents - self.paid_cents)

    @property
    def listed_name(self) -> str:
        """The name with the surname first."""
        return surname_first(self.name)

    @property
    def club_and_details(self) -> str:
        return ", ".join(filter(None, (self.club, *(text for _key, text in self.details))))

    @property
    def owes_a_part(self) -> bool:
        return 0 < self.owed_cents < self.fee_cents

    @property
    def surplus_cents(self) -> int:
        """The amount paid beyond the fee."""
        return max(0, self.paid_cents - self.fee_cents)

    @property
    def has_prepaid(self) -> bool:
        """Whether they have paid the whole fee before they came."""
        return self.is_announced and self.fee_cents > 0 and not self.missing_cents

    @property
    def can_pay(self) -> bool:
        return self.takes_part and self.missing_cents > 0

    @property
    def can_be_refunded(self) -> bool:
        return self.paid_cents > 0 and self.state != "excluded"


@dataclass(frozen=True, slots=True)
class Door:
    """Page model of the registration: all participants, newest first, and the figures.

    cash_cents: the amount that must be in all desks. joining_ended: why no player can be registered any more. open_round:
    the first round that is drawn and not closed. sign_ups: those that no desk has confirmed.
    """

    rows: tuple[DoorRow, ...]
    rules: Ruleset
    fee_kinds: tuple[FeeKind, ...]
    cash_cents: int
    joining_ended: Refusal | None = None
    open_round: int | None = None
    sign_ups: tuple[SignUpRow, ...] = ()

    @property
    def home_by_phone(self) -> tuple[DoorRow, ...]:
        """The players who have withdrawn themselves, with their own phone, by number."""
        return _by_number(row for row in self.rows if row.is_home_by_phone)

    @property
    def without_seat(self) -> tuple[DoorRow, ...]:
        """The players who are present and have no seat in the open round, by number."""
        return _by_number(row for row in self.rows if row.lacks_seat)

    @property
    def version(self) -> str:
        """A hash of everything that the page shows; the same in every process."""
        return blake2b(repr(self).encode(), digest_size=12).hexdigest()

    @property
    def present(self) -> int:
        return sum(row.is_present for row in self.rows)

    @property
    def next_players(self) -> int:
        """The players of the next draw, as far as it is known: those who are present and do not pause in it."""
        return sum(row.is_present and row.pauses_round in (0, self.open_round) for row in self.rows)

    @property
    def announced(self) -> int:
        return sum(row.is_announced for row in self.rows)

    @property
    def expected(self) -> int:
        """The number of those who are announced, or have signed up and are no players yet."""
        return self.announced + sum(not row.start_number for row in self.sign_ups)

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
    def unpaid_cents(self) -> int:
        """The sum of what players owe."""
        return sum(row.owed_cents for row in self.rows)

    @property
    def has_fees(self) -> bool:
        return any(kind.cents for kind in self.fee_kinds)

    @property
    def what_if(self) -> tuple[tuple[int, Sizes | Refusal], ...]:
        """The tables at head counts around the present one, or from the fewest players on that can be drawn."""
        tables, qualifying = self.rules.tables, self.rules.qualifying
        middle = max(self.next_players, fewest(tables, qualifying) + HEAD_COUNTS_AROUND)
        return outlook(middle, tables, qualifying, span=HEAD_COUNTS_AROUND)

    def person(self, start_number: int) -> DoorRow | None:
        return next((row for row in self.rows if row.start_number == start_number), None)

    def namesakes(self, name: str) -> tuple[DoorRow, ...]:
        """Return the participants who may have the same name."""
        key = same_name_key(name)
        return tuple(row for row in self.rows if same_name_key(row.name) == key)

    def sign_up(self, number: int) -> SignUpRow | None:
        return next((row for row in self.sign_ups if row.number == number), None)

    def sign_ups_called(self, name: str) -> tuple[SignUpRow, ...]:
        """Return the sign-ups that may have the same name."""
        key = same_name_key(name)
        return tuple(row for row in self.sign_ups if same_name_key(row.name) == key)

    def players_alike(self, row: SignUpRow) -> tuple[DoorRow, ...]:
        """Return the players who may be the same person as a sign-up."""
        others = (other for other in self.rows if other.start_number != row.start_number)
        return tuple(other for other in others if are_alike(row.name, other.name))

    def sign_ups_alike(self, row: SignUpRow) -> tuple[SignUpRow, ...]:
        """Return the other sign-ups that may be of the same person."""
        others = (other for other in self.sign_ups if other.number != row.number and not other.start_number)
        return tuple(other for other in others if are_alike(row.name, other.name))

    def sign_ups_of_sender(self, row: SignUpRow) -> tuple[SignUpRow, ...]:
        """Return the sign-ups of the same browser that are no players, this one included."""
        same = [other for other in self.sign_ups if other.sender == row.sender and not other.start_number]
        return tuple(sorted(same, key=lambda other: other.number)) if row.sender else (row,)

    def find(self, text: str) -> tuple[DoorRow, ...]:
        """Return the participants that match all words of `text`; an empty text matches all.

        A word matches the beginning of the start number, or of a word of name, club and details.
        """
        words = text.replace(",", " ").split()
        numbers = [str(int(word)) for word in words if word.isdecimal()]
        rest = " ".join(word for word in words if not word.isdecimal() and any(map(str.isalnum, word)))
        return tuple(
            row
            for row in self.rows
            if all(str(row.start_number).startswith(number) for number in numbers)
            and (not rest or name_fits(" ".join((row.name, row.club, *dict(row.details).values())), rest))
        )

    def by_name(self) -> tuple[DoorRow, ...]:
        return tuple(sorted(self.rows, key=lambda row: (sort_key(row.listed_name), row.start_number)))


def _by_number(rows: Iterable[DoorRow]) -> tuple[DoorRow, ...]:
    return tuple(sorted(rows, key=lambda row: row.start_number))


def door(tournament: Tournament) -> Door:
    """Return the page model of the registration: two queries, and one more if joining ends with a round."""
    rules, kinds = tournament.rules, tournament.fee_kinds
    people = list(_people(tournament.pk, kinds).all())
    return Door(
        rows=tuple(_row(person, rules, kinds) for person in people),
        rules=rules,
        fee_kinds=kinds,
        cash_cents=people[0].cash_cents if people else _cash_before_anybody(tournament),
        joining_ended=joining_ended(tournament),
        open_round=people[0].open_round if people else None,
        sign_ups=sign_ups_to_confirm(tournament),
    )


def person_at_door(tournament: Tournament, start_number: int) -> DoorRow | None:
    """Return the row of one participant, None for an unknown number: one query."""
    kinds = tournament.fee_kinds
    person = _people(tournament.pk, kinds).filter(start_number=start_number).first()
    return None if person is None else _row(person, tournament.rules, kinds)


@lru_cache(maxsize=64)
def _people(tournament_id: int, kinds: tuple[FeeKind, ...]) -> QuerySet[Any]:
    """Return the query for all participants. Cached: each desk polls every few seconds, and building it is slow."""
    tournament = Tournament(pk=tournament_id)
    open_round = tournament.rounds.exclude(state=Round.State.CLOSED).order_by("number")
    seats = Seat.objects.filter(participant=OuterRef("pk"), round__number=OuterRef("open_round"))
    last_round = tournament.rounds.order_by("-number")
    withdrawals = PersonChange.objects.filter(participant=OuterRef("pk"), kind="withdrawn").order_by("-id")
    people: QuerySet[Any] = (
        with_balance(Participant.objects.filter(tournament=tournament), kinds)
        .annotate(open_round=Subquery(open_round.values("number")[:1]))
        .annotate(last_round=Subquery(last_round.values("number")[:1]))
        .annotate(withdrawn_by=Subquery(withdrawals.values("by")[:1]))
        .annotate(has_sign_up=Exists(SignUp.objects.filter(participant=OuterRef("pk"))))
        .annotate(is_known=Exists(Appearance.objects.filter(participant=OuterRef("pk"))))
        .annotate(has_seat=Exists(seats), cash_cents=cash_total(tournament))
        .order_by("-registered_at", "-start_number")
    )
    return people


def _cash_before_anybody(tournament: Tournament) -> int:
    """Return the cash in all desks before the first registration: the floats."""
    reread: Any = Tournament.objects.annotate(cash_cents=cash_total(tournament)).get(pk=tournament.pk)
    return int(reread.cash_cents)


_AS_READ = (
    *("start_number", "name", "club", "names", "presence", "state", "excluded_reason", "registered_at"),
    *("fee", "fee_cents", "paid_cents", "owed_cents", "has_sign_up", "is_known"),
)


def _row(person: Any, rules: Ruleset, kinds: Sequence[FeeKind]) -> DoorRow:
    """Return the row of a participant who was read with payments and seat."""
    number = person.open_round
    # In a later round of a knockout only those have a seat who have qualified.
    seats_everybody = number is not None and (number == 1 or not rules.qualifying)
    pauses = person.pauses_round == number
    pauses_later = (person.pauses_round or 0) > (person.last_round or 0)
    return DoorRow(
        **{column: getattr(person, column) for column in _AS_READ},
        details=tuple((key, getattr(person, key)) for key in PERSON_DETAILS),
        fee_name=kind_of(kinds, person.fee).name if person.fee else "",
        lacks_seat=seats_everybody
        and person.state == Participant.Presence.PRESENT
        and not person.has_seat
        and not pauses,
        pauses_round=person.pauses_round or 0 if pauses or pauses_later else 0,
        is_home_by_phone=person.withdrawn_at is not None and person.withdrawn_by == "",
    )


def changes_of(tournament: Tournament, start_number: int) -> list[PersonChange]:
    """Return the changes of a participant by the staff, oldest first."""
    changes = PersonChange.objects.filter(participant__tournament=tournament)
    return list(changes.filter(participant__start_number=start_number).order_by("id"))


def has_seat(tournament: Tournament, start_number: int) -> bool:
    """Whether the participant has a seat in a round that is not closed."""
    seats = Seat.objects.filter(tournament=tournament, participant__start_number=start_number)
    return seats.exclude(round__state=Round.State.CLOSED).exists()


@dataclass(frozen=True, slots=True)
class SeatInPlay:
    """The seat of a player in the round that is being played."""

    start_number: int
    round_number: int
    table_number: int


def seat_in_play(tournament: Tournament, start_number: int) -> SeatInPlay | None:
    """Return the player's seat in the released round, None without one."""
    seats = Seat.objects.filter(tournament=tournament, participant__start_number=start_number)
    places = seats.filter(round__state=Round.State.RELEASED).values_list("round__number", "table__number")
    return next((SeatInPlay(start_number, number, table) for number, table in places), None)


def joining_ended(tournament: Tournament) -> Refusal | None:
    """Return why no player can join any more, else None. No query if joining never ends.

    In a knockout it ends with the first round: a latecomer can only take a free seat of that round (RULES
    4.2). If all rounds are drawn ahead it ends with the release of the first round, which until then can be
    drawn again with the latecomer (RULES 5.1).
    """
    rules, rounds = tournament.rules, tournament.rounds
    if rules.qualifying and rounds.filter(number=1, state=Round.State.CLOSED).exists():
        return Refusal("joining_ended_with_round_1")
    if rules.drawn_ahead and rounds.exclude(state=Round.State.DRAWN).exists():
        return Refusal("joining_ended_with_release")
    return None
