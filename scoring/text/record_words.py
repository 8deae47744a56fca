"""Texts of the page on which a visitor's browser checks a record: key -> sentence, or (singular, plural).

`static/js/check/words.js` fills in the %(name)s and chooses the form for `count`. What is said is decided by the browser alone.
"""

import re
from collections.abc import Iterator, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.text.entries import ENTRY_KINDS
from scoring.text.refusals import catalogue
from tournaments.core.refusal import Refusal
from tournaments.text.refusals import message

Texts = dict[str, str | list[str]]

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


def record_words() -> dict[str, Texts]:
    """Return all texts in the reader's language: `words`, and in `reasons` why a draw or an entry is impossible."""
    of_draws = {
        code: message(Refusal(code, **{name: f"%({name})s" for name in names}))
        for code, names in _OF_DRAWS.items()
    }
    reasons = {**of_draws, **catalogue()}
    return {"words": dict(_all_words()), "reasons": {code: _said(text) for code, text in reasons.items()}}


def _all_words() -> Iterator[tuple[str, str | list[str]]]:
    for words in (_PAGE, _PLACES, _CHECKED, _OF_THE_FILE, _OF_THE_RECORD, _OF_COMMITMENTS, _COMPARED):
        for key, text in words.items():
            yield key, [str(form) for form in text] if isinstance(text, tuple) else str(text)


def _said(text: str) -> str:
    """Return what a refusal says, without the request that follows."""
    return " ".join(sentence for sentence in _SENTENCES.split(text) if not sentence.startswith(_REQUESTS))


_PAGE: Mapping[str, Promise] = {
    "loading": _("Die Akte wird geladen …"),
    "reading": _("Die Akte wird gelesen …"),
    "progress_draw": _("%(round)s. Spielrunde, Auslosung %(attempt)s …"),
    "progress_sheet": _("%(round)s. Spielrunde, Tisch %(table)s …"),
    "progress_standings": _("Rangliste …"),
    "right": _("Alles stimmt: %(what)s."),
    "right_else": _("Alles andere stimmt: %(what)s."),
    "wrong": _("Das stimmt nicht"),
    "of_file": _("Geprüft wurde die Datei %(name)s."),
    "of_live": _("Geprüft wurde die Akte, die das Programm gerade zeigt."),
    "frozen": _("Der Stand ist angehalten: Geprüft ist, was alle gerade sehen."),
    "not_loaded": _(
        "Die Akte ließ sich nicht laden. Bitte noch einmal versuchen, oder eine gespeicherte Datei wählen."
    ),
    "not_read": _("Die Datei %(name)s ließ sich nicht lesen. Bitte eine andere wählen."),
    "not_compared": _("Die frühere Akte stimmt selbst nicht, darum ist sie nicht verglichen. %(sentence)s"),
    "choose_first": _("Bitte zuerst eine Akte prüfen."),
    "failed": _("Die Prüfung ist abgebrochen, weil der Browser nicht weiterkam: %(what)s"),
}

_PLACES: Mapping[str, Promise] = {
    "place_participants": _("Spieler %(number)s"),
    "place_rounds": _("%(number)s. Spielrunde"),
    "place_draw": _("Auslosung"),
    "place_abandoned": _("%(number)s. verworfener Versuch"),
    "place_changes": _("%(number)s. Änderung von Hand"),
    "place_wishes": _("%(number)s. Wunsch"),
    "place_history": _("frühere Sitzordnung der %(number)s. Spielrunde"),
    "place_tables": _("Tisch %(number)s"),
    "place_seats": _("Platz %(number)s"),
    "place_entries": _("%(number)s. Eintrag"),
    "place_decisions": _("%(number)s. Entscheidung"),
    "place_standings": _("Rangliste"),
    "place_rows": _("Zeile von Spieler %(number)s"),
    "place_by_round": _("%(number)s. Spielrunde"),
    "place_commitments": _("%(number)s. Siegel"),
    "place_marks": _("%(number)s. Prüfzeichen einer Spielrunde"),
}

