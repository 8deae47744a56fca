"""Play at the tables of a practice tournament: random deals, written by the services as a phone writes them."""

import uuid
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from random import Random

from scoring.core import sheet as core
from scoring.core.cards import possible_values
from scoring.core.entries import Entry
from scoring.core.survival import Survival
from scoring.services import sheets
from scoring.sheet_log import open_sheet
from tournaments.models import Table, Tournament
from tournaments.rulesets.sheets import PlusMinusRules, SurvivalRules

BY = "Übung"
INITIALS = "ÜB"
_MOST_DEALS = 60
_USUAL_HANDS = range(14, 31)
_A_MINUTE = timedelta(minutes=1)
_TOUT_IN_DEAL = 9


def tables_of(tournament: Tournament, number: int) -> list[Table]:
    return list(Table.objects.filter(round__tournament=tournament, round__number=number).order_by("number"))


def play(table: Table, chance: Random, at: datetime, *, until_decided: bool = True) -> None:
    """Write deals as a phone does, one a minute. With `until_decided`, play to the end, submit the sheet and accept it."""
    device = f"{chance.getrandbits(128):032x}"
    epoch = sheets.take_pen(table, device=device, at=at).row.pen_epoch
    log = open_sheet(table.pk).log
    make_deal = _DEALS[log.ruleset.sheet.kind]
    sent: list[sheets.Sent] = []
    most = _MOST_DEALS if until_decided else chance.randint(1, 9)
    while len(sent) < most and not _is_played_out(log):
        deal = make_deal(log, chance)
        sent.append(sheets.Sent(_new_id(chance), "deal", deal, at + timedelta(minutes=len(sent))))
        log = core.append(log, Entry(sent[-1].id, "deal", deal, "scribe"))
    if not until_decided:
        sheets.record(table, sent, device=device, pen_epoch=epoch, at=at + timedelta(minutes=len(sent)))
        return
    marks = [("approved", {"entry": entry_id}) for entry_id in sorted(log.kind.waiting(log.state))]
    if marks:
        sheets.record(table, sent, device=device, pen_epoch=epoch, at=at + timedelta(minutes=len(sent)))
        sheets.write(table, marks, by=BY, at=at + timedelta(minutes=len(sent)), initials=INITIALS)
    end = at + timedelta(minutes=len(sent))
    closing = _closing(log, chance, end)
    sheets.record(
        table, closing if marks else sent + closing, device=device, pen_epoch=epoch, at=end + _A_MINUTE
    )
    initials = INITIALS if log.ruleset.sheet.kind == "plus_minus" else ""
    sheets.write(table, [("accepted", {})], by=BY, at=end + 2 * _A_MINUTE, initials=initials)


def _is_played_out(log: core.SheetLog) -> bool:
    fixed = log.ruleset.sheet.fixed_deals
    return log.is_complete if fixed is None else len(log.entries) >= fixed


def _closing(log: core.SheetLog, chance: Random, at: datetime) -> list[sheets.Sent]:
    """Return what a table sends at the end: the confirmation of each player where they are required, and the sheet."""
    seats = log.seats if log.ruleset.confirmation == "required" else ()
    confirmed = [sheets.Sent(_new_id(chance), "confirmed", {"seat_number": seat}, at) for seat in seats]
    return [*confirmed, sheets.Sent(_new_id(chance), "submitted", {}, at)]


def _new_id(chance: Random) -> str:
    return str(uuid.UUID(int=chance.getrandbits(128), version=4))


def _survival_deal(log: core.SheetLog, chance: Random) -> dict[str, object]:
    """Return a random deal: mostly ended by a knock, sometimes by Schnauz, rarely by Feuer."""
    state: Survival = log.state
    rules = log.ruleset.sheet_as(SurvivalRules)
    weights = {"knock": 70, "schnauz": 24, "feuer": 3, "handschnauz": 3}
    endings = [ending for ending in weights if ending in rules.endings]
    ended_by = chance.choices(endings, [weights[ending] for ending in endings])[0]
    finisher = None if ended_by == "knock" else chance.choice(state.still_in)
    others = [seat for seat in state.still_in if seat != finisher]
    if ended_by in rules.all_others_lose:
        return {"losers": others, "ended_by": ended_by, "finisher": finisher}
    tie = len(others) > 2 and chance.random() < 0.12
    return {
        "losers": sorted(chance.sample(others, 2 if tie else 1)),
        "ended_by": ended_by,
        "finisher": finisher,
    }


def _hand_points_deal(log: core.SheetLog, chance: Random) -> dict[str, object]:
    """Return a random deal: one player may end it by Schnauz or Feuer, the others have usual hands."""
    hands = log.ruleset.hands
    assert hands is not None
    values = sorted(int(value) for value in possible_values(hands) if value in _USUAL_HANDS)
    points = {str(seat): chance.choice(values) for seat in log.seats}
    ended_by = chance.choices(["knock", "schnauz", "feuer"], [80, 17, 3])[0]
    if ended_by != "knock":
        points[str(chance.choice(log.seats))] = (
            hands.schnauz_points if ended_by == "schnauz" else hands.feuer_points or 0
        )
    return {"points": points, "ended_by": ended_by}


def _plus_minus_deal(log: core.SheetLog, chance: Random) -> dict[str, object]:
    """Return a random deal: mostly a Rufspiel, sometimes a Solo or Wenz, rarely a Tout."""
    rules = log.ruleset.sheet_as(PlusMinusRules)
    declarer, partner = chance.sample(log.seats, 2)
    game = chance.choices(["ruf", *rules.solos], [70, *[30 // len(rules.solos)] * len(rules.solos)])[0]
    levels = {"normal": 74, "schneider": 21, "durch": 4, "tout": 0 if game == "ruf" else 4}
    level = chance.choices(list(levels), list(levels.values()))[0] if log.entries else "normal"
    return {
        "game": game,
        "declarer": declarer,
        "partner": partner if game == "ruf" else None,
        "won": chance.random() < 0.62,
        "level": level,
    }


_DEALS: Mapping[str, Callable[[core.SheetLog, Random], dict[str, object]]] = {
    "survival": _survival_deal,
    "hand_points": _hand_points_deal,
    "plus_minus": _plus_minus_deal,
}
