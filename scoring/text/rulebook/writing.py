"""Writing, confirming, objecting and taking back in sentences."""

from django.utils.translation import gettext as _

from scoring.text.rulebook.parts import Sentences
from tournaments.rulesets.schema import Ruleset


def the_sheet(rules: Ruleset) -> Sentences:
    yield from _scribe(rules)
    yield from _confirmation(rules)
    if rules.objections_end == "next_deal":
        yield _(
            "Wer etwas einzuwenden hat, sagt es sofort: Ist das nächste Spiel geschrieben, geht es nicht mehr."
        )
    else:
        yield _("Hat jemand einen Einwand, wird die Tischliste erst abgegeben, wenn er geklärt ist.")
    yield from _taking_back(rules)
    yield _(
        "Im Zweifel entscheidet der Veranstalter. Was er an einer Tischliste ändert, steht mit seiner Begründung dabei."
    )
    if rules.entry_fee_cents:
        yield _("Wer ausgeschlossen wird, fällt aus der Wertung und bekommt die Startgebühr nicht zurück.")
    else:
        yield _("Wer ausgeschlossen wird, fällt aus der Wertung.")


def _scribe(rules: Ruleset) -> Sentences:
    if rules.scribe == "seat_1":
        yield _("Wer auf Platz-Nr. 1 sitzt, schreibt und gibt als Erster.")
    else:
        yield _("Es schreibt, wen die Spielleitung bestimmt.")
    if rules.volunteer_scribe:
        yield _("Ist der ganze Tisch einverstanden, darf auch ein Freiwilliger schreiben.")
    yield _("Geschrieben wird auf dem Handy oder auf Papier; beides gilt gleich.")
    if rules.pen_needs_supervisor:
        yield _("Ein anderes Handy schreibt nur weiter, wenn die Aufsicht zustimmt.")


def _confirmation(rules: Ruleset) -> Sentences:
    if rules.confirmation == "required":
        yield _("Bevor die Tischliste abgegeben wird, bestätigt sie jeder am Tisch.")
    elif rules.confirmation == "optional":
        yield _("Wer mag, bestätigt die Tischliste am Ende auf dem Handy.")
    else:
        yield _("Am Ende unterschreiben alle auf dem Papier.")


def _taking_back(rules: Ruleset) -> Sentences:
    if rules.scribe_takes_back == "latest_deal":
        yield _(
            "Der Schriftführer darf nur das letzte Spiel zurücknehmen. Alles andere berichtigt die Aufsicht."
        )
    elif rules.scribe_takes_back == "none":
        yield _("Streichen und ändern darf nur die Aufsicht, und sie zeichnet es ab.")
    else:
        yield _("Solange die Tischliste offen ist, darf der Schriftführer jeden Eintrag zurücknehmen.")
