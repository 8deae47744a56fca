"""The way back from an import: the list is taken out as one, or one announced player, while nothing else is known of them."""

import re
from datetime import timedelta
from typing import Any

import pytest

from scoring.services.purge import erase_person
from scoring.services.rounds import DrawOptions, draw_next
from tests.factories import AT, TournamentFactory
from tests.tournaments.door.doors import Cashier
from tests.tournaments.services.test_sign_ups import signed_up, terms
from tournaments.core.fees import FeeKind
from tournaments.core.refusal import Refusal
from tournaments.core.wishes import FixedTable
from tournaments.models import ImportedList, Payment, PersonChange, Tournament
from tournaments.queries.people_lists import imported_lists
from tournaments.services import exclusion
from tournaments.services.desks import close_desk, set_up_desk
from tournaments.services.door import Newcomer, set_presence, take_fee
from tournaments.services.people_lists import announce, take_out, take_out_list
from tournaments.services.sign_ups import confirm
from tournaments.services.tournaments import edit_fees

pytestmark = pytest.mark.django_db
BY: Any = {"by": "leitung", "at": AT}
LATER: Any = {"by": "kasse", "at": AT.replace(hour=20)}


def names_of(people: range | list[int]) -> list[str]:
    return [f"Person{number} Muster" for number in people]


def an_import(tournament: Tournament, numbers: range = range(1, 6), *, paid_cents: int = 100) -> None:
    lines = [Newcomer(name, paid_cents=paid_cents) for name in names_of(numbers)]
    announce(tournament, lines, desk="Vorab bezahlt", **BY)


def names(tournament: Tournament) -> list[str]:
    return list(tournament.participants.order_by("start_number").values_list("name", flat=True))


def cents(tournament: Tournament) -> list[int]:
    return list(Payment.objects.filter(participant__tournament=tournament).values_list("cents", flat=True))


@pytest.fixture
def tournament() -> Tournament:
    made = TournamentFactory.create()
    made.ruleset["entry_fee_cents"] = 300
    made.save()
    return made


def test_a_list_is_taken_out_with_the_money_that_it_brought(tournament: Tournament) -> None:
    an_import(tournament)
    an_import(tournament, range(6, 9))
    assert take_out_list(tournament, 1, **BY) == (5, 0)
    assert names(tournament) == names_of([6, 7, 8])
    assert cents(tournament) == [100] * 3
    an_import(tournament)
    assert names(tournament) == names_of([6, 7, 8, 1, 2, 3, 4, 5])


def test_what_was_there_stays_as_a_trace(tournament: Tournament) -> None:
    an_import(tournament)
    take_out_list(tournament, 1, by="x", at=AT)
    (row,) = imported_lists(tournament)
    trace = row.imported
    assert (row.left, trace.count, trace.cents, trace.by, trace.taken_out_by) == (0, 5, 500, "leitung", "x")


def test_an_import_that_adds_and_changes_nothing_is_no_list(tournament: Tournament) -> None:
    an_import(tournament)
    announce(tournament, [], updates=[Newcomer(names_of([1])[0], "", 1)], **LATER)
    assert len(imported_lists(tournament)) == 1


def clubs_and_cents(tournament: Tournament) -> list[tuple[str, int | None]]:
    people = tournament.participants.order_by("start_number")
    return list(people.values_list("club", "payments__cents"))


def test_what_a_list_has_changed_of_others_is_taken_back_with_it(tournament: Tournament) -> None:
    an_import(tournament, range(1, 4), paid_cents=0)
    take_fee(tournament, 3, cents=50, desk="", **BY)
    again = [Newcomer(name, "Krone", number, 100) for number, name in enumerate(names_of([1, 2, 3]), start=1)]
    announce(tournament, [Newcomer("Neu Muster")], updates=again, desk="Vorab bezahlt", **LATER)
    assert clubs_and_cents(tournament) == [("Krone", 100), ("Krone", 100), ("Krone", 50), ("", None)]
    assert take_out_list(tournament, 2, **LATER) == (4, 0)
    assert clubs_and_cents(tournament) == [("", None), ("", None), ("", 50)]
    with pytest.raises(Refusal, match="list_unknown"):
        take_out_list(tournament, 2, **LATER)


