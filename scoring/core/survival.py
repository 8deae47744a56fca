"""Survival: players lose lives, swim, drown, and the last one left wins the table (RULES 1.4 to 1.9, 2, 4.1).

lives     what every player starts with; the loser of a deal gives one
swimming  no life left, but still playing
drowned   lost once more, and out
finisher  the player who ended a deal by Schnauz, Feuer or Handschnauz; gets a stroke on the tally and cannot lose
spared    a player with three of a kind, if that never pays under the ruleset; the sheet does not record it
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoring.core.entries import Data, by_seat, exact_keys, known_seat
from scoring.core.sheet_kind import Fact, SeatScore, SheetKind
from tournaments.core.refusal import Refusal
from tournaments.rulesets.schema import Ruleset
from tournaments.rulesets.sheets import SurvivalRules

_MARK_OF_ENDING = {"schnauz": "schnauz", "handschnauz": "schnauz", "feuer": "feuer"}
"""The stroke that a deal gives its finisher; a Handschnauz is a Schnauz on the tally (RULES 1.5)."""


@dataclass(frozen=True, slots=True)
class Survival:
    """The state of a table.

    lives: at the start. lost: lost deals by seat. drowned_in: number of the deal in which a seat drowned,
    for the drowned only. deals: deals so far. schnauz, feuer: strokes by seat. ranked: ranks by seat that
    were written down, None while the deals decide.
    """

    seats: tuple[int, ...]
    lives: int
    lost: Mapping[int, int]
    drowned_in: Mapping[int, int]
    deals: int
    schnauz: Mapping[int, int]
    feuer: Mapping[int, int]
    ranked: Mapping[int, int] | None

    @property
    def still_in(self) -> tuple[int, ...]:
        return tuple(seat for seat in self.seats if seat not in self.drowned_in)

    @property
    def swimming(self) -> tuple[int, ...]:
        return tuple(seat for seat in self.still_in if self.lost[seat] == self.lives)

    @property
    def winner(self) -> int | None:
        """The seat on rank 1, None while there is no winner."""
        return next((seat for seat in self.seats if self.rank_of(seat) == 1), None)

    def lives_left(self, seat: int) -> int:
        return max(self.lives - self.lost[seat], 0)

    def strokes_of(self, seat: int) -> int:
        return self.schnauz[seat] + self.feuer[seat]

    def rank_of(self, seat: int) -> int | None:
        """Return 1 + the number of players who stayed in longer; None for players who may still drown (RULES 1.7)."""
        if self.ranked is not None:
            return self.ranked[seat]
        still_in = len(self.seats) - len(self.drowned_in)
        if seat not in self.drowned_in:
            return 1 if still_in == 1 else None
        drowned_later = sum(1 for deal in self.drowned_in.values() if deal > self.drowned_in[seat])
        return 1 + still_in + drowned_later


@dataclass(frozen=True, slots=True)
class SurvivalKind(SheetKind[Survival]):
    """Survival under one ruleset."""

    facts = frozenset({"deal", "stroke", "ranked"})

    ruleset: Ruleset
    rules: SurvivalRules

    def normalised(self, seats: Sequence[int], kind: str, data: object) -> dict[str, Any]:
        match kind:
            case "deal":
                return _normalised_deal(self.rules, seats, data)
            case "stroke":
                return _normalised_stroke(self.rules, seats, data)
            case "ranked":
                return _normalised_ranked(seats, data)
        raise Refusal("unknown_kind", kind=kind[:40])

    def start(self, seats: Sequence[int]) -> Survival:
        nothing = dict.fromkeys(seats, 0)
        return Survival(
            seats=tuple(seats),
            lives=self.rules.lives,
            lost=nothing,
            drowned_in={},
            deals=0,
            schnauz=nothing,
            feuer=nothing,
            ranked=None,
        )

    def check(self, state: Survival, fact: Fact) -> None:
        if fact.kind == "stroke":
            return
        if state.ranked is not None:
            raise Refusal("already_ranked")
        if fact.kind == "deal":
            _check_deal(self.rules, state, fact.data)

    def apply(self, state: Survival, fact: Fact) -> Survival:
        match fact.kind:
            case "deal":
                return _deal_played(state, fact.data)
            case "stroke":
                return _stroke_drawn(state, fact.data["seat_number"], fact.data["mark"])
        return replace(state, ranked=by_seat(fact.data["ranks"]))

    def missing(self, state: Survival) -> Refusal | None:
        """Require that one player is left or that `ranked` names the winner (RULES 1.6)."""
        still_in = len(state.seats) - len(state.drowned_in)
        return None if still_in == 1 or state.ranked is not None else Refusal("no_winner_yet", left=still_in)

    def results(self, state: Survival) -> tuple[SeatScore, ...]:
        return tuple(self._score(state, seat) for seat in state.seats)

    def _score(self, state: Survival, seat: int) -> SeatScore:
        rank = state.rank_of(seat)
        return SeatScore(
            seat_number=seat,
            rank=rank,
            points=None if rank is None else self.ruleset.points_for_rank(rank),
            strokes=state.strokes_of(seat),
            counts={"schnauz": state.schnauz[seat], "feuer": state.feuer[seat]},
        )

    def lives_left(self, state: Survival, seat: int, /) -> int | None:
        return state.lives_left(seat) if state.deals else None

    def is_in(self, state: Survival, seat: int, /) -> bool:
        return seat not in state.drowned_in


def _normalised_deal(rules: SurvivalRules, seats: Sequence[int], data: object) -> dict[str, Any]:
    deal = exact_keys(data, ("losers", "ended_by", "finisher"))
    losers, ended_by, finisher = deal["losers"], deal["ended_by"], deal["finisher"]
    if not isinstance(losers, list | tuple):
        raise Refusal("bad_entry", field="data.losers")
    losers = sorted(known_seat(seat, seats, "data.losers") for seat in losers)
    if len(set(losers)) != len(losers):
        raise Refusal("bad_entry", field="data.losers")
    if not isinstance(ended_by, str) or ended_by not in rules.endings:
        raise Refusal("unknown_ending")
    finisher = _normalised_finisher(seats, ended_by, finisher)
    if not losers and ended_by not in rules.three_of_a_kind_spared:
        raise Refusal("no_losers")
    if finisher in losers:
        raise Refusal("finisher_cannot_lose", seat=finisher)
    return {"losers": losers, "ended_by": ended_by, "finisher": finisher}


def _normalised_finisher(seats: Sequence[int], ended_by: str, finisher: object) -> int | None:
    """Require a finisher for every ending but a knock, and none on a knock (RULES 1.5)."""
    if finisher is None:
        if ended_by != "knock":
            raise Refusal("finisher_needed")
        return None
    seat = known_seat(finisher, seats, "data.finisher")
    if ended_by == "knock":
        raise Refusal("finisher_on_knock")
    return seat


def _normalised_stroke(rules: SurvivalRules, seats: Sequence[int], data: object) -> dict[str, Any]:
    stroke = exact_keys(data, ("seat_number", "mark"))
    seat = known_seat(stroke["seat_number"], seats, "data.seat_number")
    if not isinstance(stroke["mark"], str) or stroke["mark"] not in rules.marks:
        raise Refusal("unknown_mark")
    return {"seat_number": seat, "mark": stroke["mark"]}


def _normalised_ranked(seats: Sequence[int], data: object) -> dict[str, Any]:
    ranks = exact_keys(data, ("ranks",))["ranks"]
    if not isinstance(ranks, Mapping) or any(type(rank) is not int for rank in ranks.values()):
        raise Refusal("bad_entry", field="data.ranks")
    if set(ranks) != {str(seat) for seat in seats}:
        raise Refusal("ranks_incomplete")
    _check_ranking(list(ranks.values()))
    return {"ranks": {str(seat): ranks[str(seat)] for seat in seats}}


def _check_ranking(ranks: Sequence[int]) -> None:
    """Require one winner, and standard competition ranks, 1-2-2-4 (RULES 1.6, 1.7)."""
    if ranks.count(1) > 1:
        raise Refusal("ranks_two_winners")
    if any(rank != 1 + sum(1 for other in ranks if other < rank) for rank in ranks):
        raise Refusal("ranks_no_competition_ranking")


def _check_deal(rules: SurvivalRules, state: Survival, deal: Data) -> None:
    still_in = state.still_in
    if len(still_in) == 1:
        raise Refusal("table_decided", seat=still_in[0])
    losers, finisher = deal["losers"], deal["finisher"]
    for seat in losers if finisher is None else (*losers, finisher):
        if seat in state.drowned_in:
            raise Refusal("already_drowned", seat=seat)
    others = [seat for seat in still_in if seat != finisher]
    must_all_lose = set(rules.all_others_lose) - set(rules.three_of_a_kind_spared)
    if deal["ended_by"] in must_all_lose and set(losers) != set(others):
        raise Refusal("all_others_lose", seats=sorted(others))
    if len(losers) == len(still_in) and all(state.lost[seat] == state.lives for seat in losers):
        raise Refusal("would_drown_everybody")


def _deal_played(state: Survival, deal: Data) -> Survival:
    """Take a life from every loser, drown those who had none, and give the finisher a stroke (RULES 1.4, 1.9)."""
    number = state.deals + 1
    lost, drowned_in = dict(state.lost), dict(state.drowned_in)
    for seat in deal["losers"]:
        lost[seat] += 1
        if lost[seat] > state.lives:
            drowned_in[seat] = number
    after = replace(state, deals=number, lost=lost, drowned_in=drowned_in)
    if deal["finisher"] is None:
        return after
    return _stroke_drawn(after, deal["finisher"], _MARK_OF_ENDING[deal["ended_by"]])


def _stroke_drawn(state: Survival, seat: int, mark: str) -> Survival:
    """Add one stroke; Feuer counts as much as Schnauz (RULES 1.9)."""
    if mark == "feuer":
        return replace(state, feuer={**state.feuer, seat: state.feuer[seat] + 1})
    return replace(state, schnauz={**state.schnauz, seat: state.schnauz[seat] + 1})
