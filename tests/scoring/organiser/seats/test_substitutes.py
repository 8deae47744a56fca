"""Substitutes for players who leave a Schafkopf evening (RULES 5.1)."""

import json
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.documents import dump, export_tournament, import_tournament
from scoring.models import ParkedEntry
from scoring.queries.substitutes import leaver
from scoring.queries.table_monitor import table_monitor
from scoring.services.parked_entries import discard
from scoring.services.rounds import DrawOptions, close, draw_again
from scoring.services.seats import substitute, take_back
from scoring.services.sheets import Sent, free_pen, record, take_pen, write
from tests.factories import AT, ParticipantFactory
from tests.scoring.organiser.rounds.test_drawn_ahead import DEAL, a_schafkopf, both_drawn
from tests.scoring.organiser.rounds.test_knockout import field, refused, seated
from tests.scoring.pages import Staff, text_of
from tournaments.core.document_reader import DocumentError
from tournaments.models import Participant, SeatChange, Table, Tournament
from tournaments.services import door, rounds
from tournaments.services.door import Newcomer
from tournaments.verification import verify_draws

pytestmark = pytest.mark.django_db

NEW = Newcomer("Ersatz Emil")
COUNTS = ("tout_won", "tout_played", "solo_won", "solo_played")


def put_in(
    tournament: Tournament, leaver: int, by_whom: int | Newcomer = NEW, reason: str = "krank"
) -> Participant:
    return substitute(tournament, leaver, by_whom, reason=reason, by="spielleitung", at=AT)


def table_of(tournament: Tournament, number: int, player: int) -> Table:
    return Table.objects.get(
        round__tournament=tournament, round__number=number, seats__participant__start_number=player
    )


def first_round_played(desk: Staff, winner: int) -> None:
    """Release, type in and close the first round: the winner has +6, the others at that table −2."""
    tournament = desk.tournament
    rounds.release(tournament, 1, reason="gleich", at=AT)
    for table in tournament.rounds.get(number=1).tables.all():
        seats = {str(seat.seat_number): seat.participant.start_number for seat in table.seats.all()}
        wins = winner in seats.values()
        points = {seat: (6 if player == winner else -2) if wins else 0 for seat, player in seats.items()}
        counts = {name: dict.fromkeys(seats, 0) for name in COUNTS}
        write(
            table, [("totalled", {"points": points, **counts}), ("accepted", {"reason": "x"})], by="x", at=AT
        )
    close(tournament, 1, at=AT)


# --- seats ---------------------------------------------------------------------------------------------------------


def test_rules_5_1_before_the_start_the_substitute_takes_both_seats() -> None:
    """RULES 5.1."""
    tournament = both_drawn().tournament
    before = [seated(tournament, number) for number in (1, 2)]
    new = put_in(tournament, 3)
    as_drawn = [[[new.start_number if p == 3 else p for p in t] for t in tables] for tables in before]
    assert [seated(tournament, number) for number in (1, 2)] == as_drawn
    assert new.start_number == 9
    assert Participant.objects.get(tournament=tournament, start_number=3).withdrawn_at is not None


def test_rules_5_1_a_seat_at_a_sheet_that_is_begun_stays_the_leavers() -> None:
    """RULES 5.1: the other tables of the round have no influence."""
    desk = both_drawn()
    tournament = desk.tournament
    rounds.release(tournament, 1, reason="gleich", at=AT)
    write(table_of(tournament, 1, 3), [("deal", DEAL)], by="x", at=AT)
    new = put_in(tournament, 3).start_number
    assert (3 in field(tournament, 1), new in field(tournament, 1)) == (True, False)
    assert (3 in field(tournament, 2), new in field(tournament, 2)) == (False, True)
    elsewhere = next(player for table in seated(tournament, 1) if 3 not in table for player in table)
    other = put_in(tournament, elsewhere, Newcomer("Noch einer")).start_number
    assert other in field(tournament, 1) & field(tournament, 2)


def test_rules_5_1_points_stay_with_the_player_who_scored_them() -> None:
    """RULES 5.1: the leaver keeps the points, the substitute starts with none."""
    desk = both_drawn()
    first_round_played(desk, winner=3)
    new = put_in(desk.tournament, 3).start_number
    rows = Client().get(f"/t/{desk.tournament.slug}/leaderboard.json").json()["rows"]
    by_number = {row["start_number"]: (row["points"], row["by_round"]) for row in rows}
    assert by_number[3] == (6, [6, None])
    assert by_number[new] == (0, [None, None])


