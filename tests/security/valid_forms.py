"""Valid bodies for forms that change nothing with the bodies of `bodies`: those that need a state, a file or a right value.

Each function makes what its form needs and returns where the organiser sends it, and the fields.
"""

import time
from collections.abc import Callable
from copy import deepcopy
from html.parser import HTMLParser
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice

from scoring.core.prize_plan import PrizePlan
from scoring.documents import dump, export_tournament
from scoring.documents.club import export_club
from scoring.models import Screen
from scoring.queries.standings import tied_groups
from scoring.services.ceremonies import seal_draw, seal_lot
from scoring.services.prizes import set_prize_plan
from scoring.services.rounds import DrawOptions, close, draw_ahead
from scoring.services.sheets import write
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_played_round, a_round
from tests.pictures import a_picture
from tests.scoring.a_club import forget_club
from tests.scoring.prize_giving import PLAN, award_of, by_seat
from tests.scoring.records import of_paper
from tests.security.installation import Installation, code_of
from tests.tournaments.organiser.test_making_a_tournament import TYPED
from tournaments.models import ImportedList, Payment, Person, Tournament
from tournaments.rulesets.loader import preset
from tournaments.services import rounds
from tournaments.services.door import Newcomer
from tournaments.services.people_lists import announce

Filled = tuple[str, dict[str, Any]]
BY: Any = {"by": "spielleitung", "at": AT}
FORMS: dict[str, Callable[[Installation], Filled]] = {}


def form(name: str) -> Callable[[Callable[[Installation], Filled]], Callable[[Installation], Filled]]:
    def add(made: Callable[[Installation], Filled]) -> Callable[[Installation], Filled]:
        FORMS[name] = made
        return made

    return add


