"""The play at a table in sentences, for each kind of sheet."""

from collections.abc import Iterator, Mapping
from typing import assert_never

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.text.rulebook.parts import Figures, Section, Sentences, section
from scoring.text.rulebook.sample import sample_list
from tournaments.rulesets.schema import Ruleset
from tournaments.rulesets.sheets import HandPointsRules, PlusMinusRules, SurvivalRules
from tournaments.text.numbers import in_words, listed
from tournaments.text.ruleset_fields import FIELDS
from tournaments.text.ruleset_summary import either


def at_the_table(rules: Ruleset) -> list[Section | None]:
    """Return the sections about the table, by the kind of its sheet."""
    match rules.sheet:
        case SurvivalRules() as survival:
            return _of_survival(rules, survival)
        case HandPointsRules() as hand_points:
            return [
                section("deals", _("Die Spiele"), _deals_for_points(hand_points)),
                section("endings", _("Wie ein Spiel endet"), [], terms=_hand_endings(hand_points)),
            ]
        case PlusMinusRules() as sheet:
            return [
                section("deals", _("Die Spiele"), _deals_for_plus_and_minus(sheet), terms=_games(sheet)),
                section("points", _("Plus und Minus"), _plus_and_minus(), table=_worth(sheet)),
                sample_list(sheet),
            ]
    assert_never(rules.sheet)


def _of_survival(rules: Ruleset, sheet: SurvivalRules) -> list[Section | None]:
    return [
        section("lives", _("Leben"), _lives(sheet)),
        section(
            "endings", _("Wie ein Spiel endet"), _losing(rules, sheet), terms=_survival_endings(rules, sheet)
        ),
        section("strokes", _("Striche"), _strokes(sheet)),
        section("ranks", _("Wer gewinnt den Tisch?"), _ranks()),
    ]


# --- lives ---------------------------------------------------------------------------------------------------------


def _lives(sheet: SurvivalRules) -> Sentences:
    if sheet.lives:
        yield ngettext("Jeder hat ein Leben.", "Jeder hat %(count)s Leben.", sheet.lives) % {
            "count": in_words(sheet.lives)
        }
        yield _("Wer ein Spiel verliert, gibt ein Leben ab.")
        yield _(
            "Wer keines mehr hat, schwimmt: Er spielt noch mit. Verliert er wieder, geht er unter und ist draußen."
        )
    else:
        yield _("Wer ein Spiel verliert, geht unter und ist draußen.")
    yield _("Gespielt wird, bis einer übrig ist.")
    yield _("Würden alle, die noch im Spiel sind, auf einmal untergehen, wird das Spiel wiederholt.")


def _losing(rules: Ruleset, sheet: SurvivalRules) -> Sentences:
    yield _("Es verliert, wer am wenigsten hat; haben mehrere gleich wenig, verlieren sie alle.")
    if sheet.three_never_pays:
        yield _("Wer %(three)s hat, zahlt nie. Es kann also sein, dass ein Spiel niemanden etwas kostet.") % {
            "three": _three_of_a_kind(rules)
        }


def _three_of_a_kind(rules: Ruleset) -> str:
    """Return „drei Gleiche (Spitz)“."""
    name = rules.hands.three_of_a_kind_name if rules.hands else None
    return _("drei Gleiche (%(name)s)") % {"name": name} if name else _("drei Gleiche")


def _survival_endings(rules: Ruleset, sheet: SurvivalRules) -> Iterator[tuple[str, str]]:
    for ending in sheet.endings:
        yield _ending_word(ending), " ".join(_survival_ending(rules, sheet, ending))


def _survival_ending(rules: Ruleset, sheet: SurvivalRules, ending: str) -> Sentences:
    yield str(_SURVIVAL_ENDINGS[ending])
    if ending in sheet.all_others_lose:
        yield _("Alle anderen, die noch im Spiel sind, verlieren.")
    if ending in sheet.three_of_a_kind_spared and not sheet.three_never_pays:
        yield _("Wer %(three)s hat, zahlt dabei nicht.") % {"three": _three_of_a_kind(rules)}


_SURVIVAL_ENDINGS: Mapping[str, Promise] = {
    "knock": gettext_lazy("Wer klopft, tauscht nicht mehr; die anderen sind noch einmal dran."),
    "schnauz": gettext_lazy("Wer ihn hat, legt ihn sofort auf. Das Spiel ist zu Ende."),
    "feuer": gettext_lazy("Wer es hat, legt es sofort auf. Das Spiel ist zu Ende."),
    "handschnauz": gettext_lazy("Das ist ein Schnauz gleich nach dem Geben. Das Spiel ist sofort zu Ende."),
}


def _strokes(sheet: SurvivalRules) -> Sentences:
    if not sheet.marks:
        return
    marks = [str(FIELDS["sheet.marks"].choices[mark]) for mark in sheet.marks]
    yield _("Wer ein Spiel mit %(hands)s beendet, kann es nicht verlieren und bekommt einen Strich.") % {
        "hands": either(marks)
    }
    if len(marks) > 1:
        yield _("Feuer zählt dabei so viel wie Schnauz.")
    if "handschnauz" in sheet.endings:
        yield _("Ein Handschnauz zählt dabei als Schnauz.")


