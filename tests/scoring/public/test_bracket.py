"""The bracket of a knockout, for the public and for the organiser (RULES 4.2)."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.public.wall import wall_pages
from scoring.queries.bracket import Bracket, organiser_bracket, public_bracket
from scoring.queries.public_view import public_view
from scoring.services import standings
from scoring.services.rounds import close
from tests.factories import AT, a_round
from tests.scoring.organiser.rounds.test_knockout import a_knockout, decide, play, seated
from tests.scoring.pages import Staff
from tournaments.core.bracket_preview import Stage
from tournaments.models import Participant, Tournament
from tournaments.services import door

pytestmark = pytest.mark.django_db


def fates(tree: Bracket | None, number: int) -> list[dict[int, str]]:
    """Return the fate of each player by start number, for each table of a round."""
    assert tree is not None
    return [
        {seat.start_number: seat.fate for seat in table.seats} for table in tree.rounds[number - 1].tables
    ]


def public(tournament: Tournament) -> Bracket | None:
    return public_bracket(tournament.slug)


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    main = re.search(r"<main.*</main>", answer.content.decode(), re.DOTALL)
    assert main is not None
    return " ".join(re.sub(r"<[^>]+>", " ", main[0]).split())


# --- qualified players ---------------------------------------------------------------------------------------------


def test_rules_4_2_the_best_two_of_a_table_are_marked_as_soon_as_its_sheet_counts() -> None:
    """RULES 4.2: the other table is still playing."""
    tournament = a_knockout(12).tournament
    one, _other = a_round(tournament).tables.all()
    decide(one)
    (first, second, *out), playing = seated(tournament, 1)
    assert fates(public(tournament), 1) == [
        {first: "on", second: "on", **dict.fromkeys(out, "out")},
        dict.fromkeys(playing, ""),
    ]


def test_rules_4_2_who_shares_the_rank_at_the_cut_is_marked_too() -> None:
    """RULES 4.2."""
    tournament = a_knockout(12).tournament
    decide(a_round(tournament).tables.all()[0], 1, 2, 2, 4, 5, 6)
    assert list(fates(public(tournament), 1)[0].values()) == ["on", "on", "on", "out", "out", "out"]


def test_rules_4_2_who_has_made_it_and_went_home_plays_no_more() -> None:
    """RULES 4.2: before the next round is drawn, and afterwards."""
    tournament = a_knockout(12).tournament
    play(tournament, 1)
    gone = seated(tournament, 1)[0][0]
    door.withdraw(tournament, gone, by="kasse", at=AT)
    before = fates(public(tournament), 1)[0][gone]
    a_round(tournament, 2)
    assert [before, fates(public(tournament), 1)[0][gone]] == ["left", "left"]


def test_rules_4_2_the_winner_of_the_final_has_won() -> None:
    """RULES 4.2."""
    tournament = a_knockout(12).tournament
    play(tournament, 1)
    play(tournament, 2)
    tree = public(tournament)
    assert tree is not None
    winner, *others = seated(tournament, 2)[0]
    assert fates(tree, 2) == [{winner: "won", **dict.fromkeys(others, "")}]
    assert [(line.is_final, line.state) for line in tree.rounds] == [(False, "closed"), (True, "closed")]
    assert tree.ahead == ()


def test_rules_4_2_a_player_reads_who_goes_on_and_where_the_final_is() -> None:
    """RULES 4.2: twelve players, two tables, and four of them in the final."""
    tournament = a_knockout(12).tournament
    home, client = f"/t/{tournament.slug}/", Client()
    play(tournament, 1)
    (first, *_, last), _other = seated(tournament, 1)
    before = text(client, home)
    on, out = (text(client, f"{home}?me={number}") for number in (first, last))
    assert "Vor dem Finale" in before
    assert "kommt weiter" in on
    assert "Der Tisch des Finales steht noch nicht fest." in on
    assert "scheidet aus" in out
    assert "Ausgeschieden in der 1. Spielrunde." in out
    play(tournament, 2)
    rounds = text(client, f"{home}?me={first}").partition("Meine Spielrunden")[2]
    first_round, _, final = rounds.partition(" Finale Tisch 1 ")
    assert first_round.startswith(" 1. Spielrunde Tisch 1 Rang 1 · 0 Striche kommt weiter gegen ")
    assert re.match(r"Rang \d · 0 Striche gegen ", final)
    finals = [client.get(f"{home}rounds/{number}.json").json()["is_final"] for number in (1, 2)]
    assert finals == [False, True]


def test_who_qualified_and_went_home_reads_of_no_next_table() -> None:
    tournament = a_knockout(12).tournament
    play(tournament, 1)
    gone = seated(tournament, 1)[0][0]
    door.withdraw(tournament, gone, by="kasse", at=AT)
    page = text(Client(), f"/t/{tournament.slug}/?me={gone}")
    assert "1. Spielrunde Tisch 1 Rang 1 · 0 Striche gegen " in page
    assert "Der Tisch des Finales steht noch nicht fest." not in page


def test_the_final_is_called_so_while_it_is_played() -> None:
    tournament = a_knockout(12).tournament
    play(tournament, 1)
    a_round(tournament, 2)
    [finalists] = seated(tournament, 2)
    home, client = f"/t/{tournament.slug}/", Client()
    assert "Finale seit" in text(client, home)
    assert "Am Tisch im Finale" in text(client, f"{home}?me={finalists[0]}")
    assert "Finale 0 von 1 Tisch ist fertig." in text(client, f"{home}tables/")
    assert "2. Spielrunde" not in text(client, f"{home}tables/")
    assert "Finale: Wo sitze ich?" in text(client, f"{home}screen/")


def test_rules_4_2_the_rounds_ahead_follow_from_who_goes_on() -> None:
    """RULES 4.2: 34 players; one of the twelve who qualify goes home."""
    tournament = a_knockout(34).tournament
    a_round(tournament)
    expected = [[(stage.number, stage.players, len(stage.sizes)) for stage in _ahead(tournament)]]
    for table in tournament.rounds.get().tables.all():
        decide(table)
    door.withdraw(tournament, seated(tournament, 1)[0][0], by="kasse", at=AT)
    expected.append([(stage.number, stage.players, len(stage.sizes)) for stage in _ahead(tournament)])
    assert expected == [[(2, 12, 2), (3, 4, 1)], [(2, 11, 2), (3, 4, 1)]]


def _ahead(tournament: Tournament) -> tuple[Stage, ...]:
    tree = public(tournament)
    assert tree is not None
    return tree.ahead


def test_an_excluded_player_keeps_his_seat_in_the_tree_and_no_rank() -> None:
    tournament = a_knockout(12).tournament
    play(tournament, 1)
    cheat = seated(tournament, 1)[0][0]
    Participant.objects.filter(tournament=tournament, start_number=cheat).update(
        excluded_at=AT, excluded_reason="falsch eingetragen"
    )
    tree = public(tournament)
    assert tree is not None
    found = next(seat for seat in tree.rounds[0].tables[0].seats if seat.start_number == cheat)
    assert (found.rank, found.fate) == (None, "")


# --- what is public ------------------------------------------------------------------------------------------------


def test_while_the_standings_are_frozen_the_tree_holds_ranks_back() -> None:
    desk = a_knockout(12)
    tournament = desk.tournament
    a_round(tournament)
    decide(desk.table(1))
    standings.freeze(tournament, by="x", at=AT)
    before = text(Client(), f"/t/{tournament.slug}/tree/")
    decide(desk.table(2))
    assert text(Client(), f"/t/{tournament.slug}/tree/") == before
    assert set(fates(public(tournament), 1)[1].values()) == {""}
    assert set(fates(organiser_bracket(tournament), 1)[1].values()) == {"on", "out"}
    close(tournament, 1, at=AT)
    assert {page.kind for page in wall_pages(public_view(tournament.slug))} == {"standings"}
    standings.release(tournament, by="x", at=AT)
    assert set(fates(public(tournament), 1)[1].values()) == {"on", "out"}


def test_where_the_next_seating_is_released_it_says_who_went_on_and_no_ranks() -> None:
    desk = a_knockout(12)
    tournament = desk.tournament
    a_round(tournament)
    standings.freeze(tournament, by="x", at=AT)
    for number in (1, 2):
        decide(desk.table(number))
    close(tournament, 1, at=AT)
    a_round(tournament, 2)
    tree = public(tournament)
    assert tree is not None
    assert [list(found.values()) for found in fates(tree, 1)] == [["on"] * 2 + ["out"] * 4] * 2
    assert {seat.rank for table in tree.rounds[0].tables for seat in table.seats} == {None}


def test_a_round_that_is_drawn_is_the_organisers_alone() -> None:
    desk = a_knockout(12)
    play(desk.tournament, 1)
    a_round(desk.tournament, 2, released=False)
    tree = public(desk.tournament)
    assert tree is not None
    assert len(tree.rounds) == 1
    assert "noch nicht freigegeben" in text(desk.client, desk.url("bracket"))


@pytest.mark.parametrize(
    ("names", "shown"), [("full", "Josef Huber"), ("short", "Josef H."), ("number", "7")]
)
def test_names_are_what_the_tournament_shows(names: str, shown: str) -> None:
    desk = a_knockout(7)
    Participant.objects.filter(tournament=desk.tournament, start_number=7).update(name="Josef Huber")
    Tournament.objects.filter(pk=desk.tournament.pk).update(names=names)
    desk.tournament.refresh_from_db()
    a_round(desk.tournament)
    page = text(Client(), f"/t/{desk.tournament.slug}/tree/")
    assert shown in page
    assert ("Josef Huber" in page) == (names == "full")
    assert "Josef Huber" in text(desk.client, desk.url("bracket"))


# --- links ---------------------------------------------------------------------------------------------------------


def test_players_page_wall_and_rounds_lead_to_the_tree() -> None:
    desk = a_knockout(12)
    link = f'href="/t/{desk.tournament.slug}/tree/"'
    pages = [Client().get(f"/t/{desk.tournament.slug}/{page}") for page in ("", "screen/")]
    assert all(link in page.content.decode() for page in pages)
    assert f'href="{desk.url("bracket")}"' in desk.get("rounds", all="1").content.decode()


def test_where_nobody_drops_out_there_is_no_tree() -> None:
    desk = Staff(12)
    slug = desk.tournament.slug
    answers = [Client().get(f"/t/{slug}/tree/"), desk.get("bracket"), Client().get("/t/gibt-es-nicht/tree/")]
    assert [answer.status_code for answer in answers] == [404, 404, 404]
    assert "Turnierbaum" not in Client().get(f"/t/{slug}/").content.decode()


def test_nothing_can_be_written_there() -> None:
    assert Client().post(f"/t/{a_knockout(12).tournament.slug}/tree/").status_code == 405


def test_before_the_first_draw_the_tree_says_so() -> None:
    assert "Die Tische der 1. Spielrunde sind noch nicht ausgelost." in text(
        Client(), f"/t/{a_knockout(12).tournament.slug}/tree/"
    )


def test_who_has_the_tree_already_gets_304() -> None:
    address = f"/t/{a_knockout(12).tournament.slug}/tree/"
    client = Client()
    etag = client.get(address)["ETag"]
    assert client.get(address, headers={"If-None-Match": etag}).status_code == 304


def test_three_rounds_take_no_more_queries_than_one() -> None:
    counted = []
    for rounds in (1, 3):
        desk = a_knockout(34)
        for number in range(1, rounds + 1):
            play(desk.tournament, number)
        with CaptureQueriesContext(connection) as queries:
            Client().get(f"/t/{desk.tournament.slug}/tree/")
        with CaptureQueriesContext(connection) as of_organiser:
            desk.get("bracket")
        counted.append((len(queries), len(of_organiser)))
    assert counted[0] == counted[1]
    assert counted[0][0] == 3  # one of them of the club, for the foot


def test_between_two_rounds_the_wall_names_who_goes_on() -> None:
    tournament = a_knockout(12).tournament
    play(tournament, 1)
    on = [player for table in seated(tournament, 1) for player in table[:2]]
    door.withdraw(tournament, on[0], by="kasse", at=AT)
    view = public_view(tournament.slug, full_names=True)
    page, *others = wall_pages(view)
    assert (page.kind, {other.kind for other in others}) == ("onward", {"standings"})
    assert {seat.start_number for column in page.columns for seat in column} == set(on[1:])
    a_round(tournament, 2)
    assert "onward" not in {page.kind for page in wall_pages(public_view(tournament.slug))}