def test_what_was_changed_or_paid_since_stays(tournament: Tournament) -> None:
    an_import(tournament, range(1, 4), paid_cents=0)
    again = [Newcomer(name, "Krone", number) for number, name in enumerate(names_of([1, 2, 3]), start=1)]
    announce(tournament, [], updates=again, **LATER)
    tournament.participants.filter(start_number=1).update(club="Adler")
    take_fee(tournament, 2, desk="", by="kasse", at=LATER["at"] + timedelta(minutes=1))
    assert take_out_list(tournament, 2, **LATER) == (1, 2)
    assert clubs_and_cents(tournament) == [("Adler", None), ("Krone", 300), ("", None)]


def test_an_erased_name_is_not_kept_beside_a_list(tournament: Tournament) -> None:
    an_import(tournament, range(1, 3), paid_cents=0)
    again = [Newcomer(name, "Krone", number) for number, name in enumerate(names_of([1, 2]), start=1)]
    announce(tournament, [], updates=again, **LATER)
    erase_person(tournament, 1, **LATER)
    assert [change["start_number"] for change in ImportedList.objects.get(number=2).changed] == [2]


def sits(tournament: Tournament, number: int) -> None:
    set_presence(tournament, number, present=True)
    others = [Newcomer(f"Gast{guest} Muster") for guest in range(1, 5)]
    for person in announce(tournament, others, **LATER):
        set_presence(tournament, person.start_number, present=True)
    draw_next(tournament, number=1, options=DrawOptions(exceptions=True), **BY)


def pays(tournament: Tournament, number: int) -> None:
    take_fee(tournament, number, desk="", **LATER)


def is_excluded(tournament: Tournament, number: int) -> None:
    exclusion.exclude(tournament, number, reason="Grund", **BY)


def has_signed_up(tournament: Tournament, number: int) -> None:
    terms(tournament)
    entry, _code = signed_up(tournament, "Person1 Muster")
    confirm(tournament, entry.number, paid=False, same_as=number, **LATER)


def is_wished(tournament: Tournament, number: int) -> None:
    tournament.wishes = [FixedTable(number, 1).to_dict()]
    tournament.save()


USES = {
    "has_been_seated": sits,
    "has_paid_since": pays,
    "is_excluded": is_excluded,
    "has_signed_up": has_signed_up,
    "is_wished": is_wished,
}


@pytest.mark.parametrize("code", USES)
def test_a_list_of_which_more_is_known_stays_until_somebody_takes_out_the_others(
    tournament: Tournament, code: str
) -> None:
    an_import(tournament)
    USES[code](tournament, 2)
    assert [reason.code for reason in imported_lists(tournament)[-1].staying] == [code]
    before = names(tournament), cents(tournament)
    with pytest.raises(Refusal, match="list_in_use"):
        take_out_list(tournament, 1, **BY)
    assert (names(tournament), cents(tournament)) == before
    assert take_out_list(tournament, 1, only_untouched=True, **BY) == (4, 1)
    assert names(tournament)[0] == "Person2 Muster"
    with pytest.raises(Refusal, match="list_unknown"):
        take_out_list(tournament, 1, only_untouched=True, **BY)


def changes(tournament: Tournament, *numbers: int, **more: Any) -> None:
    """Read in a list that changes these players and says what they have paid."""
    lines = [Newcomer(f"Person{number} Muster", "Krone", number, 100, **more) for number in numbers]
    announce(tournament, [], updates=lines, desk="Vorab bezahlt", by="leitung", at=AT + timedelta(minutes=1))


@pytest.mark.parametrize("code", USES)
def test_who_was_drawn_or_excluded_or_paid_since_keeps_what_a_list_has_changed(
    tournament: Tournament, code: str
) -> None:
    """A sign-up or a wish says nothing against the club from before."""
    an_import(tournament, range(1, 3), paid_cents=0)
    changes(tournament, 1, 2)
    USES[code](tournament, 2)
    stays = code not in ("has_signed_up", "is_wished")
    assert take_out_list(tournament, 2, **LATER) == ((1, 1) if stays else (2, 0))
    of_second = tournament.participants.get(start_number=2)
    assert (of_second.club, of_second.payments.exists()) == (("Krone", True) if stays else ("", False))