def _ranks() -> Sentences:
    yield _("Wer zuletzt übrig ist, hat den Tisch gewonnen: Rang 1.")
    yield _("Wer später untergeht, hat den besseren Rang.")
    yield _(
        "Wer im selben Spiel untergeht, teilt sich den besseren Rang; die nächsten entfallen (1, 2, 2, 4)."
    )


# --- points of hands -----------------------------------------------------------------------------------------------


_HAND_ENDINGS: Mapping[str, Promise] = {
    "knock": gettext_lazy(
        "Wer nicht mehr tauschen will, macht zu; die anderen tauschen noch einmal oder machen auch zu."
    ),
    "schnauz": gettext_lazy("Wer ihn hat, legt ihn sofort auf. Das Spiel ist zu Ende."),
    "feuer": gettext_lazy("Wer es hat, legt es sofort auf. Das Spiel ist zu Ende."),
    "table_schnauz": gettext_lazy(
        "Liegt ein Schnauz offen in der Mitte, ist das Spiel zu Ende. Jeder bekommt die Punkte seiner Hand."
    ),
    "table_feuer": gettext_lazy(
        "Liegt ein Feuer offen in der Mitte, ist das Spiel zu Ende. Jeder bekommt die Punkte seiner Hand."
    ),
}


def _deals_for_points(sheet: HandPointsRules) -> Sentences:
    yield from _number_of_deals(sheet)
    yield _("Jedes Spiel bringt jedem am Tisch die Punkte seiner Hand. Am Ende werden sie zusammengezählt.")


def _hand_endings(sheet: HandPointsRules) -> Iterator[tuple[str, str]]:
    for ending in sheet.endings:
        yield (_("Zumachen") if ending == "knock" else _ending_word(ending)), str(_HAND_ENDINGS[ending])


def _ending_word(ending: str) -> str:
    return str(FIELDS["sheet.endings"].choices[ending])


def _number_of_deals(sheet: HandPointsRules | PlusMinusRules) -> Sentences:
    yield ngettext("Eine Spielrunde hat ein Spiel.", "Eine Spielrunde hat %(count)s Spiele.", sheet.deals) % {
        "count": in_words(sheet.deals)
    }
    if sheet.early_acceptance:
        yield _("Mit weniger Spielen kann nur die Aufsicht die Tischliste annehmen, mit einer Begründung.")
    else:
        yield _("Mit weniger Spielen wird keine Tischliste angenommen.")


# --- plus and minus ------------------------------------------------------------------------------------------------


def _deals_for_plus_and_minus(sheet: PlusMinusRules) -> Sentences:
    yield from _number_of_deals(sheet)
    if sheet.solos and sheet.not_in_first_deal:
        yield _(
            "Im ersten Spiel jeder Spielrunde ist in einem Spiel gegen drei nicht erlaubt: %(levels)s."
        ) % {"levels": listed(_level_words(sheet.not_in_first_deal))}
    if sheet.solos and sheet.needs_approval:
        yield _("Die Aufsicht muss abzeichnen: %(levels)s. Vorher zählt das Spiel nicht.") % {
            "levels": listed(_level_words(sheet.needs_approval))
        }


def _games(sheet: PlusMinusRules) -> Iterator[tuple[str, str]]:
    yield _("Rufspiel"), _("Der Spieler und sein gerufener Partner gegen die zwei anderen.")
    if sheet.solos:
        solos = [str(FIELDS["sheet.solos"].choices[solo]) for solo in sheet.solos]
        yield listed(solos), _("Einer gegen drei.")


def _level_words(levels: tuple[str, ...]) -> list[str]:
    return [str(FIELDS["sheet.needs_approval"].choices[level]) for level in levels]


def _plus_and_minus() -> Sentences:
    yield _("Jedes Spiel bringt der einen Seite Plus und der anderen ebenso viel Minus.")
    yield _(
        "In der Tabelle steht, wie viel jeder gewinnt oder verliert: im Rufspiel, allein gegen drei, und als einer der drei."
    )
    yield _(
        "Am Schluss wird die kleinere der beiden Summen eines Spielers von beiden abgezogen; was bleibt, zählt."
    )


def _worth(sheet: PlusMinusRules) -> Figures:
    """Return the value of each level of a game."""
    head = [_("Stufe"), _("Rufspiel")]
    if sheet.solos:
        head += [_("Allein"), _("Die drei")]
    levels = [level for level in ("normal", "schneider", "durch", "tout") if _points_of(sheet, level)]
    words = FIELDS["sheet.needs_approval"].choices
    rows = [(str(words[level]), *_points_of(sheet, level)) for level in levels]
    return Figures(tuple(head), tuple(rows))


def _points_of(sheet: PlusMinusRules, level: str) -> tuple[str, ...]:
    """Return the points by column, a dash if there is no such game; () if no game has this level."""
    ruf: int | None = getattr(sheet.ruf, level)
    solo: int | None = getattr(sheet.solo, level) if sheet.solos else None
    if ruf is None and solo is None:
        return ()
    shown = ["–" if ruf is None else str(ruf)]
    if sheet.solos:
        shown += ["–", "–"] if solo is None else [str(3 * solo), str(solo)]
    return tuple(shown)
