"""Hand points: every deal gives every player the points of their hand, for a fixed number of deals (RULES 3).

Schnauz, Feuer   the best hands, identified by their points
table ending     a Schnauz or Feuer on the table ends the deal at once; no player gets a stroke for it
totalled         the sums of a paper sheet, instead of deals
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoring.core.cards import possible_values
from scoring.core.entries import by_seat, exact_keys, whole_by_seat
from scoring.core.ranking import competition_ranks
from scoring.core.sheet_kind import Fact, SeatScore, SheetKind
from tournaments.core.refusal import Refusal
from tournaments.rulesets.hands import HandRules
from tournaments.rulesets.sheets import HandPointsRules

SUMS = ("points", "schnauz", "feuer")
TABLE_ENDINGS = frozenset({"table_schnauz", "table_feuer"})


@dataclass(frozen=True, slots=True)
class HandPoints:
    """The state of a table: points and strokes by seat so far. is_totalled: they are those of a paper sheet."""

    seats: tuple[int, ...]
    deals: int
    points: Mapping[int, int]
    schnauz: Mapping[int, int]
    feuer: Mapping[int, int]
    is_totalled: bool


@dataclass(frozen=True, slots=True)
class HandPointsKind(SheetKind[HandPoints]):
    """Hand points under one ruleset."""

    facts = frozenset({"deal", "totalled"})

    rules: HandPointsRules
    hands: HandRules

    @property
    def schnauz(self) -> int:
        return self.hands.schnauz_points

    @property
    def feuer(self) -> int:
        return self.hands.feuer_points or 0

    def normalised(self, seats: Sequence[int], kind: str, data: object) -> dict[str, Any]:
        match kind:
            case "deal":
                return self._normalised_deal(seats, data)
            case "totalled":
                return self._normalised_totals(seats, data)
        raise Refusal("unknown_kind", kind=kind[:40])

    def start(self, seats: Sequence[int]) -> HandPoints:
        nothing = dict.fromkeys(seats, 0)
        return HandPoints(tuple(seats), 0, points=nothing, schnauz=nothing, feuer=nothing, is_totalled=False)

    def check(self, state: HandPoints, fact: Fact) -> None:
        if state.is_totalled:
            raise Refusal("already_totalled")
        if fact.kind == "totalled" and state.deals:
            raise Refusal("deals_written", deals=state.deals)
        if fact.kind == "deal" and state.deals == self.rules.deals:
            raise Refusal("all_deals_written", deals=self.rules.deals)

    def apply(self, state: HandPoints, fact: Fact) -> HandPoints:
        if fact.kind == "totalled":
            points, schnauz, feuer = (by_seat(fact.data[name]) for name in SUMS)
            return replace(state, points=points, schnauz=schnauz, feuer=feuer, is_totalled=True)
        points = by_seat(fact.data["points"])
        strokes = {} if fact.data.get("ended_by") in TABLE_ENDINGS else points
        return replace(
            state,
            deals=state.deals + 1,
            points={seat: state.points[seat] + points[seat] for seat in state.seats},
            schnauz=_counted(state.schnauz, strokes, self.schnauz),
            feuer=_counted(state.feuer, strokes, self.feuer),
        )

    def missing(self, state: HandPoints) -> Refusal | None:
        """Require all the deals, or the sums of a paper sheet (RULES 3.5)."""
        if state.is_totalled or state.deals == self.rules.deals:
            return None
        return Refusal("deals_missing", played=state.deals, deals=self.rules.deals)

    def unacceptable(self, state: HandPoints) -> Refusal | None:
        """Allow fewer deals if the ruleset does (RULES 3.5)."""
        return None if self.rules.early_acceptance else self.missing(state)

    def results(self, state: HandPoints) -> tuple[SeatScore, ...]:
        ranks = competition_ranks([state.points[seat] for seat in state.seats])
        return tuple(
            SeatScore(
                seat_number=seat,
                rank=rank,
                points=state.points[seat],
                strokes=state.schnauz[seat] + state.feuer[seat],
                counts={"schnauz": state.schnauz[seat], "feuer": state.feuer[seat]},
            )
            for seat, rank in zip(state.seats, ranks, strict=True)
        )

    def _normalised_deal(self, seats: Sequence[int], data: object) -> dict[str, Any]:
        deal = exact_keys(data, ("points",), ("ended_by",))
        points = whole_by_seat(deal["points"], seats, "data.points")
        ended_by = deal.get("ended_by")
        if ended_by is not None and (not isinstance(ended_by, str) or ended_by not in self.rules.endings):
            raise Refusal("unknown_ending")
        possible = possible_values(self.hands)
        for seat, value in points.items():
            if value not in possible:
                raise Refusal("impossible_hand", seat=int(seat), points=value)
        if list(points.values()).count(self.feuer) > 1:
            raise Refusal("two_feuer")
        return {"points": points} if ended_by is None else {"points": points, "ended_by": ended_by}

    def _normalised_totals(self, seats: Sequence[int], data: object) -> dict[str, Any]:
        totals = exact_keys(data, SUMS)
        sums = {name: whole_by_seat(totals[name], seats, f"data.{name}") for name in SUMS}
        for seat in sums["points"]:
            self._check_sums(int(seat), *(sums[name][seat] for name in SUMS))
        if sum(sums["feuer"].values()) > self.rules.deals:
            raise Refusal("two_feuer")
        return sums

    def _check_sums(self, seat: int, points: int, schnauz: int, feuer: int) -> None:
        """Check that the points fit so many Schnauz and Feuer. The number of played deals is not on paper."""
        others = self.rules.deals - schnauz - feuer
        least = schnauz * self.schnauz + feuer * self.feuer
        most = least + others * max(self.schnauz, self.feuer)
        if min(schnauz, feuer, others) < 0 or not least <= points <= most:
            raise Refusal("impossible_total", seat=seat)

    def hand_values(self) -> tuple[int, ...]:
        return tuple(sorted(map(int, possible_values(self.hands)), reverse=True))


def _counted(before: Mapping[int, int], points: Mapping[int, int], worth: int) -> dict[int, int]:
    """Return the strokes with those of a deal: one for each hand of this worth."""
    return {seat: count + (points.get(seat) == worth) for seat, count in before.items()}