_CHECKED: Mapping[str, Promise | tuple[Promise, Promise]] = {
    "draws": (_("1 Auslosung"), _("%(count)s Auslosungen")),
    "lots": (_("1 Los"), _("%(count)s Lose")),
    "sheets": (_("1 Tischliste"), _("%(count)s Tischlisten")),
    "entries_counted": (_("1 Eintrag"), _("%(count)s Einträge")),
    "commitments_counted": (_("1 Siegel"), _("%(count)s Siegel")),
    "marks_counted": (_("1 Prüfzeichen"), _("%(count)s Prüfzeichen")),
    "no_draw": _("Auslosung der %(round)s. Spielrunde: Sie ist nicht aufgezeichnet."),
    "private_wish": _(
        "%(round)s. Spielrunde, Auslosung %(attempt)s: Ein Wunsch ist vertraulich, darum bleibt auch der Startwert geheim."
    ),
    "never_published": _(
        "%(commitment)s. Siegel: Es wurde ersetzt, sein Geheimnis ist nie veröffentlicht worden."
    ),
    "draw_line": _("%(round)s. Spielrunde, Auslosung %(attempt)s"),
    "lot_line": _("Los zwischen den Spielern %(players)s"),
    "seed": _("Startwert %(seed)s"),
    "seal": _("Siegel %(seal)s"),
    "words_said": _("Zuruf aus dem Saal: „%(words)s“"),
    "no_seal": _("ohne Siegel"),
    "no_words": _("ohne Zuruf aus dem Saal"),
    "changed_by_hand": (_("1 Änderung von Hand"), _("%(count)s Änderungen von Hand")),
    "tables_line": _("%(round)s. Spielrunde: %(sheets)s"),
    "my_seat": _("%(round)s. Spielrunde: Tisch %(table)s, Platz %(seat)s"),
    "my_nothing": _("Noch kein Platz."),
    "my_entries": _("Tischliste Eintrag für Eintrag (Prüfzeichen %(mark)s)"),
    "my_no_sheet": _("Die Tischliste zählt noch nicht."),
    "my_rank": _("Rang %(rank)s, %(points)s Punkte"),
    "my_rank_round": _("Rang %(rank)s, %(points)s. Spielrunde erreicht"),
    "entry": _("Eintrag"),
    "points": _("Punkte"),
    "lives": _("Leben"),
    "strokes": _("Striche"),
    **{f"kind_{kind}": name for kind, name in ENTRY_KINDS.items()},
}

_OF_THE_FILE: Mapping[str, Promise] = {
    "no_json": _("Das ist keine vollständige JSON-Datei (Zeichen %(at)s)."),
    "too_long": _("Die Datei ist zu groß. Mehr als %(most)s Zeichen hat keine Akte."),
    "too_deep": _("Hier ist zu tief verschachtelt."),
    "key_twice": _("Das Feld „%(key)s“ steht zweimal da."),
    "no_character": _("Hier steht ein Zeichen, das keines ist."),
    "no_whole_number": _("Hier muss eine ganze Zahl ohne Komma und Exponent stehen."),
    "unknown_key": _("Das Feld „%(key)s“ gehört nicht in eine Akte."),
    "missing_key": _("Hier fehlt das Feld „%(key)s“."),
    "object_expected": _("Hier müssen Felder in geschweiften Klammern stehen."),
    "list_expected": _("Hier muss eine Liste in eckigen Klammern stehen."),
    "number_expected": _("Hier muss eine ganze Zahl von %(least)s bis %(most)s stehen."),
    "yes_or_no_expected": _("Hier muss true oder false stehen."),
    "text_expected": _("Hier muss ein Text in Anführungszeichen stehen."),
    "choice_expected": _("Hier muss eines davon stehen: %(choices)s."),
    "day_expected": _("Hier muss ein Tag stehen, den es gibt, zum Beispiel 2026-11-21."),
    "moment_expected": _("Hier muss ein Zeitpunkt stehen, zum Beispiel 2026-11-21T19:25:00Z."),
    "uuid_expected": _("Hier muss eine UUID stehen."),
    "seed_bad": _("Hier muss ein Startwert aus 64 Ziffern und Buchstaben von a bis f stehen."),
    "digest_bad": _("Hier muss eine Prüfsumme aus 64 Ziffern und Buchstaben von a bis f stehen."),
    "unknown_wish": _("Diese Art von Wunsch gibt es nicht."),
    "unknown_change": _("Diese Art von Änderung gibt es nicht."),
    "ruleset_impossible": _("So ist dieses Regelwerk nicht möglich."),
}

