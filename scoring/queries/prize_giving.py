"""The prize-giving: its state by the standings of now."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import cast

from scoring.core.prize_giving import Handout, HandoutKind, PrizeGiving, prize_giving
from scoring.core.prizes import PrizeList
from scoring.queries.prizes import prize_list
from scoring.queries.standings import Leaderboard, current_standings
from tournaments.models import Tournament


def current_prize_giving(tournament: Tournament, leaderboard: Leaderboard) -> PrizeGiving | None:
    """Return the prize-giving by the organiser's standings; None if there is no plan and nothing was given. Four queries."""
    prizes = prize_list(tournament, leaderboard)
    handouts = list(_handouts(tournament))
    if prizes is None and not handouts:
        return None
    return prize_giving(prizes or PrizeList(0, ()), handouts)


def prizes_as_given(tournament: Tournament, leaderboard: Leaderboard) -> PrizeList | None:
    """Return the prizes as `prize_list` does, with things that players share only for those who got them."""
    prizes = prize_list(tournament, leaderboard)
    if prizes is None:
        return None
    giving = prize_giving(prizes, _handouts(tournament))
    return replace(prizes, rows=tuple(row for shared in giving.rows for row in shared.by_player))


@dataclass(frozen=True, slots=True)
class PrizeGivingPage:
    """The prize-giving for the organiser. giving: None if there is no plan and nothing was given.

    names: of everybody in it, by start number.
    """

    leaderboard: Leaderboard
    prizes: PrizeList | None
    giving: PrizeGiving | None
    names: Mapping[int, str]


def prize_giving_page(tournament: Tournament) -> PrizeGivingPage:
    leaderboard = current_standings(tournament)
    giving = current_prize_giving(tournament, leaderboard)
    names = {row.start_number: row.name for row in leaderboard.rows}
    if giving and giving.strays:
        excluded = tournament.participants.filter(
            start_number__in=[award.start_number for award in giving.strays]
        )
        names |= dict(excluded.values_list("start_number", "name"))
    return PrizeGivingPage(leaderboard, prize_list(tournament, leaderboard), giving, names)


def _handouts(tournament: Tournament) -> Iterator[Handout]:
    rows = tournament.handouts.order_by("id").values_list(
        "prize", "participant__start_number", "kind", "cents", "things"
    )
    for prize, start_number, kind, cents, things in rows:
        yield Handout(prize, start_number, cast(HandoutKind, kind), cents, tuple(things))