def test_a_list_of_which_all_was_changed_since_says_so(tournament: Tournament) -> None:
    an_import(tournament, range(1, 3), paid_cents=0)
    changes(tournament, 1, 2)
    tournament.participants.update(club="Adler")
    with pytest.raises(Refusal, match="list_changed_since"):
        take_out_list(tournament, 2, **LATER)
    list_two = ImportedList.objects.get(number=2)
    assert (list_two.taken_out_at, list_two.cents, len(list_two.changed)) == (None, 200, 2)


def test_a_kind_of_fee_that_goes_back_is_recorded(tournament: Tournament) -> None:
    edit_fees(tournament, [FeeKind("full", "Erwachsene", 300), FeeKind("youth", "Jugend", 200)])
    an_import(tournament, range(1, 2), paid_cents=0)
    changes(tournament, 1, fee="youth")
    take_out_list(tournament, 2, **LATER)
    assert tournament.participants.get().fee == ""
    changed = PersonChange.objects.order_by("pk").values_list("text", "by")
    assert list(changed) == [("Erwachsene", "leitung"), ("Jugend", "kasse")]


def test_nothing_is_kept_of_a_deleted_player_beside_a_later_list(tournament: Tournament) -> None:
    an_import(tournament, range(1, 4), paid_cents=0)
    changes(tournament, 1)
    lines = [Newcomer(f"Person{number} Muster", "Krone", number) for number in (2, 3)]
    announce(tournament, [], updates=lines, **LATER)
    take_out(tournament, 2, at=AT)
    assert [change["start_number"] for change in ImportedList.objects.get(number=3).changed] == [3]
    take_out_list(tournament, 1, only_untouched=True, **LATER)
    assert ImportedList.objects.get(number=3).changed == []


def test_an_announced_player_is_taken_out_alone(tournament: Tournament) -> None:
    an_import(tournament)
    take_out(tournament, 2, at=AT)
    assert names(tournament) == names_of([1, 3, 4, 5])
    pays(tournament, 3)
    set_presence(tournament, 4, present=True)
    for number, code in ((3, "has_paid_since"), (4, "not_announced"), (9, "unknown_participant")):
        with pytest.raises(Refusal, match=code):
            take_out(tournament, number, at=AT)


def test_money_that_was_counted_stays(tournament: Tournament) -> None:
    """A desk of this name that was there before the import has a drawer, and is counted."""
    set_up_desk(tournament, "Vorab bezahlt")
    an_import(tournament)
    close_desk(tournament, tournament.desks.get(name="Vorab bezahlt").number, pieces={"500": 1}, **BY)
    with pytest.raises(Refusal, match="desk_closed"):
        take_out_list(tournament, 1, **BY)
    assert cents(tournament) == [100] * 5


# --- the pages ------------------------------------------------------------------------------------------------------


@pytest.fixture
def desk(tournament: Tournament) -> Cashier:
    return Cashier(tournament=tournament)


def enter(desk: Cashier, text: str, **more: object) -> str:
    url = desk.url("import_list")
    seen = desk.client.post(url, {"text": text, **more}).context["preview"].digest
    answer = desk.client.post(url, {"text": text, "seen": seen, "enter": "1", **more}, follow=True)
    return answer.content.decode()


def test_the_way_back_is_shown_after_the_import_and_goes(desk: Cashier) -> None:
    page = enter(desk, "Name;Bezahlt\nSepp Huber;ja\nAnna Meier;nein")
    assert f'<a href="{desk.url("import_list")}#lists">Diese Liste wieder herausnehmen</a>' in page
    set_presence(desk.tournament, 2, present=True)
    page = " ".join(desk.get("import_list").split())
    assert "Davon sind schon da:</b> Anna Meier" in page
    answer = desk.client.post(desk.url("take_list_out", 1), follow=True).content.decode()
    assert "2 Einträge der Liste sind zurückgenommen." in answer
    assert names(desk.tournament) == []
    assert desk.figures()["cash"] == "0,00 €"