_OF_THE_RECORD: Mapping[str, Promise] = {
    "should_be": _("Es steht da: %(found)s. Es müsste sein: %(expected)s."),
    "twice": _("%(found)s steht ein zweites Mal da. Es darf nur einmal dastehen."),
    "no_participant": _("Es steht da: %(found)s. Es müsste die Nummer eines Teilnehmers sein."),
    "too_many_rounds": _("So viele Spielrunden gibt es nach diesem Regelwerk nicht: höchstens %(most)s."),
    "attempt_missing": _("Es steht da: %(found)s. Es müsste sein: %(expected)s. Kein Versuch darf fehlen."),
    "draw_impossible": _("Diese Auslosung ist nicht möglich."),
    "changes_impossible": _("Diese Änderungen sind nicht möglich."),
    "history_length": _(
        "Es stehen %(found)s da. Es müssten %(expected)s sein, eine für jede frühere Spielrunde."
    ),
    "history_differs": _(
        "Tisch %(table)s der %(round)s. Spielrunde ist hier %(found)s. Es müsste sein: %(expected)s."
    ),
    "no_such_table": _("Nach der Auslosung gibt es diesen Tisch nicht."),
    "by_the_draw": _("Es steht da: %(found)s. Nach der Auslosung müsste es sein: %(expected)s."),
    "seats_by_the_draw": _(
        "Es stehen %(found)s Plätze da. Nach der Auslosung müssten es sein: %(expected)s."
    ),
    "table_missing": _("Tisch %(table)s fehlt. Nach der Auslosung sitzen dort: %(expected)s."),
    "players_by_the_draw": _(
        "%(found)s sind ausgelost und haben keinen Platz, oder haben einen und sind nicht ausgelost."
    ),
    "id_twice": _("Das ist die Kennung eines früheren Eintrags. Jede darf nur einmal dastehen."),
    "free_text": _("Freier Text darf nicht in einer Akte stehen."),
    "entry_impossible": _("Das Regelwerk lässt diesen Eintrag hier nicht zu."),
    "not_accepted": _(
        "Nach dem letzten Eintrag ist die Tischliste nicht angenommen. Eine Tischliste, die nicht zählt, darf hier keine "
        "Einträge haben."
    ),
    "decided_twice": _("Es steht da: %(found)s. Jeder Spieler darf nur einmal dastehen."),
    "did_not_play": _(
        "Spieler %(player)s hat die %(before)s. Spielrunde nicht gespielt und dürfte nicht in der %(round)s. sein."
    ),
    "does_not_go_on": _(
        "Spieler %(player)s hat den Rang %(rank)s an Tisch %(table)s der %(before)s. Spielrunde und dürfte nicht in der "
        "%(round)s. sein."
    ),
    "no_ranked_participant": _(
        "Es steht da: %(found)s. Es müsste die Nummer eines Teilnehmers sein, der nicht ausgeschlossen ist."
    ),
    "rows": _(
        "Es sind %(found)s Zeilen. Es müssten %(expected)s sein, eine für jeden Teilnehmer, der nicht ausgeschlossen ist."
    ),
    "rounds_drawn": _("Es sind %(found)s Spielrunden. Es müssten mindestens %(expected)s sein."),
    "mark_too_early": _("Vor ihrem Abschluss hat eine Spielrunde kein Prüfzeichen."),
    "mark_missing": _("Die %(round)s. Spielrunde ist abgeschlossen und hat kein Prüfzeichen."),
}

_OF_COMMITMENTS: Mapping[str, Promise] = {
    "commitment_missing": _("Es steht da: %(found)s. Es müsste sein: %(expected)s. Kein Siegel darf fehlen."),
    "commitment_digest": _("Es steht da: %(found)s. Was aufgedeckt wurde, ergibt: %(expected)s."),
    "commitment_of_another": _(
        "Es steht da: %(found)s. Es müsste die Nummer eines Siegels sein, das hierfür und für nichts anderes gemacht wurde."
    ),
    "commitment_unused": _(
        "Keine Auslosung in der Akte folgt aus diesem Siegel. Jeder Versuch müsste in der Akte stehen."
    ),
    "words_without_time": _("Zuruf und Zeitpunkt des Zurufs müssen beide dastehen oder beide fehlen."),
    "words_too_early": _("Der Zuruf darf nicht älter sein als das Siegel."),
    "words_too_late": _("Der Zuruf darf nicht jünger sein als die Auslosung."),
    "words_missing": _("Hier müsste ein Zeitpunkt stehen, weil ausgelost ist."),
    "secret_missing": _("Hier müsste das Geheimnis stehen, weil öffentlich ist, was daraus gezogen wurde."),
    "not_as_drawn": _("Versiegelt war %(found)s. Ausgelost wurde mit %(expected)s."),
    "seed_of_commitment": _(
        "Es steht da: %(found)s. Aus Geheimnis und Zuruf des %(commitment)s. Siegels ergibt sich: %(expected)s."
    ),
}

_COMPARED: Mapping[str, Promise | tuple[Promise, Promise]] = {
    "same": _("Alles, was in der früheren Akte steht, steht unverändert auch in dieser."),
    "different": (
        _("1 Abweichung von der früheren Akte"),
        _("%(count)s Abweichungen von der früheren Akte"),
    ),
    "other_tournament": _("Das ist die Akte eines anderen Turniers (%(found)s)."),
    "gone": _("Stand in der früheren Akte und fehlt in dieser."),
    "gone_sheet": _(
        "Die Tischliste zählte in der früheren Akte und zählt in dieser nicht. Vielleicht ist sie wieder geöffnet."
    ),
    "changed": _("In der früheren Akte: %(found)s. In dieser: %(expected)s."),
    "more": _("und weitere"),
}
