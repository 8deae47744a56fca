"""The entries that a sheet of hand points or of plus and minus allows, implemented again from RULES 3 and 5 alone.

Tables try correct entries and plausible mistakes, in any order. An entry is written exactly if the rules allow it;
a refused one leaves the sheet unchanged. (For survival see `can_be_played` in test_survival.py.)
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scoring.core.sheet import SheetLog, append, empty
from tests.rulesets import sheet_as
from tests.scoring.core import playing_hand_points as by_hands
from tests.scoring.core import playing_plus_minus as by_games
from tests.scoring.core.vectors import display, seats_of
from tests.scoring.core.writing import SUBMITTED, Line, entry, points, ranks
from tournaments.core.refusal import Refusal
from tournaments.rulesets.sheets import HandPointsRules, PlusMinusRules

Attempt = Callable[[Random, SheetLog], Line]
Said = Callable[[SheetLog, Line], bool]
"""A predicate: the rules allow a line on this sheet while it is open."""


def tried(chance: Random, sheet: SheetLog, attempts: int, attempt: Attempt, allows: Said) -> SheetLog:
    """Return the sheet after so many attempts, each judged by the rules beforehand."""
    for _ in range(attempts):
        before, line = sheet, attempt(chance, sheet)
        shown = deepcopy(display(before))
        is_allowed = before.phase == "open" and allows(before, line)
        with suppress(Refusal):
            sheet = append(sheet, entry(sheet, line))
        assert (sheet is not before) == is_allowed, line
        assert display(before) == shown
    return sheet


def written_facts(sheet: SheetLog, kind: str) -> list[Mapping[str, Any]]:
    return [one.data for one in sheet.entries if one.kind == kind]


def is_whole(value: object) -> bool:
    return type(value) is int


def are_whole_for_every_seat(values: object, sheet: SheetLog) -> bool:
    return (
        isinstance(values, dict)
        and set(values) == {str(seat) for seat in sheet.seats}
        and all(is_whole(value) for value in values.values())
    )


# -- Hand points (RULES 3) --------------------------------------------------------------------------------------------

HANDS = {
    "7": ({*range(8, 12), *range(15, 22), *range(24, 31), 31, 33, 35}, 35, 33),
    "9": ({10, 11, 19, 20, 21, 29, 30, 31, 32, 40, 50}, 40, 50),
}
"""The values of all hands, of a Schnauz and of a Feuer, by lowest card. With 24 cards 31 is not always a Schnauz."""
ENDINGS = {None, "knock", "schnauz", "feuer", "table_schnauz", "table_feuer"}


def hands_may_be_written(sheet: SheetLog, line: Line) -> bool:
    deals, totalled = written_facts(sheet, "deal"), written_facts(sheet, "totalled")
    so_many = sheet_as(sheet.ruleset, HandPointsRules).deals
    if line.kind == "submitted":
        return len(deals) == so_many or bool(totalled)
    if totalled:
        return False
    if line.kind == "totalled":
        return not deals and are_sums_of_hands(sheet, line.data, so_many)
    return len(deals) < so_many and are_hands(sheet, line.data)


def are_hands(sheet: SheetLog, deal: Mapping[str, Any]) -> bool:
    """Return whether each is a possible hand, and at most one is a Feuer (RULES 3.3)."""
    values, _, feuer = HANDS[by_hands.hands_of(sheet).lowest_card]
    if not {"points"} <= set(deal) <= {"points", "ended_by"}:
        return False
    ended_by = deal.get("ended_by")
    if not (ended_by is None or isinstance(ended_by, str)) or ended_by not in ENDINGS:
        return False
    held = deal["points"]
    return (
        are_whole_for_every_seat(held, sheet)
        and set(held.values()) <= values
        and list(held.values()).count(feuer) <= 1
    )


def are_sums_of_hands(sheet: SheetLog, sums: Mapping[str, Any], deals: int) -> bool:
    """Return whether the sums fit: at least the Schnauz and Feuer, at most the best hand in all the other deals."""
    _, schnauz, feuer = HANDS[by_hands.hands_of(sheet).lowest_card]
    names = {"points", "schnauz", "feuer"}
    if set(sums) != names or not all(are_whole_for_every_seat(sums[name], sheet) for name in names):
        return False
    for seat, total in sums["points"].items():
        one, other = sums["schnauz"][seat], sums["feuer"][seat]
        rest = deals - one - other
        named = one * schnauz + other * feuer
        if min(one, other, rest) < 0 or not named <= total <= named + rest * max(schnauz, feuer):
            return False
    return bool(sum(sums["feuer"].values()) <= deals)


def about_a_feuer_a_deal(chance: Random, sheet: SheetLog) -> dict[str, Any]:
    """Return sums of Feuer alone, shared by two players: as many as there are deals, or one more or less."""
    deals = sheet_as(sheet.ruleset, HandPointsRules).deals
    *_, worth = HANDS[by_hands.hands_of(sheet).lowest_card]
    one, other = map(str, chance.sample(sheet.seats, 2))
    his = chance.randint(0, deals)
    feuer = {str(seat): 0 for seat in sheet.seats} | {one: his, other: deals - his + chance.randint(-1, 1)}
    points = {seat: count * worth for seat, count in feuer.items()}
    return {"points": points, "schnauz": dict.fromkeys(feuer, 0), "feuer": feuer}


def something_with_hands(chance: Random, sheet: SheetLog) -> Line:
    kind = chance.choices(("deal", "totalled", "submitted"), (20, 1 if sheet.entries else 10, 2))[0]
    if kind == "submitted":
        return SUBMITTED
    if kind == "totalled" and chance.random() < 0.4:
        return Line(kind, about_a_feuer_a_deal(chance, sheet))
    if kind == "totalled":
        return Line(kind, by_hands.fact_data(chance, sheet, kind))
    makes = [by_hands.sensible_deal, by_hands.sensible_deal, by_hands.spoilt_deal]
    return Line(kind, chance.choice(makes)(chance, sheet))


@given(st.randoms(use_true_random=True), st.integers(0, 40))
def test_rules_3_1_3_3_3_5_hands_are_written_exactly_if_the_rules_allow_it(
    chance: Random, attempts: int
) -> None:
    """RULES 3.1, 3.3, 3.5: and nothing that is refused counts."""
    ruleset = replace(by_hands.ruleset_of(chance), confirmation="optional")
    sheet = empty(ruleset, seats_of(by_hands.size_of(chance)))
    sheet = tried(chance, sheet, attempts, something_with_hands, hands_may_be_written)
    held = written_facts(sheet, "deal") + written_facts(sheet, "totalled")
    sums = {seat: sum(data["points"][str(seat)] for data in held) for seat in sheet.seats}
    assert points(sheet) == sums
    assert ranks(sheet) == {
        seat: 1 + sum(other > own for other in sums.values()) for seat, own in sums.items()
    }


# -- Plus and minus (RULES 5) -----------------------------------------------------------------------------------------

RUF = {"normal": 1, "schneider": 2, "durch": 3}
SOLO = {"normal": 2, "schneider": 3, "durch": 4, "tout": 8}
"""The points of each player who does not play alone; the declarer wins or loses them three times."""
COUNTED = ("tout_won", "tout_played", "solo_won", "solo_played")


def a_game_may_be_written(sheet: SheetLog, line: Line) -> bool:
    rules = sheet_as(sheet.ruleset, PlusMinusRules)
    deals, totalled = written_facts(sheet, "deal"), written_facts(sheet, "totalled")
    if line.kind == "submitted":
        return not touts_that_wait(sheet) and (len(deals) == rules.deals or bool(totalled))
    if line.kind == "approved":
        target = line.data.get("entry")
        return isinstance(target, str) and target.lower() in touts_that_wait(sheet)
    if totalled:
        return False
    if line.kind == "totalled":
        return not deals and are_results_of_games(sheet, line.data, rules.deals)
    return (
        len(deals) < rules.deals
        and is_a_game(sheet, line.data, rules.solos)
        and (bool(deals) or line.data["game"] == "ruf" or line.data["level"] not in rules.not_in_first_deal)
    )


def touts_that_wait(sheet: SheetLog) -> set[str]:
    """Return the Touts without the supervisor's mark, if the ruleset asks for it (RULES 5.3)."""
    marked = {mark["entry"] for mark in written_facts(sheet, "approved")}
    if "tout" not in sheet_as(sheet.ruleset, PlusMinusRules).needs_approval:
        return set()
    touts = {one.id for one in sheet.entries if one.kind == "deal" and one.data["level"] == "tout"}
    return touts - marked


