"""The play at a table in sentences, for each kind of sheet."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from django.utils.translation import ngettext

from scoring.text.rulebook.parts import Figures, Section, Sentences, section
from scoring.text.rulebook.sample import sample_list
from tournaments.rulesets.schema import Ruleset
from tournaments.rulesets.sheets import HandPointsRules, PlusMinusRules, SurvivalRules
from tournaments.text.numbers import in_words, listed
from tournaments.text.ruleset_fields import FIELDS
from tournaments.text.ruleset_summary import either
from tournaments.text.sentences import labels_beside, sentence_maker

_SURVIVAL_ENDINGS = labels_beside(__file__, "endings_of_survival")
_HAND_ENDINGS = labels_beside(__file__, "endings_of_hand_points")

_say = sentence_maker(__file__, "deals")


def at_the_table(rules: Ruleset) -> list[Section | None]:
    """Return the sections about the table, by the kind of its sheet."""
    match rules.sheet:
        case SurvivalRules() as sheet:
            ranks = [_say(key) for key in ("last_wins", "later_is_better", "share_rank")]
            return [
                section("lives", _lives(sheet)),
                section("endings", _losing(rules, sheet), terms=_survival_endings(rules, sheet)),
                section("strokes", _strokes(sheet)),
                section("ranks", ranks),
            ]
        case HandPointsRules() as sheet:
            deals = [*_number_of_deals(sheet), _say("points_of_hands")]
            return [section("deals", deals), section("endings", terms=_hand_endings(sheet))]
        case PlusMinusRules() as sheet:
            figures = [_say(key) for key in ("plus_and_minus", "figures", "deduction")]
            return [
                section("deals", _deals_for_plus_and_minus(sheet), terms=_games(sheet)),
                section("points", figures, title="plus_and_minus", table=_worth(sheet)),
                sample_list(sheet),
            ]
    assert_never(rules.sheet)


def _lives(sheet: SurvivalRules) -> Sentences:
    if sheet.lives:
        lives = ngettext("Jeder hat ein Leben.", "Jeder hat %(count)s Leben.", sheet.lives)
        yield lives % {"count": in_words(sheet.lives)}
        yield _say("loser_gives_life")
        yield _say("swims")
    else:
        yield _say("loser_drowns")
    yield _say("until_one_is_left")
    yield _say("repeated")


def _losing(rules: Ruleset, sheet: SurvivalRules) -> Sentences:
    yield _say("least_loses")
    if sheet.three_never_pays:
        yield _say("three_never_pays", three=_three_of_a_kind(rules))


def _three_of_a_kind(rules: Ruleset) -> str:
    """Return „drei Gleiche (Spitz)“."""
    name = rules.hands.three_of_a_kind_name if rules.hands else None
    return _say("named_three", name=name) if name else _say("three")


def _survival_endings(rules: Ruleset, sheet: SurvivalRules) -> Iterator[tuple[str, str]]:
    for ending in sheet.endings:
        yield _ending_word(ending), " ".join(_survival_ending(rules, sheet, ending))


def _survival_ending(rules: Ruleset, sheet: SurvivalRules, ending: str) -> Sentences:
    yield str(_SURVIVAL_ENDINGS[ending])
    if ending in sheet.all_others_lose:
        yield _say("all_others_lose")
    if ending in sheet.three_of_a_kind_spared and not sheet.three_never_pays:
        yield _say("three_is_spared", three=_three_of_a_kind(rules))


def _strokes(sheet: SurvivalRules) -> Sentences:
    if not sheet.marks:
        return
    yield _say("stroke", hands=either(_words("sheet.marks", sheet.marks)))
    if len(sheet.marks) > 1:
        yield _say("feuer_counts")
    if "handschnauz" in sheet.endings:
        yield _say("handschnauz_counts")


def _hand_endings(sheet: HandPointsRules) -> Iterator[tuple[str, str]]:
    for ending in sheet.endings:
        yield _say("close") if ending == "knock" else _ending_word(ending), str(_HAND_ENDINGS[ending])


def _ending_word(ending: str) -> str:
    return str(FIELDS["sheet.endings"].choices[ending])


def _words(field: str, values: Sequence[str]) -> list[str]:
    """Return values of a field as the form of the rules names them."""
    return [str(FIELDS[field].choices[value]) for value in values]


def _number_of_deals(sheet: HandPointsRules | PlusMinusRules) -> Sentences:
    yield ngettext("Eine Spielrunde hat ein Spiel.", "Eine Spielrunde hat %(count)s Spiele.", sheet.deals) % {
        "count": in_words(sheet.deals)
    }
    yield _say("fewer_deals" if sheet.early_acceptance else "no_fewer_deals")


def _deals_for_plus_and_minus(sheet: PlusMinusRules) -> Sentences:
    yield from _number_of_deals(sheet)
    for rule in ("not_in_first_deal", "needs_approval"):
        levels = getattr(sheet, rule)
        if sheet.solos and levels:
            yield _say(rule, levels=listed(_words("sheet.needs_approval", levels)))


def _games(sheet: PlusMinusRules) -> Iterator[tuple[str, str]]:
    yield _say("ruf"), _say("ruf_is")
    if sheet.solos:
        yield listed(_words("sheet.solos", sheet.solos)), _say("solo_is")


def _worth(sheet: PlusMinusRules) -> Figures:
    """Return the value of each level of a game."""
    head = [_say("level"), _say("ruf"), *([_say("alone"), _say("the_three")] if sheet.solos else [])]
    levels = [level for level in ("normal", "schneider", "durch", "tout") if _points_of(sheet, level)]
    words = _words("sheet.needs_approval", levels)
    rows = [(word, *_points_of(sheet, level)) for word, level in zip(words, levels, strict=True)]
    return Figures(tuple(head), tuple(rows))


def _points_of(sheet: PlusMinusRules, level: str) -> tuple[str, ...]:
    """Return the points by column, a dash if there is no such game; () if no game has this level."""
    ruf: int | None = getattr(sheet.ruf, level)
    solo: int | None = getattr(sheet.solo, level) if sheet.solos else None
    if ruf is None and solo is None:
        return ()
    points = [ruf, *([solo and 3 * solo, solo] if sheet.solos else [])]
    return tuple("–" if value is None else str(value) for value in points)
