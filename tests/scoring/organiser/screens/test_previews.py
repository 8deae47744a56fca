"""Previews of the screens on the organiser's page: each is the page that the wall shows, and changes nothing by being looked at."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scoring.models import ScreenPairing
from scoring.open_screens import open_screens
from scoring.queries.screens import SentScene
from scoring.services import screens, standings
from scoring.services.screen_pairings import end_pairing
from tests.factories import AT, ParticipantFactory, a_played_round
from tests.scoring.pages import Staff, text_of
from tests.scoring.paired import paired_client
from tests.security.headers import missing_headers

pytestmark = pytest.mark.django_db

NAME = "Spieler 1"


@pytest.fixture
def desk() -> Staff:
    """Create a tournament with standings, that names its players on the web by number."""
    desk = Staff(5)
    ParticipantFactory.create(tournament=desk.tournament, name=NAME)
    desk.tournament.names = "number"
    desk.tournament.save()
    a_played_round(desk.tournament)
    return desk


def preview(desk: Staff, number: int = 1, client: Client | None = None) -> Any:
    address = reverse("public:screen_preview", args=[desk.tournament.slug, number])
    return (client or desk.client).get(address)


def send(desk: Staff, kind: str, number: int = 1, **more: Any) -> None:
    screens.set_scene(desk.tournament, [number], SentScene(kind, **more), by="x", at=AT)


def wall(desk: Staff, client: Client) -> str:
    return shown_on(client.get(f"/t/{desk.tournament.slug}/screen/"))


def shown_on(answer: Any) -> str:
    """Return the part of a page that shows the scene."""
    match = re.search(r'<div id="screen".*</main>', text_of(answer))
    assert match is not None
    return match[0]


# --- what it shows -------------------------------------------------------------------------------------------------


def test_a_preview_shows_what_its_screen_was_sent(desk: Staff) -> None:
    send(desk, "announcement", text="Pause bis neun")
    send(desk, "announcement", 2, text="Die Küche schließt")
    assert ["Pause bis neun" in text_of(preview(desk, number)) for number in (1, 2)] == [True, False]
    assert "Die Küche schließt" in text_of(preview(desk, 2))
    assert "Pause bis neun" not in text_of(preview(desk, 3))


def test_a_preview_shows_the_names_that_the_wall_shows(desk: Staff) -> None:
    """In full before a browser has opened the screen, since that of the organiser will be paired."""
    paired, other = paired_client(desk.tournament), Client()
    assert NAME in shown_on(preview(desk))
    unpaired = wall(desk, other)
    assert NAME not in unpaired
    assert shown_on(preview(desk)) == unpaired
    full = wall(desk, paired)
    assert NAME in full
    assert shown_on(preview(desk)) == full
    end_pairing(desk.tournament, desk.tournament.screen_pairings.get().pk)
    assert shown_on(preview(desk)) == unpaired


def test_a_browser_that_shows_two_screens_is_paired_on_both(desk: Staff) -> None:
    paired = paired_client(desk.tournament)
    for address in ("screen/", "screen/2/"):
        paired.get(f"/t/{desk.tournament.slug}/{address}")
    assert [NAME in shown_on(preview(desk, number)) for number in (1, 2)] == [True, True]


def test_a_frozen_standing_is_frozen_in_the_preview(desk: Staff) -> None:
    send(desk, "standings")
    before = shown_on(preview(desk))
    standings.freeze(desk.tournament, by="x", at=AT)
    a_played_round(desk.tournament, 2)
    frozen = shown_on(preview(desk))
    assert "Zwischenstand – Neues folgt später" in frozen
    assert figures_in(frozen) == figures_in(before)
    assert frozen == wall(desk, paired_client(desk.tournament))
    standings.release(desk.tournament, by="x", at=AT)
    assert figures_in(shown_on(preview(desk))) != figures_in(before)


def figures_in(page: str) -> list[str]:
    cells = re.findall(r'<td class="num[^"]*">(.*?)</td>', page)
    assert cells
    return cells


def test_nothing_in_a_preview_can_be_pressed_and_no_stream_is_opened(desk: Staff) -> None:
    wall(desk, Client())  # not paired, so that the wall itself has a button for it
    page = text_of(preview(desk))
    assert re.search(
        r'<body class="wall-screen" inert data-at-rest data-live="" data-shown="\w+" data-poll="5" data-edition="[^"]+" ?>',
        page,
    )
    assert not re.search(r"data-pairing|data-reveal|csrfmiddlewaretoken|/live\?", page)


@pytest.mark.parametrize("number", [0, 10])
def test_there_is_a_preview_of_nine_screens(desk: Staff, number: int) -> None:
    assert preview(desk, number).status_code == 404


def test_after_the_end_of_publicity_it_says_what_the_wall_says(desk: Staff) -> None:
    type(desk.tournament).objects.filter(pk=desk.tournament.pk).update(public_until_on="2020-01-01")
    ended = preview(desk)
    assert ended.status_code == 410
    assert list(missing_headers(ended, is_framed=True)) == []


def test_a_preview_that_has_not_changed_is_not_sent_again(desk: Staff) -> None:
    address = reverse("public:screen_preview", args=[desk.tournament.slug, 1])
    asks = {"If-None-Match": preview(desk)["ETag"]}
    same = desk.client.get(address, headers=asks)
    send(desk, "black")
    other = desk.client.get(address, headers=asks)
    assert [(answer.status_code, bool(answer.content)) for answer in (same, other)] == [
        (304, False),
        (200, True),
    ]


# --- what it does not change ---------------------------------------------------------------------------------------


def test_a_preview_is_no_open_screen_and_pairs_no_browser(desk: Staff) -> None:
    answer = preview(desk)
    assert answer.status_code == 200
    assert open_screens.of(desk.tournament.slug) == set()
    assert not ScreenPairing.objects.exists()
    assert list(answer.cookies) == []
    assert [row.is_open for row in desk.get("screens").context["screens"]] == [False]
    desk.client.get(f"/t/{desk.tournament.slug}/screen/")  # the control
    assert open_screens.of(desk.tournament.slug) == {1}
    assert ScreenPairing.objects.count() == 1


def test_a_preview_that_asks_by_itself_does_not_prolong_the_session(desk: Staff) -> None:
    session = desk.client.session
    session["active_at"] = long_ago = session["active_at"] - 3600
    session.save()
    assert preview(desk).status_code == 200
    desk.client.get(desk.url("screens_list"), headers={"HX-Request": "true"})
    preview(desk)
    active_at = desk.client.session["active_at"]
    desk.get("screens")  # the control
    assert (active_at, desk.client.session["active_at"] > long_ago) == (long_ago, True)


def test_only_the_preview_may_stand_in_a_frame(desk: Staff) -> None:
    assert list(missing_headers(preview(desk), is_framed=True)) == []
    pages = [desk.get("screens"), desk.client.get(f"/t/{desk.tournament.slug}/screen/"), preview(desk, 12)]
    for page in (*pages, preview(desk, client=Client())):
        assert list(missing_headers(page)) == []


# --- the list ------------------------------------------------------------------------------------------------------


def version_of(page: Any) -> str:
    match = re.search(r"/screens/list/\?version=(\w+)", text_of(page))
    assert match is not None
    return match[1]


def test_every_screen_of_the_list_has_a_preview(desk: Staff) -> None:
    send(desk, "black", 4)
    page = text_of(desk.get("screens"))
    assert re.findall(r'<iframe class="preview__wall" src="([^"]+)"', page) == [
        reverse("public:screen_preview", args=[desk.tournament.slug, number]) for number in (1, 4)
    ]


def test_the_list_is_sent_again_only_if_it_has_changed(desk: Staff) -> None:
    """A preview that is put into the page anew begins anew."""
    versions = [version_of(desk.get("screens"))]
    assert desk.get("screens_list", version=versions[0]).status_code == 204
    changes: list[Callable[[], Any]] = [
        lambda: send(desk, "standings"),
        lambda: desk.client.get(f"/t/{desk.tournament.slug}/screen/"),
        lambda: send(desk, "black", 2),
        lambda: end_pairing(desk.tournament, desk.tournament.screen_pairings.get().pk),
    ]
    for change in changes:
        change()
        changed = desk.get("screens_list", version=versions[-1])
        assert changed.status_code == 200
        versions.append(version_of(changed))
        assert desk.get("screens_list", version=versions[-1]).status_code == 204
    assert len(set(versions)) == len(versions)
