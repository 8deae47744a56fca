"""An installation with tournaments of several organisers, and a client for each role.

Two evenings stand for each other's foreign tournament: their start numbers, rounds and tables differ as far as they can, so
that a number of one means nothing in the other. Names and notes contain the slug, so that a leak is found in the text.
"""

from base64 import b32encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from copy import copy
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import F, QuerySet, Value
from django.db.models.functions import Concat
from django.test import Client
from django.utils import timezone

from scoring.core.series_rule import series_preset
from scoring.models import Decision, ScreenPairing
from scoring.services.flags import raise_flag
from scoring.services.honours import set_honours
from scoring.services.screen_pairings import ask_for_code, pair_own_browser
from scoring.services.series import choose_evenings, make_series
from tests.compared_evenings import register, rest, screens
from tests.factories import AT, ParticipantFactory, TournamentFactory, UserFactory, a_played_round, a_round
from tests.pictures import a_picture
from tests.scoring.phone.test_phone_api import entered
from tests.scoring.test_every_page import evening_of, parked, written
from tournaments.core.person_search import words_of
from tournaments.core.wishes import KeepApart
from tournaments.models import ClubRole, Membership, Participant, Person, Table, Tournament
from tournaments.queries.club import ClubDetails
from tournaments.rulesets.loader import preset
from tournaments.services.accounts import invite
from tournaments.services.club import set_club
from tournaments.services.draw_settings import add_wish
from tournaments.services.pictures import set_picture, show_picture
from tournaments.services.rounds import revoke_link
from tournaments.services.sign_ups import Sender, set_terms, sign_up

ROLES = (
    "anonymous",
    "scribe of another table",
    "scribe of another tournament",
    "revoked scribe",
    "cashier",
    "organiser of another tournament",
    "removed organiser",
    "organiser",
    "cashier of the club",
    "organiser of the club",
    "owner of the installation",
)


@dataclass(slots=True)
class Installation:
    """The tournament that is attacked, the foreign one, further ones under other rule sheets, and who asks.

    homes: tournaments of the organiser; a route belongs to the first of them that has such a page.
    """

    ours: Tournament
    foreign: Tournament
    homes: list[Tournament]
    organiser: User
    clients: dict[str, Client] = field(default_factory=dict)

    def client_for(self, access: str) -> Client:
        """Return the client that may use a route: the organiser's, or of those above the lowest one."""
        roles = {"owner": "owner of the installation", "club": "organiser of the club"}
        return self.clients[roles.get(access, "organiser")]


def an_installation() -> Installation:
    organiser, stranger = UserFactory.create_batch(2)
    set_club(ClubDetails("Kartenclub"), by=organiser.username, at=AT, uploaded=a_picture())
    ours = an_evening("unser-turnier", organiser, players=10)
    foreign = an_evening("fremdes-turnier", stranger, players=20, numbers_from=501, rounds_before=3)
    others = [a_quiet_evening(name, organiser) for name in ("schafkopf", "knockout")]
    over = an_evening_that_is_over(organiser)
    year = make_series(slug="jahr", name="Jahr", rule=series_preset("cup-with-final"), planned=None, at=AT)
    choose_evenings(year, [over.pk])
    set_honours("1998; Ehrengast", by=organiser.username, at=AT)
    for name in ("Stammgast Eins", "Stammgast Zwei"):
        Person.objects.create(name=name, words=words_of(name))
    installation = Installation(ours, foreign, [ours, *others, over], organiser)
    installation.clients = _clients(installation, stranger)
    return installation


