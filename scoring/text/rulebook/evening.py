"""The evening in sentences: rounds and tables, money, qualifying, winning."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.text.rulebook.parts import Figures, Section, Sentences, section
from tournaments.rulesets.schema import Ruleset
from tournaments.rulesets.sheets import PlusMinusRules
from tournaments.rulesets.tie_breaks import TIE_BREAKS, TieBreak
from tournaments.text.money import euros
from tournaments.text.numbers import in_words, listed
from tournaments.text.ruleset_fields import FIELDS
from tournaments.text.ruleset_summary import either


def the_evening(rules: Ruleset) -> Sentences:
    yield _rounds(rules)
    yield _draw(rules)
    yield from _tables(rules)
    if rules.starts_at_sign:
        yield _("Jede Spielrunde beginnt auf ein Zeichen der Spielleitung, an allen Tischen zugleich.")
    if rules.qualifying is not None:
        yield _("Nach der ersten Spielrunde kommt niemand mehr dazu.")
    elif not rules.drawn_ahead and rules.most_rounds > 1:
        yield _(
            "Wer später kommt, spielt ab der nächsten Spielrunde mit. Wer in einer fehlt, hat für sie keine Punkte."
        )
    yield _fee(rules.entry_fee_cents)


def _rounds(rules: Ruleset) -> str:
    if rules.rounds is None:
        return _(
            "Gespielt wird, bis ein Sieger feststeht; wie viele Spielrunden das sind, folgt aus der Spielerzahl."
        )
    return ngettext(
        "Gespielt wird eine Spielrunde.", "Gespielt werden %(count)s Spielrunden.", rules.rounds
    ) % {"count": in_words(rules.rounds)}


def _draw(rules: Ruleset) -> str:
    if rules.drawn_ahead:
        return _(
            "Alle Tische und Plätze sind vor dem Beginn ausgelost. Darum kommt später niemand mehr dazu; wer geht, kann "
            "ersetzt werden."
        )
    if rules.rounds == 1:
        return _("Tische und Plätze werden ausgelost.")
    return _("Vor jeder Spielrunde werden Tische und Plätze neu ausgelost.")


def _tables(rules: Ruleset) -> Sentences:
    yield _("An einem Tisch sitzen %(sizes)s Spieler.") % {"sizes": either(map(in_words, rules.tables.sizes))}
    if rules.tables.exceptions:
        sizes = either(map(in_words, sorted(rules.tables.exceptions)))
        yield _("Geht das nicht auf, gibt es auch Tische mit %(sizes)s.") % {"sizes": sizes}


def _fee(cents: int) -> str:
    if cents == 0:
        return _("Eine Startgebühr gibt es nicht.")
    return _("Die Startgebühr ist %(fee)s, einmal je Spieler.") % {"fee": euros(cents)}


# --- points and stakes ---------------------------------------------------------------------------------------------


def points_of_ranks(rules: Ruleset) -> Section | None:
    """Return the points of each rank; None if the sheet itself gives the points, or there are none."""
    if not rules.points:
        return None
    ranks = range(1, max(rules.tables.largest, len(rules.points)) + 1)
    points = [str(rules.points_for_rank(rank)).replace("-", "−") for rank in ranks]
    return section(
        "points",
        _("Punkte"),
        [
            _("Punkte gibt es in jeder Spielrunde nach dem Rang am Tisch."),
            _("Wer sich einen Rang teilt, bekommt dessen Punkte ganz."),
        ],
        table=Figures((_("Rang"), *map(str, ranks)), ((_("Punkte"), *points),)),
    )


def the_stakes(rules: Ruleset) -> Sentences:
    stakes = rules.stakes
    if stakes is None:
        return
    stake = {"stake": euros(stakes.stake_cents)}
    yield _("Jeder legt in jeder Spielrunde %(stake)s in den Pott seines Tisches.") % stake
    if not stakes.returned_to_ranks:
        yield _("Den Pott bekommt der Sieger des Tisches.")
        return
    ranks = {"ranks": listed([str(rank) for rank in stakes.returned_to_ranks])}
    yield (
        _("Wer auf Rang %(ranks)s kommt, bekommt seinen Einsatz zurück, der Sieger des Tisches den Rest.")
        % ranks
    )


# --- who goes on ---------------------------------------------------------------------------------------------------


def who_goes_on(rules: Ruleset) -> Sentences:
    qualifying = rules.qualifying
    if qualifying is None:
        return
    count = {"count": in_words(qualifying.go_on), "rank": qualifying.go_on}
    yield (
        ngettext(
            "Von jedem Tisch kommt der Sieger weiter.",
            "Von jedem Tisch kommen die besten %(count)s weiter.",
            qualifying.go_on,
        )
        % count
    )
    if qualifying.go_on > 1:
        yield _("Wer sich den Rang %(rank)s teilt, kommt auch weiter.") % count
    yield _("Die anderen scheiden aus.")
    final = {"count": in_words(qualifying.final)}
    yield _("Sind noch %(count)s Spieler übrig oder weniger, spielen sie an einem Tisch das Finale.") % final


# --- who wins ------------------------------------------------------------------------------------------------------


def who_wins(rules: Ruleset) -> Sentences:
    if rules.qualifying is not None:
        yield _("Turniersieger ist, wer das Finale gewinnt.")
        yield _("Bei den anderen zählt, wie weit sie gekommen sind.")
    elif rules.rounds == 1:
        yield _("Turniersieger ist, wer die meisten Punkte hat.")
    else:
        yield _("Turniersieger ist, wer in allen Spielrunden zusammen die meisten Punkte hat.")
    yield from _tie_break(rules)
    yield from _counted_games(rules)
    yield _ties(rules)


def _tie_break(rules: Ruleset) -> Sentences:
    """Return „Bei gleichen Punkten liegt vorn, wer mehr Schnauz hat, dann, wer mehr Feuer hat.“"""
    if not rules.tie_break:
        return
    clauses = [_clause(TIE_BREAKS[key], only_last_table="rank" in rules.tie_break) for key in rules.tie_break]
    chain = {"chain": _(", dann, ").join(clauses)}
    if rules.qualifying is not None:
        yield _("Sind mehrere gleich weit gekommen, liegt vorn, %(chain)s.") % chain
    else:
        yield _("Bei gleichen Punkten liegt vorn, %(chain)s.") % chain


def _counted_games(rules: Ruleset) -> Sentences:
    """Say which games against three break ties, where any do."""
    if not (isinstance(rules.sheet, PlusMinusRules) and rules.sheet.solos and rules.tie_break):
        return
    counted = rules.sheet.counted_solos
    if counted == rules.sheet.solos:
        yield _("Als Solo zählt jedes Spiel gegen drei, ein Tout auch.")
    elif counted:
        words = FIELDS["sheet.solos"].choices
        yield _("Von den Spielen gegen drei zählt dabei nur: %(games)s. Ein Tout davon zählt in beidem.") % {
            "games": listed([str(words[game]) for game in counted])
        }


def _clause(tie_break: TieBreak, *, only_last_table: bool) -> str:
    return _(tie_break.clause_in_knockout or tie_break.clause if only_last_table else tie_break.clause)


def _ties(rules: Ruleset) -> str:
    if rules.lot_by_program:
        return _(
            "Sind Spieler auch dann noch gleich, entscheidet das Los. Bis es gezogen ist, teilen sie sich den Rang."
        )
    return _(
        "Wer auch dann gleich ist, teilt sich den Rang. Der Veranstalter kann stechen oder losen lassen."
    )