class _Fields(HTMLParser):
    """Reads the fields of the form that is sent to an address, as a browser would send them without a touch."""

    def __init__(self, action: str) -> None:
        super().__init__()
        self.action, self.inside, self.select, self.text = action, False, "", ""
        self.found: dict[str, Any] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.inside = values.get("method") == "post" and values.get("action", self.action) == self.action
        name = values.get("name", "")
        if not self.inside or "disabled" in values:
            return
        if tag == "select":
            self.select = name
        elif tag == "option" and self.select:
            if "selected" in values or self.select not in self.found:
                self.found[self.select] = values.get("value", "")
        elif tag == "textarea":
            self.text = name
            self.found[name] = ""
        elif tag == "input" and name:
            if values.get("type") in ("checkbox", "radio") and "checked" not in values:
                return
            self.found[name] = values.get("value", "on" if values.get("type") == "checkbox" else "")

    def handle_data(self, data: str) -> None:
        if self.text:
            self.found[self.text] += data.removeprefix("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False
        elif tag == "select":
            self.select = ""
        elif tag == "textarea":
            self.text = ""


def fields_of(client: Client, page: str, action: str = "") -> dict[str, Any]:
    """Return the fields of the form on a page that is sent to `action`; without it, to the page itself."""
    reader = _Fields(action or page)
    reader.feed(client.get(page).content.decode())
    assert reader.found, f"{page} has no form for {action or page}"
    return {
        name: value for name, value in reader.found.items() if name not in ("csrfmiddlewaretoken", "once")
    }


def organiser(made: Installation, role: str = "organiser") -> Client:
    """Return a client of the organiser, of our tournament or of the club, whose cookies nobody else has."""
    client = Client()
    client.cookies = deepcopy(made.clients[role].cookies)
    return client


def at(name: str, tournament: Tournament, *args: Any) -> str:
    return reverse(name, args=[tournament.slug, *args])


def an_evening(made: Installation, players: int, rules: str = "schnauz-placing", **more: Any) -> Tournament:
    ruleset = preset(rules).to_dict() | more
    tournament: Tournament = TournamentFactory.create(ruleset=ruleset, owner=made.organiser)
    ParticipantFactory.create_batch(players, tournament=tournament)
    return tournament


# --- door ---------------------------------------------------------------------------------------------------------------


@form("door:name_desk")
def _(made: Installation) -> Filled:
    return at("door:name_desk", made.ours), {"desk": "Theke", "float": "50", "with_money": "yes"}


@form("door:person")
def _(made: Installation) -> Filled:
    page = at("door:person", made.ours, 1)
    return page, fields_of(organiser(made), page) | {"name": "Ganz Anders"}


@form("organiser:series")
def _(made: Installation) -> Filled:
    return reverse("organiser:series", args=["jahr"]), {"evening": str(made.ours.pk)}


@form("organiser:readmit")
def _(made: Installation) -> Filled:
    organiser(made).post(at("organiser:exclude", made.ours, 1), {"reason": "Grund", "offered": ""})
    return at("organiser:readmit", made.ours, 1), {}


@form("door:choose_fee")
def _(made: Installation) -> Filled:
    Tournament.objects.filter(pk=made.ours.pk).update(
        fees=[{"key": "full", "name": "Voll", "cents": 300}, {"key": "half", "name": "Jugend", "cents": 150}]
    )
    return at("door:choose_fee", made.ours, 2), {"fee": "half"}


@form("door:import_list")
def _(made: Installation) -> Filled:
    page, text = at("door:import_list", made.ours), "Huber Sepp\nMaier Resi"
    client = organiser(made)
    reader = _Fields(page)
    reader.feed(client.post(page, {"text": text}).content.decode())
    return page, {"text": text, "order": "", "enter": "", "seen": reader.found.get("seen", "")}


@form("organiser:club_members")
def _(made: Installation) -> Filled:
    page, text = reverse("organiser:club_members"), "Name;Ort\nHuber Sepp;Hof"
    reader = _Fields(page)
    reader.feed(organiser(made, "organiser of the club").post(page, {"text": text}).content.decode())
    return page, {"text": text, "enter": "1", "seen": reader.found.get("seen", "")}


@form("door:take_list_out")
def _(made: Installation) -> Filled:
    announce(made.ours, [Newcomer("Neu Person")], **BY)
    return at("door:take_list_out", made.ours, ImportedList.objects.latest("pk").number), {}


@form("door:reopen_till")
def _(made: Installation) -> Filled:
    page = at("door:close_till", made.ours, 1)
    organiser(made).post(page, {"cents": "1", "reason": "gezählt"})
    return at("door:reopen_till", made.ours, 1), {"reason": "Grund"}


# --- tournaments --------------------------------------------------------------------------------------------------------


@form("organiser:new")
def _(made: Installation) -> Filled:
    return reverse("organiser:new"), TYPED


@form("organiser:again")
def _(made: Installation) -> Filled:
    return at("organiser:again", made.ours), {
        "name": "Nächster",
        "played_on": "2027-01-09",
        "take": ["place"],
    }


@form("organiser:read_copy")
def _(made: Installation) -> Filled:
    copy = dump(export_tournament(made.ours)).encode()
    return reverse("organiser:read_copy"), {"file": SimpleUploadedFile("abend.json", copy), "slug": "kopie"}


@form("organiser:read_club")
def _(made: Installation) -> Filled:
    document = dump(export_club()).encode()
    forget_club()
    return reverse("organiser:read_club"), {"file": SimpleUploadedFile("verein.json", document)}


@form("organiser:settings")
def _(made: Installation) -> Filled:
    page = at("organiser:settings", made.ours)
    return page, fields_of(organiser(made), page) | {"name": "Anderer Name"}


@form("organiser:fees")
def _(made: Installation) -> Filled:
    return at("organiser:fees", made.ours), {
        "name_1": "Voll",
        "cents_1": "3,00",
        "name_2": "Jugend",
        "cents_2": "1,50",
    }


@form("organiser:delete_practice")
def _(made: Installation) -> Filled:
    tournament = an_evening(made, 5)
    Tournament.objects.filter(pk=tournament.pk).update(is_practice=True)
    return at("organiser:delete_practice", tournament), {}


@form("organiser:delete")
def _(made: Installation) -> Filled:
    tournament = an_evening(made, 5)
    return at("organiser:delete", tournament), {"name": tournament.name}


@form("organiser:end")
def _(made: Installation) -> Filled:
    tournament = an_evening(made, 10, rounds=3)
    a_played_round(tournament)
    return at("organiser:end", tournament), {"reason": "Grund"}


@form("organiser:resume")
def _(made: Installation) -> Filled:
    tournament = an_evening(made, 10, rounds=3)
    a_played_round(tournament)
    organiser(made).post(at("organiser:end", tournament), {"reason": "Grund"})
    return at("organiser:resume", tournament), {}


@form("organiser:set_picture")
def _(made: Installation) -> Filled:
    return at("organiser:set_picture", made.ours), {
        "picture": SimpleUploadedFile("bild.png", a_picture(colour="blue"))
    }


# --- rounds -------------------------------------------------------------------------------------------------------------


@form("organiser:draw")
def _(made: Installation) -> Filled:
    return at("organiser:draw", an_evening(made, 10), 1), {"ceremony": "", "mode": "random", "prefer": ""}


@form("organiser:draw_sealed")
def _(made: Installation) -> Filled:
    tournament = an_evening(made, 10)
    seal_draw(tournament, 1, options=DrawOptions(exceptions=True), **BY)
    return at("organiser:draw_sealed", tournament, 1), {"words": "Eichel sieben", "reason": ""}


@form("organiser:take_back")
def _(made: Installation) -> Filled:
    tournament = an_evening(made, 10)
    a_round(tournament, released=False)
    organiser(made).post(at("organiser:swap", tournament, 1), {"player": ["1", "2"], "reason": "Grund"})
    page = at("organiser:round", tournament, 1)
    action = at("organiser:take_back", tournament, 1)
    return action, fields_of(organiser(made), page, action) | {"reason": "Grund"}


@form("organiser:draw_seats")
def _(made: Installation) -> Filled:
    tournament = an_evening(made, 10)
    a_round(tournament)
    ParticipantFactory.create(tournament=tournament)
    return at("organiser:draw_seats", tournament, 1), {}


@form("organiser:paper_line")
def _(made: Installation) -> Filled:
    tournament = an_evening(made, 5)
    a_round(tournament)
    return at("organiser:paper_line", tournament, 1, 1), {"line": "12345 0"}


@form("organiser:accept_submitted")
def _(made: Installation) -> Filled:
    tournament = an_evening(made, 10, confirmation="optional")
    for table in a_round(tournament).tables.all():
        ranks = {"ranks": {str(seat): seat for seat in range(1, table.seats.count() + 1)}}
        write(table, [("ranked", ranks), ("submitted", {})], by="x", at=AT)
    return at("organiser:accept_submitted", tournament, 1), {"initials": "AB"}


@form("organiser:approve")
def _(made: Installation) -> Filled:
    tournament = an_evening(made, 8, "schafkopf")
    table = a_round(tournament).tables.order_by("number")[0]
    tout = {"game": "solo", "declarer": 3, "partner": None, "won": True, "level": "tout"}
    ruf = {"game": "ruf", "declarer": 1, "partner": 2, "won": True, "level": "normal"}
    write(table, [("deal", ruf), ("deal", tout)], by="x", at=AT)
    entry = table.sheet.entries.order_by("sequence")[1]
    return at("organiser:approve", tournament, 1, table.number, entry.entry_id), {"initials": "AB"}


# --- standings and prizes -----------------------------------------------------------------------------------------------


@form("organiser:show")
def _(made: Installation) -> Filled:
    organiser(made).post(at("organiser:freeze", made.ours))
    return at("organiser:show", made.ours), {}


def a_tie(made: Installation) -> tuple[Tournament, list[int]]:
    tournament = an_evening(made, 8, "schafkopf")
    draw_ahead(tournament, number=1, options=DrawOptions(exceptions=True), **BY)
    for number in (1, 2):
        rounds.release(tournament, number, reason="Grund", at=AT)
        of_paper(tournament, number)
        close(tournament, number, at=AT)
    return tournament, max(tied_groups(tournament), key=len)


@form("organiser:decide")
def _(made: Installation) -> Filled:
    tournament, tied = a_tie(made)
    places = {f"place_{number}": str(place) for place, number in enumerate(tied, start=1)}
    players = " ".join(map(str, tied))
    return at("organiser:decide", tournament), {
        "players": players,
        "kind": "playoff",
        "reason": "Grund",
        **places,
    }


@form("organiser:draw_lot")
def _(made: Installation) -> Filled:
    tournament, tied = a_tie(made)
    return at("organiser:draw_lot", tournament), {"players": " ".join(map(str, tied))}


@form("organiser:draw_sealed_lot")
def _(made: Installation) -> Filled:
    tournament, tied = a_tie(made)
    seal_lot(tournament, tied, **BY)
    return at("organiser:draw_sealed_lot", tournament), {"words": "Schelln"}


def a_prize_giving(made: Installation) -> tuple[Tournament, dict[str, str]]:
    """Return an evening that is over, and the fields of the form for the winner's prize."""
    tournament = an_evening(made, 5, rounds=1)
    for person in tournament.participants.all():
        Payment.objects.create(participant=person, kind="fee", cents=300, at=AT, by="kasse")
    set_prize_plan(tournament, PrizePlan.from_dict(PLAN))
    a_played_round(tournament)
    return tournament, award_fields(tournament)


def award_fields(tournament: Tournament) -> dict[str, str]:
    winner = by_seat(tournament)[0]
    return {"player": str(winner), "prize": "rank", "seen": award_of(tournament, winner).version}


@form("organiser:give_prize")
def _(made: Installation) -> Filled:
    tournament, fields = a_prize_giving(made)
    return at("organiser:give_prize", tournament), fields


@form("organiser:mark_absent")
def _(made: Installation) -> Filled:
    tournament, fields = a_prize_giving(made)
    return at("organiser:mark_absent", tournament), fields


@form("organiser:take_prize_back")
def _(made: Installation) -> Filled:
    tournament, fields = a_prize_giving(made)
    organiser(made).post(at("organiser:give_prize", tournament), fields)
    return at("organiser:take_prize_back", tournament), award_fields(tournament) | {"everything": "yes"}


# --- screens ------------------------------------------------------------------------------------------------------------


@form("organiser:show_scene")
def _(made: Installation) -> Filled:
    return at("organiser:show_scene", made.ours), {"scene": "black", "screen": "2"}


@form("organiser:reveal")
def _(made: Installation) -> Filled:
    tournament, _fields = a_prize_giving(made)
    Screen.objects.create(tournament=tournament, number=1, scene="prizes", lowest_rank=3, at=AT, by="x")
    page, action = at("organiser:screens", tournament), at("organiser:reveal", tournament)
    return action, fields_of(organiser(made), page, action)


@form("organiser:show_picture")
def _(made: Installation) -> Filled:
    return at("organiser:show_picture", made.ours), {"on_wall": "on", "caption": "Danke an den Wirt"}


@form("organiser:stop_clock")
def _(made: Installation) -> Filled:
    client, action = organiser(made), at("organiser:start_clock", made.ours)
    client.post(action, {"round": "1", "minutes": "45", "wait": "5"})
    return at("organiser:stop_clock", made.ours), {"round": "1"}


# --- accounts -----------------------------------------------------------------------------------------------------------


def _code(made: Installation, *, ahead: int = 0) -> str:
    device = TOTPDevice.objects.get(user=made.organiser)
    app = TOTP(device.bin_key)
    app.time = time.time() + ahead
    return f"{app.token():06}"


def _begun(made: Installation) -> None:
    organiser(made).post(reverse("account:begin_second_factor"), secure=True)


def _confirmed(made: Installation) -> None:
    _begun(made)
    organiser(made).post(reverse("account:confirm_second_factor"), {"code": _code(made)}, secure=True)


@form("account:begin_second_factor")
def _(made: Installation) -> Filled:
    return reverse("account:begin_second_factor"), {}


@form("account:confirm_second_factor")
def _(made: Installation) -> Filled:
    _begun(made)
    return reverse("account:confirm_second_factor"), {"code": _code(made)}


@form("account:end_second_factor")
def _(made: Installation) -> Filled:
    _confirmed(made)
    return reverse("account:end_second_factor"), {"code": _code(made, ahead=30)}


@form("account:renew_recovery_codes")
def _(made: Installation) -> Filled:
    _confirmed(made)
    return reverse("account:renew_recovery_codes"), {"code": _code(made, ahead=30)}


@form("account:remove_second_factor")
def _(made: Installation) -> Filled:
    _begun(made)
    TOTPDevice.objects.filter(user=made.organiser).update(confirmed=True)
    return reverse("account:remove_second_factor", args=[made.organiser.pk]), {}


@form("account:club")
def _(made: Installation) -> Filled:
    return reverse("account:club"), {"name": "Kartenclub Karo", "names": "short"}


# --- people of the club ----------------------------------------------------------------------------------------------


@form("organiser:split_person")
def _(made: Installation) -> Filled:
    one, other = Person.objects.order_by("name")
    Person.objects.filter(pk=one.pk).update(merged_into=other)
    return reverse("organiser:split_person", args=[one.pk]), {}


# --- sign-ups -----------------------------------------------------------------------------------------------------------


@form("sign_up:change")
def _(made: Installation) -> Filled:
    return at("sign_up:change", made.ours, 1), {"name": "Anderer Gast", "club": "", "names": ""}


@form("sign_up:mine")
def _(made: Installation) -> Filled:
    return at("sign_up:mine", made.ours), {"code": code_of(made.ours)}
