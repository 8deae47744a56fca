"""Ending a tournament early and resuming it: the standings, the rounds that are left, the document, the database."""

import json
from datetime import UTC, datetime

import pytest
from django.db import DatabaseError, transaction
from django.test import Client

from scoring.documents import dump, export_tournament, import_tournament
from scoring.queries.bracket import organiser_bracket
from scoring.queries.dashboard import dashboard_of
from scoring.queries.public_view import public_view
from scoring.queries.standings import current_standings, visible_standings
from scoring.services import standings
from scoring.services.purge import erase_person
from scoring.services.rounds import DrawOptions, draw_next, take_back_release
from scoring.services.sheets import enter, write
from tests.factories import ParticipantFactory, TournamentFactory, a_played_round, a_round
from tournaments.core.document_reader import DocumentError
from tournaments.core.refusal import Refusal
from tournaments.links import sheet_secret
from tournaments.models import Round, Table, Tournament
from tournaments.rulesets.loader import preset
from tournaments.services import rounds
from tournaments.services.ending import end_tournament, resume_tournament

AT = datetime(2026, 11, 21, 22, 30, tzinfo=UTC)
REASON = "Der Wirt will heim"

pytestmark = pytest.mark.django_db


def tournament(players: int = 5, *, ruleset: str = "schnauz-placing", played: int = 2) -> Tournament:
    made: Tournament = TournamentFactory.create(ruleset=preset(ruleset).to_dict())
    ParticipantFactory.create_batch(players, tournament=made)
    for number in range(1, played + 1):
        a_played_round(made, number)
    return made


def end(made: Tournament, reason: str = REASON) -> Tournament:
    return end_tournament(made, reason=reason, by="spielleitung", at=AT)


def code_of_end(made: Tournament, reason: str = REASON) -> str:
    with pytest.raises(Refusal) as refused:
        end(made, reason)
    return refused.value.code


def test_after_the_end_the_standings_of_the_closed_rounds_are_final() -> None:
    made = tournament()
    before = current_standings(made)
    assert not before.final
    end(made)
    after = visible_standings(made.slug)
    assert (after.final, after.ended_after, after.rows) == (True, 2, before.rows)
    assert {row.rank for row in after.winners} == {1}
    assert dashboard_of(Tournament.objects.get(pk=made.pk)).next in ("over", "decide")


def test_resuming_restores_the_tournament_completely() -> None:
    made = tournament()
    before = dump(export_tournament(made))
    end(made)
    resume_tournament(made)
    assert dump(export_tournament(made)) == before
    assert not current_standings(made).final
    assert a_played_round(made, 3).state == Round.State.CLOSED
    assert current_standings(made).final


def test_no_round_is_drawn_or_released_after_the_end() -> None:
    made = tournament()
    a_round(made, 3, released=False)
    end(made)
    for do in (
        lambda: draw_next(made, number=3, options=DrawOptions(), by="x", at=AT),
        lambda: rounds.release(made, 3, at=AT),
        lambda: end(made),
    ):
        with pytest.raises(Refusal) as refused:
            do()
        assert refused.value.code == "tournament_ended"
    resume_tournament(made)
    rounds.release(made, 3, at=AT)
    with pytest.raises(Refusal) as refused:
        resume_tournament(made)
    assert refused.value.code == "tournament_not_ended"


def test_a_round_that_is_only_drawn_does_not_count_and_stays() -> None:
    made = tournament()
    a_round(made, 3, released=False)
    ended = end(made)
    assert [line.number for line in dashboard_of(ended).rounds] == [1, 2]
    assert visible_standings(made.slug).ended_after == 2
    resume_tournament(made)
    assert dashboard_of(made).next == "look"


def test_refused_endings() -> None:
    made = tournament(played=0)
    assert code_of_end(made) == "no_round_closed"
    a_round(made)
    assert code_of_end(made) == "round_in_play"
    done = tournament(played=3)
    assert code_of_end(done) == "all_rounds_played"
    assert code_of_end(tournament(), "  ") == "text_empty"


def test_a_release_is_taken_back_while_nothing_is_written_and_its_links_are_dead() -> None:
    made = tournament()
    a_round(made, 3)
    table = Table.objects.filter(round__tournament=made, round__number=3).earliest("number")
    drawn = list(table.seats.values_list("participant_id", flat=True))
    take_back_release(made, 3)
    assert public_view(made.slug).round.number == 2  # type: ignore[union-attr]
    again = Table.objects.get(pk=table.pk)
    assert again.link_version == table.link_version + 1
    with pytest.raises(Refusal) as refused:
        enter(sheet_secret(table.pk, table.link_version), device=None)
    assert refused.value.code == "link_unknown"
    assert list(again.seats.values_list("participant_id", flat=True)) == drawn
    end(made)


