"""A ruleset: all numbers and switches of a rule sheet, frozen and validated.

Standard library only. A tournament stores `Ruleset.to_dict()` of the ruleset it was created with, so that a
change to a preset never changes an old result; the tournament document has the same dictionary. A field
with a default may be missing there, as it is in rulesets that were stored before the field existed.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, Literal

from tournaments.rulesets.hands import HandRules
from tournaments.rulesets.languages import gathered, path_in_source, spread
from tournaments.rulesets.reading import Between, OneOf, RulesetError, Visible, read
from tournaments.rulesets.sheets import HandPointsRules, PlusMinusRules, SurvivalRules
from tournaments.rulesets.tie_breaks import TIE_BREAKS, tie_breaks_of

Prefer = Literal["smaller", "larger"]
Confirmation = Literal["required", "optional", "paper"]

LARGEST_TABLE = 12
MOST_ROUNDS = 20
MOST_CENTS = 1_000_000
PLUS_MINUS_TABLE = (4,)
MOST_MANNERS = 40
LONGEST_MANNER = 300

TableSize = Annotated[int, Between(2, LARGEST_TABLE)]
Manners = tuple[Annotated[str, Visible(LONGEST_MANNER)], ...]

_NAME = re.compile(r"[a-z0-9-]{1,60}")


@dataclass(frozen=True, slots=True)
class TableRules:
    """The sizes of tables.

    sizes: the regular sizes, ascending. exceptions: sizes for head counts that regular tables cannot seat,
    in the order in which they are tried, as few tables of such a size as possible, and only with the
    organiser's consent. prefer: if several splits are possible, more smaller or more larger tables.
    """

    sizes: tuple[TableSize, ...]
    exceptions: tuple[TableSize, ...]
    prefer: Prefer

    def __post_init__(self) -> None:
        if not self.sizes:
            raise RulesetError("sizes", "at least one table size is needed")
        if list(self.sizes) != sorted(set(self.sizes)):
            raise RulesetError("sizes", "table sizes must ascend, each named once")
        if len(set(self.exceptions)) != len(self.exceptions) or set(self.exceptions) & set(self.sizes):
            raise RulesetError("exceptions", "each table size may be named once")

    @property
    def smallest(self) -> int:
        return min(self.sizes + self.exceptions)

    @property
    def largest(self) -> int:
        return max(self.sizes + self.exceptions)


@dataclass(frozen=True, slots=True)
class Stakes:
    """The stake of each player per round, and the ranks that get it back from the pot of their table.

    The winner of the table gets the rest.
    """

    stake_cents: Annotated[int, Between(1, MOST_CENTS)]
    returned_to_ranks: tuple[Annotated[int, Between(2, LARGEST_TABLE)], ...]


@dataclass(frozen=True, slots=True)
class Qualifying:
    """Knockout: players drop out from round to round, until one table is left, the final.

    go_on: number of players of each table who play the next round; players who share the rank at the cut go on as
    well. final: the largest number of players in the final.
    """

    go_on: Annotated[int, Between(1, LARGEST_TABLE)]
    final: TableSize


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """One rule sheet.

    name: its identifier, as in a document; title: its displayed name, by language. rounds: rounds of the evening, None
    if they follow from the entries (`qualifying`). qualifying: None if players do not drop out. drawn_ahead: all
    rounds are drawn before the first begins, so that no player joins later; a substitute may take the seat of a
    leaving player. starts_at_sign: all tables begin a round at the organiser's sign. entry_fee_cents: paid once a player. points: per round by rank at the table, the last one for all
    further ranks; empty if the sheet itself gives the points, or if the round reached counts. tie_break: criteria
    after the points, in this order. lot_by_program: a lot between equal players is drawn by the program from a
    recorded seed. scribe: the player who writes. volunteer_scribe: a volunteer may write instead if the whole table
    agrees. towns_on_sheet: a table sheet on paper names the players' towns. pen_needs_supervisor: another phone may take over the sheet only with the supervisor's consent.
    scribe_takes_back: facts that the scribe may take back. objections_end: an objection stands until it is taken
    back, or ends with the next deal that is written. last_instance: who decides in the end what is in doubt. confirmation: whether players confirm a sheet before it is
    handed in. hands: the values of three cards, None if the game has no such hands. manners: further rules
    of the table for players to read, by language, which the program does not enforce. A sentence or two each; if there
    are none in a language, the German ones are shown.
    """

    name: str
    title: Mapping[str, Annotated[str, Visible(120)]] = field(hash=False)
    rounds: Annotated[int, Between(1, MOST_ROUNDS)] | None
    qualifying: Qualifying | None
    drawn_ahead: bool = False
    starts_at_sign: bool = False
    entry_fee_cents: Annotated[int, Between(0, MOST_CENTS)]
    tables: TableRules
    points: tuple[Annotated[int, Between(-1000, 1000)], ...]
    tie_break: tuple[Annotated[str, OneOf(TIE_BREAKS)], ...]
    lot_by_program: bool = False
    stakes: Stakes | None
    scribe: Literal["seat_1", "organiser"]
    volunteer_scribe: bool = False
    towns_on_sheet: bool = False
    pen_needs_supervisor: bool
    scribe_takes_back: Literal["any", "latest_deal", "none"] = "any"
    objections_end: Literal["voided", "next_deal"] = "voided"
    last_instance: Literal["organiser", "committee"] = "organiser"
    confirmation: Confirmation
    manners: Mapping[str, Manners] = field(hash=False)
    hands: HandRules | None
    sheet: SurvivalRules | HandPointsRules | PlusMinusRules

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise RulesetError("name", "1 to 60 letters a-z, digits and hyphens")
        self._check_rounds()
        self._check_points()
        self._check_tie_break()
        self._check_hands()
        self._check_manners()
        if self.sheet.kind == "plus_minus" and (self.tables.sizes, self.tables.exceptions) != (
            PLUS_MINUS_TABLE,
            (),
        ):
            raise RulesetError("tables.sizes", "plus and minus are written for four at a table")

    @property
    def most_rounds(self) -> int:
        """The largest possible number of rounds."""
        return MOST_ROUNDS if self.rounds is None else self.rounds

    def is_final(self, tables: int) -> bool:
        """Whether a round of so many tables is the final of a knockout."""
        return self.qualifying is not None and tables == 1

    @property
    def names_scribes(self) -> bool:
        """Whether the organiser names scribes: always, or if a volunteer writes instead of seat 1."""
        return self.scribe == "organiser" or self.volunteer_scribe

    def points_for_rank(self, rank: int) -> int | None:
        """Return the points of a round for a rank (1 = winner) at the table; the last one holds for all further ranks.

        None if ranks give no points.
        """
        return self.points[min(rank, len(self.points)) - 1] if self.points else None

    def to_dict(self) -> dict[str, Any]:
        """Return all fields as JSON types: tuples become lists."""
        return spread(_listed(asdict(self)))

    @classmethod
    def from_dict(cls, source: Mapping[str, Any]) -> "Ruleset":
        """Return the ruleset described by `source` (TOML, JSON). Raises RulesetError on the first bad field."""
        try:
            return read(cls, gathered(source) if isinstance(source, Mapping) else source)
        except RulesetError as error:
            raise RulesetError(path_in_source(error.path), error.message) from None

    def _check_rounds(self) -> None:
        if self.qualifying is None:
            if self.rounds is None:
                raise RulesetError("rounds", "a number, unless players drop out")
            return
        if self.rounds is not None:
            raise RulesetError("rounds", "where players drop out, the rounds follow from the entries")
        if self.drawn_ahead:
            raise RulesetError("drawn_ahead", "who goes on is not known before the round")
        if self.qualifying.go_on >= self.tables.smallest:
            raise RulesetError("qualifying.go_on", "somebody of each table drops out")
        if self.qualifying.final < self.tables.largest:
            raise RulesetError("qualifying.final", "a single table is always the final")

    def _check_points(self) -> None:
        ranks_give_points = self.sheet.kind == "survival" and self.qualifying is None
        if ranks_give_points != bool(self.points):
            raise RulesetError("points", "a number for each rank if and only if ranks give the points")
        if list(self.points) != sorted(self.points, reverse=True):
            raise RulesetError("points", "a better rank never gets fewer points")

    def _check_tie_break(self) -> None:
        keys = tie_breaks_of(self.sheet.kind, in_knockout=self.qualifying is not None)
        for index, name in enumerate(self.tie_break):
            if name not in keys or name in self.tie_break[:index]:
                raise RulesetError(f"tie_break[{index}]", "each once: " + ", ".join(keys))

    def _check_manners(self) -> None:
        for language, texts in self.manners.items():
            if len(texts) > MOST_MANNERS:
                raise RulesetError(f"manners.{language}", f"{MOST_MANNERS} at most")

    def _check_hands(self) -> None:
        """Require whole points for each hand if hands give the points, and different ones for Schnauz and Feuer."""
        if not isinstance(self.sheet, HandPointsRules):
            return
        if self.hands is None:
            raise RulesetError("hands", "where hands give the points, it must be said what they are")
        if self.hands.feuer_points in (None, self.hands.schnauz_points):
            raise RulesetError("hands.feuer_points", "where hands give the points, other ones than a Schnauz")
        if (self.hands.three_of_a_kind_half_points or 1) % 2:
            raise RulesetError("hands.three_of_a_kind_half_points", "where hands give the points, whole ones")


def _listed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _listed(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_listed(item) for item in value]
    return value
