"""Lists with a column „Bezahlt“, in any order of names, and the program's own list read again."""

import re

import pytest

from tests.factories import AT
from tests.tournaments.door.doors import Cashier
from tournaments.core.fees import FeeKind
from tournaments.core.refusal import Refusal
from tournaments.door.lists.people_list import BadLine, ListContext, read_people
from tournaments.models import Payment, PersonChange
from tournaments.services import exclusion
from tournaments.services.door import Newcomer
from tournaments.services.people_lists import announce
from tournaments.services.tournaments import edit_fees

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Cashier:
    return Cashier()


def check(desk: Cashier, text: str, **more: str) -> str:
    return desk.client.post(desk.url("import_list"), {"text": text, **more}).content.decode()


def enter(desk: Cashier, text: str, **more: str) -> None:
    seen = re.search(r'name="seen" value="(\w+)"', check(desk, text, **more))
    assert seen
    response = desk.client.post(
        desk.url("import_list"), {"text": text, "seen": seen[1], "enter": "1", **more}
    )
    assert response.status_code == 302


def people(desk: Cashier) -> list[tuple[int, str, str, str]]:
    rows = desk.tournament.participants.order_by("start_number")
    return list(rows.values_list("start_number", "name", "club", "presence"))


def payments(desk: Cashier) -> list[tuple[int, str, int, str]]:
    rows = Payment.objects.filter(participant__tournament=desk.tournament).order_by("id")
    return list(rows.values_list("participant__start_number", "kind", "cents", "desk"))


def own_list(desk: Cashier) -> str:
    return desk.client.get(desk.url("participants_file", "csv")).content.decode("utf-8-sig")


# --- paid ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "cents"),
    [
        *[
            (word, 300)
            for word in ("ja", "JA", "x", "X", "✓", "True", "bezahlt", "3", "3,00", "3.00 €", "3 EUR")
        ],
        *[(word, 0) for word in ("", "nein", "Nein", "-", "–", "0", "0,00", "offen", "False")],
        ("1,5", 150),
        ("2.00 Euro", 200),
    ],
)
def test_the_column_is_read_as_people_fill_it_in(word: str, cents: int) -> None:
    lines = read_people(
        f"Name;Bezahlt\nSepp Huber;{word}\n", ListContext({}, kinds=[FeeKind("full", "", 300)])
    )
    assert [line.newcomer.paid_cents for line in lines.good] == [cents]


@pytest.mark.parametrize(
    ("word", "code"), [("vielleicht", "paid_bad"), ("-3", "paid_bad"), ("6", "paid_too_much")]
)
def test_an_invalid_payment_makes_an_invalid_line(word: str, code: str) -> None:
    lines = read_people(
        f"Name;Bezahlt\nSepp Huber;{word}\nAnna Meier;ja\n", ListContext({}, kinds=[FeeKind("full", "", 300)])
    )
    assert [line.refusal.code for line in lines.bad if isinstance(line, BadLine)] == [code]
    assert len(lines.good) == 1


def test_who_has_prepaid_is_announced_and_owes_nothing_when_they_come(desk: Cashier) -> None:
    enter(desk, "Name;Bezahlt\nSepp Huber;ja\nAnna Meier;nein\nLena Kern;1,00\n")
    assert payments(desk) == [(1, "fee", 300, "Vorab bezahlt"), (3, "fee", 100, "Vorab bezahlt")]
    for name in ("Sepp Huber", "Anna Meier", "Lena Kern"):
        desk.register(name)
    assert payments(desk)[2:] == [(2, "fee", 300, ""), (3, "fee", 200, "")]


def test_more_than_the_fee_is_never_booked(desk: Cashier) -> None:
    with pytest.raises(Refusal, match="paid_too_much"):
        announce(desk.tournament, [Newcomer("Huber"), Newcomer("Meier", paid_cents=301)], by="x", at=AT)
    assert people(desk) == []


# --- the kind of fee -----------------------------------------------------------------------------------------------

KINDS = [FeeKind("full", "voll", 300), FeeKind("fee-2", "ermäßigt", 150), FeeKind("fee-3", "frei", 0)]


@pytest.fixture
def kinds(desk: Cashier) -> Cashier:
    desk.tournament = edit_fees(desk.tournament, KINDS)
    return desk


def fees(desk: Cashier) -> list[str]:
    return list(desk.tournament.participants.order_by("start_number").values_list("fee", flat=True))


@pytest.mark.parametrize(
    "heading",
    ["Beitrag", "Gebühr", "Startgebühr", "Startgeld", "Gebührenart", "Ermäßigung", "ERMÄSSIGUNG", "Fee"],
)
def test_a_column_names_the_kind_of_fee(heading: str) -> None:
    text = f"Name;{heading}\nSepp Huber;Ermäßigt\nAnna Meier;fee-3\nLena Kern;\nMax Auer;3,00 €\nIda Bauer;voll\n"
    lines = read_people(text, ListContext({}, KINDS))
    assert [line.newcomer.fee for line in lines.good] == ["fee-2", "fee-3", "", "full", "full"]
    assert (lines.bad, lines.dropped) == ((), ())


