"""Addresses of every route, with ids of a tournament for the parameters.

A route with a parameter that is not known here fails the tests: say what the parameter identifies.
"""

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

from django.urls import URLPattern

from scoring.models import ParkedEntry, SheetEntry
from tests.architecture.test_routes import Routes, routes
from tests.conftest import found_once
from tests.security.bodies import fill_in
from tests.security.installation import Installation, ask, changes, fingerprint
from tournaments.models import Invitation, Participant, Person, Tournament

KINDS = {
    "slug": "slug",
    "start_number": "start number",
    "desk": "desk",
    "number": "round",
    "table": "table",
    "user_id": "member",
    "invitation_id": "invitation",
    "pairing": "pairing",
    "entry": "entry",
    "parked": "parked entry",
    "flag": "flag",
    "decision": "decision",
    "seats": "size",
    "action": "action",
    "sign_up": "sign-up",
    "step": "step",
    "kind": "kind",
    "movement": "movement",
    "year": "year",
    "person": "person",
    "into": "other person",
    "series": "series",
}
"""What each parameter identifies."""
OF_NO_TOURNAMENT = {
    "size",
    "action",
    "step",
    "kind",
    "screen",
    "account",
    "year",
    "person",
    "other person",
    "series",
    "invitation to the club",
}
"""Kinds of values that identify nothing of one tournament."""

PARTS = 12
"""In so many parts the places of all routes are found."""

Ids = Mapping[str, list[Any]]


@dataclass(frozen=True, slots=True)
class Route:
    """A route of the program: its pattern, name, access and methods, as its decorator says."""

    pattern: str
    name: str
    access: str
    methods: tuple[str, ...]
    csrf_exempt: bool
    once: bool

    @classmethod
    def of(cls, pattern: str, name: str, found: URLPattern) -> "Route":
        view = found.callback
        access, methods = getattr(view, "access", ""), getattr(view, "methods", ())
        return cls(
            pattern,
            name,
            access,
            tuple(methods),
            getattr(view, "csrf_exempt", False),
            getattr(view, "once", False),
        )

    @property
    def parameters(self) -> dict[str, str]:
        """Kind of each parameter."""
        names = re.findall(r"<(?:\w+:)?(\w+)>", self.pattern)
        return {name: self._kind(name) for name in names}

    def _kind(self, name: str) -> str:
        if name == "number" and "/me/" in self.pattern:
            return "start number"
        if name == "number" and "/screen/" in self.pattern:
            return "screen"
        if name == "number" and "/sign-ups/" in self.pattern:
            return "sign-up"
        if name == "number" and "/import/" in self.pattern:
            return "list"
        if name == "user_id" and "account/all/" in self.pattern:
            return "account"
        if name == "invitation_id" and "account/all/" in self.pattern:
            return "invitation to the club"
        return KINDS[name]

    def address(self, values: Mapping[str, Any]) -> str:
        """Return the address with these values, by kind."""
        kinds = self.parameters
        return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda found: str(values[kinds[found[1]]]), self.pattern)

    def values(self, ids: Ids) -> Iterator[dict[str, Any]]:
        """Yield values for the parameters, by kind."""
        kinds = list(dict.fromkeys(self.parameters.values()))
        action = "confirm" if "/sign-ups/" in self.pattern else "hide-name"
        is_file = ".<slug:kind>" in self.pattern
        own = {**ids, "kind": ["csv" if is_file else "deal"], "action": [action]}
        for chosen in product(*(own[kind] for kind in kinds)):
            yield dict(zip(kinds, chosen, strict=True))


def all_routes(patterns: Routes | None = None) -> list[Route]:
    return [Route.of(*found) for found in routes(patterns)]


