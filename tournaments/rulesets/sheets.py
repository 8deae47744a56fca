"""The kinds of table sheets: the rules of a rule sheet on what is written at a table, and its value.

Every kind has the same properties, so that other code need not ask for the kind. counts_strokes: whether there is a tally.
fixed_deals: the number of deals of a round, None where it is open. lives: at the start, None where there are none. endings,
marks, all_others_lose, three_of_a_kind_spared: empty where the kind has none. three_never_pays: whether three of a kind is
spared on every ending.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal

from tournaments.rulesets.reading import Between, RulesetError

Ending = Literal["knock", "schnauz", "feuer", "handschnauz"]
HandEnding = Literal["knock", "schnauz", "feuer", "table_schnauz", "table_feuer"]
Mark = Literal["schnauz", "feuer"]
Solo = Literal["solo", "wenz", "farbwenz"]
Level = Literal["normal", "schneider", "durch", "tout"]

MOST_DEALS = 200
MOST_POINTS = 1000

Deals = Annotated[int, Between(1, MOST_DEALS)]
GamePoints = Annotated[int, Between(1, MOST_POINTS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SurvivalRules:
    """A sheet on which players lose lives, swim, drown, and the last one left wins the table.

    lives: lost deals before a player swims; with the next one they drown. endings: the ways a deal can end.
    all_others_lose: endings on which every player still in but the finisher loses. three_of_a_kind_spared: endings on
    which a player with three of a kind does not lose, so that fewer players than otherwise may lose, or none. marks:
    reasons for a stroke on the tally.
    """

    kind: Literal["survival"]
    lives: Annotated[int, Between(0, 20)]
    endings: tuple[Ending, ...]
    all_others_lose: tuple[Ending, ...]
    three_of_a_kind_spared: tuple[Ending, ...] = ()
    marks: tuple[Mark, ...]

    counts_strokes = True
    fixed_deals = None

    @property
    def three_never_pays(self) -> bool:
        return set(self.endings) <= set(self.three_of_a_kind_spared)

    def __post_init__(self) -> None:
        _check_endings(self.endings)
        if not set(self.all_others_lose) <= set(self.endings) - {"knock"}:
            raise RulesetError("all_others_lose", "only an ending with a finisher can make all others lose")
        if not set(self.three_of_a_kind_spared) <= set(self.endings):
            raise RulesetError("three_of_a_kind_spared", "only an ending of this sheet can spare anybody")


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPointsRules:
    """A sheet on which every deal gives every player the points of their hand, for a fixed number of deals.

    The hands of the ruleset define these points. deals: number of deals in a round. endings: the ways a deal can end;
    a hand on the table (`table_schnauz`, `table_feuer`) gives no player a stroke. early_acceptance: the organiser
    may accept a sheet with fewer deals, with a reason.
    """

    kind: Literal["hand_points"]
    deals: Deals
    endings: tuple[HandEnding, ...]
    early_acceptance: bool

    counts_strokes = True
    lives = None
    all_others_lose = ()
    three_of_a_kind_spared = ()
    three_never_pays = False
    marks = ()

    @property
    def fixed_deals(self) -> int | None:
        return self.deals

    def __post_init__(self) -> None:
        _check_endings(self.endings)


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelPoints:
    """The points of a game by its level. tout: None if a game cannot be played as a Tout."""

    normal: GamePoints
    schneider: GamePoints
    durch: GamePoints
    tout: GamePoints | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlusMinusRules:
    """A sheet of four on which every deal gives plus to one side and as much minus to the other.

    deals: number of deals in a round. ruf: points of a Rufspiel, plus for the two who win, minus for the two who lose.
    solo: points of a game of the declarer against three, for each of the three; the declarer has three times as many.
    solos: the games of this sort. tie_solo_games: those that count as a Solo for tie-breaks, and as a Tout where they
    were played as one; games that `solos` does not name may be among them. not_in_first_deal: levels of games against
    three that the first deal of a round must not have. needs_approval: levels of these games that count only once the
    supervisor has marked the deal. early_acceptance: the organiser may accept a sheet with fewer deals, with a reason.
    """

    kind: Literal["plus_minus"]
    deals: Deals
    solos: tuple[Solo, ...]
    tie_solo_games: tuple[Solo, ...] = ("solo", "wenz", "farbwenz")
    ruf: LevelPoints
    solo: LevelPoints
    not_in_first_deal: tuple[Level, ...]
    needs_approval: tuple[Level, ...]
    early_acceptance: bool

    counts_strokes = False
    lives = None
    endings = ()
    all_others_lose = ()
    three_of_a_kind_spared = ()
    three_never_pays = False
    marks = ()

    @property
    def fixed_deals(self) -> int | None:
        return self.deals

    @property
    def counted_solos(self) -> tuple[Solo, ...]:
        """The games against three that are played here and count for tie-breaks."""
        return tuple(game for game in self.solos if game in self.tie_solo_games)

    def __post_init__(self) -> None:
        if not self.tie_solo_games or len(set(self.tie_solo_games)) != len(self.tie_solo_games):
            raise RulesetError("tie_solo_games", "at least one game, each named once")
        if self.ruf.tout is not None:
            raise RulesetError("ruf.tout", "a Rufspiel is never a Tout")
        if self.solo.tout is None and "tout" in self.needs_approval:
            raise RulesetError("needs_approval", "there is no Tout to be approved")


def _check_endings(endings: Iterable[str]) -> None:
    if "knock" not in endings:
        raise RulesetError("endings", "a deal can always end by a knock")
