"""The API of the scribe's phone: its answers and refusals."""

import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import strip_tags

from scoring.core.marks import mark_of
from scoring.models import SheetEntry
from scoring.phone.payload import phone_sheet
from scoring.services import rounds as scoring_rounds
from scoring.services import sheets
from scoring.sheet_log import open_sheet
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_paper_sheet, a_round
from tournaments import links
from tournaments.models import Round, Table, Tournament
from tournaments.rulesets.loader import preset
from tournaments.services import rounds

pytestmark = pytest.mark.django_db

KNOCK = {"losers": [2], "ended_by": "knock", "finisher": None}
MADE_AT = "2026-11-21T19:30:00+01:00"
ADDRESSES = ["/s/enter", "/s/pen", "/s/entries", "/s/scribe", "/s/link"]


@pytest.fixture
def tournament() -> Tournament:
    tournament = TournamentFactory.create()
    ParticipantFactory.create_batch(10, tournament=tournament)
    return tournament


@pytest.fixture
def table(tournament: Tournament) -> Table:
    table = a_round(tournament).tables.order_by("number").first()
    assert table is not None
    return table


@pytest.fixture
def phone(table: Table) -> Client:
    """A phone that has entered and has the pen."""
    phone = entered(table)
    assert post(phone, "/s/pen", {}).status_code == 200
    return phone


def secret_of(table: Table) -> str:
    return links.sheet_secret(table.pk, table.link_version)


def post(phone: Client, address: str, body: Any, **headers: str) -> Any:
    text = body if isinstance(body, bytes | str) else json.dumps(body)
    return phone.post(address, text, content_type="application/json", headers=headers)


def entered(table: Table, phone: Client | None = None) -> Client:
    phone = phone or Client()
    assert post(phone, "/s/enter", {"secret": secret_of(table)}).status_code == 200
    return phone


def entry(kind: str = "deal", data: Any = None, **changed: Any) -> dict[str, Any]:
    made = {"id": str(uuid4()), "kind": kind, "data": KNOCK if data is None else data, "made_at": MADE_AT}
    return {**made, **changed}


def send(phone: Client, *entries: Any, pen_epoch: Any = 1) -> Any:
    return post(phone, "/s/entries", {"pen_epoch": pen_epoch, "entries": list(entries)})


def outcomes(response: Any) -> list[str]:
    return [result["outcome"] for result in response.json()["results"]]


# --- entering ------------------------------------------------------------------------------------------------------


def test_the_page_is_the_same_for_everybody_and_holds_no_secret() -> None:
    response = Client().get("/s/")

    assert response.status_code == 200
    assert response["Referrer-Policy"] == "no-referrer"
    assert response["Cache-Control"] == "no-store"
    assert "unsafe" not in response["Content-Security-Policy"]


def test_the_page_says_how_much_an_entry_may_hold() -> None:
    html = Client().get("/s/").content.decode()
    found = re.search(r'<template id="config">(.*?)</template>', html, re.DOTALL)

    assert found is not None
    assert json.loads(unescape(found[1]))["limits"] == {"longest_text": 500, "largest_value": 1_000_000}


