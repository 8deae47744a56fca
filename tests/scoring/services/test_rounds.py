"""Tests of the services of a round, from draw to close: the record of the draw, and refusals."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from scoring.services.rounds import DrawOptions, close, draw_again, draw_next
from scoring.services.sheets import enter, take_pen, write
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_paper_sheet, a_played_round, a_round
from tournaments.core.draw import apply_changes, change_from_dict, draw
from tournaments.core.refusal import Refusal
from tournaments.links import sheet_secret
from tournaments.models import DrawAttempt, Table, Tournament
from tournaments.queries.seating import round_with_seating
from tournaments.services import rounds

pytestmark = pytest.mark.django_db

SEED = "ab" * 32


@pytest.fixture
def tournament() -> Tournament:
    made: Tournament = TournamentFactory.create()
    ParticipantFactory.create_batch(11, tournament=made)
    return made


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as refusal:
        call()
    return refusal.value.code


def seating(tournament: Tournament, number: int = 1) -> tuple[tuple[int, ...], ...]:
    row = round_with_seating(tournament, number)
    assert row is not None
    return row.seating


# --- the record ----------------------------------------------------------------------------------------------------


def test_the_record_of_a_draw_gives_the_tables_again(tournament: Tournament) -> None:
    draw_next(tournament, number=1, options=DrawOptions(), by="x", at=AT)
    made = DrawAttempt.objects.get(round__tournament=tournament)
    again = draw(version=made.version, mode=made.mode, seed=made.seed, players=made.players, sizes=made.sizes)
    assert seating(tournament) == again


def test_a_seed_repeats_a_draw_in_another_tournament(tournament: Tournament) -> None:
    other = TournamentFactory.create()
    ParticipantFactory.create_batch(11, tournament=other)
    for each in (tournament, other):
        draw_next(each, number=1, options=DrawOptions(seed=SEED), by="x", at=AT)
    assert seating(tournament) == seating(other)


def test_chance_is_new_for_every_draw(tournament: Tournament) -> None:
    """RULES 1.1: the tables are drawn anew."""
    draw_next(tournament, number=1, options=DrawOptions(), by="x", at=AT)
    draw_again(tournament, 1, options=DrawOptions(), reason="x", by="x", at=AT)
    seeds = DrawAttempt.objects.filter(round__tournament=tournament).values_list("seed", flat=True)
    assert len(set(seeds)) == 2
    assert [len(seed) for seed in seeds] == [64, 64]


def test_the_draw_and_its_changes_together_give_the_tables(tournament: Tournament) -> None:
    draw_next(tournament, number=1, options=DrawOptions(seed=SEED), by="x", at=AT)
    drawn = seating(tournament)
    for a, b in ((1, 2), (2, 7), (11, 1)):
        rounds.swap(tournament, 1, a=a, b=b, reason="x", by="x", at=AT)
    changes = DrawAttempt.objects.get(round__tournament=tournament).changes.all()
    assert seating(tournament) == apply_changes(drawn, [change_from_dict(change.data) for change in changes])
    assert [change.sequence for change in changes] == [1, 2, 3]


def test_a_redraw_seats_those_who_are_here_now(tournament: Tournament) -> None:
    draw_next(tournament, number=1, options=DrawOptions(), by="x", at=AT)
    ParticipantFactory.create(tournament=tournament)
    draw_again(
        tournament, 1, options=DrawOptions(), reason="einer mehr", by="y", at=AT + timedelta(minutes=1)
    )
    attempts = DrawAttempt.objects.filter(round__tournament=tournament)
    kept = [(made.attempt, made.reason, len(made.players), made.abandoned_at is None) for made in attempts]
    assert kept == [(1, "", 11, False), (2, "einer mehr", 12, True)]
    assert sorted(player for table in seating(tournament) for player in table) == list(range(1, 13))


def test_a_redraw_of_a_released_round_takes_the_release_and_the_links_back(tournament: Tournament) -> None:
    table = a_round(tournament).tables.all()[0]
    secret = sheet_secret(table.pk, table.link_version)
    drawn = draw_again(tournament, 1, options=DrawOptions(), reason="x", by="x", at=AT)
    assert (drawn.state, drawn.released_at) == ("drawn", None)
    assert refused(lambda: enter(secret, device=None)) == "link_unknown"


def test_a_phone_that_has_only_looked_does_not_stop_a_redraw(tournament: Tournament) -> None:
    take_pen(a_round(tournament).tables.all()[0], device="a", at=AT)
    draw_again(tournament, 1, options=DrawOptions(), reason="x", by="x", at=AT)
    assert DrawAttempt.objects.filter(round__tournament=tournament).count() == 2


# --- refusals ------------------------------------------------------------------------------------------------------


def test_a_round_is_drawn_in_its_turn_only(tournament: Tournament) -> None:
    def draws(number: int) -> Callable[[], object]:
        return lambda: draw_next(tournament, number=number, options=DrawOptions(), by="x", at=AT)

    assert refused(draws(2)) == "previous_round_open"
    a_round(tournament)
    assert [refused(draws(1)), refused(draws(2))] == ["round_already_drawn", "previous_round_open"]
    for number in (1, 2, 3):
        if number > 1:
            a_round(tournament, number)
        close(tournament, number, reason="x", at=AT)
    assert refused(draws(4)) == "all_rounds_drawn"


@pytest.mark.parametrize(
    ("players", "code"), [(0, "too_few_players"), (3, "too_few_players"), (7, "needs_confirmation")]
)
def test_a_head_count_is_seated_or_refused(players: int, code: str) -> None:
    tournament = TournamentFactory.create()
    ParticipantFactory.create_batch(players, tournament=tournament)
    assert refused(lambda: draw_next(tournament, number=1, options=DrawOptions(), by="x", at=AT)) == code
    assert not tournament.rounds.exists()


@pytest.mark.parametrize("seed", ["ab" * 31, "zz" * 32])
def test_an_invalid_seed_is_refused_and_nothing_is_drawn(tournament: Tournament, seed: str) -> None:
    assert (
        refused(lambda: draw_next(tournament, number=1, options=DrawOptions(seed=seed), by="x", at=AT))
        == "seed_bad"
    )
    assert not tournament.rounds.exists()


def test_after_the_first_entry_there_is_no_redraw(tournament: Tournament) -> None:
    table = a_round(tournament).tables.all()[1]
    write(table, [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="x", at=AT)
    before = seating(tournament)
    again: Callable[[], object] = lambda: draw_again(  # noqa: E731
        tournament, 1, options=DrawOptions(), reason="x", by="x", at=AT
    )
    assert refused(again) == "round_has_entries"
    assert seating(tournament) == before
    assert Table.objects.filter(pk=table.pk).exists()


def test_swapping_is_for_drawn_rounds_with_a_reason(tournament: Tournament) -> None:
    def swap(a: int = 1, b: int = 2, reason: str = "x") -> Callable[[], object]:
        return lambda: rounds.swap(tournament, 1, a=a, b=b, reason=reason, by="x", at=AT)

    codes = [refused(swap())]
    a_round(tournament, released=False)
    codes += [refused(swap(reason=" ")), refused(swap(b=1)), refused(swap(b=99))]
    rounds.release(tournament, 1, at=AT)
    codes.append(refused(swap()))
    assert codes == [
        "round_not_drawn",
        "text_empty",
        "same_player",
        "not_at_a_table",
        "round_already_released",
    ]


def test_a_round_closes_once_when_every_sheet_is_accepted(tournament: Tournament) -> None:
    def shut(reason: str = "") -> Callable[[], object]:
        return lambda: close(tournament, 1, reason=reason, at=AT)

    codes = [refused(shut())]
    drawn = a_round(tournament, released=False)
    codes.append(refused(shut("x")))
    rounds.release(tournament, 1, at=AT)
    codes.append(refused(shut()))
    for table in drawn.tables.all():
        a_paper_sheet(table)
    assert (close(tournament, 1, at=AT).state, codes) == (
        "closed",
        ["round_not_drawn", "round_not_released", "sheets_not_accepted"],
    )
    assert [refused(shut(reason)) for reason in ("", "x")] == ["round_closed_already"] * 2


def test_closing_a_round_revokes_its_links(tournament: Tournament) -> None:
    table = a_played_round(tournament).tables.all()[0]
    secret = sheet_secret(table.pk, table.link_version)
    assert refused(lambda: enter(secret, device=None)) == "link_of_closed_round"
