"""Plus and minus: every deal gives plus to one side and as much minus to the other, at a table of four (RULES 5).

counted    for tie-breaks: a game against three that the ruleset names; a Tout of it is a Solo as well
declarer   the player of the game; in a Rufspiel with a partner against two, in a Solo or Wenz against three
level      normal, Schneider, Durch (black), Tout
waiting    a deal that needs the supervisor's mark and has none yet: it is written, but does not count
deduction  the smaller of a player's two columns, subtracted from both; the remainder is the result
totalled   the results of a paper sheet, instead of deals
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from scoring.core.entries import Data, by_seat, canonical_id, exact_keys, known_seat, whole_by_seat
from scoring.core.ranking import competition_ranks
from scoring.core.sheet_kind import Fact, SeatScore, SheetKind
from tournaments.core.refusal import Refusal
from tournaments.rulesets.sheets import LevelPoints, PlusMinusRules

RUF = "ruf"
TOUT = "tout"
TABLE = 4
COUNTS = ("tout_won", "tout_played", "solo_won", "solo_played")


@dataclass(frozen=True, slots=True)
class Deal:
    """A written deal: the points of each seat, the counts for the declarer, and whether it still waits."""

    entry_id: str
    points: Mapping[int, int]
    declarer: int
    counts: frozenset[str]
    waits: bool


@dataclass(frozen=True, slots=True)
class PlusMinus:
    """The state of a table: its deals in their order, or the totals of a paper sheet: "points" and COUNTS by seat."""

    seats: tuple[int, ...]
    deals: tuple[Deal, ...]
    totals: Mapping[str, Mapping[int, int]] | None

    @property
    def counting(self) -> tuple[Deal, ...]:
        return tuple(deal for deal in self.deals if not deal.waits)

    @property
    def waiting(self) -> tuple[int, ...]:
        """The numbers of the deals that wait for the supervisor's mark."""
        return tuple(number for number, deal in enumerate(self.deals, start=1) if deal.waits)

    def plus(self, seat: int) -> int:
        """Return the sum of a player's plus column."""
        return sum(max(deal.points[seat], 0) for deal in self.counting)

    def minus(self, seat: int) -> int:
        """Return the sum of a player's minus column, without its sign."""
        return sum(max(-deal.points[seat], 0) for deal in self.counting)

    def deduction(self, seat: int) -> int:
        """Return the smaller of the two columns."""
        return min(self.plus(seat), self.minus(seat))

    def result(self, seat: int) -> int:
        if self.totals is not None:
            return self.totals["points"][seat]
        return self.plus(seat) - self.minus(seat)

    def count(self, seat: int, name: str) -> int:
        """Count how often a player has won or played a Tout or a Solo."""
        if self.totals is not None:
            return self.totals[name][seat]
        return sum(1 for deal in self.counting if deal.declarer == seat and name in deal.counts)


@dataclass(frozen=True, slots=True)
class PlusMinusKind(SheetKind[PlusMinus]):
    """Plus and minus under one ruleset."""

    facts = frozenset({"deal", "approved", "totalled"})
    approvals = frozenset({"approved"})

    rules: PlusMinusRules

    def normalised(self, seats: Sequence[int], kind: str, data: object) -> dict[str, Any]:
        match kind:
            case "deal":
                return _normalised_deal(self.rules, seats, data)
            case "approved":
                return {"entry": canonical_id(exact_keys(data, ("entry",))["entry"], name="data.entry")}
            case "totalled":
                return _normalised_totals(self.rules, seats, data)
        raise Refusal("unknown_kind", kind=kind[:40])

    def start(self, seats: Sequence[int]) -> PlusMinus:
        return PlusMinus(tuple(seats), deals=(), totals=None)

    def check(self, state: PlusMinus, fact: Fact) -> None:
        if fact.kind == "approved":
            _check_waits(state, fact.data["entry"])
            return
        if state.totals is not None:
            raise Refusal("already_totalled")
        if fact.kind == "totalled" and state.deals:
            raise Refusal("deals_written", deals=len(state.deals))
        if fact.kind == "deal":
            self._check_deal(state, fact.data)

    def apply(self, state: PlusMinus, fact: Fact) -> PlusMinus:
        match fact.kind:
            case "approved":
                return replace(state, deals=tuple(_approved(state.deals, fact.data["entry"])))
            case "totalled":
                return replace(state, totals={name: by_seat(fact.data[name]) for name in ("points", *COUNTS)})
        deal = _played(self.rules, state.seats, fact)
        return replace(state, deals=(*state.deals, deal))

    def missing(self, state: PlusMinus) -> Refusal | None:
        """Require a mark for each Tout, and all the deals or the totals of a paper sheet (RULES 5.1, 5.3)."""
        if state.waiting:
            return Refusal("approval_missing", numbers=list(state.waiting))
        if state.totals is not None or len(state.deals) == self.rules.deals:
            return None
        return Refusal("deals_missing", played=len(state.deals), deals=self.rules.deals)

    def unacceptable(self, state: PlusMinus) -> Refusal | None:
        """Allow fewer deals if the ruleset does, but no deal that still waits: it is approved or taken back."""
        missing = self.missing(state)
        return None if missing is None or (self.rules.early_acceptance and not state.waiting) else missing

    def waiting(self, state: PlusMinus, /) -> frozenset[str]:
        return frozenset(deal.entry_id for deal in state.deals if deal.waits)

    def results(self, state: PlusMinus) -> tuple[SeatScore, ...]:
        points = [state.result(seat) for seat in state.seats]
        return tuple(
            SeatScore(
                seat_number=seat,
                rank=rank,
                points=result,
                strokes=0,
                counts={name: state.count(seat, name) for name in COUNTS},
            )
            for seat, result, rank in zip(state.seats, points, competition_ranks(points), strict=True)
        )

    def _check_deal(self, state: PlusMinus, deal: Data) -> None:
        if len(state.deals) == self.rules.deals:
            raise Refusal("all_deals_written", deals=self.rules.deals)
        is_first = not state.deals
        if is_first and deal["game"] != RUF and deal["level"] in self.rules.not_in_first_deal:
            raise Refusal("not_in_first_deal")


