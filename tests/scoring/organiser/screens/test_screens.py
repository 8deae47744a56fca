"""Scenes sent to the screens by the organiser; each screen shows its own, and none shows what is held back."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django.plugin import DjangoDbBlocker

from scoring.models import Screen
from scoring.open_screens import OpenScreens, open_screens
from scoring.public.wall import wall_pages
from scoring.queries.public_view import public_view
from scoring.queries.screens import Prizes, SentScene, prizes_of, scene_of, wall_prizes
from scoring.queries.standings import current_standings
from scoring.services import purge, screens, standings
from scoring.services.rounds import close
from tests.factories import AT, a_paper_sheet, a_played_round
from tests.scoring.pages import Staff, made_once, text_of
from tests.scoring.paired import live_pages, paired_client
from tests.scoring.prize_giving import reveal_until
from tournaments.core.refusal import Refusal
from tournaments.models import Membership, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Staff:
    return Staff(6)


@pytest.fixture(scope="module")
def over_once(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Staff]:
    """Create an evening with three closed rounds, the last played while the standings were frozen."""
    with made_once("screens", django_db_blocker):
        desk = Staff(13)
        a_played_round(desk.tournament, 1)
        a_played_round(desk.tournament, 2)
        standings.freeze(desk.tournament, by="x", at=AT)
        a_played_round(desk.tournament, 3)
        yield desk


@pytest.fixture
def over(over_once: Staff, db: None) -> Staff:
    return over_once.again()


def send(desk: Staff, kind: str, numbers: tuple[int, ...] = (1,), **more: Any) -> None:
    screens.set_scene(desk.tournament, numbers, SentScene(kind, **more), by="x", at=AT)


def reveal(desk: Staff, step: int | str, numbers: tuple[int, ...] = (1,)) -> None:
    """Reveal the prizes until a step, from a page that shows the current state."""
    reveal_until(desk.tournament, numbers, str(step))


def prizes_on(desk: Staff, number: int = 1) -> Prizes:
    prizes = wall_prizes(desk.tournament, scene_of(desk.tournament.slug, number))
    assert prizes is not None
    return prizes


def ranks_on(desk: Staff, number: int = 1) -> list[int]:
    return [row.player.rank for row in prizes_on(desk, number).rows if row]


def wall(desk: Staff, number: int = 1) -> str:
    """Return the screen in a browser that is paired."""
    address = f"/t/{desk.tournament.slug}/screen/" + (f"{number}/" if number > 1 else "")
    return text_of(paired_client(desk.tournament, number).get(address))


def kinds(desk: Staff) -> list[str]:
    tournament: Tournament = desk.tournament
    scene = scene_of(tournament.slug, 1)
    prizes = wall_prizes(tournament, scene)
    return [page.kind for page in wall_pages(public_view(tournament.slug, full_names=True), scene, prizes)]


def code_of(refused: Any) -> str:
    return str(refused.value.code)


# --- scenes --------------------------------------------------------------------------------------------------------


def test_a_screen_shows_by_itself_what_the_evening_is_at_until_it_is_sent_something(desk: Staff) -> None:
    scenes = [kinds(desk)]
    for kind in ("black", "welcome", "announcement", "automatic"):
        send(desk, kind, text="Pause")
        scenes.append(kinds(desk))
    assert scenes == [["welcome"], ["black"], ["welcome"], ["announcement"], ["welcome"]]


def test_sheet_3_before_a_draw_the_wall_calls_all_players_to_the_draw_table() -> None:
    """RULES 3: before the first round, and between two; the screens page offers the scene under every sheet."""
    desk = Staff(10, ruleset="fce")
    address = f"/t/{desk.tournament.slug}/screen/"
    assert "Alle zum Lostisch" in text_of(desk.get("screens"))
    for number in (1, 2):
        assert desk.post("show_scene", scene="gather", screen="1").status_code == 302
        assert kinds(desk) == ["gather"]
        page = text_of(desk.client.get(address))
        assert "Alle zum Lostisch, bitte" in page
        assert f"Gleich werden die Tische der {number}. Spielrunde ausgelost." in page
        send(desk, "automatic")
        assert kinds(desk) != ["gather"]
        if number == 1:
            desk.draw()
            close(desk.tournament, 1, reason="gespielt", at=AT)


def test_a_scene_without_content_shows_it_as_soon_as_it_exists(desk: Staff) -> None:
    scenes = []
    for kind in ("seating", "play", "standings"):
        send(desk, kind)
        scenes.append(kinds(desk))
    desk.draw()
    for kind in ("seating", "play", "standings"):
        send(desk, kind)
        scenes.append(kinds(desk))
    a_paper_sheet(desk.table())
    scenes.append(kinds(desk))
    assert scenes == [["welcome"]] * 3 + [["seating"], ["play"], ["seating"], ["standings"]]


def test_the_seating_that_was_sent_names_everybody_also_those_who_play_already() -> None:
    desk = Staff(10)
    desk.draw()
    a_paper_sheet(desk.table(1))
    send(desk, "seating")
    (page,) = wall_pages(public_view(desk.tournament.slug), scene_of(desk.tournament.slug, 1))
    assert sum(len(column) for column in page.columns) == 10


def test_screens_show_different_scenes(desk: Staff) -> None:
    send(desk, "announcement", (2,), text="Die Küche schließt um neun")
    send(desk, "black", (3,))
    shown = [wall(desk, number) for number in (1, 2, 3)]
    assert ["Die Küche schließt um neun" in page for page in shown] == [False, True, False]
    assert ['data-kind="black"' in page for page in shown] == [False, False, True]


@pytest.mark.parametrize("number", [0, 10])
def test_there_are_nine_screens(desk: Staff, number: int) -> None:
    assert Client().get(f"/t/{desk.tournament.slug}/screen/{number}/").status_code == 404
    with pytest.raises(Refusal) as refused:
        send(desk, "black", (number,))
    assert code_of(refused) == "unknown_screen"


def test_the_welcome_shows_the_wifi_in_words_and_as_a_code_and_no_other_scene_does(desk: Staff) -> None:
    send(desk, "welcome", network="Wirtshaus; Gast", password="zum<Ober>")
    page = wall(desk)
    assert "1. WLAN Wirtshaus; Gast" in page
    assert 'Passwort <span class="wall-code__password">zum&lt;Ober&gt;</span>' in page
    assert page.count('<figure class="wall-code wall-code--small"> <svg') == 2
    send(desk, "automatic")
    assert "zum&lt;Ober&gt;" not in wall(desk)
    assert "wall-code--small" not in wall(desk)


def test_an_announcement_needs_words(desk: Staff) -> None:
    for text in ("", " "):
        with pytest.raises(Refusal) as refused:
            send(desk, "announcement", text=text)
        assert code_of(refused) == "text_empty"
    with pytest.raises(Refusal) as refused:
        send(desk, "announcement", text="x" * 241)
    assert code_of(refused) == "text_too_long"
    assert not Screen.objects.filter(tournament=desk.tournament).exists()


def test_markup_in_an_announcement_is_text(desk: Staff) -> None:
    send(desk, "announcement", text="<b>fett</b>")
    assert "<b>fett" not in wall(desk)


def test_a_screen_stands_once_in_the_database(desk: Staff) -> None:
    send(desk, "black")
    with pytest.raises(IntegrityError), transaction.atomic():
        Screen.objects.create(tournament=desk.tournament, number=1, by="x", at=AT)


def test_an_announcement_that_names_an_erased_person_is_blanked(desk: Staff) -> None:
    person = desk.tournament.participants.get(start_number=1)
    send(desk, "announcement", text=f"Glückwunsch, {person.name}!")
    purge.erase_person(desk.tournament, 1, by="leitung", at=AT)
    assert Screen.objects.get(tournament=desk.tournament).text == "–"


# --- the prize-giving ----------------------------------------------------------------------------------------------


def test_prizes_are_revealed_from_the_last_to_the_first(over: Staff) -> None:
    rows = [row for row in current_standings(over.tournament).rows if row.rank <= 4]
    ranks = sorted({row.rank for row in rows}, reverse=True)
    send(over, "prizes", lowest_rank=4)
    for step in range(len(ranks) + 1):
        prizes = prizes_on(over)
        shown = [row.player.start_number for row in prizes.rows if row]
        assert shown == [row.start_number for row in rows if row.rank in ranks[:step]]
        assert prizes.newest == (str(ranks[step - 1]) if step else "")
        assert prizes.next == (str(ranks[step]) if step < len(ranks) else "")
        reveal(over, prizes.next or prizes.newest)


def test_nobody_learns_from_any_page_what_is_not_revealed(over: Staff) -> None:
    """While the standings are frozen: every page, before and after each step."""
    first = next(row for row in current_standings(over.tournament).rows if row.rank == 1)
    points = f'<td class="num points">{first.points}</td>'
    before = live_pages(over.tournament)
    send(over, "prizes", lowest_rank=3)
    after = live_pages(over.tournament)
    assert [name for name in before if before[name] != after[name]] == ["screen 1", "wall 1"]
    shown = wall(over)
    assert not any(row.name in shown for row in current_standings(over.tournament).rows)
    said = f'<span class="wall-prize__gets"> {first.points} Punkte'
    reveal(over, prizes_on(over).next)
    assert said not in wall(over)
    reveal(over, 1)
    assert first.name in wall(over)
    assert said in wall(over)
    assert [said in wall(over, 2), points in wall(over, 2)] == [False, False]


def test_a_long_name_takes_smaller_letters_at_the_prize_giving(over: Staff) -> None:
    send(over, "prizes", lowest_rank=1)
    winner = next(row for row in current_standings(over.tournament).rows if row.rank == 1)
    winners = over.tournament.participants.filter(start_number=winner.start_number)
    reveal(over, 1)
    for name, is_long in (("N" * 26, False), ("N" * 27, True)):
        winners.update(name=name)
        assert f'wall-prize__name{" wall-prize__name--long" if is_long else ""}">{name} <' in wall(over)


def test_the_last_revealed_prizes_are_listed_below_and_the_winner_is_highlighted(over: Staff) -> None:
    send(over, "prizes", lowest_rank=9)
    steps = prizes_on(over).steps
    for step in steps:
        reveal(over, step)
        assert f"Rang {step}" in wall(over)
        assert ("data-winner" in wall(over)) is (step == "1")
    prizes = prizes_on(over)
    assert {row.step for row in prizes.revealed_last} == {"1"}
    assert prizes.earlier == tuple(row for row in prizes.rows if row and row.step != "1")[:4]


def test_many_who_share_a_rank_stand_on_several_pages() -> None:
    desk = Staff(15)
    for number in (1, 2, 3):
        a_played_round(desk.tournament, number)
    leaderboard = current_standings(desk.tournament)
    shared = tuple(replace(row, rank=1) for row in leaderboard.rows[:14])
    prizes = prizes_of(replace(leaderboard, rows=shared), SentScene("prizes", lowest_rank=1, revealed="1"))
    pages = wall_pages(public_view(desk.tournament.slug), SentScene("prizes"), prizes)
    assert [len(page.rows) for page in pages] == [3, 4, 3, 4]


def test_one_key_pressed_twice_reveals_one_rank(over: Staff) -> None:
    send(over, "prizes", lowest_rank=3)
    first = prizes_on(over).next
    for _ in range(2):
        screens.reveal(over.tournament, [1], first, seen="", by="x", at=AT)
    assert ranks_on(over)
    assert set(ranks_on(over)) == {int(first)}


def test_a_press_that_would_skip_a_prize_reveals_nothing_and_the_next_one_goes_on(over: Staff) -> None:
    """The page offers the next prize only. A second press that names the one after it is refused, until it is next itself."""
    send(over, "prizes", lowest_rank=9)
    first, second, third, *_ = prizes_on(over).steps
    over.post("reveal", seen="", step=first)
    answer = over.post("reveal", seen=first, step=third, follow=True)
    assert "Davor kommt noch ein Preis, den die Leinwand nicht gezeigt hat." in text_of(answer)
    assert prizes_on(over).newest == first
    for step, seen in ((second, first), (third, second), (first, third), ("", first)):
        over.post("reveal", seen=seen, step=step)
        assert prizes_on(over).newest == step
    with pytest.raises(Refusal) as refused:
        screens.reveal(over.tournament, [1], second, seen="", by="x", at=AT)
    assert code_of(refused) == "prize_skipped"


def test_an_outdated_page_reveals_nothing(over: Staff) -> None:
    """Another laptop has restarted the prize-giving, or is further on."""
    send(over, "prizes", lowest_rank=9)
    worst = prizes_on(over).next
    reveal(over, worst)
    better = prizes_on(over).next
    send(over, "prizes", lowest_rank=9)
    with pytest.raises(Refusal) as refused:
        screens.reveal(over.tournament, [1], better, seen=worst, by="x", at=AT)
    assert code_of(refused) == "revealed_meanwhile"
    assert ranks_on(over) == []


def test_a_tie_that_comes_meanwhile_reveals_nobody(over: Staff) -> None:
    """A decision is revoked or a sheet corrected: two ranks become one, without any key pressed."""
    leaderboard = current_standings(over.tournament)
    first, second, third, *_ = sorted({row.rank for row in leaderboard.rows})
    tied = [replace(row, rank=second) if row.rank == third else row for row in leaderboard.rows]
    scene = SentScene("prizes", lowest_rank=12, revealed=str(second))
    prizes = prizes_of(replace(leaderboard, rows=tuple(tied)), scene)
    assert [row.player.rank for row in prizes.rows if row][:2] == [second, second]
    assert (prizes.newest, prizes.next) == (str(second), str(first))


def test_screens_with_different_prizes_reveal_the_same_rank(over: Staff) -> None:
    send(over, "prizes", (1,), lowest_rank=12)
    send(over, "prizes", (2,), lowest_rank=3)
    page = text_of(over.get("screens"))
    worst = max(row.rank for row in current_standings(over.tournament).rows if row.rank <= 12)
    assert f"Als Nächstes Rang {worst}:" in page
    over.post("reveal", seen="", step=worst)
    assert set(ranks_on(over, 1)) == {worst}
    assert ranks_on(over, 2) == []


def test_before_the_end_there_is_no_prize_giving(desk: Staff) -> None:
    a_played_round(desk.tournament, 1)
    with pytest.raises(Refusal) as refused:
        send(desk, "prizes")
    assert code_of(refused) == "nobody_has_won"
    answer = desk.post("show_scene", scene="prizes", lowest_rank=3)
    assert answer.status_code == 422
    assert "Noch steht kein Sieger fest." in text_of(answer)


def test_a_new_prize_giving_begins_with_nothing_revealed(over: Staff) -> None:
    send(over, "prizes")
    reveal(over, prizes_on(over).next)
    send(over, "prizes")
    assert ranks_on(over) == []


# --- up and down ---------------------------------------------------------------------------------------------------


def moves(desk: Staff) -> dict[int, int]:
    return {row.start_number: row.moved for row in public_view(desk.tournament.slug, with_moves=True).rows}


def ranks(desk: Staff) -> dict[int, int]:
    return {row.start_number: row.rank for row in public_view(desk.tournament.slug, with_moves=True).rows}


def test_the_wall_says_how_many_ranks_somebody_has_moved_since_the_last_round(desk: Staff) -> None:
    a_played_round(desk.tournament, 1)
    assert set(moves(desk).values()) == {0}
    before = ranks(desk)
    a_played_round(desk.tournament, 2)
    after = ranks(desk)
    assert before != after
    assert moves(desk) == {number: before[number] - rank for number, rank in after.items()}
    up = max(moves(desk).values())
    assert f'data-move="up" data-since-round>▲{up}</span>' in wall(desk)
    assert "data-since-round" not in text_of(Client().get(f"/t/{desk.tournament.slug}/"))


def test_while_frozen_the_moves_are_those_of_the_standing_that_is_shown(desk: Staff) -> None:
    a_played_round(desk.tournament, 1)
    standings.freeze(desk.tournament, by="x", at=AT)
    a_played_round(desk.tournament, 2)
    assert set(moves(desk).values()) == {0}
    assert "data-since-round" not in wall(desk)


def test_the_round_in_play_says_how_many_tables_are_done_and_the_strokes_so_far() -> None:
    desk = Staff(10)
    desk.draw()
    a_paper_sheet(desk.table(1), strokes={1: 3})
    send(desk, "play")
    page = wall(desk)
    assert "1. Spielrunde läuft seit 19:30" in page
    assert "<b>1 von 2</b> fertig" in page
    assert "3 Striche" in page
    standings.freeze(desk.tournament, by="x", at=AT)
    assert "3 Striche" not in wall(desk)


# --- the organiser's page ------------------------------------------------------------------------------------------


def test_the_page_lists_the_screens_that_are_open_and_what_each_shows(desk: Staff) -> None:
    wall(desk, 2)
    desk.post("show_scene", screen="2", scene="announcement", text="Pause")
    page = desk.get("screens")
    assert [(row.number, row.scene.kind, row.is_open) for row in page.context["screens"]] == [
        (1, "automatic", False),
        (2, "announcement", True),
    ]
    assert "/screen/3/" in text_of(page)


def test_without_a_choice_a_scene_goes_to_all(desk: Staff) -> None:
    wall(desk, 2)
    desk.post("show_scene", scene="black")
    assert [scene_of(desk.tournament.slug, number).kind for number in (1, 2, 3)] == [
        "black",
        "black",
        "automatic",
    ]


def test_the_text_of_a_scene_is_kept_for_the_next_time(desk: Staff) -> None:
    desk.post("show_scene", scene="welcome", network="Gast", password="geheim12")
    desk.post("show_scene", scene="automatic")
    page = text_of(desk.get("screens"))
    assert 'value="Gast"' in page
    assert 'value="geheim12"' in page


@pytest.mark.parametrize(
    "data",
    [
        {"scene": "announcement", "text": ""},
        {"scene": "announcement", "text": "umge\u202ekehrt"},
        {"scene": "welcome", "network": "x" * 33},
        {"scene": "prizes", "lowest_rank": 61},
        {"scene": "prizes", "lowest_rank": ""},
    ],
)
def test_an_invalid_scene_is_refused_with_the_reason(desk: Staff, data: dict[str, Any]) -> None:
    answer = desk.post("show_scene", **data)
    assert answer.status_code == 422
    assert "field__error" in text_of(answer)
    assert not Screen.objects.filter(tournament=desk.tournament).exists()


@pytest.mark.parametrize("data", [{}, {"scene": "film"}])
def test_an_unknown_scene_is_404(desk: Staff, data: dict[str, Any]) -> None:
    assert desk.post("show_scene", **data).status_code == 404


def test_the_organiser_leads_the_prize_giving_and_reads_who_is_next(over: Staff) -> None:
    over.post("show_scene", scene="prizes", lowest_rank=1)
    winners = [row.name for row in current_standings(over.tournament).rows if row.rank == 1]
    page = text_of(over.get("screens"))
    assert f"Als Nächstes Rang 1: <b>{', '.join(winners)}" in page
    over.post("reveal", seen="", step=1)
    page = text_of(over.get("screens"))
    assert "Alle Preise sind gezeigt." in page
    assert "Wieder verdecken" in page


def test_only_a_screen_of_a_logged_in_organiser_can_reveal(over: Staff) -> None:
    address = f"/t/{over.tournament.slug}/screen/"
    cashier, stranger = Staff(role=Membership.Role.CASHIER), Staff()
    Membership.objects.create(tournament=over.tournament, user=cashier.user, role=Membership.Role.CASHIER)
    shown = [
        "data-reveal" in text_of(client.get(address))
        for client in (over.client, cashier.client, stranger.client, Client())
    ]
    assert shown == [True, False, False, False]


@pytest.mark.parametrize(
    "data", [{}, {"seen": "", "step": "x"}, {"seen": "12345", "step": "1"}, {"step": "1"}]
)
def test_an_invalid_rank_reveals_nothing(over: Staff, data: dict[str, Any]) -> None:
    send(over, "prizes")
    assert over.post("reveal", **data).status_code == 404


def test_a_scene_is_sent_to_a_named_screen_even_if_it_is_not_open(desk: Staff) -> None:
    """Its computer was asleep, or the server was restarted."""
    assert desk.post("show_scene", screen="2", scene="black").status_code == 302
    assert [(screen.number, screen.scene) for screen in Screen.objects.all()] == [(2, "black")]
    assert desk.post("show_scene", screen="12", scene="black").status_code == 422
    assert desk.post("show_scene", listed=["1", "3"], scene="seating").status_code == 302
    shown = {screen.number: screen.scene for screen in Screen.objects.all()}
    assert shown == {1: "seating", 2: "seating", 3: "seating"}


@pytest.mark.parametrize("name", ["show_scene", "reveal"])
def test_reading_never_writes_and_only_organisers_send_scenes(desk: Staff, name: str) -> None:
    stranger = Staff()
    assert [desk.get(name).status_code, stranger.client.post(desk.url(name)).status_code] == [405, 404]
    assert stranger.client.get(desk.url("screens")).status_code == 404


def test_nine_screens_take_no_more_queries_than_one(desk: Staff) -> None:
    counted = []
    for number in (1, 9):
        for screen in range(1, number + 1):
            wall(desk, screen)
        with CaptureQueriesContext(connection) as queries:
            desk.get("screens")
        counted.append(len(queries))
    assert counted[0] == counted[1]


def test_a_prize_giving_takes_no_more_queries_for_sixty_than_for_six() -> None:
    counted = []
    for players in (6, 60):
        desk = Staff(players)
        for number in (1, 2, 3):
            a_played_round(desk.tournament, number)
        send(desk, "prizes", lowest_rank=12)
        reveal(desk, prizes_on(desk).next)
        paired = paired_client(desk.tournament)
        with CaptureQueriesContext(connection) as queries:
            paired.get(f"/t/{desk.tournament.slug}/screen/")
        counted.append(len(queries))
    assert counted == [5, 5]


# --- open screens --------------------------------------------------------------------------------------------------


def test_a_screen_that_no_longer_asks_is_not_open() -> None:
    now = [0.0]
    seen = OpenScreens(clock=lambda: now[0])
    seen.note("abend", 1)
    now[0] = 15
    seen.note("abend", 2)
    seen.note("anderer", 3)
    open_now = [seen.of("abend")]
    now[0] = 50
    open_now.append(seen.of("abend"))
    assert open_now == [{1, 2}, {2}]


def test_processes_tell_each_other_of_screens_and_forget_them_at_the_same_time() -> None:
    now = [0.0]
    first, second, idle = (OpenScreens(clock=lambda: now[0]) for _ in range(3))

    def beat() -> int:
        """Let every process tell what it has to tell; all hear it, itself too. Return the number of messages."""
        told = [message for seen in (first, second, idle) if (message := seen.to_tell())]
        for message in told:
            for seen in (first, second, idle):
                seen.hear(json.loads(message)["screens"])
        return len(told)

    first.note("abend", 1)
    second.note("abend", 2, "device")
    assert [beat(), beat()] == [2, 0]
    assert [seen.of("abend") for seen in (first, second, idle)] == [{1, 2}] * 3
    assert idle.by_device("abend") == {"device": 2}
    for now[0] in range(1, 19):
        second.note("abend", 2, "device")
        beat()
        assert idle.of("abend") == {1, 2}
    for now[0] in range(19, 90):
        beat()
    assert [seen._seen for seen in (first, second, idle)] == [{}] * 3


def test_a_page_that_does_not_exist_is_no_screen(desk: Staff) -> None:
    Client().get("/t/gibt-es-nicht/screen/")
    Client().get(f"/t/{desk.tournament.slug}/screen/12/")
    assert [open_screens.of("gibt-es-nicht"), open_screens.of(desk.tournament.slug)] == [set(), set()]
