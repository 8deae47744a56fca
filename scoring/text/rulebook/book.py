"""The rules page for players: sentences made of the fields of a ruleset, in the reader's language.

Nothing in it is specific to a rule sheet, so that changed copies and new rule sheets are explained too.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.text.hands import order_of_hands, pips_of_cards
from scoring.text.rulebook.deals import at_the_table
from scoring.text.rulebook.evening import points_of_ranks, the_evening, the_stakes, who_goes_on, who_wins
from scoring.text.rulebook.parts import Section, section
from scoring.text.rulebook.writing import the_sheet
from tournaments.core.fees import FeeKind
from tournaments.rulesets.schema import Ruleset
from tournaments.text.ruleset_summary import CARDS, manners_of, title_of
from tournaments.text.sentences import sentence_maker

_say = sentence_maker(__file__, "hands")


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The rules page: a title and sections."""

    title: str
    sections: tuple[Section, ...]


def rulebook_of(rules: Ruleset, fees: Sequence[FeeKind]) -> Rulebook:
    """Return the rules page, in the order of the evening. fees: the tournament's, which may differ from the ruleset's."""
    sections = [
        section("evening", the_evening(rules, fees)),
        _the_hands(rules),
        *at_the_table(rules),
        section("manners", manners_of(rules)),
        points_of_ranks(rules),
        section("going-on", who_goes_on(rules)),
        section("stakes", the_stakes(rules)),
        section("winning", who_wins(rules)),
        section("sheet", the_sheet(rules, fees)),
    ]
    return Rulebook(title_of(rules), tuple(filter(None, sections)))


def _the_hands(rules: Ruleset) -> Section | None:
    hands = rules.hands
    if hands is None:
        return None
    says = [_say("deck", count=CARDS[hands.lowest_card]), pips_of_cards(hands), _say("best_on_top")]
    steps = [
        (f"{step.name} ({step.points})" if step.points else step.name, step.made_of)
        for step in order_of_hands(hands)
    ]
    return section("hands", says, terms=steps)
