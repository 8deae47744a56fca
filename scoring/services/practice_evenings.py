"""Practice tournaments beside the one in play: evenings that are over, with their money and prizes, and one that is announced.

All their data is recognisable sample data, made by the services of a real evening.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from random import Random

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from scoring.core.prize_plan import Prize, PrizePlan
from scoring.queries.prize_giving import current_prize_giving
from scoring.queries.standings import current_standings
from scoring.services import flags, prize_giving, prizes, standings
from scoring.services.ceremonies import draw_sealed, seal_draw
from scoring.services.practice_people import CLUBS, sample_people
from scoring.services.practice_play import BY, play, tables_of
from scoring.services.rounds import DrawOptions, close, draw_ahead
from tournaments.core.cash import PIECES
from tournaments.core.fees import FeeKind
from tournaments.links import new_sign_up_code
from tournaments.models import Tournament
from tournaments.queries.desks import desk_row
from tournaments.rulesets.loader import preset
from tournaments.services import desks, door, draw_settings, people_lists, rounds, sign_ups
from tournaments.services.tournaments import create_tournament, edit_fees

PLACE = "Vereinsheim"
DESK = "Kasse 1"
ANNOUNCED = "konradsreuth"
_BEGIN = time(19, 0)
_FULL, _YOUNG = "full", "young"
_WORDS = ("Gut Blatt", "Herz ist Trumpf", "Der Alte sticht")


@dataclass(frozen=True, slots=True, kw_only=True)
class PastEvening:
    """An evening that is over. days: before today. fees: of the kinds, in cents. in_hall: drawn before the hall."""

    ruleset: str
    name: str
    days: int
    players: int
    fees: Mapping[str, int]
    plan: PrizePlan
    in_hall: bool = False


PAST_EVENINGS = (
    PastEvening(
        ruleset="schafkopf",
        name="Preisschafkopf",
        days=21,
        players=16,
        fees={_FULL: 1000},
        plan=PrizePlan(
            prizes=(
                Prize(kind="rank", first=1, last=1, share=50),
                Prize(kind="rank", first=2, last=2, share=30),
                Prize(kind="rank", first=3, last=3, share=20),
                Prize(kind="rank", first=4, last=5, thing="Geräuchertes"),
            ),
            costs_cents=2000,
            rounding_cents=100,
            rest="first",
            public=True,
        ),
    ),
    PastEvening(
        ruleset="knockout",
        name="Schnauz im K.-o.-System",
        days=14,
        players=26,
        fees={_FULL: 400},
        plan=PrizePlan(
            prizes=(
                Prize(kind="rank", first=1, last=1, share=60, thing="Wanderpokal"),
                Prize(kind="rank", first=2, last=2, share=40),
                Prize(kind="strokes", cents=500),
                Prize(kind="lot", count=2, thing="Flasche Wein"),
            ),
            rounding_cents=50,
            one_each=True,
            public=True,
        ),
    ),
    PastEvening(
        ruleset="fce",
        name="Punkteschnauzen",
        days=7,
        players=17,
        fees={_FULL: 500, _YOUNG: 250},
        plan=PrizePlan(
            prizes=(
                Prize(kind="rank", first=1, last=1, cents=2500),
                Prize(kind="rank", first=2, last=2, cents=1500),
                Prize(kind="rank", first=3, last=3, cents=1000),
                Prize(kind="rank", first=4, last=4, thing="Geräuchertes"),
                Prize(kind="strokes", thing="Kartenspiel"),
                Prize(kind="club", of=CLUBS[0], cents=500),
                Prize(kind="last", thing="Trostpreis"),
            ),
            costs_cents=1500,
            specials="last",
            public=True,
        ),
        in_hall=True,
    ),
)

PLAN_IN_PLAY = PrizePlan(
    prizes=(
        Prize(kind="rank", first=1, last=1, share=40),
        Prize(kind="rank", first=2, last=3, share=20),
        Prize(kind="rank", first=4, last=6, thing="Geräuchertes"),
        Prize(kind="strokes", cents=1000),
        Prize(kind="last", thing="Trostpreis"),
    ),
    costs_cents=2500,
    rounding_cents=50,
    rest="first",
    public=True,
)
"""The prize plan of the tournament in play."""


def create_practice_evenings(
    *, slug: str, owner: User | None, at: datetime, seed: int = 0
) -> list[Tournament]:
    """Create those of the evenings around a practice tournament of this slug that do not exist yet: all of them or none.

    The slug of each is this one, followed by the name of its rule sheet. at: now.
    """
    made = []
    with transaction.atomic():
        for evening in PAST_EVENINGS:
            own = f"{slug}-{evening.ruleset}"
            if not Tournament.objects.filter(slug=own).exists():
                made.append(create_past_evening(evening, slug=own, owner=owner, at=at, seed=seed))
        own = f"{slug}-{ANNOUNCED}"
        if not Tournament.objects.filter(slug=own).exists():
            made.append(create_announced_evening(slug=own, owner=owner, at=at, seed=seed))
    return made


def create_past_evening(
    evening: PastEvening, *, slug: str, owner: User | None, at: datetime, seed: int = 0
) -> Tournament:
    """Create an evening that is over: all rounds closed, prizes given, the desk counted and closed. at: now.

    Refuses slug_taken (slug).
    """
    chance = Random(f"{seed} {evening.ruleset}")
    begin = _begin(at, -evening.days)
    tournament = create_tournament(
        slug=slug,
        name=evening.name,
        played_on=timezone.localdate(begin),
        starts_at=begin,
        admits_at=begin - timedelta(hours=1),
        place=PLACE,
        names=Tournament.Names.SHORT,
        ruleset=preset(evening.ruleset),
        owner=owner,
        is_practice=True,
        at=begin - timedelta(days=14),
    )
    tournament = edit_fees(tournament, _kinds(evening.fees))
    tournament = prizes.set_prize_plan(tournament, evening.plan)
    if evening.in_hall:
        tournament = draw_settings.choose_ceremony(tournament, Tournament.Ceremony.HALL)
    desk = desks.set_up_desk(tournament, DESK).number
    desks.put_in_float(tournament, desk, cents=5000, reason="", by=BY, at=begin - timedelta(hours=1))
    _register(tournament, evening, chance, begin - timedelta(minutes=50))
    end = _play_rounds(tournament, chance, begin)
    _settle_ties(tournament, evening.plan, at=end)
    _give_prizes(tournament, at=end + timedelta(minutes=15))
    closed_at = end + timedelta(minutes=30)
    if evening.plan.costs_cents:
        desks.take_out(
            tournament, desk, cents=evening.plan.costs_cents, reason="Saalmiete", by=BY, at=closed_at
        )
    desks.close_desk(tournament, desk, pieces=_pieces(tournament, desk), by=BY, at=closed_at)
    return tournament


def create_announced_evening(*, slug: str, owner: User | None, at: datetime, seed: int = 0) -> Tournament:
    """Create an evening to come: sign-ups are open, all places are taken, some wait for one. at: now.

    Refuses slug_taken (slug).
    """
    chance = Random(f"{seed} announced")
    begin = _begin(at, 9)
    tournament = create_tournament(
        slug=slug,
        name="Preisschnauzen",
        played_on=timezone.localdate(begin),
        starts_at=begin,
        admits_at=begin - timedelta(hours=1),
        place=PLACE,
        names=Tournament.Names.SHORT,
        ruleset=preset(ANNOUNCED),
        owner=owner,
        is_practice=True,
        at=at - timedelta(days=3),
    )
    tournament = edit_fees(tournament, _kinds({_FULL: 500, _YOUNG: 250}))
    plan = PrizePlan(
        prizes=(
            Prize(kind="rank", first=1, last=1, share=50),
            Prize(kind="rank", first=2, last=3, share=20),
            Prize(kind="rank", first=4, last=4, thing="Geräuchertes"),
            Prize(kind="last", thing="Trostpreis"),
        ),
        rounding_cents=50,
        public=True,
    )
    tournament = prizes.set_prize_plan(tournament, plan)
    sign_ups.set_terms(
        tournament,
        is_open=True,
        closes_at=begin - timedelta(hours=6),
        most=24,
        only_in_hall=False,
        without_desk=False,
        at=at - timedelta(days=3),
    )
    people = sample_people(chance, 29)
    listed = [
        replace(person, paid_cents=500 if number % 2 else 0) for number, person in enumerate(people[:10])
    ]
    people_lists.announce(tournament, listed, by=BY, at=at - timedelta(days=2), desk=DESK)
    for number, person in enumerate(people[10:], start=1):
        sign_ups.sign_up(
            tournament,
            name=person.name,
            club=person.club,
            names="",
            code=new_sign_up_code(),
            in_hall=False,
            sender=sign_ups.Sender(address=f"{BY} {number}", browser=""),
            at=at - timedelta(hours=40 - number),
        )
    return tournament


def _begin(at: datetime, days: int) -> datetime:
    """Return when an evening begins that is so many days after today."""
    return timezone.make_aware(datetime.combine(timezone.localdate(at) + timedelta(days=days), _BEGIN))


def _kinds(fees: Mapping[str, int]) -> list[FeeKind]:
    names = {_FULL: "Startgeld", _YOUNG: "Jugend"}
    return [FeeKind(key, names[key], cents) for key, cents in fees.items()]


def _register(tournament: Tournament, evening: PastEvening, chance: Random, at: datetime) -> None:
    for number, person in enumerate(sample_people(chance, evening.players), start=1):
        door.register(
            tournament,
            replace(
                person,
                town="Musterstadt" if evening.ruleset == "schafkopf" else "",
                fee=_YOUNG if _YOUNG in evening.fees and number % 5 == 0 else _FULL,
            ),
            paid=True,
            by=BY,
            at=at + timedelta(seconds=40 * number),
            desk=DESK,
        )


def _play_rounds(tournament: Tournament, chance: Random, begin: datetime) -> datetime:
    """Play all rounds, and return when the last one was closed."""
    rules = tournament.rules
    number, at = 1, begin
    while True:
        _draw(tournament, number, chance, at=at)
        tables = tables_of(tournament, number)
        if rules.scribe == "organiser":
            for table in tables:
                rounds.name_scribe(tournament, number, table.number, 1, by=BY, at=at)
        rounds.release(tournament, number, at=at + timedelta(minutes=5))
        if rules.starts_at_sign:
            rounds.give_start_sign(tournament, number, at=at + timedelta(minutes=8))
        for table in tables:
            play(table, chance, at + timedelta(minutes=10))
        at += timedelta(minutes=55)
        if number == 1:
            _flag(tournament, at=at)
        close(tournament, number, at=at)
        if number == rules.rounds or (rules.qualifying and len(tables) == 1):
            return at
        number += 1


def _draw(tournament: Tournament, number: int, chance: Random, *, at: datetime) -> None:
    """Draw a round, in public if the tournament says so. Later rounds are there already where all are drawn ahead."""
    if tournament.rounds.filter(number=number).exists():
        return
    options = DrawOptions(exceptions=True, nonce=chance.randbytes(32).hex())
    if tournament.ceremony == Tournament.Ceremony.HALL:
        seal_draw(tournament, number, options=options, by=BY, at=at)
        draw_sealed(tournament, number, words=_WORDS[number % len(_WORDS)], by=BY, at=at)
    else:
        draw_ahead(tournament, number=number, options=options, by=BY, at=at)


def _flag(tournament: Tournament, *, at: datetime) -> None:
    """Report an error from the hall, and settle it."""
    raised = flags.raise_flag(
        tournament, 1, 1, note="Ist das Blatt schon geprüft?", name="", address=BY, browser="", at=at
    )
    flags.close_flag(tournament, raised.pk, word="Ja, mit dem Tisch nachgezählt: stimmt.", by=BY, at=at)


def _settle_ties(tournament: Tournament, plan: PrizePlan, *, at: datetime) -> None:
    """Settle the ties for ranks with a prize: by the program's lot, or as a playoff has come out."""
    lowest = max(prize.last for prize in plan.prizes)
    groups: dict[int, list[int]] = {}
    for row in current_standings(tournament).rows:
        if row.tied and row.rank <= lowest:
            groups.setdefault(row.rank, []).append(row.start_number)
    for group in groups.values():
        if tournament.rules.lot_by_program:
            standings.draw_lot(tournament, group, by=BY, at=at)
        else:
            standings.decide(
                tournament, kind="playoff", order=sorted(group), reason="Gestochen", by=BY, at=at
            )


def _give_prizes(tournament: Tournament, *, at: datetime) -> None:
    """Give every prize. What tied players share goes to the first of them."""
    giving = current_prize_giving(tournament, current_standings(tournament))
    for row in giving.rows if giving else ():
        for place, award in enumerate(row.awards):
            thing = row.loose[place] if place < len(row.loose) else ""
            if not (award.has_rest or thing):
                continue
            prize_giving.give_prize(
                tournament,
                award.start_number,
                award.prize,
                seen=award.version,
                thing=thing,
                by=BY,
                at=at,
                desk=DESK,
            )


def _pieces(tournament: Tournament, desk: int) -> dict[str, int]:
    """Return the notes and coins that a desk has to hold, as few as possible."""
    rest, pieces = desk_row(tournament, desk).expected_cents, {}
    for value in PIECES:
        pieces[str(value)], rest = divmod(rest, value)
    return pieces