def test_the_secret_is_exchanged_for_a_cookie_and_the_sheet(table: Table) -> None:
    phone = Client()

    response = post(phone, "/s/enter", {"secret": secret_of(table)})

    assert response.status_code == 200
    assert response["Cache-Control"] == "no-store"
    cookie = phone.cookies["sheet"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/s/", True, "Strict")
    assert phone.get("/s/sheet").json() == response.json()


def test_the_sheet_says_all_that_the_phone_needs(tournament: Tournament, table: Table) -> None:
    sheet = entered(table).get("/s/sheet").json()

    seats = list(table.seats.order_by("seat_number").select_related("participant"))
    assert sheet == {
        "key": str(table.pk),
        "tournament": tournament.slug,
        "tournament_name": tournament.name,
        "round": 1,
        "round_state": "released",
        "table": table.number,
        "state": "open",
        "mark": None,
        "seats": [
            {
                "seat_number": seat.seat_number,
                "start_number": seat.participant.start_number,
                "name": seat.participant.name,
            }
            for seat in seats
        ],
        "ruleset": tournament.ruleset,
        "pen": {"epoch": 0, "mine": False, "taken": False},
        "entries": [],
        "results": [
            {"seat_number": seat.seat_number, "rank": None, "points": None, "strokes": 0} for seat in seats
        ],
        "parked": [],
        "called_at": None,
        "scribe": {"seat_number": 1, "agreed": False},
        "started_at": None,
    }


def test_a_sheet_shows_its_mark_when_it_is_handed_in_and_another_when_it_is_accepted(table: Table) -> None:
    a_paper_sheet(table)
    accepted = phone_sheet(open_sheet(table.pk), "")
    sheets.write(table, [("reopened", {"reason": "doch nicht"})], by="leitung", at=AT)
    open_again = phone_sheet(open_sheet(table.pk), "")
    sheets.write(table, [("submitted", {})], by="leitung", at=AT)
    submitted = phone_sheet(open_sheet(table.pk), "")
    marks = [json.loads(sheet)["mark"] for sheet in (accepted, open_again, submitted)]
    assert marks == [marks[0], None, mark_of(open_sheet(table.pk).digest)]
    assert len(marks[0]) == 8
    assert marks[0] != marks[2]


def test_a_sheet_of_hands_says_which_points_a_hand_can_have() -> None:
    tournament = TournamentFactory.create(ruleset=preset("fce").to_dict())
    ParticipantFactory.create_batch(5, tournament=tournament)

    sheet = entered(a_round(tournament).tables.get()).get("/s/sheet").json()

    sums = [*range(29, 23, -1), *range(21, 14, -1), 11, 10, 9, 8]  # of one to three cards, seven the lowest
    assert sheet["hand_values"] == [35, 33, 31, 30, *sums]
    assert sheet["ruleset"] == tournament.ruleset


@pytest.mark.parametrize(
    "spoil",
    [
        lambda secret: "",
        lambda secret: "7",
        lambda secret: "1-",
        lambda secret: secret[:-1],
        lambda secret: secret.upper() + "a",
        lambda secret: "999999999-" + secret.split("-")[1],
        lambda secret: "x" * 10_000,
        lambda secret: "9" * 30 + "-aaaa",
        lambda secret: "１-aaaa",
    ],
)
def test_a_wrong_secret_is_refused_with_a_sentence(table: Table, spoil: Callable[[str], str]) -> None:
    response = post(Client(), "/s/enter", {"secret": spoil(secret_of(table))})

    assert response.status_code == 401
    assert response.json() == {
        "error": "Dieser Link gilt nicht mehr. Bitte den Code auf dem Tisch noch einmal scannen, oder beim "
        "Veranstalter einen neuen holen."
    }


def test_a_round_that_is_not_released_lets_nobody_in(tournament: Tournament) -> None:
    table = a_round(tournament, released=False).tables.get(number=1)

    assert post(Client(), "/s/enter", {"secret": secret_of(table)}).status_code == 401


def test_a_revoked_link_throws_every_phone_out_at_once(
    tournament: Tournament, table: Table, phone: Client
) -> None:
    old_secret = secret_of(table)

    rounds.revoke_link(tournament, 1, table.number)

    assert phone.get("/s/sheet").status_code == 401
    assert send(phone, entry()).status_code == 401
    assert post(Client(), "/s/enter", {"secret": old_secret}).status_code == 401
    table.refresh_from_db()
    assert post(phone, "/s/enter", {"secret": secret_of(table)}).json()["pen"]["mine"] is True


def test_a_redraw_that_takes_the_table_away_throws_its_phones_out(
    tournament: Tournament, table: Table, phone: Client
) -> None:
    wish = scoring_rounds.DrawOptions()
    scoring_rounds.draw_again(tournament, 1, options=wish, reason="Einer fehlt", by="o", at=timezone.now())

    assert phone.get("/s/sheet").status_code == 401
    assert send(phone, entry()).status_code == 401
    assert post(phone, "/s/pen", {}).status_code == 401


def test_a_closed_round_takes_the_link_and_leaves_the_sheet_to_read(
    tournament: Tournament, table: Table, phone: Client
) -> None:
    scoring_rounds.close(tournament, 1, reason="Abend vorbei", at=timezone.now())

    assert post(Client(), "/s/enter", {"secret": secret_of(table)}).json() == {
        "error": "Die 1. Spielrunde ist abgeschlossen, ihr Code gilt nicht mehr. Bitte den Code der neuen "
        "Spielrunde scannen.",
        "tournament": tournament.slug,
    }
    assert phone.get("/s/sheet").json()["round_state"] == "closed"
    late = send(phone, entry())
    assert outcomes(late) == ["parked"]
    assert [parked["outcome"] for parked in late.json()["sheet"]["parked"]] == [""]
    taking = post(phone, "/s/pen", {})
    assert (taking.status_code, list(taking.json())) == (409, ["error"])


# --- writing -------------------------------------------------------------------------------------------------------


def test_entries_are_answered_in_the_order_they_were_sent(phone: Client) -> None:
    first, second = entry(), entry("stroke", {"seat_number": 1, "mark": "feuer"})
    spoilt = entry("stroke", {"seat_number": 99, "mark": "feuer"})

    response = send(phone, first, spoilt, first, second)

    assert [(result["id"], result["outcome"]) for result in response.json()["results"]] == [
        (first["id"], "recorded"),
        (spoilt["id"], "refused"),
        (first["id"], "duplicate"),
        (second["id"], "recorded"),
    ]
    assert response.json()["results"][1] == {
        "id": spoilt["id"],
        "outcome": "refused",
        "reason": "Platz-Nr. 99 gibt es an diesem Tisch nicht. Bitte die Platz-Nr. prüfen.",
        "code": "unknown_seat",
        "params": {"seat": 99},
    }
    assert [written["id"] for written in response.json()["sheet"]["entries"]] == [first["id"], second["id"]]
    assert response.json()["sheet"]["entries"][0]["made_at"] == "2026-11-21T18:30:00Z"


def test_a_repeat_is_a_duplicate_and_writes_nothing(phone: Client) -> None:
    one = entry()
    send(phone, one)
    before = SheetEntry.objects.count()

    assert outcomes(send(phone, one)) == ["duplicate"]
    assert outcomes(send(phone, {**one, "id": one["id"].upper()})) == ["duplicate"]
    assert SheetEntry.objects.count() == before == 1


def test_the_same_id_with_another_body_is_refused(phone: Client) -> None:
    one = entry()
    send(phone, one)

    response = send(phone, {**one, "data": {**KNOCK, "losers": [3]}})

    assert response.json()["results"][0]["code"] == "id_taken"


def test_who_has_no_pen_is_refused_and_who_had_it_is_parked(table: Table, phone: Client) -> None:
    other = entered(table)
    assert other.get("/s/sheet").json()["pen"] == {"epoch": 1, "mine": False, "taken": True}
    assert [result["code"] for result in send(other, entry()).json()["results"]] == ["no_pen"]

    taken = post(other, "/s/pen", {})

    assert taken.json()["pen"] == {"epoch": 2, "mine": True, "taken": True}
    late = entry()
    assert outcomes(send(phone, late)) == ["parked"]
    assert outcomes(send(phone, late)) == ["parked"]
    assert phone.get("/s/sheet").json()["parked"] == [
        {"id": late["id"], "kind": "deal", "data": KNOCK, "outcome": "", "reason": ""}
    ]
    assert outcomes(send(other, entry(), pen_epoch=2)) == ["recorded"]


@pytest.mark.parametrize(
    "made_at",
    [
        None,
        5,
        "",
        "2026-11-21",
        "2026-11-21T19:30:00",
        "gestern",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59Z",
    ],
)
def test_an_entry_without_a_moment_is_refused_and_the_next_is_not(phone: Client, made_at: object) -> None:
    response = send(phone, entry(made_at=made_at), entry())

    assert outcomes(response) == ["refused", "recorded"]


def test_what_only_the_organiser_may_do_is_refused_to_a_phone(phone: Client) -> None:
    response = send(
        phone, entry("accepted", {"reason": "so ist es"}), entry("reopened", {"reason": "doch nicht"})
    )

    assert [result["code"] for result in response.json()["results"]] == ["organiser_only", "organiser_only"]


def test_a_tab_that_was_opened_for_another_table_writes_nothing(phone: Client) -> None:
    body = {"pen_epoch": 1, "entries": [entry()]}

    assert post(phone, "/s/entries", body, **{"Sheet-Key": "0"}).status_code == 409
    assert post(phone, "/s/pen", {}, **{"Sheet-Key": "0"}).status_code == 409
    assert SheetEntry.objects.count() == 0


def test_one_entry_takes_at_most_ten_queries(phone: Client) -> None:
    send(phone, entry())

    with CaptureQueriesContext(connection) as captured:
        response = send(phone, entry(data={**KNOCK, "losers": [1]}))

    assert outcomes(response) == ["recorded"]
    assert len(captured) <= 10, [query["sql"] for query in captured.captured_queries]


def test_a_hundred_entries_take_as_many_queries_as_one(phone: Client) -> None:
    strokes = [entry("stroke", {"seat_number": 1, "mark": "schnauz"}) for _ in range(102)]
    send(phone, strokes[0])
    with CaptureQueriesContext(connection) as one:
        send(phone, strokes[1])
    with CaptureQueriesContext(connection) as hundred:
        send(phone, *strokes[2:])

    assert len(hundred) == len(one)


def test_sentences_come_in_the_readers_language(phone: Client) -> None:
    german = send(phone, entry(data={**KNOCK, "losers": []})).json()["results"][0]["reason"]

    assert german == "Es fehlt, wer verloren hat. Bitte mindestens einen Spieler antippen."


# --- invalid requests ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ADDRESSES)
def test_reading_what_only_writes_is_a_wrong_method(address: str) -> None:
    response = Client().get(address)

    assert (response.status_code, response["Allow"]) == (405, "POST")


@pytest.mark.parametrize("address", ["/s/", "/s/sheet"])
def test_writing_what_only_reads_is_a_wrong_method(address: str) -> None:
    response = post(Client(), address, {})

    assert (response.status_code, response["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("cookie", [None, "", "x", "a:b:c", "é"])
def test_without_a_good_cookie_nothing_is_told(table: Table, cookie: str | None) -> None:
    phone = Client()
    if cookie is not None:
        phone.cookies["sheet"] = cookie

    for response in (phone.get("/s/sheet"), post(phone, "/s/pen", {}), send(phone, entry())):
        assert response.status_code == 401
        assert list(response.json()) == ["error"]
        assert response["Cache-Control"] == "no-store"


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://example.org"},
        {"Origin": "null"},
        {"Origin": "http://testserver.example.org"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_foreign_page_is_refused(phone: Client, address: str, headers: dict[str, str]) -> None:
    assert post(phone, address, b"no json", **headers).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://testserver"},
        {"Origin": "http://localhost:8000"},
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"},
    ],
)
def test_our_own_page_is_welcome(phone: Client, headers: dict[str, str]) -> None:
    assert post(phone, "/s/pen", {}, **headers).status_code == 200


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"]
)
def test_another_content_type_is_refused(phone: Client, content_type: str) -> None:
    assert phone.post("/s/pen", b"{}", content_type=content_type).status_code == 415


def test_json_with_a_charset_is_json(phone: Client) -> None:
    assert phone.post("/s/pen", b"{}", content_type="application/json; charset=utf-8").status_code == 200


@pytest.mark.parametrize("address", ADDRESSES)
def test_more_than_a_megabyte_is_too_much(phone: Client, address: str) -> None:
    assert post(phone, address, b" " * 1_000_001).status_code == 413


def test_an_announced_length_that_is_a_lie_does_not_help(phone: Client) -> None:
    assert (
        phone.post("/s/pen", b"{}", content_type="application/json", CONTENT_LENGTH="5000000").status_code
        == 413
    )


BAD_JSON = [
    b"no json",
    b"\xff",
    b"[]",
    b"null",
    b'"x"',
    b"{",
    b'{"secret": NaN}',
    b'{"secret": Infinity}',
    b'{"secret": 1e999}',
    b'{"secret": "a", "secret": "b"}',
    b'{"secret": "a", "more": 1}',
    b'{"secret": 5}',
    b'{"secret": "\\u0000"}',
    b'{"secret": "\\ud800"}',
    b'{"secret": ' + b"[" * 100_000,
    b'{"secret": ' + b"[" * 40 + b"]" * 40 + b"}",
    b'{"secret": ' + b"9" * 30 + b"}",
]


@pytest.mark.parametrize("body", BAD_JSON)
def test_a_bad_body_is_answered_with_an_error(body: bytes) -> None:
    response = post(Client(), "/s/enter", body)

    assert response.status_code == 400
    assert response.json() == {
        "error": "Diese Anfrage ist unlesbar. Bitte die Seite neu laden und noch einmal versuchen."
    }


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"entries": []},
        {"pen_epoch": 1},
        {"pen_epoch": 1, "entries": {}},
        {"pen_epoch": -1, "entries": []},
        {"pen_epoch": True, "entries": []},
        {"pen_epoch": 1.0, "entries": []},
        {"pen_epoch": "1", "entries": []},
        {"pen_epoch": 2**40, "entries": []},
        {"pen_epoch": 1, "entries": [], "more": 1},
        {"pen_epoch": 1, "entries": [None]},
        {"pen_epoch": 1, "entries": [{}]},
        {"pen_epoch": 1, "entries": [entry(id="7")]},
        {"pen_epoch": 1, "entries": [entry(id=None)]},
    ],
)
def test_a_batch_in_no_shape_writes_nothing(phone: Client, body: object) -> None:
    response = post(phone, "/s/entries", body)

    assert (response.status_code, list(response.json())) == (400, ["error"])
    assert SheetEntry.objects.count() == 0