def is_a_game(sheet: SheetLog, deal: Mapping[str, Any], solos: tuple[str, ...]) -> bool:
    """Return whether two play against two or one against three; a Rufspiel is never a Tout (RULES 5.1 to 5.3)."""
    if len(sheet.seats) != 4 or set(deal) != {"game", "declarer", "partner", "won", "level"}:
        return False
    if not all(isinstance(deal[name], str) for name in ("game", "level")) or type(deal["won"]) is not bool:
        return False
    declarer, partner = deal["declarer"], deal["partner"]
    if not is_whole(declarer) or declarer not in sheet.seats:
        return False
    if deal["game"] == "ruf":
        is_partner = is_whole(partner) and partner in sheet.seats and partner != declarer
        return is_partner and deal["level"] in RUF
    return deal["game"] in solos and partner is None and deal["level"] in SOLO


def are_results_of_games(sheet: SheetLog, sums: Mapping[str, Any], deals: int) -> bool:
    """Return whether they add up to zero and each Tout or Solo won was played; each Tout is a Solo as well."""
    if len(sheet.seats) != 4 or set(sums) != {"points", *COUNTED}:
        return False
    if not all(are_whole_for_every_seat(sums[name], sheet) for name in sums):
        return False
    if sum(sums["points"].values()) or sum(sums["solo_played"].values()) > deals:
        return False
    for seat in sums["points"]:
        tout_won, tout_played, solo_won, solo_played = (sums[name][seat] for name in COUNTED)
        if not 0 <= tout_won <= tout_played or not 0 <= solo_won - tout_won <= solo_played - tout_played:
            return False
    return all(abs(points) <= 24 * deals for points in sums["points"].values())


