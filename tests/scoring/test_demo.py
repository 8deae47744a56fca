"""Tests of the demo: a practice tournament in play, evenings that are over, and one to come. None of its pages is empty."""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from html import unescape
from urllib.parse import urljoin

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from scoring.queries.prize_giving import current_prize_giving
from scoring.queries.standings import current_standings
from scoring.services.projection import rebuild_results
from scoring.services.purge import delete_practice_tournament
from tournaments.access import STAFF
from tournaments.models import SignUp, Tournament
from tournaments.queries.desks import desk_rows
from tournaments.queries.tournaments import tournaments_to_watch
from tournaments.rulesets.loader import PRESETS

OVER = ("uebung-schafkopf", "uebung-knockout", "uebung-fce")
IN_PLAY, TO_COME = "uebung", "uebung-konradsreuth"
EMPTY_BEFORE_THE_FIRST_ROUND = {
    f"organiser:{name}" for name in ("paper", "pictures", "print", "report", "standings")
}
ALL_DONE = {"account:deletions", "account:log", "organiser:club_people", "organiser:flags", "organiser:paper"}
"""Pages that say so when there is nothing left to do."""


@pytest.fixture(scope="module")
def made_once(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Make the demo once for all tests of this module. It takes seconds; what a test does to it is rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        make_demo()
        yield
        transaction.set_rollback(True)


@pytest.fixture
def demo(made_once: None, db: None) -> dict[str, Tournament]:
    return {tournament.slug: tournament for tournament in Tournament.objects.all()}


def make_demo() -> None:
    call_command("practice_tournament", evenings=True)


def test_three_evenings_are_over_one_is_in_play_and_one_is_to_come(demo: dict[str, Tournament]) -> None:
    assert set(demo) == {*OVER, IN_PLAY, TO_COME}
    today = timezone.localdate()
    assert [demo[slug].played_on < today for slug in OVER] == [True] * 3
    assert demo[TO_COME].played_on > today
    assert {current_standings(demo[slug]).final for slug in OVER} == {True}
    assert not current_standings(demo[IN_PLAY]).final
    assert not demo[TO_COME].rounds.exists()
    assert {row.slug for row in tournaments_to_watch(today)} == set(demo)


def test_it_shows_every_rule_sheet(demo: dict[str, Tournament]) -> None:
    assert sorted(tournament.rules.name for tournament in demo.values()) == sorted(PRESETS)


def test_all_of_it_can_be_deleted_in_one_step_as_practice(demo: dict[str, Tournament]) -> None:
    assert {tournament.is_practice for tournament in demo.values()} == {True}


def test_its_logs_give_its_results(demo: dict[str, Tournament]) -> None:
    assert [slug for slug, tournament in demo.items() if rebuild_results(tournament)] == []


def test_the_prizes_of_the_evenings_are_given_and_the_desks_are_closed_without_a_difference(
    demo: dict[str, Tournament],
) -> None:
    for slug in OVER:
        giving = current_prize_giving(demo[slug], current_standings(demo[slug]))
        assert giving is not None
        assert len(giving.rows) >= 4
        assert {row.is_settled for row in giving.rows} == {True}
        assert giving.paid_cents > 0
        assert [(desk.is_closed, desk.difference_cents) for desk in desk_rows(demo[slug])] == [(True, 0)]


def test_some_who_want_to_come_wait_for_a_place(demo: dict[str, Tournament]) -> None:
    placed = Counter(
        bool(one.placed_at) for one in SignUp.objects.filter(tournament=demo[TO_COME], withdrawn_at=None)
    )
    assert placed[True] > 5
    assert placed[False] > 0


def test_a_second_start_makes_nothing_twice(demo: dict[str, Tournament]) -> None:
    before = rows_of_every_model()
    make_demo()
    assert rows_of_every_model() == before


def test_it_is_completed_where_a_part_of_it_is_missing(demo: dict[str, Tournament]) -> None:
    delete_practice_tournament(demo[IN_PLAY], by="leitung", at=timezone.now())
    make_demo()
    assert Tournament.objects.count() == 5


def test_no_page_is_empty(demo: dict[str, Tournament]) -> None:
    owner = Client()
    owner.force_login(User.objects.create_superuser("veranstalter"))
    empty = {
        (name, slug)
        for name, slug, text in pages(owner, STAFF, *starts(demo))
        if 'class="empty"' in text and name not in ALL_DONE
    }
    assert empty == {(name, TO_COME) for name in EMPTY_BEFORE_THE_FIRST_ROUND - ALL_DONE}


def test_every_page_for_the_public_is_there_without_an_account_and_not_empty(
    demo: dict[str, Tournament],
) -> None:
    unlinked = [reverse("public:screen", args=[slug]) for slug in demo]
    unlinked += [reverse("public:me", args=[slug, 1]) for slug in OVER]
    read = list(pages(Client(), {"public"}, "/", *unlinked))
    assert [(name, slug) for name, slug, text in read if 'class="empty"' in text] == []
    found = Counter(name for name, _slug, _text in read)
    tabs = ("public:players", "public:standings", "public:tables", "public:rules")
    assert {name: found[name] for name in tabs} == dict.fromkeys(tabs, 5)
    assert found["public:sheet"] == found["public:draw"] == 4
    assert found["public:bracket"] == 1
    assert found["sign_up:form"] == 1


def rows_of_every_model() -> dict[str, int]:
    labels = ("scoring", "tournaments")
    return {
        model.__name__: model._default_manager.count()
        for label in labels
        for model in apps.get_app_config(label).get_models()
    }


def starts(demo: dict[str, Tournament]) -> Iterator[str]:
    """Yield where to begin: beside the first pages, those to which a form or a script leads."""
    yield reverse("organiser:home")
    for slug in demo:
        yield from (reverse(f"organiser:{name}", args=[slug]) for name in ("flags", "wishes", "prize_list"))
        yield from (reverse("door:participants_file", args=[slug, kind]) for kind in ("csv", "xlsx"))
    for slug in OVER:
        yield reverse("organiser:print_certificates", args=[slug]) + "?first=3"
        yield reverse("organiser:print_receipts", args=[slug])


def pages(client: Client, access: Collection[str], *starts: str) -> Iterator[tuple[str, str | None, str]]:
    """Follow links to pages of such access, and yield the first of every route and tournament.

    Of each page: the name of its route, the slug, its text.
    """
    waiting, seen = list(starts), set()
    while waiting:
        address = waiting.pop(0)
        path = re.split("[?#]", address)[0]
        try:
            found = resolve(path)
        except Resolver404:
            continue  # a file
        key = (found.view_name, found.kwargs.get("slug"))
        if key in seen or getattr(found.func, "access", "") not in access:
            continue
        seen.add(key)
        answer = client.get(address)
        assert answer.status_code in (200, 302), address
        if "text/html" not in answer.get("Content-Type", "") or found.view_name == "public:check_file":
            continue
        text = answer.content.decode()
        yield found.view_name, found.kwargs.get("slug"), text
        links = re.findall(r'<a\b[^>]*\bhref="([^"]+)"', text)
        waiting += [urljoin(path, unescape(link)) for link in links if not re.match("[a-z]+:", link)]
