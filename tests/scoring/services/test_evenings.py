"""The results of an evening follow its final standings, through every change that is made after the end."""

from collections.abc import Callable
from datetime import datetime
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

from scoring.documents import dump, export_tournament, import_tournament
from scoring.models import Decision, Evening, EveningResult
from scoring.queries.standings import current_standings, tied_groups
from scoring.services import ending, exclusion, standings
from scoring.services.projection import rebuild_results
from scoring.services.purge import delete_tournament, erase_person
from scoring.services.sheets import write
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_played_round
from tournaments.core.refusal import Refusal
from tournaments.models import Participant, Table, Tournament

pytestmark = pytest.mark.django_db

BY: dict[str, Any] = {"by": "leitung", "at": AT}


def one_round(**fields: Any) -> Tournament:
    """Return a tournament of one round and six players, not yet drawn."""
    tournament = TournamentFactory.create(**fields)
    tournament.ruleset |= {"rounds": 1}
    tournament.save()
    ParticipantFactory.create_batch(6, tournament=tournament)
    return tournament


@pytest.fixture
def evening() -> Tournament:
    """An evening that has ended with its only round: ranks by seat, no strokes."""
    tournament = one_round()
    a_played_round(tournament)
    return tournament


def stored(tournament: Tournament) -> list[tuple[int, ...]]:
    """Return number, rank, shared, points, strokes and rounds won of each stored result."""
    rows = EveningResult.objects.filter(evening__tournament=tournament)
    columns = ("participant__start_number", "rank", "shared", "points", "strokes", "table_wins")
    return sorted(rows.values_list(*columns))


def numbers_by_rank(tournament: Tournament) -> list[int]:
    return [number for number, rank, *_ in sorted(stored(tournament), key=lambda row: row[1:2] + row[:1])]


def correct(tournament: Tournament, *, strokes: dict[int, int], at: datetime = AT) -> None:
    """Open the sheet of table 1 again, add strokes by seat and accept it."""
    table = Table.objects.get(round__tournament=tournament, round__number=1, number=1)
    marks = [seat for seat, count in strokes.items() for _ in range(count)]
    ranked = table.sheet.entries.filter(kind="ranked").last()
    assert ranked is not None
    write(
        table,
        [
            ("reopened", {"reason": "falsch gezählt"}),
            ("voided", {"entry": str(ranked.entry_id), "reason": "falsch gezählt"}),
            *(("stroke", {"seat_number": seat, "mark": "schnauz"}) for seat in marks),
            (
                "ranked",
                {
                    "ranks": {
                        seat: (int(seat) - 2) % len(ranked.data["ranks"]) + 1 for seat in ranked.data["ranks"]
                    }
                },
            ),
            ("accepted", {"reason": "nachgezählt"}),
        ],
        by="leitung",
        at=at,
    )


def test_closing_the_last_round_stores_the_final_standings(evening: Tournament) -> None:
    expected = [
        (row.start_number, row.rank, row.tied, row.points, row.strokes, int(row.rank == 1))
        for row in current_standings(evening).rows
    ]
    assert len(expected) == 6
    assert stored(evening) == sorted(expected)


def test_before_the_end_there_are_none(evening: Tournament) -> None:
    running = TournamentFactory.create()
    ParticipantFactory.create_batch(5, tournament=running)
    a_played_round(running)
    assert stored(running) == []
    ending.end_evening(running, reason="zu spät", **BY)
    assert len(stored(running)) == 5
    ending.resume_evening(running)
    assert stored(running) == []


def test_a_resumed_evening_keeps_its_place_in_a_series() -> None:
    running = TournamentFactory.create()
    ParticipantFactory.create_batch(5, tournament=running)
    a_played_round(running)
    ending.end_evening(running, reason="zu spät", **BY)
    before = Evening.objects.get(tournament=running).pk
    ending.resume_evening(running)
    assert Evening.objects.get(tournament=running).pk == before


def test_a_correction_after_the_end_is_in_the_results(evening: Tournament) -> None:
    second = numbers_by_rank(evening)[1]
    correct(evening, strokes={2: 3})
    winner = next(row for row in stored(evening) if row[1] == 1)
    assert (winner[0], *winner[3:]) == (second, 6, 3, 1)


def test_while_a_sheet_is_open_again_its_players_have_no_result(evening: Tournament) -> None:
    table = Table.objects.get(round__tournament=evening, number=1)
    write(table, [("reopened", {"reason": "nachsehen"})], **BY)
    assert stored(evening) == []