@pytest.mark.parametrize(
    "misfit",
    [
        {**entry(), "kind": None},
        entry(more=1),
        entry(data={"seat_number": 2**64, "mark": "schnauz"}),
        entry(kind="objected", data={"seat_number": 1, "note": "\x00"}),
        entry(kind="objected", data={"seat_number": 1, "note": "\ud800"}),
        {name: value for name, value in entry().items() if name != "made_at"},
    ],
)
def test_a_misfit_among_the_entries_is_refused_alone(phone: Client, misfit: dict[str, object]) -> None:
    answer = post(phone, "/s/entries", {"pen_epoch": 1, "entries": [entry(), misfit, entry()]}).json()
    assert [result["outcome"] for result in answer["results"]] == ["recorded", "refused", "recorded"]


def test_many_entries_are_taken_at_once(phone: Client) -> None:
    strokes = [entry("stroke", {"seat_number": 1, "mark": "schnauz"}) for _ in range(800)]
    answer = post(phone, "/s/entries", {"pen_epoch": 1, "entries": strokes}).json()
    assert {result["outcome"] for result in answer["results"]} == {"recorded"}


def test_data_that_is_no_mapping_is_refused_entry_by_entry(phone: Client) -> None:
    response = send(
        phone, entry(data=[]), entry(data="x"), entry("cheered", {}), entry(data={**KNOCK, "é": 1}), entry()
    )

    assert outcomes(response) == ["refused", "refused", "refused", "refused", "recorded"]