@pytest.mark.parametrize("word", ["Ehrengast", "ja", "2,00", "x" * 300])
def test_a_kind_that_does_not_exist_is_chosen_from_a_menu_and_the_first_without(
    kinds: Cashier, word: str
) -> None:
    text = f"Name;Beitrag\nSepp Huber;{word}\nAnna Meier;ermäßigt\n"
    page = check(kinds, text)
    assert re.findall(r'name="fee_word" value="([^"]*)"', page) == [word[:40]]
    assert re.findall(r'<option value="(full|fee-\d)" (selected)?', page) == [
        ("full", "selected"), ("fee-2", ""), ("fee-3", ""),
    ]  # fmt: skip
    enter(kinds, text)
    enter(kinds, f"Name;Beitrag\nLena Kern;{word}\nMax Auer;voll\n", fee_word=word[:40], fee="fee-3")
    assert [(name, fee) for (_, name, _, _), fee in zip(people(kinds), fees(kinds), strict=True)] == [
        ("Sepp Huber", ""),
        ("Anna Meier", "fee-2"),
        ("Lena Kern", "fee-3"),
        ("Max Auer", ""),
    ]


def test_an_amount_that_two_kinds_have_names_neither() -> None:
    twice = [FeeKind("full", "voll", 300), FeeKind("fee-2", "Gast", 300)]
    lines = read_people("Name;Beitrag\nSepp Huber;3,00\n", ListContext({}, twice))
    assert lines.fee_words == (("3,00", "full"),)


def test_what_is_paid_is_measured_by_the_kind_of_the_line(kinds: Cashier) -> None:
    text = "Name;Beitrag;Bezahlt\nSepp Huber;ermäßigt;ja\nAnna Meier;frei;ja\nLena Kern;ermäßigt;3,00\n"
    page = " ".join(check(kinds, text).split())
    assert 'data-label="Beitrag">ermäßigt</td> </tr>' in page
    assert "mehr, als am Beitrag noch fehlt" in page
    enter(kinds, text)
    assert fees(kinds) == ["fee-2", "fee-3"]
    assert payments(kinds) == [(1, "fee", 150, "Vorab bezahlt")]


def test_the_own_list_brings_a_changed_kind_and_an_empty_cell_keeps_it(kinds: Cashier) -> None:
    kinds.register("Sepp Huber", fee="fee-2")
    kinds.register("Anna Meier", unpaid="on")
    enter(kinds, own_list(kinds))
    assert fees(kinds) == ["fee-2", ""]
    enter(kinds, "Nr;Name;Beitrag;Bezahlt\n1;Sepp Huber;;\n2;Anna Meier;ermäßigt;ja\n")
    assert fees(kinds) == ["fee-2", "fee-2"]
    assert payments(kinds) == [(1, "fee", 150, ""), (2, "fee", 150, "Vorab bezahlt")]
    changes = PersonChange.objects.filter(participant__tournament=kinds.tournament)
    assert list(changes.values_list("participant__start_number", "kind", "text")) == [(2, "fee", "voll")]


def test_without_its_own_kinds_a_tournament_knows_the_fee_of_its_ruleset(desk: Cashier) -> None:
    enter(desk, "Name;Startgebühr\nSepp Huber;3,00\nAnna Meier;Startgebühr\n")
    assert fees(desk) == ["", ""]


# --- the order of names --------------------------------------------------------------------------------------------


def test_the_order_is_guessed_shown_and_kept(desk: Cashier) -> None:
    text = "Bauer Sepp\nHuber Anna\nMeier Lena\nKern Franz\n"
    page = " ".join(check(desk, text).split())
    assert re.findall(r'value="(\w+)" checked', page) == ["last_first"]
    assert re.findall(r'<span class="soft">([^<]*)</span>', page)[3:6] == [
        "Bauer, Sepp · Sepp B.",
        "Huber, Anna · Anna H.",
        "Meier, Lena · Lena M.",
    ]
    enter(desk, text)
    assert [name for _, name, _, _ in people(desk)] == [
        "Bauer, Sepp",
        "Huber, Anna",
        "Meier, Lena",
        "Kern, Franz",
    ]


def test_another_order_is_chosen_and_looked_at_before_it_is_kept(desk: Cashier) -> None:
    text = "Bauer Sepp\nHuber Anna\n"
    seen = re.search(r'name="seen" value="(\w+)"', check(desk, text))
    assert seen
    answer = check(desk, text, order="first_last", seen=seen[1], enter="1")
    assert people(desk) == []
    assert re.findall(r'value="(\w+)" checked', " ".join(answer.split())) == ["first_last"]
    enter(desk, text, order="first_last")
    assert [name for _, name, _, _ in people(desk)] == ["Bauer Sepp", "Huber Anna"]


@pytest.mark.parametrize(
    "text",
    [
        "Huber, Sepp\nMeier, Anna\n",
        "1,Huber,Sepp\n2,Meier,Anna\n",
        "Vorname;Name\nSepp;Huber\nAnna;Meier\n",
        "Name;Vorname\nHuber;Sepp\nMeier;Anna\n",
    ],
)
def test_surname_and_first_name_in_two_cells(desk: Cashier, text: str) -> None:
    enter(desk, text)
    assert [name for _, name, _, _ in people(desk)] == ["Sepp Huber", "Anna Meier"]


