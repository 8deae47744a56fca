"""The sentence for each refusal of the core and the services."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.core.refusal import Refusal
from tournaments.rulesets.languages import field_of
from tournaments.text.money import euros, word_desk
from tournaments.text.numbers import in_words, listed
from tournaments.text.ruleset_fields import FIELDS, expected_value
from tournaments.text.sentences import sentences_beside, translated
from tournaments.text.table_sizes import (
    does_not_work_out,
    list_tables,
    players_more,
    sits_out,
    ways_out,
)


def message(refusal: Refusal) -> str:
    """Return the sentence for a refusal, in the reader's language. Raises KeyError for an unknown code."""
    made = _MADE.get(refusal.code)
    if made is not None:
        return made(refusal.params)
    return str(translated(_SENTENCES[refusal.code])) % refusal.params


def _too_few_players(params: Mapping[str, Any]) -> str:
    needed = in_words(params["needed"])
    if params["players"] == 0:
        there = _("Noch ist niemand da.")
    else:
        there = ngettext("Bisher ist einer da.", "Bisher sind %(players)s da.", params["players"]) % {
            "players": in_words(params["players"])
        }
    rule = _("Ausgelost werden kann ab %(needed)s Spielern.") % {"needed": needed}
    return f"{rule} {there}"


def _head_count_does_not_fit(params: Mapping[str, Any]) -> str:
    ways = [players_more(params["missing"]), sits_out(params["surplus"])]
    return f"{does_not_work_out(params['players'], params['sizes'])} {ways_out(ways)}"


def _needs_confirmation(params: Mapping[str, Any]) -> str:
    return _(
        "Diese Spielerzahl geht nicht ganz auf. Die Aufteilung wäre: %(tables)s. Bitte bestätigen, "
        "oder die Spielerzahl ändern."
    ) % {"tables": list_tables(tuple(params["sizes"]))}


def _same_name(params: Mapping[str, Any]) -> str:
    return _(
        "Den Namen %(name)s gibt es schon: Nr. %(numbers)s. Ist es jemand anders? Dann bitte noch einmal bestätigen."
    ) % {"name": params["name"], "numbers": listed([str(number) for number in params["start_numbers"]])}


def _sheets_not_accepted(params: Mapping[str, Any]) -> str:
    tables = params["tables"]
    return ngettext(
        "Die Tischliste von Tisch %(tables)s ist noch nicht angenommen. Bitte erst annehmen, oder die "
        "Spielrunde mit einer Begründung schließen.",
        "Die Tischlisten der Tische %(tables)s sind noch nicht angenommen. Bitte erst annehmen, oder die "
        "Spielrunde mit einer Begründung schließen.",
        len(tables),
    ) % {"tables": listed([str(table) for table in tables])}


def _scribes_missing(params: Mapping[str, Any]) -> str:
    tables = params["tables"]
    return ngettext(
        "An Tisch %(tables)s steht noch nicht fest, wer schreibt. Bitte bestimmen, oder sagen, warum die Spielrunde "
        "trotzdem freigegeben wird.",
        "An den Tischen %(tables)s steht noch nicht fest, wer schreibt. Bitte bestimmen, oder sagen, warum die "
        "Spielrunde trotzdem freigegeben wird.",
        len(tables),
    ) % {"tables": listed([str(table) for table in tables])}


def _password_bad(params: Mapping[str, Any]) -> str:
    """Return the messages of Django's validators, which are in the reader's language."""
    return " ".join(map(str, params["messages"]))


def _log_in_slowed(params: Mapping[str, Any]) -> str:
    return ngettext(
        "Zu viele falsche Versuche. Bitte noch eine Sekunde warten, dann noch einmal anmelden.",
        "Zu viele falsche Versuche. Bitte noch %(seconds)s Sekunden warten, dann noch einmal anmelden.",
        params["seconds"],
    ) % {"seconds": params["seconds"]}


def _ruleset_bad(params: Mapping[str, Any]) -> str:
    path = str(params["path"])
    name = re.sub(r"\[\d+\]", "", path)
    if not path:
        return _("Das ist kein Regelwerk. Bitte eine Vorlage wählen und deren Felder ändern.")
    if field_of(name)[0] not in FIELDS:
        return _("Ein Regelwerk hat kein Feld „%(path)s“. Bitte das Feld entfernen.") % {"path": path}
    return _("Im Regelwerk fehlt das Feld „%(path)s“, oder es stimmt nicht. Erwartet: %(expected)s.") % {
        "path": path,
        "expected": expected_value(name),
    }


def _one_time_code_wait(params: Mapping[str, Any]) -> str:
    return ngettext(
        "Zu viele falsche Codes. Bitte noch eine Sekunde warten, dann noch einmal eingeben.",
        "Zu viele falsche Codes. Bitte noch %(seconds)s Sekunden warten, dann noch einmal eingeben.",
        params["seconds"],
    ) % {"seconds": params["seconds"]}


def _desk_closed(params: Mapping[str, Any]) -> str:
    return _(
        "%(desk)s ist abgeschlossen und nimmt nichts mehr an. Bitte erst mit einer Begründung wieder öffnen, "
        "oder eine andere Kasse nehmen."
    ) % {"desk": word_desk(params["desk"])}


def _count_differs(params: Mapping[str, Any]) -> str:
    expected, counted = params["expected"], params["counted"]
    amounts = {"counted": euros(counted), "expected": euros(expected), "by": euros(abs(counted - expected))}
    too_much = _(
        "Gezählt sind %(counted)s, erwartet %(expected)s: %(by)s zu viel. Bitte nachzählen, oder ein Wort dazu."
    )
    too_little = _(
        "Gezählt sind %(counted)s, erwartet %(expected)s: %(by)s zu wenig. Bitte nachzählen, oder ein Wort dazu."
    )
    return (too_much if counted > expected else too_little) % amounts


def _amount_too_large(params: Mapping[str, Any]) -> str:
    return _("Auf einmal gehen höchstens %(most)s. Bitte den Betrag prüfen.") % {
        "most": euros(params["most"])
    }


def _fees_too_large(params: Mapping[str, Any]) -> str:
    return _(
        "Ein Turnier nimmt höchstens %(most)s an Startgebühren ein. Bitte prüfen, ob ein Betrag zu hoch ist."
    ) % {"most": euros(params["most"])}


def _sign_up_over(params: Mapping[str, Any]) -> str:
    return _(
        "Die Anmeldung von zu Hause ist seit %(at)s zu Ende. Im Saal geht es noch, mit dem Code an der Leinwand oder an der Tür."
    ) % {"at": date_format(timezone.localtime(params["at"]), "SHORT_DATETIME_FORMAT")}


_MADE: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "too_few_players": _too_few_players,
    "head_count_does_not_fit": _head_count_does_not_fit,
    "needs_confirmation": _needs_confirmation,
    "same_name": _same_name,
    "sheets_not_accepted": _sheets_not_accepted,
    "scribes_missing": _scribes_missing,
    "password_bad": _password_bad,
    "log_in_slowed": _log_in_slowed,
    "ruleset_bad": _ruleset_bad,
    "desk_closed": _desk_closed,
    "count_differs": _count_differs,
    "amount_too_large": _amount_too_large,
    "fees_too_large": _fees_too_large,
    "sign_up_over": _sign_up_over,
    "one_time_code_wait": _one_time_code_wait,
}

# Sentences that need only their parameters filled in.
_SENTENCES = sentences_beside(__file__)["refusals"]
