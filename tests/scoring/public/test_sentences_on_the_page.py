"""Statements of the rule sheets that players read on the rules page, in both languages, each under its sheet alone."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from django.utils import translation

from scoring.text.rulebook.book import Rulebook, rulebook_of
from tournaments.core.fees import kinds_of_fees
from tournaments.rulesets import loader
from tournaments.rulesets.loader import PRESETS, preset

SHEETS: Mapping[int, str] = {
    1: "schnauz-placing",
    2: "konradsreuth",
    3: "fce",
    4: "knockout",
    5: "schafkopf",
}

STATEMENTS: list[tuple[int, str, str, str]] = [
    (1, "cards are dealt one by one, to the dealer too", "Karte für Karte, auch an den Geber", "one at a time, to the dealer as well"),
    (1, "the player on the dealer's right cuts", "Es hebt ab, wer rechts vom Geber sitzt", "on the dealer’s right cuts"),
    (1, "the player on the dealer's left begins", "Wer links vom Geber sitzt, fängt an", "on the dealer’s left begins"),
    (1, "the rest is put aside", "der Rest kommt auf die Seite", "the rest is put aside"),
    (1, "three 20-cent coins are the lives and the stake at once", "drei 20-Cent-Münzen und zugleich der Einsatz", "three 20 cent coins and the stake at once"),
    (1, "the loser's coin goes into the bowl", "legt eine in die Schale", "puts one into the bowl"),
    (1, "no pushing twice in the same round", "nicht zweimal im selben Umlauf", "not twice in the same lap"),
    (1, "whoever has pushed must swap or knock at the next turn", "Wer geschoben hat, muss tauschen oder klopfen", "whoever has pushed must swap or knock"),
    (1, "in doubt the organiser decides finally", "entscheidet der Veranstalter, und zwar endgültig", "the organiser decides, and finally so"),
    (1, "it is about the fun", "Der Spaß geht vor", "fun comes first"),
    (2, "the player on the dealer's left begins", "Wer links vom Geber sitzt, fängt an", "on the dealer’s left begins"),
    (2, "three of a kind never pays", "hat, zahlt nie", "never pays"),
    (2, "no rounds, fee, stake, points for ranks: the club's own", "Spielrunden, Startgebühr, Einsatz, Punkte nach dem Rang und Striche sind bei uns so geregelt", "are our own rules"),
    (3, "the dealer decides at once whether to keep the first three", "sieht das erste an und entscheidet sofort", "looks at the first and decides at once"),
    (3, "the player left of the scribe is the second to lead", "ist der zweite Ausspieler und gibt das zweite", "the second to lead"),
    (3, "all gather at the draw table before each round", "Vor jeder Spielrunde kommen alle zum Lostisch", "comes to the draw table"),
    (4, "cards are dealt one by one", "Gegeben wird Karte für Karte", "one at a time"),
    (4, "the rest is put aside", "was übrig bleibt, kommt auf die Seite", "what is left is put aside"),
    (4, "Feuer counts as Schnauz", "Feuer zählt so viel wie Schnauz", "A Feuer counts as much as a Schnauz"),
    (4, "stakes only where they are played for, and all to the winner", "Wird um Einsätze gespielt, gewinnt der Sieger", "If stakes are played for, the winner gets those"),
    (5, "no time limit", "ohne Zeitgrenze", "no time limit"),
    (5, "who has no suit to call plays Renonce, and says so", "spielt er Renonce und sagt es an", "he plays Renonce and says so"),
    (5, "strikes and changes only by the supervisor, with initials", "Streichen und ändern darf nur die Aufsicht, und sie zeichnet es ab", "and initials it"),
    (5, "list in block letters with first name, surname and town", "in Blockschrift, Vorname, Zuname und Wohnort", "in block letters"),
    (5, "scribes write exactly as in the sample, else exclusion", "Geschrieben wird genau so wie hier", "exactly as here"),
    (5, "each round starts at a sign, at all tables at once", "auf ein Zeichen der Spielleitung, an allen Tischen zugleich", "at all tables at once"),
    (5, "no swapping of tables or seats", "Niemand tauscht Tisch oder Platz", "Nobody swaps tables or seats"),
    (5, "runs are paid and not written", "Drei Laufende, und mehr bis vier oder bis vierzehn", "are paid for at the table, but not written"),
    (5, "the called ace", "Gerufen wird ein Ass", "An ace is called"),
    (5, "who calls when nobody does", "ruft, wer den Eichelober hat", "holds the Ober of acorns calls"),
    (5, "a ten is called with all three aces", "hat er alle drei Asse, ruft er einen Zehner", "he calls a ten"),
    (5, "running away under the ten", "solange er mindestens vier Karten der Farbe hat", "at least four cards of the suit"),
    (5, "precedence of single games", "Solo-Tout, Wenz-Tout, Solo, farbloser Wenz, Farbwenz", "Solo Tout, Wenz Tout, Solo, plain Wenz, Farbwenz"),
    (5, "a Solo-Tout needs three running Obers", "Ein Solo-Tout braucht drei laufende Ober", "the three highest Obers in a row"),
    (5, "limits of other suits in a Solo-Tout", "höchstens zwei Asse, oder Ass und Zehner einer Farbe", "at most two aces, or ace and ten"),
    (5, "each deal is played to the last card", "bis zur letzten Karte", "to the last card"),
    (5, "showing cards loses", "Wer seine Karten aufdeckt, hat verloren", "lays the cards open has lost"),
    (5, "shuffle and cut at each deal, several cuts", "wird gemischt und abgehoben, auch mehrmals", "several times if wanted"),
    (5, "no knocking, and nobody looks", "niemand schaut dabei unter die Karten", "nobody looks under the cards"),
    (5, "who misdeals often may be excluded, the table too", "kann ausgeschlossen werden, auch der ganze Tisch", "even the whole table"),
    (5, "reasons for an exclusion", "wissentlich Falsches einträgt oder zu laut protestiert", "protests too loudly"),
    (5, "the fee is not paid back", "Was er gezahlt hat, bekommt er nicht zurück", "is not paid back"),
    (5, "the scribe is named before play and hands in the list", "sorgt dafür, dass die Liste abgegeben wird", "sees to it that the list is handed in"),
    (5, "a change of scribe needs the supervisor", "nur, wenn die Aufsicht zustimmt", "only with the supervisor’s consent"),
    (5, "each player checks the list", "Jeder am Tisch prüft mit", "Everybody at the table checks"),
    (5, "the committee decides in the last instance, without the courts", "entscheidet der Spielausschuss, endgültig", "decided by the committee, finally"),
    (5, "oral instructions are followed", "Was die Spielleitung ansagt, gilt", "What the organisers announce is binding"),
    (5, "Solos and Wenz are circled", "Solo und Wenz sind eingekreist", "Solo and Wenz are circled"),
]  # fmt: skip
"""Sheet, statement, and words of the page in German and English."""


def book_of(name: str) -> Rulebook:
    return rulebook_of(preset(name), kinds_of_fees([], 300))


def text_of(book: Rulebook) -> str:
    sentences = [
        sentence
        for section in book.sections
        for sentence in (*section.says, *(text for _term, text in section.terms))
    ]
    return " ".join(sentences)


@pytest.mark.parametrize(
    ("sheet", "german", "english"),
    [
        pytest.param(sheet, german, english, id=f"sheet {sheet}: {statement}")
        for sheet, statement, german, english in STATEMENTS
    ],
)
def test_a_statement_of_a_sheet_is_on_its_page_in_both_languages(
    sheet: int, german: str, english: str
) -> None:
    for language, words in (("de", german), ("en", english)):
        with translation.override(language):
            assert words in text_of(book_of(SHEETS[sheet]))


def test_sheet_5_the_committee_is_said_once_and_no_organiser_decides_beside_it() -> None:
    page = text_of(book_of("schafkopf"))
    assert page.count("Spielausschuss") == 1
    assert "entscheidet der Veranstalter" not in page
    assert "Spielausschuss" not in text_of(book_of("schnauz-placing"))


def test_sheet_5_the_page_says_whose_choice_it_is_if_the_scribe_takes_back() -> None:
    for choice in ("latest_deal", "any"):
        rules = replace(preset("schafkopf"), scribe_takes_back=choice)
        assert "bei uns" in text_of(rulebook_of(rules, kinds_of_fees([], 0)))
    assert "bei uns" not in text_of(book_of("schafkopf"))


def test_sheet_5_how_to_write_stands_beside_the_sample() -> None:
    sample = next(section for section in book_of("schafkopf").sections if section.key == "sample")
    assert sample.table is not None
    assert sample.says[0].startswith("Geschrieben wird genau so wie hier.")


def test_statements_of_sheet_5_are_on_no_other_page() -> None:
    words = [german for sheet, _statement, german, _english in STATEMENTS if sheet == 5]
    others = [text_of(book_of(name)) for name in PRESETS if name != "schafkopf"]
    assert [one for one in words for page in others if one in page] == []


def test_sheet_3_the_second_to_lead_is_marked_as_our_reading() -> None:
    """The comment above the sentences of sheet 3 says what is read into it."""
    text = (Path(loader.__file__).parent / "fce.toml").read_text(encoding="utf-8")
    comment = text[: text.index("\nmanners = ")].rpartition("\n\n")[2]
    assert "unsere Lesart" in comment