def test_a_list_that_only_changes_people_has_a_way_back_and_says_who_stays(desk: Cashier) -> None:
    enter(desk, "Sepp Huber\nAnna Meier")
    again = "Nr;Name;Verein\n1;Sepp Huber;Krone\n2;Anna Meier;Krone"
    link = '#lists">Diese Liste wieder herausnehmen</a>'
    assert link in enter(desk, again)
    assert link not in enter(desk, again)
    desk.tournament.participants.filter(start_number=2).update(club="Adler")
    answer = desk.client.post(desk.url("take_list_out", 2), follow=True).content.decode()
    assert "Ein Eintrag der Liste ist zurückgenommen." in answer
    assert "Einer bleibt, wie er ist." in answer


def test_the_page_names_who_stays_and_why(desk: Cashier) -> None:
    enter(desk, "Sepp Huber\nAnna Meier\nLena Kern")
    pays(desk.tournament, 2)
    answer = desk.client.post(desk.url("take_list_out", 1))
    page = " ".join(answer.content.decode().split())
    assert answer.status_code == 422
    assert "Es ist nichts geändert" in page
    assert re.findall(r"<li>(Für Anna Meier ist[^.]*)\.", page)
    assert "Die anderen 2 herausnehmen" in page
    desk.client.post(desk.url("take_list_out", 1), {"untouched": "1"})
    assert names(desk.tournament) == ["Anna Meier"]


def test_an_announced_player_is_taken_out_at_the_door(desk: Cashier) -> None:
    enter(desk, "Sepp Huber\nAnna Meier")
    assert desk.url("act", 1, "take-out") in desk.get("desk")
    assert "ist herausgenommen" in desk.act(1, "take-out")
    assert names(desk.tournament) == ["Anna Meier"]
    back = desk.client.post(desk.url("act", 2, "take-out"), {"from": "person", "next": desk.url("desk")})
    assert back["Location"] == desk.url("desk")


def test_a_list_read_twice_names_who_is_there_and_enters_only_the_others(desk: Cashier) -> None:
    terms(desk.tournament)
    signed_up(desk.tournament, "Lena Kern", club="SV Ort")
    enter(desk, "Name;Verein\nSepp Huber;Krone\nSepp Huber;Post\nAnna Meier;")
    assert names(desk.tournament) == ["Sepp Huber", "Sepp Huber", "Anna Meier"]
    again = "Name;Verein\nSepp Huber;Krone\nSepp Huber;Post\nAnna Meier;\nLena Kern;SV\nMax Auer;"
    page = desk.client.post(desk.url("import_list"), {"text": again}).content.decode()
    for sentence in (
        "wie Nr. 1, schon in der Liste der Spieler: Sepp Huber, Krone",
        "wie Nr. 2, schon in der Liste der Spieler: Sepp Huber, Post",
        "wie Nr. 3, schon in der Liste der Spieler: Anna Meier",
        "wie A1, hat sich schon selbst angemeldet: Lena Kern, SV Ort",
    ):
        assert sentence in page
    enter(desk, again)
    assert names(desk.tournament) == ["Sepp Huber", "Sepp Huber", "Anna Meier", "Max Auer"]
    assert "niemand Neues" in enter(desk, again)
    assert ImportedList.objects.filter(tournament=desk.tournament).count() == 2


@pytest.mark.parametrize("text", ["Name;Verein\nA B;Krone\nA B;Post", "Nr;Name\n7;A B\n9;A B"])
def test_what_the_file_tells_apart_is_no_double(desk: Cashier, text: str) -> None:
    enter(desk, text)
    assert names(desk.tournament) == ["A B", "A B"]


def test_what_was_chosen_stays_chosen(desk: Cashier) -> None:
    text = "Wer;Woher;Name;Beitrag\nSepp Huber;Krone;x;Jugend\nSepp Huber;Krone;x;\n"
    chosen = {
        "column": ["name", "club", "", "fee"], "guess": ["", "", "name", "fee"], "doubles": "on",
        "fee_word": "Jugend", "fee": "full", "order": "last_first",
    }  # fmt: skip
    preview = desk.client.post(desk.url("import_list"), {"text": text, **chosen}).context["preview"]
    assert [column.meaning for column in preview.people.columns] == ["name", "club", "", "fee"]
    assert (preview.people.order, preview.choices.with_doubles) == ("last_first", True)
    enter(desk, text, **chosen)
    assert names(desk.tournament) == ["Sepp, Huber", "Sepp, Huber"]
