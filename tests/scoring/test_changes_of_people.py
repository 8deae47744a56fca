"""The log of changes of players: who changed what and when; on the page, in the document, and after a purge."""

import json
import re

import pytest

from scoring.documents import dump, export_tournament, import_tournament
from scoring.services.purge import delete_practice_tournament, erase_person
from tests.factories import AT, ParticipantFactory
from tests.tournaments.door.doors import Cashier
from tournaments.core.document_reader import DocumentError
from tournaments.models import PersonChange, Tournament
from tournaments.services import exclusion

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Cashier:
    desk = Cashier()
    for name in ("Huber Sepp", "Maier Anni", "Wagner Kathi"):
        ParticipantFactory.create(tournament=desk.tournament, name=name)
    return desk


def correct(desk: Cashier, name: str, names: str = "") -> None:
    address = desk.url("person", 1)
    assert desk.client.post(address, {"name": name, "club": "", "names": names}).status_code == 302


def changes(tournament: Tournament, start_number: int = 1) -> list[tuple[str, str, str]]:
    found = PersonChange.objects.filter(participant__tournament=tournament)
    found = found.filter(participant__start_number=start_number).order_by("id")
    return list(found.values_list("kind", "text", "by"))


def changes_on_page(desk: Cashier) -> list[str]:
    page = desk.get("person", 1)
    found = re.search(r'aria-label="Änderungen">.*?</table>', page, re.DOTALL)
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", found[0], re.DOTALL)[1:] if found else []
    return [" ".join(re.sub(r"<[^>]*>", " ", row).split()).split(" ", 2)[2] for row in rows]


def test_what_is_done_to_a_player_is_recorded_with_who_did_it(desk: Cashier) -> None:
    cashier = Cashier("cashier", desk.tournament)
    correct(desk, "Huber Josef")
    cashier.act(1, "hide-name")
    cashier.act(1, "withdraw")
    cashier.act(1, "return")
    desk.client.post(desk.url("exclude", 1), {"reason": "falsch eingetragen"})
    desk.client.post(desk.url("readmit", 1))
    chief, cash = desk.user.username, cashier.user.username

    assert changes(desk.tournament) == [
        ("renamed", "Huber Sepp", chief),
        ("naming", "", cash),
        ("withdrawn", "", cash),
        ("returned", "", cash),
        ("excluded", "falsch eingetragen", chief),
        ("readmitted", "", chief),
    ]
    assert changes(desk.tournament, 2) == []
    assert changes_on_page(desk) == [
        f"umbenannt, vorher „Huber Sepp“ {chief}",
        f"Name in der Öffentlichkeit geändert {cash}",
        f"abgemeldet {cash}",
        f"spielt wieder mit {cash}",
        f"ausgeschlossen „falsch eingetragen“ {chief}",
        f"Ausschluss zurückgenommen {chief}",
    ]
    assert f"ausgeschlossen {chief}" in changes_on_page(
        cashier
    )  # without the reason, as on the rest of the page


def test_what_changes_nothing_or_is_refused_is_not_recorded(desk: Cashier) -> None:
    correct(desk, "Huber Sepp")
    desk.act(1, "return")
    desk.act(1, "show-name")
    desk.client.post(desk.url("exclude", 1), {"reason": ""})
    assert changes(desk.tournament) == []
    assert changes_on_page(desk) == []


def test_a_registration_taken_back_is_a_withdrawal(desk: Cashier) -> None:
    desk.act(1, "unregister")
    assert changes(desk.tournament) == [("withdrawn", "", desk.user.username)]


def test_the_document_has_them_and_one_without_them_is_read(desk: Cashier) -> None:
    correct(desk, "Huber Josef", names="number")
    text = dump(export_tournament(desk.tournament)).replace(desk.tournament.slug, "anderswo")
    elsewhere = import_tournament(text, at=AT)
    assert changes(elsewhere) == changes(desk.tournament)
    assert dump(export_tournament(elsewhere)) == text

    document = json.loads(text.replace("anderswo", "frueher"))
    for person in document["participants"]:
        del person["changes"]
    assert changes(import_tournament(json.dumps(document), at=AT)) == []


def test_a_change_of_no_known_kind_is_refused(desk: Cashier) -> None:
    desk.act(1, "withdraw")
    document = export_tournament(desk.tournament)
    document["tournament"]["slug"] = "anderswo"
    document["participants"][0]["changes"][0]["kind"] = "vergessen"
    with pytest.raises(DocumentError) as caught:
        import_tournament(json.dumps(document), at=AT)
    assert caught.value.path == "$.participants[0].changes[0].kind"


def test_erasing_a_player_takes_earlier_names_and_reasons_with_it(desk: Cashier) -> None:
    correct(desk, "Huber Josef")
    desk.act(1, "withdraw")
    exclusion.exclude(desk.tournament, 2, reason="hat mit Huber gestritten", by="chef", at=AT)
    exclusion.exclude(desk.tournament, 3, reason="falsch eingetragen", by="chef", at=AT)

    erase_person(desk.tournament, 1, by="leitung", at=AT)

    assert changes(desk.tournament) == [("withdrawn", "", desk.user.username)]
    assert changes(desk.tournament, 2) == []
    assert changes(desk.tournament, 3) == [("excluded", "falsch eingetragen", "chef")]
    assert "Huber" not in json.dumps(export_tournament(desk.tournament)["participants"][0])


def test_a_practice_tournament_goes_with_them(desk: Cashier) -> None:
    desk.act(1, "withdraw")
    Tournament.objects.filter(pk=desk.tournament.pk).update(is_practice=True)
    delete_practice_tournament(desk.tournament, by="leitung", at=AT)
    assert not PersonChange.objects.filter(participant__tournament=desk.tournament).exists()