def test_a_round_is_redrawn_only_while_nothing_is_written(table: Table) -> None:
    """Phones rely on it: a table with entries is never deleted."""
    phone = entered(table)
    post(phone, "/s/pen", {})
    send(phone, entry())

    assert Round.objects.get(pk=table.round_id).tables.count() == 2
    assert open_sheet(table.pk).log.state.deals == 1


# --- the link, the history, and the page without a network ---------------------------------------------------------


def test_the_phone_with_the_pen_gets_the_link_for_another_one(table: Table, phone: Client) -> None:
    answer = post(phone, "/s/link", {})

    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")
    assert answer.json()["url"] == f"http://localhost:8000/s/#{secret_of(table)}"
    assert answer.json()["picture"].startswith("data:image/svg+xml")


def test_a_phone_that_only_watches_gets_no_link(table: Table, phone: Client) -> None:
    watching = entered(table)

    assert post(watching, "/s/link", {}).status_code == 409
    assert post(Client(), "/s/link", {}).status_code == 401
    assert post(phone, "/s/link", {}, **{"Sheet-Key": "0"}).status_code == 409
    assert post(phone, "/s/link", {"more": 1}).status_code == 400


def test_after_the_round_there_is_no_link_to_get(tournament: Tournament, phone: Client) -> None:
    scoring_rounds.close(tournament, 1, reason="Abend vorbei", at=timezone.now())

    answer = post(phone, "/s/link", {})

    assert (answer.status_code, list(answer.json())) == (409, ["error"])