def is_circled(deal: Data) -> bool:
    """Return whether the list has a circle around the deal: a game against three, Solo or Wenz."""
    return bool(deal["game"] != RUF)


def _normalised_deal(rules: PlusMinusRules, seats: Sequence[int], data: object) -> dict[str, Any]:
    deal = exact_keys(data, ("game", "declarer", "partner", "won", "level"))
    game, won, level = deal["game"], deal["won"], deal["level"]
    if len(seats) != TABLE:
        raise Refusal("four_at_the_table", seats=len(seats))
    if not isinstance(game, str) or game not in (RUF, *rules.solos):
        raise Refusal("unknown_game")
    declarer = known_seat(deal["declarer"], seats, "data.declarer")
    partner = _normalised_partner(seats, game, declarer, deal["partner"])
    if type(won) is not bool:
        raise Refusal("bad_entry", field="data.won")
    if not isinstance(level, str) or _worth(rules, game, level) is None:
        raise Refusal("unknown_level")
    return {"game": game, "declarer": declarer, "partner": partner, "won": won, "level": level}


def _normalised_partner(seats: Sequence[int], game: str, declarer: int, partner: object) -> int | None:
    """Require a partner other than the declarer in a Rufspiel, and none in a game against three (RULES 5.2)."""
    if partner is None:
        if game == RUF:
            raise Refusal("partner_needed")
        return None
    seat = known_seat(partner, seats, "data.partner")
    if game != RUF:
        raise Refusal("no_partner_in_a_solo")
    if seat == declarer:
        raise Refusal("partner_is_declarer", seat=seat)
    return seat


def _normalised_totals(rules: PlusMinusRules, seats: Sequence[int], data: object) -> dict[str, Any]:
    totals = exact_keys(data, ("points", *COUNTS))
    sums = {name: whole_by_seat(totals[name], seats, f"data.{name}") for name in ("points", *COUNTS)}
    if len(seats) != TABLE:
        raise Refusal("four_at_the_table", seats=len(seats))
    if sum(sums["points"].values()) != 0:
        raise Refusal("points_do_not_balance", sum=sum(sums["points"].values()))
    most = (TABLE - 1) * rules.deals * max(points for points in asdict(rules.solo).values() if points)
    for seat, points in sums["points"].items():
        if abs(points) > most:
            raise Refusal("impossible_total", seat=int(seat))
        _check_counts(int(seat), *(sums[name][seat] for name in COUNTS))
    if sum(sums["solo_played"].values()) > rules.deals:
        raise Refusal("too_many_solos", deals=rules.deals)
    return sums


def _check_counts(seat: int, tout_won: int, tout_played: int, solo_won: int, solo_played: int) -> None:
    """Check that every game won was played, and that each Tout is a Solo as well (RULES 5.7)."""
    other_won, other_played = solo_won - tout_won, solo_played - tout_played
    if not (0 <= tout_won <= tout_played and 0 <= other_won <= other_played):
        raise Refusal("impossible_total", seat=seat)


def _check_waits(state: PlusMinus, entry_id: str) -> None:
    for deal in state.deals:
        if deal.entry_id == entry_id and deal.waits:
            return
    raise Refusal("nothing_to_approve")


def _approved(deals: Iterable[Deal], entry_id: str) -> Iterable[Deal]:
    return (replace(deal, waits=False) if deal.entry_id == entry_id else deal for deal in deals)


def _played(rules: PlusMinusRules, seats: Sequence[int], fact: Fact) -> Deal:
    """Return the deal of a fact: what one side wins, the other loses (RULES 5.2)."""
    deal = fact.data
    is_solo = deal["game"] != RUF
    worth = _worth(rules, deal["game"], deal["level"]) or 0
    side = {deal["declarer"], deal["partner"]}
    sign = 1 if deal["won"] else -1
    share = sign * worth * (TABLE - 1 if is_solo else 1)
    return Deal(
        entry_id=fact.entry_id,
        points={seat: share if seat in side else -sign * worth for seat in seats},
        declarer=deal["declarer"],
        counts=_counts_of(deal) if deal["game"] in rules.tie_solo_games else frozenset(),
        waits=is_solo and deal["level"] in rules.needs_approval,
    )


def _counts_of(deal: Data) -> frozenset[str]:
    """Return the counts of a game that counts for tie-breaks; a Tout is a Solo as well (RULES 5.7)."""
    names = ["solo_played"]
    if deal["won"]:
        names.append("solo_won")
    if deal["level"] == TOUT:
        names += ["tout_played", "tout_won"] if deal["won"] else ["tout_played"]
    return frozenset(names)


def _worth(rules: PlusMinusRules, game: str, level: str) -> int | None:
    """Return the points of a game for each player who does not play it alone; None if it has no such level."""
    points = rules.ruf if game == RUF else rules.solo
    if level not in LevelPoints.__slots__:
        return None
    worth: int | None = getattr(points, level)
    return worth