def test_a_release_is_not_taken_back_after_the_first_entry() -> None:
    """Control of the test before: the same round with a stroke."""
    made = tournament()
    played = a_round(made, 3)
    table = played.tables.earliest("number")
    write(table, [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="x", at=AT)
    with pytest.raises(Refusal) as refused:
        take_back_release(made, 3)
    assert refused.value.code == "round_has_entries"
    assert Round.objects.get(pk=played.pk).state == Round.State.RELEASED


def test_rounds_that_are_drawn_ahead_are_left_as_they_are() -> None:
    made = tournament(8, ruleset="schafkopf", played=0)
    rules = made.rules
    for number in range(1, rules.most_rounds + 1):
        a_round(made, number, released=False)
    rounds.release(made, 1, reason="gleich", at=AT)
    rounds.mark_closed(made, 1, reason="fertig", at=AT)
    end(made)
    assert visible_standings(made.slug).ended_after == 1
    assert Round.objects.filter(tournament=made, state=Round.State.DRAWN).count() == rules.most_rounds - 1


def test_a_knockout_ends_with_those_who_came_furthest_and_no_round_ahead() -> None:
    made = tournament(24, ruleset="knockout", played=1)
    bracket = organiser_bracket(made)
    assert bracket is not None
    assert bracket.ahead
    ended = end(made)
    after = organiser_bracket(ended)
    assert after is not None
    assert not after.ahead
    assert {seat.fate for table in after.rounds[-1].tables for seat in table.seats} == {"", "out"}
    board = visible_standings(made.slug)
    assert board.final
    assert len(board.winners) == Table.objects.filter(round__tournament=made).count()
    assert public_view(made.slug).next_round is None


def test_the_final_of_a_knockout_ends_it_anyway() -> None:
    made = tournament(12, ruleset="knockout", played=2)
    assert code_of_end(made) == "all_rounds_played"


def test_a_frozen_public_sees_that_it_is_over_but_not_who_has_won() -> None:
    made = tournament()
    standings.freeze(made, by="x", at=AT)
    end(made)
    board = visible_standings(made.slug)
    assert (board.final, board.winners, board.ended_after) == (False, (), 2)
    standings.release(made, by="x", at=AT)
    assert visible_standings(made.slug).final


def test_the_public_reads_after_how_many_rounds_and_never_the_reason(client: Client) -> None:
    made = tournament()
    end(made)
    for address in ("", "leaderboard.json", "screen/?page=2", "rounds/1.json", "?lang=en"):
        page = client.get(f"/t/{made.slug}/{address}").content.decode()
        assert REASON not in page
    assert client.get(f"/t/{made.slug}/leaderboard.json").json()["final"] is True
    for address in ("", "screen/?page=2"):
        page = " ".join(client.get(f"/t/{made.slug}/{address}").content.decode().split())
        assert "Endstand, beendet nach 2 Spielrunden" in page
    resume_tournament(made)
    assert "beendet nach" not in client.get(f"/t/{made.slug}/").content.decode()


def test_the_document_takes_the_end_along() -> None:
    made = tournament()
    document = export_tournament(end(made))
    assert document["tournament"]["ended"] == {
        "reason": REASON,
        "by": "spielleitung",
        "at": "2026-11-21T22:30:00Z",
    }
    document["tournament"]["slug"] = "noch-einer"
    copy = import_tournament(json.dumps(document), at=AT)
    assert dump(export_tournament(copy)) == dump(document)
    assert visible_standings("noch-einer").ended_after == 2


@pytest.mark.parametrize(
    ("played", "in_play", "code"),
    [(2, True, "round_in_play"), (0, False, "no_round_closed"), (3, False, "all_rounds_played")],
)
def test_a_document_whose_rounds_contradict_the_end_is_refused(
    played: int, code: str, *, in_play: bool
) -> None:
    made = tournament(played=played)
    if in_play:
        a_round(made, played + 1)
    document = export_tournament(made)
    document["tournament"] |= {
        "slug": "noch-einer",
        "ended": {"reason": "x", "by": None, "at": "2026-11-21T22:30:00Z"},
    }
    with pytest.raises(DocumentError) as error:
        import_tournament(json.dumps(document), at=AT)
    assert (error.value.path, error.value.refusal.code) == ("$.tournament.ended", code)


def test_erasing_a_person_blanks_a_reason_that_names_them() -> None:
    made = tournament()
    person = made.participants.earliest("start_number")
    end(made, f"{person.name} hat angerufen")
    erase_person(made, person.start_number, by="leitung", at=AT)
    assert Tournament.objects.get(pk=made.pk).ended_reason == "–"


# --- the database --------------------------------------------------------------------------------------------------


def test_the_database_refuses_an_end_without_a_reason_and_a_reason_without_an_end() -> None:
    made = tournament(played=0)
    for columns in ({"ended_at": AT}, {"ended_reason": "x"}, {"ended_by": "x"}):
        with pytest.raises(DatabaseError, match="tournament_end_has_reason"), transaction.atomic():
            Tournament.objects.filter(pk=made.pk).update(**columns)


def test_the_database_refuses_a_round_in_play_of_an_ended_tournament() -> None:
    made = tournament()
    drawn = a_round(made, 3, released=False)
    end(made)
    with pytest.raises(DatabaseError, match="is ended"), transaction.atomic():
        Round.objects.filter(pk=drawn.pk).update(state="released")
    resume_tournament(made)
    Round.objects.filter(pk=drawn.pk).update(state="released")
    with pytest.raises(DatabaseError, match="in play"), transaction.atomic():
        Tournament.objects.filter(pk=made.pk).update(ended_at=AT, ended_reason="x")