def test_somebody_who_is_registered_and_sits_out_can_be_put_in() -> None:
    desk = a_schafkopf(9)
    door.set_presence(desk.tournament, 9, present=False)
    desk.post("draw", 1)
    assert put_in(desk.tournament, 3, 9).start_number == 9
    assert field(desk.tournament, 1) == {1, 2, 4, 5, 6, 7, 8, 9}
    assert desk.tournament.participants.get(start_number=9).presence == "present"


def test_an_excluded_player_can_be_replaced_and_is_not_withdrawn() -> None:
    desk = both_drawn()
    Participant.objects.filter(tournament=desk.tournament, start_number=3).update(
        excluded_at=AT, excluded_reason="Falschspiel"
    )
    put_in(desk.tournament, 3)
    assert desk.tournament.participants.get(start_number=3).withdrawn_at is None


def test_a_round_that_is_drawn_again_keeps_the_substitute() -> None:
    desk = both_drawn()
    rounds.release(desk.tournament, 1, reason="gleich", at=AT)
    write(table_of(desk.tournament, 1, 3), [("deal", DEAL)], by="x", at=AT)
    new = put_in(desk.tournament, 3).start_number
    draw_again(desk.tournament, 2, options=DrawOptions(), reason="x", by="x", at=AT)
    assert field(desk.tournament, 2) == {1, 2, 4, 5, 6, 7, 8, new}


# --- on record -----------------------------------------------------------------------------------------------------


def test_rules_5_1_the_change_stands_beside_the_draw_and_the_draw_is_still_verified() -> None:
    """RULES 5.1: the document keeps both in a round trip."""
    tournament = both_drawn().tournament
    put_in(tournament, 3, reason="krank")
    kept = SeatChange.objects.filter(attempt__round__tournament=tournament)
    assert [(change.data, change.reason, change.by) for change in kept] == [
        ({"kind": "replaced", "player": 3, "substitute": 9}, "krank", "spielleitung")
    ] * 2
    document = export_tournament(tournament)
    document["tournament"]["slug"] = "kopie"
    text = dump(document)
    assert [(draw.attempts, draw.changes) for draw in verify_draws(text)] == [(1, 1), (1, 1)]
    assert dump(export_tournament(import_tournament(text, at=AT))) == text


def test_a_document_with_a_substitute_whom_nobody_put_in_is_found_out() -> None:
    tournament = both_drawn().tournament
    put_in(tournament, 3)
    document = json.loads(dump(export_tournament(tournament)))
    document["rounds"][1]["draw"]["changes"] = []
    with pytest.raises(DocumentError) as error:
        verify_draws(json.dumps(document))
    assert error.value.refusal.code == "draw_does_not_match"


def test_rules_1_12_a_substitute_can_be_taken_back_round_by_round() -> None:
    """RULES 1.12: as long as the sheet is empty; both changes stay on record."""
    tournament = both_drawn().tournament
    before = seated(tournament, 1)
    put_in(tournament, 3)
    take_back(tournament, 1, sequence=1, reason="er bleibt doch", by="x", at=AT)
    assert seated(tournament, 1) == before
    kinds = SeatChange.objects.filter(attempt__round__tournament=tournament, attempt__round__number=1)
    assert [change.data["kind"] for change in kinds] == ["replaced", "taken_back"]


def test_rules_5_1_the_leaver_who_stays_after_all_takes_his_seat_back_from_the_substitute() -> None:
    """RULES 5.1: by a second change, after the withdrawal is undone."""
    tournament = both_drawn().tournament
    before = seated(tournament, 1)
    new = put_in(tournament, 3).start_number
    assert refused(lambda: put_in(tournament, new, 3)) == "is_withdrawn"
    door.take_back_withdrawal(tournament, 3, by="kasse", at=AT)
    put_in(tournament, new, 3, reason="er bleibt")
    assert seated(tournament, 1) == before


# --- refused -------------------------------------------------------------------------------------------------------


def test_an_invalid_substitution_is_refused_and_changes_nothing() -> None:
    desk = both_drawn()
    tournament = desk.tournament
    gone = ParticipantFactory.create(tournament=tournament, withdrawn_at=AT)
    codes = [
        refused(lambda: put_in(tournament, 99)),
        refused(lambda: put_in(tournament, 3, 99)),
        refused(lambda: put_in(tournament, 3, 4)),
        refused(lambda: put_in(tournament, 3, gone.start_number)),
        refused(lambda: put_in(tournament, 3, Newcomer(" "))),
        refused(lambda: put_in(tournament, 3, reason=" ")),
        refused(lambda: put_in(tournament, gone.start_number)),
    ]
    assert codes == [
        "unknown_participant",
        "unknown_participant",
        "already_at_a_table",
        "is_withdrawn",
        "name_empty",
        "text_empty",
        "nothing_to_take_over",
    ]
    assert field(tournament, 1) == field(tournament, 2) == set(range(1, 9))
    assert tournament.participants.count() == 9