def an_evening(
    slug: str, organiser: User, *, players: int, numbers_from: int = 1, rounds_before: int = 0
) -> Tournament:
    """Create a tournament in play with one of everything that has an id: entries, a parked one, flags, decisions."""
    more = {"rounds": 4 if rounds_before else 3, "volunteer_scribe": True}
    rules = preset("schnauz-placing").to_dict() | more
    name = f"Preisschnauz {slug}"
    tournament = TournamentFactory.create(slug=slug, name=name, ruleset=rules, owner=organiser)
    for desk, called in enumerate(("", f"Kasse ({slug})"), start=numbers_from):
        last_desk = tournament.desks.create(number=desk, name=called)
    tournament.cash_entries.create(desk=last_desk, kind="float", cents=500, by="kasse", at=AT)
    register(tournament, players)
    people = Participant.objects.filter(tournament=tournament)
    people.update(start_number=F("start_number") + numbers_from - 1, name=Concat("name", Value(f" ({slug})")))
    numbers = sorted(people.values_list("start_number", flat=True))
    for number in range(1, rounds_before + 1):
        a_played_round(tournament, number)
    put_on_a_list(people.filter(start_number=numbers[0]), numbers_from)
    add_wish(tournament, KeepApart(numbers[0], numbers[1], f"Wunsch {slug}"))
    number = rounds_before + 1
    a_round(tournament, number)
    _, facts, paper = evening_of("schnauz-placing")
    written(_table(tournament, number), facts)
    parked(_table(tournament, number), facts[0])
    rest(tournament, number, paper, first=2)
    raise_flag(tournament, number, 2, note=f"Strich {slug}", name="", address="127.0.0.1", browser="x", at=AT)
    screens(tournament)
    set_picture(tournament, a_picture())
    show_picture(tournament, on_wall=True, caption=f"Bild {slug}")
    Decision.objects.create(
        tournament=tournament, kind="playoff", order=numbers[2:4], reason=slug, by="x", at=AT
    )
    Membership.objects.create(tournament=tournament, user=UserFactory.create(), role=Membership.Role.CASHIER)
    now = timezone.now()
    invite(tournament, role=Membership.Role.CASHIER, by=organiser.username, at=now)
    pair_own_browser(tournament, 1, by="x", at=now)
    register_themselves(tournament, first=numbers_from)
    asking = ask_for_code(tournament, 2, address="127.0.0.1", at=now)
    ScreenPairing.objects.filter(pk=asking.pk).update(code=f"{numbers_from:06}")
    return tournament


def register_themselves(tournament: Tournament, *, first: int) -> None:
    """Let a player register themselves, with the number `first`. The code of the sign-up is `code_of(tournament)`."""
    set_terms(
        tournament,
        is_open=True,
        closes_at=timezone.now() + timedelta(days=1),
        most=None,
        only_in_hall=False,
        without_desk=False,
        at=AT,
    )
    sent: Any = {"name": f"Gast ({tournament.slug})", "club": "", "names": "", "code": code_of(tournament)}
    sign_up(tournament, **sent, in_hall=True, sender=Sender("127.0.0.1", "x"), at=timezone.now())
    tournament.sign_ups.update(number=first)


def code_of(tournament: Tournament) -> str:
    return b32encode(sha256(tournament.slug.encode()).digest()).decode()[:12]


def a_quiet_evening(name: str, organiser: User) -> Tournament:
    """Create a tournament under a rule sheet: its first round drawn, nothing written, and a latecomer."""
    tournament = TournamentFactory.create(
        slug=f"unser-{name}", ruleset=preset(name).to_dict(), owner=organiser
    )
    ParticipantFactory.create_batch(8 if name == "schafkopf" else 10, tournament=tournament)
    a_round(tournament, released=name == "schafkopf")
    latecomer = ParticipantFactory.create(tournament=tournament)
    put_on_a_list(Participant.objects.filter(pk=latecomer.pk), 1)
    return tournament


def an_evening_that_is_over(organiser: User) -> Tournament:
    rules = preset("schnauz-placing").to_dict() | {"rounds": 1}
    tournament = TournamentFactory.create(slug="unser-altes", ruleset=rules, owner=organiser)
    ParticipantFactory.create_batch(5, tournament=tournament)
    a_played_round(tournament)
    return tournament


def put_on_a_list(people: QuerySet[Participant], number: int) -> None:
    """Let a list of this number have brought a player."""
    tournament = people.get().tournament
    brought = tournament.imported_lists.create(number=number, count=1, cents=0, at=AT, by="x")
    people.update(imported_list=brought)


def _table(tournament: Tournament, number: int, table: int = 1) -> Table:
    return Table.objects.get(round__tournament=tournament, round__number=number, number=table)


