"""Ranks still possible in the last round, on the players' page."""

import pytest
from django.test import Client

from scoring.public.player import rank_bounds_of
from scoring.queries.public_view import public_view
from scoring.services import standings
from scoring.services.rounds import close
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_paper_sheet, a_played_round, a_round
from tests.scoring.pages import text_of
from tournaments.models import Tournament
from tournaments.rulesets.loader import preset

pytestmark = pytest.mark.django_db

LAST = "Noch möglich"


def in_the_last_round(players: int = 10, ruleset: str = "schnauz-placing") -> Tournament:
    """Return a tournament with two rounds played and the third released."""
    tournament = TournamentFactory.create(ruleset=preset(ruleset).to_dict())
    ParticipantFactory.create_batch(players, tournament=tournament)
    a_played_round(tournament)
    a_played_round(tournament, 2)
    a_round(tournament, 3)
    return tournament


def page(tournament: Tournament, query: object) -> str:
    return text_of(Client().get(f"/t/{tournament.slug}/", {"q": str(query)}))


def test_who_looks_for_himself_in_the_last_round_learns_his_best_and_his_worst_rank() -> None:
    tournament = in_the_last_round()
    view = public_view(tournament.slug)
    leader, last = view.rows[0], view.rows[-1]
    for row in (leader, last):
        found = rank_bounds_of(view, row.start_number)
        assert found is not None
        assert found.best_rank <= row.rank <= found.worst_rank
        shown = f"Noch möglich: Rang {found.best_rank} bis {found.worst_rank}."
        assert shown in page(tournament, row.start_number)


def test_a_sheet_that_counts_settles_what_it_can() -> None:
    """With one table of six all ranks are known as soon as its sheet is accepted."""
    tournament = in_the_last_round(6)
    assert LAST in page(tournament, 1)
    a_paper_sheet(tournament.rounds.get(number=3).tables.get())
    row = next(row for row in public_view(tournament.slug).rows if row.start_number == 1)
    assert f"Möglich ist nur noch Rang {row.rank}." in page(tournament, 1)


def ranges(tournament: Tournament) -> dict[int, range]:
    view = public_view(tournament.slug)
    found = {row.start_number: rank_bounds_of(view, row.start_number) for row in view.rows}
    return {
        n: range(rank_bounds.best_rank, rank_bounds.worst_rank + 1)
        for n, rank_bounds in found.items()
        if rank_bounds
    }


def test_every_sheet_that_counts_leaves_fewer_ranks_open() -> None:
    tournament = in_the_last_round()
    before = ranges(tournament)
    a_paper_sheet(tournament.rounds.get(number=3).tables.get(number=1))
    after = ranges(tournament)
    assert len(before) == len(after) == 10
    assert all(set(after[player]) <= set(before[player]) for player in after)
    assert sum(map(len, after.values())) < sum(map(len, before.values()))
    a_paper_sheet(tournament.rounds.get(number=3).tables.get(number=2))
    ends = {row.start_number: range(row.rank, row.rank + 1) for row in public_view(tournament.slug).rows}
    assert ranges(tournament) == ends
    assert all(end.start in after[player] for player, end in ends.items())


def test_nothing_of_it_while_the_standings_are_frozen() -> None:
    tournament = in_the_last_round()
    standings.freeze(tournament, by="x", at=AT)
    assert LAST not in page(tournament, 1)


def test_nothing_of_it_before_the_last_round_nor_after_it() -> None:
    tournament = TournamentFactory.create()
    ParticipantFactory.create_batch(6, tournament=tournament)
    for number in (1, 2, 3):
        played = a_round(tournament, number)
        assert (LAST in page(tournament, 1)) == (number == 3)
        a_paper_sheet(played.tables.get())
        close(tournament, number, at=AT)
    assert "öglich" not in page(tournament, 1)


def test_nothing_of_it_for_several_who_are_found_nor_for_somebody_who_is_not() -> None:
    tournament = in_the_last_round(6)
    assert LAST not in page(tournament, "gibt es nicht")
    assert LAST not in page(tournament, 99)


def test_only_where_ranks_give_points() -> None:
    for ruleset in ("fce", "knockout"):
        tournament = TournamentFactory.create(ruleset=preset(ruleset).to_dict())
        ParticipantFactory.create_batch(6, tournament=tournament)
        a_round(tournament)
        assert rank_bounds_of(public_view(tournament.slug), 1) is None