def test_the_history_shows_everything_to_whoever_is_at_the_table(table: Table, phone: Client) -> None:
    first, objection = entry(), entry("objected", {"seat_number": 3, "note": "So war das nicht"})
    taken_back = entry("voided", {"entry": objection["id"]})
    send(phone, first, objection, taken_back)
    new = {**KNOCK, "losers": [4]}
    correction = {"entry": first["id"], "data": new, "reason": "Verwechselt"}
    sheets.write(table, [("corrected", correction)], by="maria", initials="MB", at=timezone.now())
    names = {seat.seat_number: seat.participant.name for seat in table.seats.select_related("participant")}

    page = entered(table).get("/s/history")

    assert (page.status_code, page["Cache-Control"]) == (200, "no-store")
    said = " ".join(strip_tags(page.content.decode()).split())
    assert f"Geklopft, ein Leben verliert: {names[2]} → Geklopft, ein Leben verliert: {names[4]}" in said
    assert "„Verwechselt“" in said
    assert "Veranstalter MB" in said
    assert "Eintrag 2 zurückgenommen" in said
    assert "„So war das nicht“ zurückgenommen" in said


def test_the_history_is_for_the_table_only_and_outlives_the_round(
    tournament: Tournament, table: Table, phone: Client
) -> None:
    stranger = Client().get("/s/history")
    assert (stranger.status_code, stranger["Content-Type"]) == (401, "text/html; charset=utf-8")
    assert "Dieses Handy ist an keinem Tisch angemeldet." in stranger.content.decode()
    send(phone, entry())

    scoring_rounds.close(tournament, 1, reason="Abend vorbei", at=timezone.now())

    assert "Geklopft" in phone.get("/s/history").content.decode()
    rounds.revoke_link(tournament, 1, table.number)
    assert phone.get("/s/history").status_code == 401


