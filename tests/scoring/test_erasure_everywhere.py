"""After a person is erased no table, page, JSON, print, file, backup made later or search holds the name, and all numbers stay.

The person has evenings under two rows that are merged, a sign-up, consents, wishes, a series with an evening that was typed in, and
honours; asked are all routes, as the owner and as everybody. The same holds for names that become numbers in time.
"""

import io
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.utils import timezone

from scoring.core.series_rule import series_preset
from scoring.documents import dump, export_tournament
from scoring.models import EveningResult, Series
from scoring.public.search import find
from scoring.queries.public_view import public_view
from scoring.queries.series import series_page
from scoring.services.honours import set_honours
from scoring.services.projection import rebuild_results
from scoring.services.purge import erase_from_club
from scoring.services.retention import forget_names
from scoring.services.series import choose_evenings, make_series, type_evening
from tests.factories import AT, ParticipantFactory, TournamentFactory, UserFactory, a_played_round, enter
from tests.security.addresses import all_routes, ids_of
from tests.tournaments.public.test_club import KARO
from tests.tournaments.services.test_people import a_person
from tests.tournaments.services.test_people import wish as wishes
from tournaments.models import CashDesk, CashEntry, Person, Round, SignUp, Tournament
from tournaments.queries.people import known_people
from tournaments.services import door, people
from tournaments.services.club import set_club

pytestmark = pytest.mark.django_db

SIGNED: Any = {"by": "leitung", "at": AT}
WORDS = ("Rosenm", "rosenm", "ROSENM", "Zita", "Zwiesel")
LATER = AT + timedelta(days=60)


def evening(name: str, days_ago: int, person: Person) -> Tournament:
    """Create a closed evening with the person and money, texts, changes and a sign-up about them."""
    day = AT.date() - timedelta(days=days_ago)
    made: Tournament = TournamentFactory.create(name=name, played_on=day, names="full")
    made.ruleset |= {"rounds": 1}
    made.save()
    more = {"town": "Zwiesel", "club": "Rosenmüllers Stammtisch"}
    ParticipantFactory.create(tournament=made, name=person.name, **more)
    for other in ("Auer Karl", "Berg Anna", "Kern Lena", "Lang Emil"):
        ParticipantFactory.create(tournament=made, name=other)
    people.recognise(made, 1, person.key, how="suggested", **SIGNED)  # type: ignore[arg-type]
    a_played_round(made)
    door.take_fee(made, 1, by="kasse", at=AT)
    desk = CashDesk.objects.create(tournament=made, number=2, name="Kasse 2")
    CashEntry.objects.create(
        tournament=made, desk=desk, kind="out", cents=100, reason="Taxi für Zita", **SIGNED
    )
    SignUp.objects.create(
        tournament=made,
        number=1,
        name="Zita Rosenmüller",
        code_hash=f"{made.pk:064}",
        made_at=AT,
        withdrawn_at=AT,
    )
    return made


