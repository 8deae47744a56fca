"""The sentence for each refusal of the core and the services."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext as _

from tournaments.core.refusal import Refusal
from tournaments.rulesets.languages import field_of
from tournaments.text.money import euros, word_desk
from tournaments.text.numbers import in_words, listed
from tournaments.text.ruleset_fields import FIELDS, expected_value
from tournaments.text.sentences import counted, sentences_beside
from tournaments.text.table_sizes import (
    does_not_work_out,
    list_tables,
    players_more,
    sits_out,
    ways_out,
)

NOTHING_LEFT_TO_DO = {
    "all_rounds_played",
    "already_accepted",
    "already_present",
    "already_remembered",
    "desk_is_open",
    "flag_is_closed",
    "is_not_frozen",
    "movement_taken_back",
    "nothing_changes",
    "objection_is_closed",
    "parked_is_decided",
    "round_already_released",
    "round_closed_already",
    "sign_up_confirmed_as",
    "tournament_not_ended",
}
"""Codes of refusals that say that everything is as asked: pressed again, or by somebody else a moment ago."""


def level_of(refusal: Refusal) -> int:
    """Return how a refusal is shown: in red only where somebody has to do something else."""
    return messages.INFO if refusal.code in NOTHING_LEFT_TO_DO else messages.ERROR


def message(refusal: Refusal) -> str:
    """Return the sentence for a refusal, in the reader's language. Raises KeyError for an unknown code."""
    made = _MADE.get(refusal.code)
    if made is not None:
        return made(refusal.params)
    sentence, params = _SENTENCES[refusal.code], refusal.params
    if isinstance(sentence, str):
        sentence = gettext(sentence)
    else:
        amount = params["tables"] if "tables" in params else params["seconds"]
        sentence = counted(sentence, len(amount) if isinstance(amount, list | tuple) else int(str(amount)))
    return sentence % {name: _in_sentence(name, value) for name, value in params.items()}


def _in_sentence(name: str, value: Any) -> object:
    """Format a parameter for its sentence: lists, amounts, times and desks in words."""
    match name, value:
        case "sizes", list() | tuple():
            return list_tables(value)
        case (("tables" | "start_numbers"), list() | tuple()):
            return listed([str(number) for number in value])
        case "desk", _:
            return word_desk(value)
        case (("wanted_cents" | "there_cents" | "most_cents" | "open_cents" | "paid_cents"), int()):
            return euros(value)
        case "at", datetime():
            return date_format(timezone.localtime(value), "SHORT_DATETIME_FORMAT")
    return value


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


def _password_bad(params: Mapping[str, Any]) -> str:
    """Return the messages of Django's validators, which are in the reader's language."""
    return " ".join(map(str, params["messages"]))


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


def _count_differs(params: Mapping[str, Any]) -> str:
    expected, counted = params["expected"], params["counted"]
    amounts = {"counted": euros(counted), "expected": euros(expected), "by": euros(abs(counted - expected))}
    too_much = _(
        "Gezählt sind %(counted)s, erwartet %(expected)s: %(by)s zu viel. Bitte nachzählen, oder den Grund angeben."
    )
    too_little = _(
        "Gezählt sind %(counted)s, erwartet %(expected)s: %(by)s zu wenig. Bitte nachzählen, oder den Grund angeben."
    )
    return (too_much if counted > expected else too_little) % amounts


_MADE: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "too_few_players": _too_few_players,
    "head_count_does_not_fit": _head_count_does_not_fit,
    "password_bad": _password_bad,
    "ruleset_bad": _ruleset_bad,
    "count_differs": _count_differs,
}

_SENTENCES = sentences_beside(__file__)["refusals"]
