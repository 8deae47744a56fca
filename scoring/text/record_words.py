"""Texts of the page on which a visitor's browser checks a record: key -> sentence, or (singular, plural).

`static/js/check/words.js` fills in the %(name)s and chooses the form for `count`. What is said is decided by the browser alone.
"""

import re
from collections.abc import Mapping

from scoring.text.entries import ENTRY_KINDS
from scoring.text.refusals import catalogue
from tournaments.core.refusal import Refusal
from tournaments.text.refusals import message
from tournaments.text.sentences import Sentence, sentences_beside, translated_section

_OF_THE_PAGE = sentences_beside(__file__)["check"]
_SENTENCES = re.compile(r"(?<=[.!?]) ")
_REQUESTS = ("Bitte", "Please")
_OF_DRAWS: Mapping[str, tuple[str, ...]] = {
    "unknown_draw": ("version", "mode"),
    "player_twice": ("start_number",),
    "sizes_do_not_match": ("players", "seats"),
    "wish_not_playing": ("start_number",),
    "same_player": (),
    "unknown_table": ("table",),
    "wish_two_tables": ("start_number",),
    "wish_table_full": ("table", "seats"),
    "wish_apart_at_one_table": ("a", "b", "table"),
    "wishes_impossible": (),
    "not_at_a_table": ("start_number",),
    "already_at_a_table": ("start_number",),
    "same_table": ("table",),
    "table_full": ("table",),
    "nothing_to_take_back": (),
}
"""The refusals of draws and changes by hand, with their parameters."""


def record_words() -> dict[str, Mapping[str, Sentence]]:
    """Return all texts in the reader's language: `words`, and in `reasons` why a draw or an entry is impossible."""
    of_draws = {
        code: message(Refusal(code, **{name: f"%({name})s" for name in names}))
        for code, names in _OF_DRAWS.items()
    }
    reasons = {**of_draws, **catalogue()}
    kinds = {f"kind_{kind}": str(name) for kind, name in ENTRY_KINDS.items()}
    words = {**translated_section(_OF_THE_PAGE), **kinds}
    return {"words": words, "reasons": {code: _said(text) for code, text in reasons.items()}}


def _said(text: str) -> str:
    """Return what a refusal says, without the request that follows."""
    return " ".join(sentence for sentence in _SENTENCES.split(text) if not sentence.startswith(_REQUESTS))