class Club:
    """A club with the person everywhere. Before anything happens the name stands in all the places that are asked afterwards."""

    def __init__(self) -> None:
        self.zita = a_person("Zita Rosenmüller", town="Zwiesel", member_number="7")
        double = a_person("Rosenmüller Zita", town="Zwiesel")
        lena = a_person("Kern Lena")
        wishes(double, table=1, apart=("Kern Lena",))
        self.evenings = [evening("Erster", 3, self.zita), evening("Zweiter", 2, double)]
        people.merge(double.key, self.zita.key)
        self.evenings.append(evening("Dritter", 1, self.zita))
        wishes(lena, apart=("Zita Rosenmüller",))
        for what in ("keep", "full_name", "honours"):
            people.record_consent(self.zita.key, what=what, is_given=True, on=AT.date(), how="own_phone")
        self.series = make_series(
            slug="jahr", name="Jahr", rule=series_preset("best-seven"), planned=None, at=AT
        )
        ids = [each.pk for each in self.evenings]
        choose_evenings(self.series, ids)
        lines = "1;Zita Rosenmüller;30\n2;Auer Karl;20\n3;Kern Lena;10"
        type_evening(self.series, lines, name="Von früher", day=AT.date() - timedelta(days=9))
        EveningResult.objects.filter(person=self.zita).update(person=None, name="Zita Rosenmüller")
        set_honours("1998; Zita Rosenmüller\n1999; Rosenmüller Zita; Schnauzkönig", **SIGNED)
        set_club(KARO, by="inhaber", at=AT)
        self.owner, self.everybody = Client(), Client()
        enter(self.owner, UserFactory.create(is_superuser=True))

    def numbers(self) -> list[Any]:
        """Return the series without names, the results, the payments and the cash books."""
        page = series_page(Series.objects.get(), today=AT.date())
        rows = [(line.row.rank, line.row.value, line.row.shared) for line in page.lines]
        results = EveningResult.objects.order_by("evening", "rank").values_list("evening", "rank", "points")
        paid = [each.participants.order_by("start_number", "payments") for each in self.evenings]
        money = [list(each.values_list("payments__cents")) for each in paid]
        return [rows, list(results), money, [rebuild_results(each) for each in self.evenings]]

    def pages(self) -> Iterator[tuple[str, bytes]]:
        """Yield the answer of every address, to the owner and to everybody."""
        ids = [ids_of(Tournament.objects.get(pk=each.pk)) for each in self.evenings]
        asked = [route for route in all_routes() if "GET" in route.methods]
        addresses = {
            route.address(values) for of_one in ids for route in asked for values in route.values(of_one)
        }
        for client in (self.owner, self.everybody):
            for address in sorted(addresses):
                yield address, _content(client.get(address))
        yield "people", self.owner.get("/o/+/people/?q=zita").content

    def holding(self) -> set[str]:
        """Return where a word of the name stands: addresses and tables without their numbers, documents, search."""
        cache.clear()
        held = {address for address, text in self.pages() if _is_in(text)}
        held |= {f"document {each.name}" for each in self.evenings if _is_in(_document(each))}
        for each in self.evenings:
            view = public_view(each.slug, full_names=True)
            held |= {f"search {each.name}" for word in ("Zita", "rosenmueller") if find(view, word).players}
        held |= {"known people"} if known_people(TournamentFactory.create(), "rosenm") else set()
        with connection.cursor() as cursor:
            for table in connection.introspection.table_names(cursor):
                cursor.execute(f'SELECT string_agg(t::text, chr(10)) FROM "{table}" t')
                if _is_in((cursor.fetchone()[0] or "").encode()):
                    held.add(table)
        return held


def _document(tournament: Tournament) -> bytes:
    return dump(export_tournament(tournament)).encode()


def _content(response: Any) -> bytes:
    """Return the text of an answer: of an archive or workbook the texts of its files."""
    content: bytes = b"".join(response.streaming_content) if response.streaming else response.content
    if not content.startswith(b"PK"):
        return content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return b"".join(archive.read(name) for name in archive.namelist())


def _is_in(text: bytes) -> bool:
    return any(word.encode() in text or word.encode("unicode_escape") in text for word in WORDS)


def test_nothing_holds_the_name_and_every_number_is_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "localdate", lambda *_: AT.date())  # a year later the series names nobody
    club = Club()
    before, held = club.numbers(), club.holding()
    assert {
        "tournaments_person", "tournaments_participant", "tournaments_signup", "tournaments_cashentry", "scoring_eveningresult",
        "/series/jahr.json", "/honours/", "/o/+/people/", "document Erster", "search Erster", "known people",
    } <= held  # fmt: skip
    assert len(held) > 60
    erase_from_club(club.zita.key, **SIGNED)
    assert (club.holding(), club.numbers()) == (set(), before)
    assert not Person.apart.through.objects.exists()


def test_names_that_become_numbers_in_time_are_nowhere_in_their_evenings_and_every_number_is_as_before() -> (
    None
):
    """What stays is the member in the club's own list, and in the club's document."""
    club = Club()
    set_club(replace(KARO, name_days=30), by="inhaber", at=AT)
    for what in ("keep", "honours"):
        people.record_consent(club.zita.key, what=what, is_given=False, on=AT.date(), how="own_phone")
    Tournament.objects.update(public_until_on=None)
    Round.objects.update(closed_at=AT, released_at=AT, drawn_at=AT)
    before = club.numbers()
    assert forget_names(today=LATER.date(), at=LATER) == 15
    assert club.numbers() == before
    held = {place for place in club.holding() if "people" not in place}
    assert held == {"tournaments_person", "/o/+/honours/", "/o/+/club.json"}
    for each in club.evenings:
        assert not each.participants.exclude(name__startswith="Nr. ").exists()
