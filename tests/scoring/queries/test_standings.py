"""The public standings from the database: what counts, what is withheld, the number of queries."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.documents import import_tournament
from scoring.public.data import leaderboard_document
from scoring.queries.standings import Leaderboard, current_standings, visible_standings
from scoring.services import sheets, standings
from scoring.services.rounds import close
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_paper_sheet, a_played_round, a_round
from tests.scoring.evenings import accepted_sheet, simple_evening, text_of
from tournaments.models import Tournament
from tournaments.services import door, people_lists, rounds

pytestmark = pytest.mark.django_db


def figures(leaderboard: Leaderboard) -> list[tuple[object, ...]]:
    """Return the values of each row without the name."""
    return [
        (row.start_number, row.rank, row.tied, row.points, row.strokes, row.tie_break, row.by_round)
        for row in leaderboard.rows
    ]


def with_players(count: int, **fields: Any) -> Tournament:
    tournament = TournamentFactory.create(**fields)
    ParticipantFactory.create_batch(count, tournament=tournament)
    return tournament


def rows(tournament: Tournament) -> list[tuple[int, bool, int, int]]:
    """Return (rank, tied, points, strokes) of each row of the public standings."""
    found = visible_standings(tournament.slug).rows
    return [(row.rank, row.tied, row.points, row.strokes) for row in found]


def document(tournament: Tournament) -> dict[str, Any]:
    return leaderboard_document(visible_standings(tournament.slug))


def accept_only_table(tournament: Tournament, number: int, **kwargs: Any) -> None:
    a_paper_sheet(tournament.rounds.get(number=number).tables.get(), **kwargs)


def by_seat(tournament: Tournament, number: int) -> list[int]:
    """Return the start numbers at the only table by seat, which is also the order of their ranks."""
    seats = tournament.rounds.get(number=number).seats.order_by("seat_number")
    return list(seats.values_list("participant__start_number", flat=True))


def test_everybody_registered_stands_there_before_the_first_round() -> None:
    tournament = with_players(3)
    assert rows(tournament) == [(1, True, 0, 0)] * 3
    assert [row["by_round"] for row in document(tournament)["rows"]] == [[], [], []]


def test_nobody_at_all_is_a_standing_too() -> None:
    tournament = TournamentFactory.create()
    assert document(tournament) == {"tournament": tournament.slug, "final": False, "rows": []}


def test_an_unknown_tournament_is_none() -> None:
    with pytest.raises(Tournament.DoesNotExist):
        visible_standings("gibt-es-nicht")


def test_the_document_has_exactly_the_promised_keys() -> None:
    tournament = with_players(5)
    a_played_round(tournament)
    first = by_seat(tournament, 1)[0]
    name = tournament.participants.get(start_number=first).name
    assert document(tournament)["rows"][0] == {
        "rank": 1,
        "tied": False,
        "start_number": first,
        "name": name,
        "points": 6,
        "strokes": 0,
        "tie_break": [0],
        "by_round": [6],
    }


def test_points_by_rank_at_the_table_and_the_last_two_share() -> None:
    tournament = with_players(6)
    a_played_round(tournament)
    assert rows(tournament) == [
        (1, False, 6, 0),
        (2, False, 4, 0),
        (3, False, 3, 0),
        (4, False, 2, 0),
        (5, True, 1, 0),
        (5, True, 1, 0),
    ]


def test_strokes_decide_between_equal_points() -> None:
    tournament = with_players(6)
    a_round(tournament)
    accept_only_table(tournament, 1, strokes={6: 2, 5: 1})
    *_, fifth, sixth = visible_standings(tournament.slug).rows
    assert (fifth.rank, fifth.start_number, fifth.strokes) == (5, by_seat(tournament, 1)[5], 2)
    assert (sixth.rank, sixth.start_number, sixth.strokes) == (6, by_seat(tournament, 1)[4], 1)


def test_an_open_or_submitted_sheet_does_not_count() -> None:
    tournament = with_players(5)
    table = a_round(tournament).tables.get()
    ranks = {str(seat): seat for seat in range(1, 6)}
    sheets.write(
        table, [("stroke", {"seat_number": 1, "mark": "feuer"}), ("ranked", {"ranks": ranks})], by="x", at=AT
    )
    assert rows(tournament) == [(1, True, 0, 0)] * 5
    sheets.write(table, [("submitted", {})], by="x", at=AT)
    assert rows(tournament) == [(1, True, 0, 0)] * 5
    assert [row["by_round"] for row in document(tournament)["rows"]] == [[None]] * 5


def test_a_reopened_sheet_counts_no_more_until_it_is_accepted_again() -> None:
    tournament = with_players(5)
    table = a_round(tournament).tables.get()
    a_paper_sheet(table)
    accepted = document(tournament)
    sheets.write(table, [("reopened", {"reason": "verzählt"})], by="x", at=AT)
    assert rows(tournament) == [(1, True, 0, 0)] * 5
    sheets.write(table, [("accepted", {"reason": "stimmt doch"})], by="x", at=AT)
    assert document(tournament) == accepted


def test_who_was_not_there_for_a_round_has_nothing_for_it() -> None:
    tournament = with_players(5)
    a_played_round(tournament, 1)
    late = ParticipantFactory.create(tournament=tournament)
    a_played_round(tournament, 2)
    row = next(row for row in document(tournament)["rows"] if row["start_number"] == late.start_number)
    assert row["by_round"][0] is None
    assert row["points"] == row["by_round"][1] > 0


def test_who_left_without_sitting_down_is_gone_and_who_played_stays() -> None:
    tournament = with_players(6)
    door.withdraw(tournament, 6, by="kasse", at=AT)
    a_played_round(tournament, 1)
    door.withdraw(tournament, 1, by="kasse", at=AT)
    assert sorted(row["start_number"] for row in document(tournament)["rows"]) == [1, 2, 3, 4, 5]


def test_the_announced_stand_there_only_when_they_have_come() -> None:
    tournament = with_players(1)
    (announced,) = people_lists.announce(tournament, [door.Newcomer("Huber, Sepp")], by="x", at=AT)
    assert [row["start_number"] for row in document(tournament)["rows"]] == [1]
    door.set_presence(tournament, announced.start_number, present=True)
    assert [row["start_number"] for row in document(tournament)["rows"]] == [1, announced.start_number]


def test_the_excluded_are_taken_out_and_the_others_move_up() -> None:
    tournament = with_players(5)
    a_played_round(tournament)
    first, second, *_ = by_seat(tournament, 1)
    tournament.participants.filter(start_number=first).update(
        excluded_at=AT, excluded_reason="falsch eingetragen"
    )
    found = document(tournament)["rows"]
    assert first not in {row["start_number"] for row in found}
    assert (found[0]["rank"], found[0]["start_number"], found[0]["points"]) == (1, second, 4)


@pytest.mark.parametrize(
    ("names", "shown"), [("full", "Sepp Huber"), ("short", "Sepp H."), ("number", "Nr. 1")]
)
def test_names_are_shown_as_the_tournament_wants_and_full_on_the_wall(names: str, shown: str) -> None:
    tournament = TournamentFactory.create(names=names)
    ParticipantFactory.create(tournament=tournament, name="Sepp Huber")
    assert document(tournament)["rows"][0]["name"] == shown
    assert visible_standings(tournament.slug, full_names=True).rows[0].name == "Sepp Huber"


# --- the freeze ----------------------------------------------------------------------------------------------------


def test_while_frozen_nothing_that_comes_in_is_seen() -> None:
    tournament = with_players(6)
    a_played_round(tournament, 1)
    a_round(tournament, 2)
    standings.freeze(tournament, by="x", at=AT)
    before = document(tournament)
    accept_only_table(tournament, 2, strokes={1: 3})
    assert document(tournament) == before
    close(tournament, 2, at=AT)
    assert document(tournament) == before
    assert figures(current_standings(tournament)) != figures(visible_standings(tournament.slug))


def test_a_correction_of_what_was_shown_waits_for_the_release_as_well() -> None:
    tournament = with_players(6)
    a_played_round(tournament, 1)
    standings.freeze(tournament, by="x", at=AT)
    before = document(tournament)
    table = tournament.rounds.get(number=1).tables.get()
    sheets.write(
        table,
        [("reopened", {"reason": "falsch"}), ("stroke", {"seat_number": 6, "mark": "schnauz"})],
        by="x",
        at=AT,
    )
    assert document(tournament) == before


def test_the_end_is_not_announced_while_frozen() -> None:
    tournament = with_players(5)
    a_played_round(tournament, 1)
    a_played_round(tournament, 2)
    a_round(tournament, 3)
    standings.freeze(tournament, by="x", at=AT)
    accept_only_table(tournament, 3)
    close(tournament, 3, at=AT)
    frozen = visible_standings(tournament.slug)
    assert (frozen.final, frozen.winners) == (False, ())
    standings.release(tournament, by="x", at=AT)
    released = visible_standings(tournament.slug)
    assert released.final
    assert len(released.winners) == 1


def test_a_decision_is_held_back_with_the_standing_it_belongs_to() -> None:
    tournament = with_players(6)
    a_played_round(tournament, 1)
    standings.freeze(tournament, by="x", at=AT)
    before = document(tournament)
    fifth, sixth = by_seat(tournament, 1)[4:]
    standings.decide(tournament, kind="lot", order=[sixth, fifth], reason="gezogen", by="x", at=AT)
    assert document(tournament) == before
    standings.show_new_standing(tournament, by="x", at=AT)
    assert [row["start_number"] for row in document(tournament)["rows"]][4:] == [sixth, fifth]


def test_a_new_standing_is_shown_once_and_the_freeze_goes_on() -> None:
    tournament = with_players(5)
    a_round(tournament)
    standings.freeze(tournament, by="x", at=AT)
    accept_only_table(tournament, 1)
    standings.show_new_standing(tournament, by="x", at=AT)
    assert rows(tournament)[0] == (1, False, 6, 0)
    close(tournament, 1, at=AT)
    shown = document(tournament)
    a_played_round(tournament, 2)
    assert [row["points"] for row in document(tournament)["rows"]] == [row["points"] for row in shown["rows"]]


def test_an_undrawn_place_is_kept_for_each_drawn_round() -> None:
    tournament = with_players(5)
    a_played_round(tournament, 1)
    a_round(tournament, 2, released=False)
    assert {len(row["by_round"]) for row in document(tournament)["rows"]} == {2}


# --- decisions -----------------------------------------------------------------------------------------------------


def test_a_decision_orders_the_tied_and_a_revoked_one_does_not() -> None:
    tournament = with_players(6)
    a_played_round(tournament)
    fifth, sixth = by_seat(tournament, 1)[4:]
    decision = standings.decide(
        tournament, kind="playoff", order=[sixth, fifth], reason="Stechen", by="x", at=AT
    )
    found = document(tournament)["rows"][4:]
    assert [(row["rank"], row["tied"], row["start_number"]) for row in found] == [
        (5, False, sixth),
        (6, False, fifth),
    ]
    standings.revoke_decision(tournament, decision.pk, by="x", at=AT)
    found = document(tournament)["rows"][4:]
    assert [(row["rank"], row["tied"]) for row in found] == [(5, True), (5, True)]


def test_the_tied_winners_are_several() -> None:
    tournament = with_players(12)
    for number in (1, 2, 3):
        a_played_round(tournament, number)
    leaderboard = visible_standings(tournament.slug)
    best = max(row.points for row in leaderboard.rows)
    assert {row.start_number for row in leaderboard.winners} == {
        row.start_number for row in leaderboard.rows if row.points == best
    }


# --- knockout ------------------------------------------------------------------------------------------------------


def knockout(*, with_final: bool) -> Tournament:
    """Eight players at two tables. Seat 1 wins, the others share rank 2. 1, 2, 5 and 6 play the final."""
    document = simple_evening("ko", players=8, ruleset="knockout")
    (first,) = document["rounds"]
    if with_final:
        seats = [{"seat_number": seat, "start_number": n} for seat, n in enumerate((1, 2, 5, 6), start=1)]
        document["rounds"].append({"number": 2, "tables": [{"number": 1, "seats": seats}]})
    for found in document["rounds"]:
        found["state"] = "closed"
        for table in found["tables"]:
            first_id = 1000 * found["number"] + 100 * table["number"]
            table["entries"] = accepted_sheet("knockout", len(table["seats"]), first=first_id)
    assert [len(table["seats"]) for table in first["tables"]] == [4, 4]
    return import_tournament(text_of(document), at=AT)


def test_a_knockout_is_final_after_a_round_of_one_table() -> None:
    assert document(knockout(with_final=False))["final"] is False
    Tournament.objects.all().update(slug="frueher")
    assert document(knockout(with_final=True))["final"] is True


def test_rules_4_3_the_leaderboard_of_a_knockout() -> None:
    """RULES 4.3: points is the last round reached, by_round the ranks, tie_break that of the last table."""
    found = document(knockout(with_final=True))["rows"]
    shown = [
        (row["rank"], row["start_number"], row["points"], row["by_round"], row["tie_break"]) for row in found
    ]
    assert shown == [
        (1, 1, 2, [1, 1], [1, 0]),
        (2, 2, 2, [2, 2], [2, 0]),
        (2, 5, 2, [1, 2], [2, 0]),
        (2, 6, 2, [2, 2], [2, 0]),
        (5, 3, 1, [2, None], [2, 0]),
        (5, 4, 1, [2, None], [2, 0]),
        (5, 7, 1, [2, None], [2, 0]),
        (5, 8, 1, [2, None], [2, 0]),
    ]


# --- number of queries ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [5, 60])
def test_one_query_whatever_the_number_of_players(players: int) -> None:
    tournament = with_players(players)
    a_played_round(tournament)
    with CaptureQueriesContext(connection) as live:
        visible_standings(tournament.slug)
    standings.freeze(tournament, by="x", at=AT)
    with CaptureQueriesContext(connection) as frozen:
        visible_standings(tournament.slug)
    assert (len(live), len(frozen)) == (1, 1)


def test_redrawing_does_not_leave_points_behind() -> None:
    tournament = with_players(5)
    a_round(tournament, released=False)
    rounds.redraw(
        tournament, 1, players=range(1, 6), sizes=[5], mode="random", reason="noch einer", by="x", at=AT
    )
    assert rows(tournament) == [(1, True, 0, 0)] * 5