def results_of_games(sheet: SheetLog) -> dict[int, int]:
    """Return the results of the games that count, or those of the paper sheet."""
    for totals in written_facts(sheet, "totalled"):
        return {seat: totals["points"][str(seat)] for seat in sheet.seats}
    waiting = touts_that_wait(sheet)
    results = dict.fromkeys(sheet.seats, 0)
    for one in sheet.entries:
        if one.kind == "deal" and one.id not in waiting:
            for seat in sheet.seats:
                results[seat] += gives(one.data, seat)
    return results


def gives(deal: Mapping[str, Any], seat: int) -> int:
    """Return the points of a player in a game (RULES 5.2)."""
    sign = 1 if deal["won"] == (seat in (deal["declarer"], deal["partner"])) else -1
    if deal["game"] == "ruf":
        return sign * RUF[deal["level"]]
    return sign * SOLO[deal["level"]] * (3 if seat == deal["declarer"] else 1)


def more_than_the_deals_give(chance: Random, sheet: SheetLog) -> dict[str, Any]:
    """Return balanced results, about as high as possible, and about as many Solos as there are deals."""
    sums, deals = by_games.sensible_totals(chance, sheet), sheet_as(sheet.ruleset, PlusMinusRules).deals
    one, other = map(str, chance.sample(sheet.seats, 2))
    most = 24 * deals + chance.randint(-1, 1)
    sums["points"] = dict.fromkeys(sums["points"], 0) | {one: most, other: -most}
    sums["solo_played"][one] += max(0, deals - sum(sums["solo_played"].values()) + chance.randint(-1, 1))
    return sums


def something_with_games(chance: Random, sheet: SheetLog) -> Line:
    often = (20, 4, 1 if sheet.entries else 10, 2)
    kind = chance.choices(("deal", "approved", "totalled", "submitted"), often)[0]
    if kind == "submitted":
        return SUBMITTED
    if kind == "totalled" and chance.random() < 0.4:
        return Line(kind, more_than_the_deals_give(chance, sheet))
    if kind != "deal":
        return Line(kind, by_games.fact_data(chance, sheet, kind))
    makes = [by_games.sensible_deal, by_games.sensible_deal, by_games.spoilt_deal]
    return Line(kind, chance.choice(makes)(chance, sheet))


@given(st.randoms(use_true_random=True), st.integers(0, 40))
def test_rules_5_1_5_2_5_3_games_are_written_exactly_if_the_rules_allow_it(
    chance: Random, attempts: int
) -> None:
    """RULES 5.1, 5.2, 5.3; ranks at the table are those of the results, equal ones share the better rank."""
    ruleset = replace(by_games.ruleset_of(chance), confirmation="optional")
    sheet = empty(ruleset, seats_of(by_games.size_of(chance)))
    sheet = tried(chance, sheet, attempts, something_with_games, a_game_may_be_written)
    results = results_of_games(sheet)
    assert points(sheet) == results
    assert ranks(sheet) == {
        seat: 1 + sum(other > own for other in results.values()) for seat, own in results.items()
    }
