"""The page „Was zählt meine Hand?“: three cards, or two hands (RULES 1.13, 2.2, 2.3, 3.3, 4.1)."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override
from pytest_django import DjangoAssertNumQueries

from scoring.public.hand import HandPage, hand_page
from scoring.text.hands import card_word
from tests.factories import ParticipantFactory, TournamentFactory, a_round
from tests.scoring.core.hand_sheets import BY_HAND
from tests.scoring.core.test_cards import cards
from tournaments.models import Tournament
from tournaments.rulesets.loader import preset

pytestmark = pytest.mark.django_db

SHEETS = tuple(BY_HAND)
every_sheet = pytest.mark.parametrize("sheet", SHEETS)


def under(sheet: str) -> Tournament:
    return TournamentFactory.create(ruleset=preset(sheet).to_dict())


def page_of(sheet: str, first: str = "", second: str = "") -> HandPage:
    codes = ([card.code for card in cards(text)] for text in (first, second))
    with override("de"):
        page = hand_page(under(sheet).slug, *codes)
    assert page is not None
    return page


def said(sheet: str, first: str) -> str:
    """Return name, points and sentences for three cards ("Hk HT B6", see `cards`)."""
    (hand, _other) = page_of(sheet, first).hands
    return " ".join([hand.name, *filter(None, [hand.points]), *hand.sentences]).replace(
        "\N{NO-BREAK SPACE}", " "
    )


def verdict(sheet: str, first: str, second: str) -> str:
    comparison = page_of(sheet, first, second).comparison
    assert comparison is not None
    with override("de"):
        return " ".join([comparison.title, *comparison.sentences])


def address(tournament: Tournament, query: str = "") -> str:
    return f"/t/{tournament.slug}/hand/{query and '?' + query}"


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


ACE_KING_TEN = "a=hearts-ace&a=hearts-king&a=hearts-10"
THREE_NINES = "b=bells-9&b=acorns-9&b=leaves-9"


@pytest.mark.parametrize(
    ("sheet", "held", "sentence"),
    [
        ("schnauz-placing", "Hk HT B6", "20 Punkte Beste Farbe ist Herz: 10 + 10 = 20."),
        (
            "schnauz-placing",
            "Hk BT A6",
            "10 Punkte Drei Farben, also zählt nur die höchste Karte: Herz-König.",
        ),
        (
            "schnauz-placing",
            "Ha Hk HT",
            "Schnauz 31 Ein Ass und zwei Karten zu 10, alle von einer Farbe. Das Spiel ist sofort zu Ende. "
            "Wer am wenigsten hat, zahlt. Als Handschnauz zahlen alle anderen.",
        ),
        (
            "schnauz-placing",
            "Ha Ba Aa",
            "Feuer Drei Asse. Das Spiel ist sofort zu Ende. Alle anderen zahlen.",
        ),
        ("schnauz-placing", "Hk Bk Ak", "Spitz 30½ Drei Könige. Mehr ist nur: Schnauz und Feuer."),
        (
            "schnauz-placing",
            "H7 B7 A7",
            "Spitz 30½ Drei Siebener. Mehr ist nur: drei höhere Karten, Schnauz und Feuer.",
        ),
        (
            "konradsreuth",
            "Ha Hk HT",
            "Schnauz 31 Ass, König und 10 einer Farbe. Das Spiel ist sofort zu Ende. Wer am wenigsten hat, zahlt. "
            "Als Handschnauz zahlen alle anderen, außer wer Halbschnauz hat.",
        ),
        (
            "konradsreuth",
            "Ha Hu Hk",
            "31 Punkte Beste Farbe ist Herz: 11 + 10 + 10 = 31. "
            "Kein Schnauz: der ist nur Ass, König und 10 einer Farbe. Auch Halbschnauz ist mehr.",
        ),
        (
            "konradsreuth",
            "Ha Ba Aa",
            "Halbschnauz Drei Asse. Mehr als jede Summe, auch als 31, und weniger als ein Schnauz. "
            "Halbschnauz zahlt nie.",
        ),
        (
            "fce",
            "Ha Ho Hu",
            "Schnauz 35 Ein Ass und zwei Karten zu 10, alle von einer Farbe. Das Spiel ist sofort zu Ende. "
            "Das gilt auch, wenn die drei Karten offen in der Mitte liegen.",
        ),
        (
            "fce",
            "Ha Ba Aa",
            "Feuer 33 Drei Asse. Das Spiel ist sofort zu Ende. "
            "Das gilt auch, wenn die drei Karten offen in der Mitte liegen.",
        ),
        (
            "fce",
            "Ho Bo Ao",
            "Halbes 31 Drei Damen. Welche drei es sind, ist gleich. Mehr ist nur: Schnauz und Feuer.",
        ),
        (
            "knockout",
            "Ha Ba Aa",
            "Feuer 31 Drei Asse. Das Spiel ist sofort zu Ende. Wer am wenigsten hat, zahlt.",
        ),
        (
            "knockout",
            "Hu Bu Au",
            "Drei Gleiche 30½ Drei Buben. Welche drei es sind, ist gleich. Mehr ist nur: Schnauz und Feuer.",
        ),
    ],
)
def test_one_hand_is_named_counted_and_explained(sheet: str, held: str, sentence: str) -> None:
    assert said(sheet, held) == sentence


# --- two hands -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sheet", "first", "second", "sentences"),
    [
        ("schnauz-placing", "Hk HT B6", "Bk BT B9", "Die 2. Hand ist besser. 29 Punkte sind mehr als 20."),
        (
            "schnauz-placing",
            "Hk Bk Ak",
            "Ho Bo Ao",
            "Die 1. Hand ist besser. Drei Könige sind mehr als drei Ober.",
        ),
        (
            "schnauz-placing",
            "H9 B9 A9",
            "Ha Hk HT",
            "Die 2. Hand ist besser. 31 Punkte sind mehr als 30½. Schnauz beendet das Spiel sofort. "
            "Wer am wenigsten hat, zahlt.",
        ),
        (
            "schnauz-placing",
            "Ha Ba Aa",
            "Hk Ho L9",
            "Die 1. Hand ist besser. Feuer geht über 20 Punkte. Feuer beendet das Spiel sofort. Alle anderen zahlen.",
        ),
        (
            "schnauz-placing",
            "Ha Ba Aa",
            "La Lk Lo",
            "Die 1. Hand ist besser. Feuer geht über Schnauz. "
            "Beide beenden das Spiel; den Strich bekommt, wer zuerst an der Reihe war.",
        ),
        (
            "schnauz-placing",
            "Hk HT B6",
            "Bk BT H6",
            "Beide Hände sind gleich. Beide zählen 20 Punkte, mehr entscheidet nicht. Hat niemand weniger, zahlen beide.",
        ),
        (
            "konradsreuth",
            "Ha Hu Hk",
            "H9 B9 A9",
            "Die 2. Hand ist besser. Halbschnauz geht über 31 Punkte. "
            "Kein Schnauz: der ist nur Ass, König und 10 einer Farbe.",
        ),
        (
            "konradsreuth",
            "Ha Hk HT",
            "L9 B9 A9",
            "Die 1. Hand ist besser. Schnauz geht über Halbschnauz. Schnauz beendet das Spiel sofort. "
            "Halbschnauz zahlt nie.",
        ),
        (
            "konradsreuth",
            "Hk Lk Bk",
            "H9 B9 A9",
            "Beide Hände sind gleich. Drei Gleiche sind hier alle gleich viel wert. Halbschnauz zahlt nie.",
        ),
        (
            "fce",
            "Ha Hk HT",
            "La Ba Aa",
            "Die 1. Hand ist besser. 35 Punkte sind mehr als 33.",
        ),
        (
            "fce",
            "Hk Bk Ak",
            "H7 B7 A7",
            "Beide Hände sind gleich. Drei Gleiche sind hier alle gleich viel wert.",
        ),
        (
            "knockout",
            "Ha Hk HT",
            "La Ba Aa",
            "Beide Hände sind gleich. Beide zählen 31 Punkte, mehr entscheidet nicht. "
            "Beide beenden das Spiel; den Strich bekommt, wer zuerst an der Reihe war.",
        ),
    ],
)
def test_of_two_hands_the_better_one_is_said_and_why(
    sheet: str, first: str, second: str, sentences: str
) -> None:
    assert verdict(sheet, first, second) == sentences


def test_the_order_of_hands_is_told_best_first() -> None:
    told = {sheet: [(step.name, step.points) for step in page_of(sheet).order][:3] for sheet in SHEETS}
    assert told == {
        "schnauz-placing": [("Feuer", ""), ("Schnauz", "31"), ("Spitz", "30½")],
        "konradsreuth": [("Schnauz", "31"), ("Halbschnauz", ""), ("sonst", "")],
        "fce": [("Schnauz", "35"), ("Feuer", "33"), ("Halbes", "31")],
        "knockout": [("Schnauz", "31"), ("Feuer", "31"), ("Drei Gleiche", "30½")],
    }


@pytest.mark.parametrize(
    ("sheet", "language", "words"),
    [
        ("schnauz-placing", "de", ["Eichel-Ass", "Gras-Ober", "Herz-Unter", "Schellen-10"]),
        ("fce", "de", ["Kreuz-Ass", "Pik-Dame", "Herz-Bube", "Karo-10"]),
        ("schnauz-placing", "en", ["Ace of Acorns", "Ober of Leaves", "Unter of Hearts", "10 of Bells"]),
        ("fce", "en", ["Ace of Clubs", "Queen of Spades", "Jack of Hearts", "10 of Diamonds"]),
    ],
)
def test_cards_are_called_as_in_the_deck_of_the_sheet(sheet: str, language: str, words: list[str]) -> None:
    hands = preset(sheet).hands
    assert hands is not None
    with override(language):
        assert [card_word(card, hands) for card in cards("Aa Lo Hu BT")] == words


# --- invalid hands -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        (
            "a=hearts-ace&a=hearts-king&a=hearts-9&a=hearts-8",
            "Eine Hand hat genau drei Karten, hier sind es 4. Bitte antippen, welche weg sollen.",
        ),
        (
            f"{ACE_KING_TEN}&b=hearts-king",
            "Herz-König ist zweimal dabei, und jede Karte gibt es nur einmal. Bitte eine davon wegnehmen.",
        ),
        (
            "a=hearts-king&a=hearts-king&a=hearts-9",
            "Herz-König ist zweimal dabei, und jede Karte gibt es nur einmal. Bitte eine davon wegnehmen.",
        ),
        ("a=hearts-joker", "Diese Karte gibt es in diesem Spiel nicht. Bitte eine andere nehmen."),
        ("b=<b>", "Diese Karte gibt es in diesem Spiel nicht. Bitte eine andere nehmen."),
        (
            "a=hearts-6",
            "Diese Karte gibt es in diesem Spiel nicht. Bitte eine andere nehmen.",
        ),
    ],
)
def test_what_cannot_be_picked_is_said_and_nothing_picked_is_lost(
    client: Client, query: str, sentence: str
) -> None:
    page = client.get(address(under("fce"), query)).content.decode()
    assert sentence in text_of(page)
    picked = {pair for pair in query.split("&") if re.fullmatch(r"[ab]=\w+-(ace|king|10|9|8)", pair)}
    checked = re.findall(r'<input type="checkbox" name="(\w)" value="([\w-]+)"[^>]* checked>', page)
    assert {f"{name}={code}" for name, code in checked} == picked
    assert "ist besser" not in page


@pytest.mark.parametrize(
    ("query", "asked_for"),
    [
        ("", "Drei Karten antippen"),
        ("a=hearts-ace", "noch 2 Karten"),
        ("a=hearts-ace&a=hearts-king", "noch 1 Karte"),
        (f"{ACE_KING_TEN}&b=bells-9", "noch 2 Karten"),
    ],
)
def test_as_long_as_cards_are_missing_it_says_how_many(client: Client, query: str, asked_for: str) -> None:
    assert asked_for in text_of(client.get(address(under("fce"), query)).content.decode())


# --- the page ------------------------------------------------------------------------------------------------------


@every_sheet
def test_every_card_of_the_deck_can_be_picked_for_each_hand(client: Client, sheet: str) -> None:
    page = client.get(address(under(sheet))).content.decode()
    labels = re.findall(r'<input type="checkbox" name="a" value="[\w-]+" aria-label="([^"]+)">', page)
    hands = preset(sheet).hands
    assert hands is not None
    assert len(labels) == len(set(labels)) == {"6": 36, "7": 32, "9": 24}[hands.lowest_card]
    assert len(re.findall(r'name="b"', page)) == len(labels)


def test_the_address_tells_everything_and_the_answer_is_in_the_page(client: Client) -> None:
    page = text_of(client.get(address(under("fce"), f"{ACE_KING_TEN}&{THREE_NINES}")).content.decode())
    assert "Die 1. Hand ist besser. 35 Punkte sind mehr als 31." in page


def test_an_htmx_request_gets_the_answer_alone(client: Client) -> None:
    headers = {"HX-Request": "true", "HX-Target": "hand-answer"}
    answer = client.get(address(under("fce"), ACE_KING_TEN), headers=headers)
    assert answer.content.decode().strip().startswith('<div id="hand-answer"')
    assert "HX-Target" in answer.headers["Vary"]


def test_the_page_comes_in_english_too(client: Client) -> None:
    page = client.get(address(under("fce"), ACE_KING_TEN), headers={"accept-language": "en"})
    text = text_of(page.content.decode())
    assert "What does my hand count?" in text
    assert (
        "Schnauz 35 points An ace and two cards that count 10, all of one suit. The deal ends at once."
        in text
    )
    assert "Schnauz by points (FCE)" in text


def test_under_schafkopf_nobody_holds_three_cards(client: Client) -> None:
    tournament = under("schafkopf")
    assert client.get(address(tournament)).status_code == 404
    players = client.get(f"/t/{tournament.slug}/").content.decode()
    assert address(tournament) not in players


def test_rules_from_before_hands_were_told_have_no_such_page(client: Client) -> None:
    ruleset = preset("schnauz-placing").to_dict()
    del ruleset["hands"]
    tournament = TournamentFactory.create(ruleset=ruleset)
    assert client.get(address(tournament)).status_code == 404
    assert address(tournament) not in client.get(f"/t/{tournament.slug}/").content.decode()


def test_an_unknown_tournament_is_not_found(client: Client) -> None:
    assert client.get("/t/gibt-es-nicht/hand/").status_code == 404


def test_nothing_can_be_written_here(client: Client) -> None:
    assert client.post(address(under("fce"))).status_code == 405


@every_sheet
def test_the_players_page_leads_there(client: Client, sheet: str) -> None:
    tournament = under(sheet)
    assert f'href="{address(tournament)}"' in client.get(f"/t/{tournament.slug}/").content.decode()


def test_the_phones_page_knows_the_way(client: Client) -> None:
    assert reverse("public:hand", args=["SLUG"]) in unescape(client.get("/s/").content.decode())


@pytest.mark.parametrize("query", ["", f"{ACE_KING_TEN}&{THREE_NINES}"])
@pytest.mark.parametrize("players", [0, 12])
def test_as_many_queries_whatever_is_picked_and_however_many_play(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries, query: str, players: int
) -> None:
    tournament = under("schnauz-placing")
    if players:
        ParticipantFactory.create_batch(players, tournament=tournament)
        a_round(tournament)
    with django_assert_num_queries(2):  # the tournament, and the club for the foot
        client.get(address(tournament, query))


def test_who_has_the_page_already_gets_304(client: Client) -> None:
    tournament = under("fce")
    etag = client.get(address(tournament, ACE_KING_TEN)).headers["ETag"]
    known = {"if-none-match": etag}
    assert client.get(address(tournament, ACE_KING_TEN), headers=known).status_code == 304
    assert client.get(address(tournament), headers=known).status_code == 200


def test_the_page_has_no_inline_script_style_or_foreign_address(client: Client) -> None:
    page = client.get(address(under("fce"), f"{ACE_KING_TEN}&{THREE_NINES}")).content.decode()
    assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:", page) == []
    assert re.findall(r'(?:src|href)="(?:https?:)?//', page) == []
