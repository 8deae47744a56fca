"""A practice tournament in play. All its data is recognisable sample data, made by the services of a real evening."""

import uuid
from datetime import datetime, timedelta
from itertools import product
from random import Random

from django.contrib.auth.models import User

from scoring.core import sheet as core
from scoring.core.entries import Entry
from scoring.core.survival import Survival
from scoring.services import sheets
from scoring.services.rounds import DrawOptions, close, draw_next
from scoring.sheet_log import open_sheet
from tournaments.models import Table, Tournament
from tournaments.rulesets.loader import preset
from tournaments.rulesets.sheets import SurvivalRules
from tournaments.services import door, rounds
from tournaments.services.tournaments import create_tournament

PLAYERS = 47
BY = "Übung"
_FIRST_NAMES = (
    "Alois", "Barbara", "Christl", "Dominik", "Elfriede", "Franz", "Georg", "Hedwig", "Ignaz", "Josefa", "Korbinian", "Lena",
    "Magdalena", "Norbert", "Ottilie", "Peter",
)  # fmt: skip
_LAST_NAMES = ("Muster", "Beispiel", "Übung")
_CLUBS = ("", "", "Verein Beispiel", "Stammtisch Muster")


def create_practice_tournament(*, slug: str, owner: User | None, at: datetime, seed: int = 0) -> Tournament:
    """Create a practice tournament: 47 sample players, a first round closed, a second one in play.

    The same seed gives the same tournament, under the same key of the server. Refuses slug_taken (slug).
    """
    chance = Random(seed)
    tournament = create_tournament(
        slug=slug,
        name="Übungsturnier",
        played_on=at.date(),
        place="Vereinsheim",
        names=Tournament.Names.SHORT,
        ruleset=preset("schnauz-placing"),
        owner=owner,
        is_practice=True,
        at=at - timedelta(hours=2),
    )
    _register(tournament, chance, at - timedelta(minutes=100))
    _draw(tournament, 1, chance, at - timedelta(minutes=80))
    for table in _tables(tournament, 1):
        _play(table, chance, at - timedelta(minutes=75), until_decided=True)
    close(tournament, 1, at=at - timedelta(minutes=30))
    _draw(tournament, 2, chance, at - timedelta(minutes=25))
    *in_play, _untouched = _tables(tournament, 2)
    for index, table in enumerate(in_play):
        _play(table, chance, at - timedelta(minutes=20), until_decided=index < 2)
    return tournament


def _register(tournament: Tournament, chance: Random, at: datetime) -> None:
    names = [f"{first} {last}" for first, last in product(_FIRST_NAMES, _LAST_NAMES)]
    chance.shuffle(names)
    for number, name in enumerate(names[:PLAYERS]):
        door.register(
            tournament,
            name=name,
            club=chance.choice(_CLUBS),
            paid=number % 16 != 15,
            by=BY,
            at=at + timedelta(seconds=9 * number),
        )


def _draw(tournament: Tournament, number: int, chance: Random, at: datetime) -> None:
    options = DrawOptions(nonce=chance.randbytes(32).hex())
    draw_next(tournament, number=number, options=options, by=BY, at=at)
    rounds.release(tournament, number, at=at + timedelta(minutes=2))


def _tables(tournament: Tournament, number: int) -> list[Table]:
    return list(Table.objects.filter(round__tournament=tournament, round__number=number).order_by("number"))


def _play(table: Table, chance: Random, at: datetime, *, until_decided: bool) -> None:
    """Write deals as a phone does. With `until_decided`, play to the end, submit the sheet and accept it."""
    device = f"{chance.getrandbits(128):032x}"
    epoch = sheets.take_pen(table, device=device, at=at).row.pen_epoch
    log = open_sheet(table.pk).log
    deals = 60 if until_decided else chance.randint(1, 9)
    sent = []
    for number in range(deals):
        if log.is_complete:
            break
        deal = _deal(log, chance)
        made_at = at + timedelta(minutes=number)
        entry_id = str(uuid.UUID(int=chance.getrandbits(128), version=4))
        log = core.append(log, Entry(entry_id, "deal", deal, "scribe"))
        sent.append(sheets.Sent(entry_id, "deal", deal, made_at))
    if until_decided:
        entry_id = str(uuid.UUID(int=chance.getrandbits(128), version=4))
        sent.append(sheets.Sent(entry_id, "submitted", {}, at + timedelta(minutes=len(sent))))
    sheets.record(table, sent, device=device, pen_epoch=epoch, at=at + timedelta(minutes=len(sent)))
    if until_decided:
        sheets.write(table, [("accepted", {})], by=BY, at=at + timedelta(minutes=len(sent) + 1))


def _deal(log: core.SheetLog, chance: Random) -> dict[str, object]:
    """Return a random deal: mostly ended by a knock, sometimes by Schnauz, rarely by Feuer."""
    state: Survival = log.state
    ended_by = chance.choices(["knock", "schnauz", "feuer", "handschnauz"], [70, 24, 3, 3])[0]
    finisher = None if ended_by == "knock" else chance.choice(state.still_in)
    others = [seat for seat in state.still_in if seat != finisher]
    if ended_by in log.ruleset.sheet_as(SurvivalRules).all_others_lose:
        return {"losers": others, "ended_by": ended_by, "finisher": finisher}
    tie = len(others) > 2 and chance.random() < 0.12
    return {
        "losers": sorted(chance.sample(others, 2 if tie else 1)),
        "ended_by": ended_by,
        "finisher": finisher,
    }
