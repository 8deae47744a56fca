"""The values of three cards: the deck of a rule sheet, its named hands, and their order.

A hand is a Feuer (three aces), a Schnauz, three of a kind, or else the best sum within one suit. In this order they
beat one another, except that sheets differ on Feuer and Schnauz.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from tournaments.rulesets.reading import Between, RulesetError, Visible

LowestCard = Literal["6", "7", "9"]
CardNames = Literal["german", "french"]
SchnauzIs = Literal["any_31", "ace_king_ten"]
FeuerIs = Literal["above_schnauz", "equal_to_schnauz", "below_schnauz", "none"]
ThreesAre = Literal["ranked", "equal"]

MOST_HAND_POINTS = 99
LONGEST_NAME = 30

HandPoints = Annotated[int, Between(31, MOST_HAND_POINTS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRules:
    """The hands of a rule sheet.

    lowest_card: the deck goes from it to the ace, in four suits. card_names: Unter and Ober, or jack and queen.
    schnauz: every 31 of one suit, or only ace, king and ten. feuer: order of three aces, "none" if they are three of
    a kind like any other. threes: whether three of a kind are ranked by their cards, or all equal.
    three_of_a_kind_name: its name on the sheet, None if it has none. schnauz_points, feuer_points,
    three_of_a_kind_half_points: the value of the hand, None if the sheet says only what it beats; 61 half points are
    30½ points.
    """

    lowest_card: LowestCard
    card_names: CardNames
    schnauz: SchnauzIs
    schnauz_points: HandPoints
    feuer: FeuerIs
    feuer_points: HandPoints | None
    three_of_a_kind_name: Annotated[str, Visible(LONGEST_NAME)] | None
    three_of_a_kind_half_points: Annotated[int, Between(61, 2 * MOST_HAND_POINTS)] | None
    threes: ThreesAre

    def __post_init__(self) -> None:
        self._check_feuer()
        self._check_three_of_a_kind()

    @property
    def highest_sum(self) -> int:
        """The most points within one suit that are not a Schnauz."""
        return 31 if self.schnauz == "ace_king_ten" else 30

    def _check_feuer(self) -> None:
        points = self.feuer_points
        if points is None:
            return
        if points <= self.highest_sum:
            raise RulesetError("feuer_points", "more than any sum")
        fits = {
            "above_schnauz": points > self.schnauz_points,
            "equal_to_schnauz": points == self.schnauz_points,
            "below_schnauz": points < self.schnauz_points,
            "none": False,
        }
        if not fits[self.feuer]:
            raise RulesetError(
                "feuer_points", "the points of Feuer and Schnauz say the same as the field feuer"
            )

    def _check_three_of_a_kind(self) -> None:
        half_points = self.three_of_a_kind_half_points
        if half_points is None:
            return
        named = [points for points in (self.schnauz_points, self.feuer_points) if points is not None]
        if not 2 * self.highest_sum < half_points < 2 * min(named):
            raise RulesetError(
                "three_of_a_kind_half_points", "more than any sum, less than Schnauz and Feuer"
            )