def _clients(installation: Installation, stranger: User) -> dict[str, Client]:
    ours, foreign = installation.ours, installation.foreign
    cashier = ours.memberships.get(role=Membership.Role.CASHIER).user
    removed = UserFactory.create()
    Membership.objects.create(tournament=ours, user=removed, role=Membership.Role.ORGANISER)
    owner = UserFactory.create(is_superuser=True)
    invite(None, role=Membership.Role.CASHIER, by=owner.username, at=timezone.now())
    for home in installation.homes[1:]:
        Membership.objects.create(tournament=home, user=cashier, role=Membership.Role.CASHIER)
    accounts = {
        "cashier": cashier,
        "organiser of another tournament": stranger,
        "removed organiser": removed,
        "organiser": installation.organiser,
        "cashier of the club": ClubRole.objects.create(user=UserFactory.create(), role="cashier").user,
        "organiser of the club": ClubRole.objects.create(user=UserFactory.create(), role="organiser").user,
        "owner of the installation": owner,
    }
    clients = {role: logged_in(user) for role, user in accounts.items()}
    for role in ("organiser", "cashier of the club", "organiser of the club", "owner of the installation"):
        clients[role].cookies[settings.SIGN_UP_COOKIE_NAME] = code_of(ours)
    ours.memberships.filter(user=removed).delete()
    revoked = _table(ours, 1)
    clients |= {
        "anonymous": Client(),
        "scribe of another table": entered(_table(ours, 1, 2)),
        "scribe of another tournament": entered(_table(foreign, 4)),
        "revoked scribe": entered(revoked),
    }
    revoke_link(ours, 1, revoked.number)
    return {role: clients[role] for role in ROLES}


def logged_in(user: User, *, enforce_csrf_checks: bool = False) -> Client:
    client = Client(enforce_csrf_checks=enforce_csrf_checks)
    client.force_login(user)
    return client


def changes(
    client: Client, method: str, address: str, body: dict[str, Any], before: Mapping[str, str]
) -> tuple[int, list[str]]:
    """Return the status of a request, and the tables that it changes. Everything is undone.

    before: the `fingerprint`, which is the same for any number of requests that are undone.
    """
    with rolled_back():
        status = ask(client, method, address, body, undone=False).status_code
        return status, changed_since(before)


def ask(
    client: Client, method: str, address: str, body: Any = None, *, undone: bool = True, **more: Any
) -> Any:
    """Return the answer to a request, 500 for a failure. Its cookies are undone, and its writes as well unless told not to."""
    cookies, client.cookies = client.cookies, copy(client.cookies)
    client.raise_request_exception = False
    with rolled_back() if undone else nullcontext():
        answer = getattr(client, method.lower())(address, body or {}, **more)
    client.cookies = cookies
    return answer


# --- what a request changed -----------------------------------------------------------------------------------------

UNCOUNTED = {
    "django_session",
    "scoring_backupnote",
    "tournaments_receipt",
    "tournaments_securityevent",
    "tournaments_wrongpasswords",
}
"""Tables that `fingerprint` leaves out."""


def fingerprint() -> dict[str, str]:
    """Return a checksum of each table; sessions, the security log, and counters of wrong passwords and codes apart."""
    with connection.cursor() as cursor:
        cursor.execute(_checksums())
        return dict(cursor.fetchall())


@cache
def _checksums() -> str:
    """Return a query for a checksum of each table. It does not depend on the order of rows."""
    names = set(connection.introspection.django_table_names()) - UNCOUNTED
    rows = dict.fromkeys(sorted(names), "r::text") | {
        "scoring_screenpairing": "(to_jsonb(r) - 'tries' - 'seen_at')::text"
    }
    return " UNION ALL ".join(
        f"SELECT '{name}', coalesce(sum(hashtextextended({row}, 0)), 0)::text FROM {name} r"
        for name, row in rows.items()
    )


def changed_since(before: Mapping[str, str]) -> list[str]:
    after = fingerprint()
    return [name for name in before if before[name] != after[name]]


@contextmanager
def rolled_back() -> Iterator[None]:
    """Undo what the block writes."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
