"""The sentence for each refusal of the sheets, the phone and the standings."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from tournaments.core.refusal import Refusal
from tournaments.text import refusals as tournament_refusals
from tournaments.text.sentences import sentences_beside, translated


def message(refusal: Refusal) -> str:
    """Return the sentence for a refusal, in the reader's language. Raises KeyError for an unknown code."""
    if refusal.code not in _SENTENCES:
        return tournament_refusals.message(refusal)
    return str(translated(_SENTENCES[refusal.code])) % _shown(refusal.params)


def catalogue() -> dict[str, str]:
    """Return code -> sentence with %(name)s placeholders, in the reader's language, for the offline phone.

    A list is joined with commas, seats are the names of their players; `why` is the code of another refusal, which has the other parameters. Left out are refusals
    that only other pages show or only the server raises.
    """
    return {
        code: str(translated(sentence))
        for code, sentence in _ON_SHEETS.items()
        if code not in _FROM_THE_SERVER
    }


def _shown(params: Mapping[str, Any]) -> dict[str, Any]:
    texts = {
        name: _seats(value) if _names_seats(name, value) else _listed(value) for name, value in params.items()
    }
    if "why" in params:
        others = {name: value for name, value in params.items() if name != "why"}
        texts["why"] = _why(Refusal(str(params["why"]), **others))
    return texts


def _why(refusal: Refusal) -> str:
    """Return the sentence of a refusal inside another; "" if its parameters were not passed on."""
    try:
        return message(refusal)
    except KeyError:
        return ""


def _names_seats(name: str, value: object) -> bool:
    """Return whether a sentence names these seats; `seats` can also be their number."""
    return name == "seat" or (name == "seats" and isinstance(value, list | tuple))


def _seats(value: object) -> str:
    """Return seats as the organiser knows them. The phone puts in the names of the players."""
    return gettext("Platz-Nr. %(seats)s") % {"seats": _listed(value)}


def _listed(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value


_BESIDE = sentences_beside(__file__)
_ON_SHEETS = _BESIDE["refusals_on_sheets"]

_FROM_THE_SERVER = frozenset(
    {
        # About links, pens and what the phone does not know
        *(
            "unknown_seat",
            "link_unknown",
            "link_of_closed_round",
            "link_of_ended_tournament",
            "no_pen",
            "id_taken",
            "waits_for_sign",
        ),
        *("sheet_is_full", "sheet_takes_no_more", "too_many_parked"),
        *("was_discarded", "unknown_parked", "parked_is_decided", "entries_parked"),
        # About entries that no scribe writes
        *("reason_needed", "cannot_be_corrected", "already_accepted", "sheet_is_open", "nothing_to_approve"),
        *("deals_written", "impossible_total", "points_do_not_balance", "too_many_solos"),
    }
)

_SENTENCES = {**_ON_SHEETS, **_BESIDE["refusals_on_pages"]}