def test_the_service_worker_keeps_everything_that_the_page_loads() -> None:
    page, worker = Client().get("/s/"), Client().get("/s/worker.js")

    loaded = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', page.content.decode()))
    kept = json.loads(worker.content.decode().partition("keep(")[2].rpartition(")")[0])
    assert worker["Content-Type"] == "text/javascript; charset=utf-8"
    assert worker["Cache-Control"] == "no-cache"
    assert "worker-src 'self'" in page["Content-Security-Policy"]
    assert kept["page"] == "/s/"
    assert kept["version"] == page["Sheet-Page"] == Client().get(kept["words"])["Sheet-Page"]
    kinds = {
        f"/static/js/sheet/{kind}{part}.js"
        for kind in ("survival", "hand_points", "plus_minus")
        for part in ("", "_view")
    }
    later = {
        f"/static/js/sheet/{name}.js"
        for name in (
            "office",
            "tray",
            "extras",
            "after",
            "call",
            "me_here",
            "missing",
            "moving",
            "own",
            "update",
        )
    }
    asked_for = {"/static/icons/phone.svg", "/static/js/has.js", *later}
    assert set(kept["files"]) == loaded | kinds | asked_for
    again = Client().get("/s/worker.js", headers={"If-None-Match": worker["ETag"]})
    assert again.status_code == 304