def test_an_excluded_player_has_no_result_and_the_others_move_up(evening: Tournament) -> None:
    first, *others = numbers_by_rank(evening)
    exclusion.exclude(evening, first, reason="Falschspiel", **BY)
    assert numbers_by_rank(evening) == others
    assert [row[1] for row in sorted(stored(evening), key=lambda row: row[1])] == [1, 2, 3, 4, 4]
    exclusion.readmit(evening, first, **BY)
    assert numbers_by_rank(evening)[0] == first


def test_a_decision_on_a_shared_rank_and_its_end_are_in_the_results(evening: Tournament) -> None:
    [tied] = tied_groups(evening)
    decision = standings.decide(evening, kind=Decision.Kind.PLAYOFF, order=tied, reason="Stechen", **BY)
    assert [row[1:3] for row in stored(evening) if row[0] in tied] != [(5, True), (5, True)]
    standings.revoke_decision(evening, decision.pk, **BY)
    assert [row[1:3] for row in stored(evening) if row[0] in tied] == [(5, True), (5, True)]


def test_practice_has_no_results() -> None:
    practice = one_round(is_practice=True)
    a_played_round(practice)
    assert not Evening.objects.filter(tournament=practice).exists()


def test_an_imported_evening_has_the_same_results(evening: Tournament) -> None:
    document = dump(export_tournament(evening)).replace(evening.slug, "anderswo")
    assert stored(import_tournament(document, at=AT)) == stored(evening)


def test_an_erased_person_keeps_the_result_without_a_name(evening: Tournament) -> None:
    before = stored(evening)
    erase_person(evening, 3, **BY)
    assert stored(evening) == before


def test_deleting_the_tournament_deletes_its_results(evening: Tournament) -> None:
    delete_tournament(evening, typed=evening.name, **BY)
    assert (Evening.objects.count(), EveningResult.objects.count()) == (0, 0)


def test_the_database_refuses_a_player_of_another_evening(evening: Tournament) -> None:
    stranger = ParticipantFactory.create()
    values = {"rank": 1, "shared": False, "points": 1, "strokes": 0, "table_wins": 0}
    with pytest.raises(IntegrityError, match="result of another evening"), transaction.atomic():
        evening.evening.results.create(participant=stranger, **values)


def test_the_database_asks_for_a_tournament_or_a_name_and_a_day(evening: Tournament) -> None:
    for columns in ({}, {"name": "Herbst 1998"}, {"tournament": TournamentFactory.create(), "name": "x"}):
        with pytest.raises(IntegrityError, match="evening_is_tournament_or_named"), transaction.atomic():
            Evening.objects.create(**columns)
    assert str(Evening.objects.create(name="Herbst 1998", played_on=AT.date())) == "Herbst 1998"


def test_rebuilding_finds_and_mends_a_changed_result(evening: Tournament) -> None:
    assert rebuild_results(evening) == []
    result = evening.evening.results.get(rank=1)
    number = Participant.objects.get(evening_result=result).start_number
    evening.evening.results.filter(pk=result.pk).update(points=99)
    before = stored(evening)
    [found] = rebuild_results(evening)
    assert found.startswith(f"evening, number {number}: stored ")
    assert stored(evening) != before
    assert rebuild_results(evening) == []


def test_an_update_stores_the_results_of_evenings_that_ended_before(evening: Tournament) -> None:
    before = stored(evening)
    Evening.objects.all().delete()
    call_command("migrate", verbosity=0)
    assert stored(evening) == before


def test_after_any_sequence_of_changes_rebuilding_finds_no_difference(evening: Tournament) -> None:
    chance = Random(33)
    actions: list[Callable[[], object]] = [
        lambda: exclusion.exclude(evening, chance.randint(1, 6), reason="Grund", **BY),
        lambda: exclusion.readmit(evening, chance.randint(1, 6), **BY),
        lambda: correct(evening, strokes={chance.randint(1, 6): chance.randint(0, 3)}),
        lambda: erase_person(evening, chance.randint(1, 6), **BY),
        lambda: standings.decide(
            evening, kind="playoff", order=tied_groups(evening)[0], reason="Stechen", **BY
        ),
    ]
    for _ in range(60):
        try:
            chance.choice(actions)()
        except (Refusal, IndexError):
            continue
        assert rebuild_results(evening) == []