def test_name_and_club_with_a_comma_between_stay_name_and_club(desk: Cashier) -> None:
    enter(desk, "Sepp Huber,Krone\nAnna Meier,SV Ort\n")
    assert [(name, club) for _, name, club, _ in people(desk)] == [
        ("Sepp Huber", "Krone"),
        ("Anna Meier", "SV Ort"),
    ]


@pytest.mark.parametrize("heading", ["Name Vorname", "Nachname, Vorname"])
def test_a_heading_says_the_order(desk: Cashier, heading: str) -> None:
    enter(desk, f"Nr;{heading}\n1;Xyz Abc\n2;Sepp Huber\n")
    assert [name for _, name, _, _ in people(desk)] == ["Xyz, Abc", "Sepp, Huber"]


def test_the_door_follows_the_list(desk: Cashier) -> None:
    enter(desk, "Bauer Sepp\nHuber Anna\n")
    assert "Nr. 3 · Kern, Lena" in desk.register("Kern Lena")
    assert "Nr. 4 · Max Zacherl" in desk.register("Max Zacherl")


# --- the own list again --------------------------------------------------------------------------------------------


def test_importing_an_exported_list_adds_and_books_nothing(desk: Cashier) -> None:
    desk.register("Sepp Huber", club="Krone")
    desk.register("Anna Meier", unpaid="on")
    desk.register("=1+1")
    announce(desk.tournament, [Newcomer("Kern, Lena")], by="x", at=AT)
    before = people(desk), payments(desk)
    enter(desk, own_list(desk))
    assert (people(desk), payments(desk)) == before


def test_an_exported_list_updates_clubs_spelling_and_payments_and_adds_players(desk: Cashier) -> None:
    desk.register("sepp huber", unpaid="on")
    desk.register("Anna Meier", club="Krone")
    changed = own_list(desk).replace("sepp huber;", "Sepp Huber;SV Ort").replace("0,00", "3,00")
    enter(desk, changed + ";Lena Kern;;;;\n")
    assert people(desk) == [
        (1, "Sepp Huber", "SV Ort", "present"),
        (2, "Anna Meier", "Krone", "present"),
        (3, "Lena Kern", "", "announced"),
    ]
    assert payments(desk) == [(2, "fee", 300, ""), (1, "fee", 300, "Vorab bezahlt")]


def test_an_old_list_does_not_book_a_fee_that_was_paid_back(desk: Cashier) -> None:
    desk.register("Sepp Huber")
    old = own_list(desk)
    desk.act(1, "refund")
    enter(desk, old)
    assert [kind for _, kind, _, _ in payments(desk)] == ["fee", "refund"]


def test_nothing_is_booked_for_those_who_left(desk: Cashier) -> None:
    desk.register("Sepp Huber", unpaid="on")
    desk.register("Anna Meier", unpaid="on")
    desk.act(1, "withdraw")
    exclusion.exclude(desk.tournament, 2, reason="Falschspiel", by="leitung", at=AT)
    enter(desk, "Nr;Name;Bezahlt\n1;Sepp Huber;ja\n2;Anna Meier;ja\n")
    assert payments(desk) == []


def test_a_taken_number_with_another_name_is_an_invalid_line(desk: Cashier) -> None:
    desk.register("Sepp Huber")
    assert "Die Teiln.-Nr. 1 ist schon vergeben." in check(desk, "Nr;Name\n1;Anna Meier\n")
    with pytest.raises(Refusal, match="number_taken"):
        announce(desk.tournament, [], updates=[Newcomer("Anna Meier", start_number=1)], by="x", at=AT)


def test_a_repeated_line_of_a_registered_player_is_invalid(desk: Cashier) -> None:
    desk.register("Sepp Huber")
    assert "Die Teiln.-Nr. 1 ist schon vergeben." in check(desk, "Nr;Name\n1;Sepp Huber\n1;Sepp Huber\n")


# --- small letters ---------------------------------------------------------------------------------------------------

SMALL = "Name;Verein\nsepp huber;SV\nAnna Meier;\nresi von au;"


def test_names_in_small_letters_are_asked_about_once_and_written_with_capitals(desk: Cashier) -> None:
    page = " ".join(check(desk, SMALL).split())
    assert "Namen, die klein geschrieben sind, großschreiben: Sepp Huber, Resi von Au</label>" in page
    enter(desk, SMALL, small="1", capitals="on")
    assert [name for _number, name, *_rest in people(desk)] == ["Sepp Huber", "Anna Meier", "Resi von Au"]
    assert "großschreiben" not in check(desk, "Anna Meier")


def test_or_they_stay_as_they_are(desk: Cashier) -> None:
    enter(desk, SMALL, small="1")
    assert [name for _number, name, *_rest in people(desk)] == ["sepp huber", "Anna Meier", "resi von au"]
