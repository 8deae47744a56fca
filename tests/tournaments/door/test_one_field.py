"""One field for search, check-in and registration: what Enter does with the text in it."""

import csv
import re

import pytest

from tests.factories import AT
from tests.tournaments.door.doors import FRAGMENT, Cashier, figures, numbers
from tournaments.core.fees import FeeKind
from tournaments.core.names import same_name_key
from tournaments.models import Payment
from tournaments.queries.door import door
from tournaments.queries.ledger import unpaid
from tournaments.services import people_lists
from tournaments.services.door import Newcomer
from tournaments.services.tournaments import edit_fees

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Cashier:
    return Cashier()


def announce(desk: Cashier, *people: str | Newcomer) -> None:
    newcomers = [person if isinstance(person, Newcomer) else Newcomer(person) for person in people]
    people_lists.announce(desk.tournament, newcomers, by="liste", at=AT)


def people(desk: Cashier) -> list[tuple[int, str, str]]:
    rows = desk.tournament.participants.order_by("start_number")
    return list(rows.values_list("start_number", "name", "presence"))


def typing(desk: Cashier, text: str) -> str:
    response = desk.client.get(desk.url("list"), {"name": text}, headers=FRAGMENT)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize("text", ["Huber Sepp", "sepp  huber", "HUBER, Sepp", "1", "Nr. 1", "#1"])
def test_the_name_or_number_of_the_announced_means_that_they_are_here(desk: Cashier, text: str) -> None:
    announce(desk, "Huber Sepp", "Meier Anna")
    answer = desk.register(text)
    assert people(desk) == [(1, "Huber Sepp", "present"), (2, "Meier Anna", "announced")]
    assert figures(answer)["cash"] == "3,00 €"
    assert desk.url("act", 1, "announced-refund") in answer


def test_paying_later_is_ticked_as_for_a_walk_in(desk: Cashier) -> None:
    announce(desk, "Huber Sepp")
    answer = desk.register("Huber Sepp", unpaid="on")
    assert people(desk) == [(1, "Huber Sepp", "present")]
    assert Payment.objects.count() == 0
    assert figures(answer)["unpaid"] == "1"


