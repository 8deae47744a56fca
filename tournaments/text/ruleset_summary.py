"""Summary of a ruleset in a line or two. Derived from the ruleset, so a new rule sheet needs no text here."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import assert_never

from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext as _

from tournaments.rulesets.languages import SOURCE
from tournaments.rulesets.schema import Ruleset
from tournaments.rulesets.sheets import HandPointsRules, PlusMinusRules, SurvivalRules

CARDS = {"6": 36, "7": 32, "9": 24}
"""The number of cards of a deck by its lowest card."""


@dataclass(frozen=True, slots=True)
class Summary:
    """what: the game in a sentence. facts: its figures, „3 Spielrunden“, „36 Karten“, „5 oder 6 am Tisch“."""

    name: str
    title: str
    what: str
    facts: tuple[str, ...]


def summary_of(rules: Ruleset) -> Summary:
    return Summary(rules.name, title_of(rules), _what_it_is(rules), tuple(_facts(rules)))


def title_of(rules: Ruleset) -> str:
    return in_readers_language(rules.title)


def in_readers_language(texts: Mapping[str, str]) -> str:
    """Return the text in the reader's language, from that language's catalogue if it is not there but translated."""
    return texts.get(get_language() or SOURCE) or gettext(texts[SOURCE])


def manners_of(rules: Ruleset) -> tuple[str, ...]:
    """Return the manners of the rules in the reader's language; see `in_readers_language`."""
    return rules.manners.get(get_language() or SOURCE) or tuple(map(gettext, rules.manners[SOURCE]))


def _what_it_is(rules: Ruleset) -> str:
    match rules.sheet:
        case SurvivalRules() as survival:
            return " ".join([_of_survival(rules), *_what_is_special(survival)])
        case HandPointsRules():
            return _("Jedes Spiel bringt jedem die Punkte seiner Hand; wer am meisten sammelt, gewinnt.")
        case PlusMinusRules():
            return _("Jedes Spiel bringt den einen Plus und den anderen ebenso viel Minus.")
    assert_never(rules.sheet)


def _of_survival(rules: Ruleset) -> str:
    if rules.qualifying is not None:
        return _(
            "Wer ein Spiel verliert, gibt ein Leben ab; die Besten jedes Tisches kommen weiter, bis das Finale entscheidet."
        )
    return _(
        "Wer ein Spiel verliert, gibt ein Leben ab; wer zuletzt übrig ist, gewinnt den Tisch. Punkte nach dem Rang."
    )


def _what_is_special(sheet: SurvivalRules) -> Iterator[str]:
    if sheet.three_never_pays:
        yield _("Drei Gleiche zahlen nie.")


def _facts(rules: Ruleset) -> Iterator[str]:
    if rules.rounds is None:
        yield _("so viele Spielrunden, wie es braucht")
    else:
        yield ngettext("%(count)s Spielrunde", "%(count)s Spielrunden", rules.rounds) % {
            "count": rules.rounds
        }
    deals = rules.sheet.fixed_deals
    if deals is not None:
        yield ngettext("%(count)s Spiel", "%(count)s Spiele", deals) % {"count": deals}
    if rules.hands is not None:
        yield _("%(count)s Karten") % {"count": CARDS[rules.hands.lowest_card]}
    yield _("%(sizes)s am Tisch") % {"sizes": either(rules.tables.sizes)}


def either(numbers: Iterable[object]) -> str:
    """Return „5“, „5 oder 6“, „4, 5 oder 6“."""
    *first, last = map(str, numbers)
    return _("%(first)s oder %(last)s") % {"first": ", ".join(first), "last": last} if first else last