def ids_of(tournament: Tournament) -> Ids:
    """Return ids of the tournament by kind."""
    last = tournament.rounds.order_by("-number")[0]
    people = Participant.objects.filter(tournament=tournament).order_by("start_number")
    seatless = people.filter(presence="present", withdrawn_at=None).exclude(seats__round=last)
    tables = sorted(last.tables.values_list("number", flat=True))
    cashiers = tournament.memberships.filter(role="cashier").order_by("-user_id")
    members = list(cashiers.values_list("user_id", flat=True))
    parked = ParkedEntry.objects.filter(tournament=tournament).order_by("outcome")
    entries = SheetEntry.objects.filter(tournament=tournament, sheet__table__round=last).order_by("id")
    to_club = Invitation.objects.filter(tournament=None)
    known = list(Person.objects.order_by("name").values_list("key", flat=True))
    return {
        "slug": [tournament.slug],
        "start number": [person.start_number for person in (people[0], *seatless[:1])],
        "desk": list(tournament.desks.values_list("number", flat=True)),
        "round": [last.number],
        "table": tables[:2] if len(tables) < 4 else tables[3:],
        "member": members,
        "account": members,
        "list": list(tournament.imported_lists.values_list("number", flat=True)),
        "invitation": list(tournament.invitations.values_list("pk", flat=True)),
        "invitation to the club": list(to_club.values_list("pk", flat=True)),
        "pairing": list(tournament.screen_pairings.exclude(paired_at=None).values_list("pk", flat=True)),
        "entry": list(entries.values_list("entry_id", flat=True)[:1]),
        "parked entry": list(parked.values_list("pk", flat=True)),
        "flag": list(tournament.flags.values_list("pk", flat=True)),
        "decision": list(tournament.decisions.values_list("pk", flat=True)),
        "size": [tournament.rules.tables.sizes[0]],
        "sign-up": list(tournament.sign_ups.filter(confirmed_at=None).values_list("number", flat=True)),
        "step": ["withdraw"],
        "screen": [1],
        "movement": list(tournament.cash_entries.values_list("pk", flat=True)),
        "year": [tournament.played_on.year],
        "person": known[:1],
        "other person": known[1:2],
        "series": ["jahr"],
    }


@dataclass(frozen=True, slots=True)
class Place:
    """A route with the values of a tournament that has such a page, and the body of a POST."""

    route: Route
    tournament: Tournament
    values: dict[str, Any]
    body: dict[str, Any]

    @property
    def address(self) -> str:
        return self.route.address(self.values)


def places_of(routes: Iterable[Route], installation: Installation) -> dict[Route, Place | None]:
    """Return for each route a place at which who may reach it is not answered with 404; None if there is none.

    For a route that writes it is the first at which something is written, if there is any.
    """
    ids = {tournament.pk: ids_of(tournament) for tournament in installation.homes}
    before = fingerprint()
    return {route: _place_of(route, _candidates(route, installation, ids, before)) for route in routes}


def known_places(routes: Sequence[Route], installation: Installation) -> dict[Route, Place | None]:
    """Return `places_of` for all installations that are made alike, which the processes of this run find in parts, each once."""
    ids = {tournament.pk: ids_of(tournament) for tournament in installation.homes}

    def found(part: int) -> dict[str, Any]:
        places = places_of(routes[part::PARTS], installation)
        return {str(route): place and written(place) for route, place in places.items()}

    def written(place: Place) -> tuple[int, int, dict[str, Any]]:
        values = list(place.route.values(ids[place.tournament.pk]))
        return installation.homes.index(place.tournament), values.index(place.values), place.body

    def read(route: Route, home: int, number: int, body: dict[str, Any]) -> Place:
        tournament = installation.homes[home]
        return Place(route, tournament, list(route.values(ids[tournament.pk]))[number], body)

    known: dict[str, Any] = {}
    begin = random.randrange(PARTS)  # processes that begin together seldom wait for each other
    for part in (*range(begin, PARTS), *range(begin)):
        known |= found_once(f"places_{part}", partial(found, part))
    return {route: known[str(route)] and read(route, *known[str(route)]) for route in routes}


def _place_of(route: Route, candidates: Iterable[tuple[Place, int, bool]]) -> Place | None:
    first = None
    for place, status, has_written in candidates:
        if has_written or ("POST" not in route.methods and status != 404):
            return place
        first = first or (place if status != 404 else None)
    return first


def _candidates(
    route: Route, installation: Installation, ids: Mapping[int, Ids], before: Mapping[str, str]
) -> Iterator[tuple[Place, int, bool]]:
    """Yield places of a route, with the status of the answer and whether anything was written."""
    client = installation.client_for(route.access)
    for tournament in installation.homes:
        body: dict[str, Any] = {}
        changed: list[str] = []
        for values in route.values(ids[tournament.pk]):
            address = route.address(values)
            if "POST" not in route.methods:
                status = ask(client, "GET", address).status_code
            elif body:
                status, changed = changes(client, "POST", address, body, before)
            else:
                body, status, changed = fill_in(client, route.name, address, before)
            yield Place(route, tournament, values, body), status, bool(changed)
        if "slug" not in route.parameters:
            return