def test_a_player_absent_at_the_roll_call_is_checked_in_by_name(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    desk.act(1, "absent")
    desk.register("Huber Sepp")
    assert people(desk) == [(1, "Huber Sepp", "present")]
    assert Payment.objects.count() == 1


@pytest.mark.parametrize(
    ("text", "club"),
    [
        ("Huber Sepp", ""),  # two of that name
        ("Hub", ""),
        ("sepp", ""),
        ("Krone", ""),  # a club
        ("Meier Ann", ""),  # the beginning of a name may be another player's whole name
        ("Meier Anna", "SV Ort"),  # of another club
    ],
)
def test_enter_asks_if_the_text_is_ambiguous(desk: Cashier, text: str, club: str) -> None:
    announce(desk, Newcomer("Huber Sepp", "Krone"), "Huber Sepp", Newcomer("Meier Anna", "Krone"))
    before = people(desk)
    answer = desk.register(text, club=club)
    desk.register(text, club=club, anyway=same_name_key(text))  # Enter once more
    assert people(desk) == before
    assert Payment.objects.count() == 0
    assert "data-choose" in answer
    assert f'value="{text}"' in answer
    assert numbers(answer) != []


def test_somebody_else_of_that_name_is_registered_with_a_key_of_its_own(desk: Cashier) -> None:
    announce(desk, "Huber Sepp")
    assert 'name="as_new"' in typing(desk, "Huber Sepp")
    desk.register("Huber Sepp", as_new="on", others="1")
    assert people(desk) == [(1, "Huber Sepp", "announced"), (2, "Huber Sepp", "present")]


def test_a_single_word_is_a_search_as_long_as_it_finds_somebody(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    assert "data-choose" in desk.register("hub")
    desk.register("Zenzi")
    assert [name for _, name, _ in people(desk)] == ["Huber Sepp", "Zenzi"]


def test_a_walk_in_is_not_held_up_by_those_who_are_here(desk: Cashier) -> None:
    desk.register("Huber Seppl")
    desk.register("Huber Sepp")
    assert [name for _, name, _ in people(desk)] == ["Huber Seppl", "Huber Sepp"]


def test_a_number_that_nobody_has_registers_nobody(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    answer = desk.register("77")
    assert "Diese Nummer hat noch niemand." in answer
    assert len(people(desk)) == 1


def test_while_one_types_the_list_holds_the_matches_and_a_hint_says_what_enter_does(desk: Cashier) -> None:
    announce(desk, "Huber Sepp", "Meier Anna", "Meier Lena")
    hint = typing(desk, "Huber Sepp")
    assert numbers(hint) == [1]
    assert "<b>Nr. 1 Huber Sepp</b> ist da." in " ".join(hint.split())
    two = typing(desk, "meier")
    assert sorted(numbers(two)) == [2, 3]
    assert "Dazu passen 2 auf der Liste" in " ".join(two.split())
    nobody = typing(desk, "Kern")
    assert sorted(numbers(nobody)) == [1, 2, 3]


@pytest.mark.parametrize("text", ["9" * 6000, "x" * 100_000, "\0", "--", " "])
def test_whatever_is_typed_gets_an_answer(desk: Cashier, text: str) -> None:
    announce(desk, "Huber Sepp")
    assert numbers(typing(desk, text)) == [1]


def test_after_a_check_in_the_list_is_whole_again(desk: Cashier) -> None:
    announce(desk, "Huber Sepp", "Meier Anna")
    assert sorted(numbers(desk.register("Huber Sepp", q="Huber Sepp"))) == [1, 2]


def test_the_line_works_without_javascript(desk: Cashier) -> None:
    announce(desk, "Huber Sepp", "Meier Anna")
    response = desk.client.post(desk.url("register"), {"name": "Huber Sepp"}, follow=True)
    assert "Nr. 1 · Huber Sepp – ist da · 3,00\u00a0€ kassiert" in response.content.decode()
    response = desk.client.post(desk.url("register"), {"name": "Meier"})
    page = response.content.decode()
    assert response.status_code == 422
    assert numbers(page) == [2]
    assert 'id="present-paid-2"' in page


# --- a part of the fee ---------------------------------------------------------------------------------------------


def paid(desk: Cashier) -> list[tuple[int, int]]:
    rows = Payment.objects.filter(participant__tournament=desk.tournament).order_by("id")
    return list(rows.values_list("participant__start_number", "cents"))


def set_fees(desk: Cashier, kinds: list[FeeKind]) -> None:
    desk.tournament = edit_fees(desk.tournament, kinds)


def owed(desk: Cashier) -> list[int]:
    """Return what door, cash book and the list of participants each say is owed, in cents."""
    rows = csv.DictReader(
        desk.client.get(desk.url("participants_file", "csv")).content.decode("utf-8-sig").splitlines(),
        delimiter=";",
    )
    listed = sum(round(float(row["Offen"].replace(",", ".")) * 100) for row in rows)
    return [door(desk.tournament).unpaid_cents, unpaid(desk.tournament).cents, listed]


@pytest.mark.parametrize("text", ["1 1,50", "1 1.50", "Nr. 1  1,50 €", "#1 1,50 EUR", "Huber Sepp 1,50"])
def test_an_amount_behind_number_or_name_is_the_part_that_the_announced_pays(
    desk: Cashier, text: str
) -> None:
    announce(desk, "Huber Sepp", "Meier Anna")
    answer = desk.register(text)
    assert people(desk) == [(1, "Huber Sepp", "present"), (2, "Meier Anna", "announced")]
    assert paid(desk) == [(1, 150)]
    assert owed(desk) == [150] * 3
    assert "ist da · 1,50\u00a0€ kassiert · 1,50\u00a0€ offen" in answer
    assert "noch 1,50\u00a0€" in answer


def test_a_walk_in_pays_a_part_and_the_rest_by_number(desk: Cashier) -> None:
    answer = desk.register("Huber Sepp 1,00")
    assert people(desk) == [(1, "Huber Sepp", "present")]
    assert "1,00\u00a0€ kassiert · 2,00\u00a0€ offen" in answer
    answer = desk.register("1 2")
    assert "2,00\u00a0€ kassiert" in answer
    assert "offen" not in answer.partition('id="door-note"')[2]
    assert paid(desk) == [(1, 100), (1, 200)]
    assert owed(desk) == [0] * 3


def test_a_part_counts_though_the_line_says_not_yet_paid(desk: Cashier) -> None:
    announce(desk, "Huber Sepp")
    desk.register("1 1,00", unpaid="on")
    desk.register("Meier Anna 1,00", unpaid="on")
    assert paid(desk) == [(1, 100), (2, 100)]
    assert owed(desk) == [400] * 3


def test_a_part_is_taken_back_as_a_part(desk: Cashier) -> None:
    announce(desk, "Huber Sepp")
    assert desk.url("act", 1, "announced-refund") in desk.register("1 1,00")
    answer = desk.act(1, "announced-refund")
    assert people(desk) == [(1, "Huber Sepp", "announced")]
    assert desk.url("act", 1, "present-paid") not in answer.partition('id="door-note"')[2]
    desk.register("1 1,00")
    assert desk.url("act", 1, "take-back-pay") in desk.register("1 0,50")
    desk.act(1, "take-back-pay")
    assert owed(desk) == [200] * 3


def test_a_part_of_another_kind_of_fee(desk: Cashier) -> None:
    set_fees(desk, [FeeKind("full", "voll", 300), FeeKind("fee-2", "ermäßigt", 200)])
    announce(desk, "Huber Sepp")
    assert "kassiert · 1,00\u00a0€ offen" in desk.register("1 1,00", fee="fee-2")
    assert owed(desk) == [100] * 3


def test_an_amount_may_have_one_decimal(desk: Cashier) -> None:
    announce(desk, "Huber Sepp")
    assert "kassiert · 1,50\u00a0€ offen" in desk.register("1 1,5")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1 3,01", "mehr, als am Beitrag noch fehlt: offen sind "),
        ("1 1,555", "kein Betrag"),
        ("1 1,", "kein Betrag"),
        ("1 -1,50", "kein Betrag"),
        ("1 0", "über 0,00"),
        ("Huber Sepp 3,01", "mehr, als am Beitrag noch fehlt"),
        ("Kern Lena 9,00", "mehr, als am Beitrag noch fehlt"),
        ("Kern Lena 1,555", "kein Betrag"),
        ("2 0,50", "schon bezahlt"),
    ],
)
def test_an_invalid_amount_changes_nothing_and_stays_in_the_line(
    desk: Cashier, text: str, sentence: str
) -> None:
    set_fees(desk, [FeeKind("full", "voll", 300), FeeKind("fee-2", "ermäßigt", 150)])
    announce(desk, "Huber Sepp")
    desk.register("Meier Anna", fee="fee-2")
    before, booked = people(desk), paid(desk)
    answer = desk.register(text, fee="fee-2" if text == "1 3,01" else "")
    assert (people(desk), paid(desk)) == (before, booked)
    assert desk.tournament.participants.get(start_number=1).fee == ""
    assert sentence in answer
    assert f'value="{text}"' in answer


def test_where_nothing_is_to_be_paid_an_amount_is_refused(desk: Cashier) -> None:
    set_fees(desk, [FeeKind("full", "frei", 0)])
    assert "Hier ist nichts zu bezahlen." in desk.register("Huber Sepp 1,50")
    assert people(desk) == []


def test_enter_does_not_guess_who_pays_a_part(desk: Cashier) -> None:
    announce(desk, "Huber Sepp", "Huber Seppl", "Meier Anna")
    desk.register("Meier Anna", unpaid="on")
    asked = " ".join(desk.register("Hub 1,50").split())
    assert "Bitte die Nummer und den Betrag tippen, zum Beispiel „2 1,50“." in asked
    assert sorted(numbers(asked)) == [1, 2]
    asked = " ".join(desk.register("Meier Anna 1,50").split())
    assert "Zahlt einer davon etwas nach? Dann die Nummer tippen statt des Namens: „3 1,50“." in asked
    assert paid(desk) == []
    desk.register("Meier Anna 1,50", anyway=same_name_key("Meier Anna"), others="3")
    assert people(desk)[3] == (4, "Meier Anna", "present")
    assert paid(desk) == [(4, 150)]


def test_while_an_amount_is_typed_the_hint_says_who_pays_it(desk: Cashier) -> None:
    announce(desk, "Huber Sepp")
    desk.register("Meier Anna", unpaid="on")
    assert "ist da. Zahlt 1,50\u00a0€." in squeezed(typing(desk, "1 1,50"))
    assert "<b>Nr. 2 Meier Anna</b> zahlt 1,50\u00a0€, offen sind 3,00\u00a0€." in squeezed(
        typing(desk, "2 1,50")
    )
    assert "<b>Kern Lena</b> ist neu und zahlt 1,00\u00a0€." in squeezed(typing(desk, "Kern Lena 1,00"))
    assert numbers(typing(desk, "2 1,")) == [2]


def squeezed(page: str) -> str:
    return re.sub(r"[ \n]+", " ", page)
