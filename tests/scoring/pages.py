"""An organiser's client for the tests, logged in, with a tournament."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any

from django.db import transaction
from django.test import Client
from django.urls import reverse
from factory.random import reseed_random
from pytest_django.plugin import DjangoDbBlocker

from tests.factories import ParticipantFactory, TournamentFactory, UserFactory, a_round, enter
from tournaments.models import Membership, Round, Table, Tournament
from tournaments.rulesets.loader import preset
from tournaments.rulesets.schema import Ruleset


class Staff:
    """A logged-in organiser of a tournament."""

    def __init__(
        self,
        players: int = 0,
        *,
        role: str = Membership.Role.ORGANISER,
        ruleset: str | Ruleset = "schnauz-placing",
    ) -> None:
        rules = preset(ruleset) if isinstance(ruleset, str) else ruleset
        self.user = UserFactory.create()
        self.tournament: Tournament = TournamentFactory.create(ruleset=rules.to_dict())
        Membership.objects.create(tournament=self.tournament, user=self.user, role=role)
        ParticipantFactory.create_batch(players, tournament=self.tournament)
        self.client = Client()
        enter(self.client, self.user)

    def again(self) -> "Staff":
        """Return this desk of `made_once` for one test. The slug is another one, as a process keeps some things by slug."""
        other = copy(self)
        slug = TournamentFactory.build().slug
        Tournament.objects.filter(pk=self.tournament.pk).update(slug=slug)
        other.tournament = Tournament.objects.get(slug=slug)
        other.client = Client()
        other.client.cookies.update(self.client.cookies)
        return other

    def url(self, name: str, *args: Any) -> str:
        return reverse(f"organiser:{name}", args=[self.tournament.slug, *args])

    def get(self, name: str, *args: Any, **query: Any) -> Any:
        return self.client.get(self.url(name, *args), query)

    def post(self, name: str, *args: Any, htmx: bool = False, follow: bool = False, **data: Any) -> Any:
        headers = {"HX-Request": "true"} if htmx else {}
        return self.client.post(self.url(name, *args), data, headers=headers, follow=follow)

    def draw(self, number: int = 1, *, released: bool = True, started: bool = True) -> Round:
        return a_round(self.tournament, number, released=released, started=started)

    def table(self, number: int = 1, round_number: int = 1) -> Table:
        return Table.objects.get(round__tournament=self.tournament, round__number=round_number, number=number)

    def type_in_everything(self, number: int = 1) -> None:
        """Type in every table from paper: ranks in the order of the seats, no strokes."""
        for table in Table.objects.filter(round__tournament=self.tournament, round__number=number):
            ranks = "".join(str(rank) for rank in range(1, table.seats.count() + 1))
            assert self.post("paper_line", number, table.number, line=f"{ranks} 0").status_code == 302


@contextmanager
def made_once(name: str, blocker: DjangoDbBlocker) -> Iterator[None]:
    """Keep what the block makes in the database for the tests of a file, each of which is rolled back to it.

    name: players get the same names in every run with it.
    """
    reseed_random(name)  # type: ignore[no-untyped-call]
    with blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


def text_of(answer: Any) -> str:
    """Return the page's text in one line."""
    return " ".join(str(answer.content.decode()).split())
