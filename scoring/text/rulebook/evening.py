"""The evening in sentences: rounds and tables, money, qualifying, winning."""

from collections.abc import Sequence

from django.utils.translation import gettext, ngettext

from scoring.text.entries import figure
from scoring.text.rulebook.parts import Figures, Section, Sentences, section
from tournaments.core.fees import FeeKind
from tournaments.rulesets.schema import Ruleset
from tournaments.rulesets.sheets import PlusMinusRules
from tournaments.rulesets.tie_breaks import TIE_BREAKS, TieBreak
from tournaments.text.money import euros, sentence_of_fees
from tournaments.text.numbers import in_words, listed
from tournaments.text.ruleset_fields import FIELDS
from tournaments.text.ruleset_summary import either
from tournaments.text.sentences import sentence_maker

_say = sentence_maker(__file__, "evening")


def the_evening(rules: Ruleset, fees: Sequence[FeeKind]) -> Sentences:
    yield _rounds(rules)
    yield _draw(rules)
    yield _say("sizes", sizes=either(map(in_words, rules.tables.sizes)))
    if rules.tables.exceptions:
        yield _say("other_sizes", sizes=either(map(in_words, sorted(rules.tables.exceptions))))
    if rules.starts_at_sign:
        yield _say("starts_at_sign")
    if rules.qualifying is not None:
        yield _say("none_joins")
    elif not rules.drawn_ahead and rules.most_rounds > 1:
        yield _say("late")
    yield sentence_of_fees(fees)


def _rounds(rules: Ruleset) -> str:
    if rules.rounds is None:
        return _say("until_a_winner")
    return ngettext(
        "Gespielt wird eine Spielrunde.", "Gespielt werden %(count)s Spielrunden.", rules.rounds
    ) % {"count": in_words(rules.rounds)}


def _draw(rules: Ruleset) -> str:
    if rules.drawn_ahead:
        return _say("drawn_ahead")
    return _say("drawn_once" if rules.rounds == 1 else "drawn_each_round")


def points_of_ranks(rules: Ruleset) -> Section | None:
    """Return the points of each rank; None if the sheet itself gives the points, or there are none."""
    if not rules.points:
        return None
    ranks = range(1, max(rules.tables.largest, len(rules.points)) + 1)
    points = [figure(rules.points_for_rank(rank) or 0) for rank in ranks]
    table = Figures((_say("rank"), *map(str, ranks)), ((_say("points"), *points),))
    return section("points", [_say("points_of_ranks"), _say("shared_rank")], table=table)


def the_stakes(rules: Ruleset) -> Sentences:
    stakes = rules.stakes
    if stakes is None:
        return
    yield _say("stake", stake=euros(stakes.stake_cents))
    ranks = [str(rank) for rank in stakes.returned_to_ranks]
    yield _say("stake_returned", ranks=listed(ranks)) if ranks else _say("winner_takes_pot")


def who_goes_on(rules: Ruleset) -> Sentences:
    qualifying = rules.qualifying
    if qualifying is None:
        return
    best = ngettext(
        "Von jedem Tisch kommt der Sieger weiter.",
        "Von jedem Tisch kommen die besten %(count)s weiter.",
        qualifying.go_on,
    )
    yield best % {"count": in_words(qualifying.go_on)}
    if qualifying.go_on > 1:
        yield _say("rank_goes_on", rank=qualifying.go_on)
    yield _say("others_drop_out")
    yield _say("final", count=in_words(qualifying.final))


def who_wins(rules: Ruleset) -> Sentences:
    if rules.qualifying is not None:
        yield _say("wins_final")
        yield _say("how_far")
    else:
        yield _say("most_points" if rules.rounds == 1 else "most_points_together")
    yield from _tie_break(rules)
    yield from _counted_games(rules)
    yield _say("lot" if rules.lot_by_program else "shared")


def _tie_break(rules: Ruleset) -> Sentences:
    """Return „Bei gleichen Punkten liegt vorn, wer mehr Schnauz hat, dann, wer mehr Feuer hat.“"""
    if not rules.tie_break:
        return
    clauses = [_clause(TIE_BREAKS[key], only_last_table="rank" in rules.tie_break) for key in rules.tie_break]
    yield _say("as_far" if rules.qualifying else "same_points", chain=_say("then").join(clauses))


def _counted_games(rules: Ruleset) -> Sentences:
    """Say which games against three break ties, where any do."""
    if not (isinstance(rules.sheet, PlusMinusRules) and rules.sheet.solos and rules.tie_break):
        return
    counted = rules.sheet.counted_solos
    if counted == rules.sheet.solos:
        yield _say("every_solo_counts")
    elif counted:
        words = FIELDS["sheet.solos"].choices
        yield _say("counted_solos", games=listed([str(words[game]) for game in counted]))


def _clause(tie_break: TieBreak, *, only_last_table: bool) -> str:
    return gettext(tie_break.clause_in_knockout or tie_break.clause if only_last_table else tie_break.clause)