def test_where_rounds_are_not_drawn_ahead_there_are_no_substitutes() -> None:
    desk = Staff(6)
    desk.draw()
    assert refused(lambda: put_in(desk.tournament, 3)) == "no_substitutes"
    assert desk.get("substitute", 3).status_code == 404


def test_after_the_last_round_has_begun_there_is_nothing_to_take_over() -> None:
    desk = both_drawn()
    first_round_played(desk, winner=3)
    rounds.release(desk.tournament, 2, reason="gleich", at=AT)
    write(table_of(desk.tournament, 2, 3), [("deal", DEAL)], by="x", at=AT)
    assert refused(lambda: put_in(desk.tournament, 3)) == "nothing_to_take_over"
    assert "keinen Platz, an dem noch nichts aufgeschrieben ist" in text_of(desk.get("substitute", 3))


# --- the organiser's page ------------------------------------------------------------------------------------------


def test_the_person_leads_to_the_page_and_the_page_to_the_substitute() -> None:
    desk = both_drawn()
    person = reverse("door:person", args=[desk.tournament.slug, 3])
    assert desk.url("substitute", 3) in text_of(desk.client.get(person))
    assert "1. Spielrunde, Tisch" in text_of(desk.get("substitute", 3))
    typed = {"name": "Ersatz Emil", "reason": "krank"}
    answer = desk.client.post(desk.url("substitute", 3), typed, follow=True)
    assert "Ersatz Emil (Nr. 9) spielt für" in text_of(answer)
    page = text_of(desk.get("round", 2))
    assert "Ersatz Emil spielt für" in page
    assert "krank" in page


@pytest.mark.parametrize(
    "typed",
    [
        {"reason": "krank"},
        {"name": "Emil", "reason": ""},
        {"who": "4", "reason": "krank"},
        {"name": "x" * 99},
    ],
)
def test_an_invalid_form_shows_the_errors(typed: dict[str, str]) -> None:
    desk = both_drawn()
    answer = desk.client.post(desk.url("substitute", 3), typed)
    assert (answer.status_code, "field__error" in text_of(answer)) == (422, True)
    assert field(desk.tournament, 1) == set(range(1, 9))


def test_a_substitute_with_the_name_of_a_player_is_asked_about_once() -> None:
    desk = both_drawn()
    known = desk.tournament.participants.get(start_number=4)
    typed = {"name": known.name, "reason": "krank"}
    asked = text_of(desk.client.post(desk.url("substitute", 3), typed))
    assert f"Den Namen {known.name} gibt es schon: Nr. 4." in asked
    assert '<input type="hidden" name="others" value="4"' in asked
    assert desk.tournament.participants.count() == 8
    desk.client.post(desk.url("substitute", 3), typed | {"others": "4"})
    assert desk.tournament.participants.get(start_number=9).name == known.name


def test_a_cashier_cannot_name_a_substitute() -> None:
    desk = both_drawn()
    desk.tournament.memberships.update(role="cashier")
    person = reverse("door:person", args=[desk.tournament.slug, 3])
    assert desk.get("substitute", 3).status_code == 404
    assert "Ersatz einsetzen" not in text_of(desk.client.get(person))


def test_the_page_takes_no_more_queries_for_more_players() -> None:
    counted = []
    for players in (4, 24):
        desk = both_drawn(players)
        with CaptureQueriesContext(connection) as queries:
            desk.get("substitute", 3)
        counted.append(len(queries))
    assert counted[0] == counted[1]


def test_a_seat_at_a_table_with_nothing_but_a_parked_entry_is_not_offered() -> None:
    """The page offers what the service does: a parked entry begins the table as well, also a discarded one."""
    tournament = both_drawn().tournament
    rounds.release(tournament, 1, reason="gleich", at=AT)
    table = table_of(tournament, 1, 3)
    epoch = take_pen(table, device="a", at=AT).row.pen_epoch
    free_pen(table, at=AT)
    take_pen(table, device="b", at=AT)
    record(table, [Sent(str(uuid4()), "deal", DEAL, AT)], device="a", pen_epoch=epoch, at=AT)
    leaving = leaver(tournament, 3)
    assert leaving is not None
    assert [place.round_number for place in leaving.free] == [2]
    put_in(tournament, 3)
    assert 3 in [player for players in seated(tournament, 1) for player in players]
    discard(tournament, ParkedEntry.objects.get(sheet__table=table).pk, reason="doppelt", by="x", at=AT)
    monitor = table_monitor(tournament, 1)
    assert monitor is not None
    assert not monitor.is_untouched
