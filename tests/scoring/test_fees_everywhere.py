"""The fee: what the door takes, every page says, under every rule sheet, in both languages."""

import html
import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone

from tests.scoring.pages import Staff
from tests.tournaments.sign_up.test_sign_up_pages import Phone, opened
from tournaments.hall_codes import hall_code
from tournaments.rulesets.loader import PRESETS, preset

pytestmark = pytest.mark.django_db

FREE = {"de": "Eine Startgebühr gibt es nicht.", "en": "There is no entry fee."}
ONE = {"de": "Die Startgebühr ist {}, einmal je Spieler.", "en": "The entry fee is {}, once for each player."}
SEVERAL = {
    "de": "Die Startgebühr, einmal je Spieler: voll 10,00 €, ermäßigt 5,00 €, Helfer frei.",
    "en": "The entry fee, once a player: voll 10.00 €, ermäßigt 5.00 €, Helfer free.",
}
FEES: Mapping[str, list[dict[str, Any]]] = {
    "the fee of the rule sheet": [],
    "another fee": [{"key": "full", "name": "", "cents": 750}],
    "no fee": [{"key": "full", "name": "Alle", "cents": 0}],
    "several fees": [
        {"key": "full", "name": "voll", "cents": 1000},
        {"key": "fee-2", "name": "ermäßigt", "cents": 500},
        {"key": "fee-3", "name": "Helfer", "cents": 0},
    ],
}


def amount(cents: int, language: str) -> str:
    text = f"{cents // 100},{cents % 100:02} €"
    return text if language == "de" else text.replace(",", ".")


class Evening:
    """A tournament before its draw, with the fees, in the language."""

    def __init__(self, name: str, fees: list[dict[str, Any]], language: str) -> None:
        self.language = language
        self.desk = Staff(ruleset=name)
        self.tournament = self.desk.tournament
        self.tournament.fees = fees
        self.tournament.save()
        opened(self.tournament)
        own = preset(name).entry_fee_cents
        self.cents = [fee["cents"] for fee in fees] if fees else [own]
        self.amounts = [amount(cents, language) for cents in self.cents if cents]
        self.others = [amount(own, language)] if own and own not in self.cents else []
        self.phone = Phone(self.tournament)
        for client in (self.desk.client, self.phone.client):
            client.cookies[settings.LANGUAGE_COOKIE_NAME] = language

    @property
    def sentence(self) -> str:
        if len(self.cents) > 1:
            return SEVERAL[self.language]
        return ONE[self.language].format(*self.amounts) if self.amounts else FREE[self.language]

    def read(self, address: str, client: Client | None = None) -> str:
        """Return the text of a page, after a check that it names no other fee."""
        answer = (client or self.desk.client).get(address)
        assert answer.status_code == 200, address
        main = answer.content.decode().partition("<main")[2]
        text = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", main)).replace("\u00a0", " ").split())
        assert [other for other in self.others if other in text] == [], address
        if not self.amounts and FREE[self.language] not in text:
            assert "€" not in text.replace(amount(0, self.language), ""), address
        return text

    def mine(self) -> str:
        return self.read(self.phone.url("mine/"), self.phone.client)


@pytest.fixture(params=["de", "en"])
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=FEES)
def fees(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    return FEES[request.param]


@pytest.fixture(params=PRESETS)
def evening(request: pytest.FixtureRequest, fees: list[dict[str, Any]], language: str) -> Evening:
    return Evening(request.param, fees, language)


def test_every_page_says_the_fee_that_the_door_takes(evening: Evening) -> None:
    slug, sentence, amounts = evening.tournament.slug, evening.sentence, evening.amounts
    rules = evening.read(
        reverse("public:rules", args=[slug]), Client(headers={"Accept-Language": evening.language})
    )
    assert sentence in rules
    assert rules.count(sentence) == 1
    assert sentence in evening.read(evening.phone.url(), evening.phone.client)
    announced = evening.read(evening.desk.url("announce"))
    assert (sentence in announced) is bool(amounts)
    poster = evening.read(evening.desk.url("sign_up_poster"))
    door = evening.read(reverse("door:desk", args=[slug]))
    for page in (poster, door):
        assert [named for named in amounts if named not in page] == []


def test_the_page_of_a_sign_up_names_the_fee_before_and_after_the_arrival(evening: Evening) -> None:
    evening.phone.sign_up()
    assert evening.sentence in evening.mine()
    evening.phone.step(1, "arrive", sure="1")
    arrived = evening.mine()
    assert [named for named in evening.amounts if named not in arrived] == []
    pays = {"de": "Bitte dort zahlen", "en": "Please pay there"}[evening.language]
    assert (pays in arrived) is bool(evening.amounts)


def test_who_plays_before_the_desk_has_looked_reads_what_is_to_pay(evening: Evening) -> None:
    opened(evening.tournament, without_desk=True)
    evening.phone.sign_up()
    evening.phone.step(1, "arrive", hall=hall_code(evening.tournament, timezone.now()))
    assert evening.phone.state() == "unpaid"
    owed = evening.cents[0]
    to_pay = {"de": "Noch an der Kasse zu zahlen: ", "en": "Still to pay at the desk: "}[evening.language]
    page = evening.mine()
    assert (to_pay in page) is bool(owed)
    assert not owed or f"{to_pay}{amount(owed, evening.language)}." in page


def test_the_settings_ask_for_the_ruleset_s_fee_only_while_it_is_the_tournament_s(evening: Evening) -> None:
    page = evening.desk.get("settings").content.decode()
    assert ('name="rules-entry_fee_cents"' in page) is (not evening.tournament.fees)


SAYS_WHAT_HOLDS_WITHOUT_FEES = {"organiser:fees"}


def pages_of_a_tournament() -> list[str]:
    """Return the names of all pages whose address needs nothing but the tournament."""
    return [
        f"{space}:{name}"
        for space in ("organiser", "door", "public", "sign_up")
        for name, possible in get_resolver().namespace_dict[space][1].reverse_dict.lists()
        if isinstance(name, str)
        and any(params == ["slug"] for found in possible for _path, params in found[0])
    ]


@pytest.mark.parametrize("name", PRESETS)
def test_no_page_at_all_names_another_fee(name: str) -> None:
    evening = Evening(name, FEES["several fees"], "de")
    evening.phone.sign_up()
    names = set(pages_of_a_tournament()) - SAYS_WHAT_HOLDS_WITHOUT_FEES
    pages = {page: reverse(page, args=[evening.tournament.slug]) for page in sorted(names)}
    assert pages.keys() >= {"public:rules", "organiser:sign_up_poster", "door:desk", "sign_up:form"}
    named = set()
    for page, address in pages.items():
        answer = evening.desk.client.get(address)
        if answer.status_code == 200 and "text/html" in answer["Content-Type"]:
            text = answer.content.decode().replace("\u00a0", " ")
            named |= {page} if "10,00 €" in text else set()
            assert FREE["de"] not in text, page
            assert [other for other in evening.others if other in text.partition("<main")[2]] == [], page
    assert len(named) >= 5
