"""The next evening like this one: everything of a tournament is taken over, or a list here says why not."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.core.prize_plan import PrizePlan
from scoring.services.copies import copy_evening
from tests.factories import AT, ParticipantFactory, TournamentFactory, UserFactory, a_played_round, enter
from tests.pictures import a_picture
from tests.scoring.pages import text_of
from tournaments.core.refusal import Refusal
from tournaments.models import Membership, Tournament
from tournaments.queries.tournaments import next_free_day
from tournaments.rulesets.loader import preset
from tournaments.services.pictures import set_picture
from tournaments.services.sign_ups import set_terms

pytestmark = pytest.mark.django_db

TAKEN = {
    "ruleset": "rules",
    "ceremony": "rules",
    "draw_mode": "rules",
    "fees": "fees",
    "hides_amounts": "fees",
    "prize_plan": "prizes",
    "names": "names",
    "is_hidden": "names",
    "place": "place",
    "starts_at": "times",
    "admits_at": "times",
    "sign_up_terms": "sign_ups",
    "desks": "desks",
    "screens": "screens",
    "club_picture": "screens",
    "memberships": "people",
}
"""What a copy has, and with which tick."""
TYPED = "typed for the new evening"
PLAYERS = "people and what they wrote"
MONEY = "money"
PLAY = "rounds and their results"
CODES = "codes"
NOT_TAKEN = {
    "id": "its own",
    "slug": TYPED,
    "name": TYPED,
    "played_on": TYPED,
    "created_at": "its own",
    "imported_at": "this one is new here",
    "is_practice": "a copy is played",
    "public_until_on": "a day after this evening",
    "wishes": "they name start numbers, which other players have next time",
    "ended_at": PLAY,
    "ended_by": PLAY,
    "ended_reason": PLAY,
    "participants": PLAYERS,
    "imported_lists": PLAYERS,
    "sign_ups": PLAYERS,
    "flags": PLAYERS,
    "cash_entries": MONEY,
    "handouts": MONEY,
    "rounds": PLAY,
    "seats": PLAY,
    "commitments": PLAY,
    "SheetEntry": PLAY,
    "ParkedEntry": PLAY,
    "decisions": PLAY,
    "publications": PLAY,
    "marks": PLAY,
    "evening": PLAY,
    "round_clock": PLAY,
    "invitations": CODES,
    "screen_pairings": CODES,
}
"""What stays with the evening before, and why."""
GROUPS = set(TAKEN.values())
NEXT = date(2026, 12, 5)
FEES = [{"key": "full", "name": "Mitglied", "cents": 500}, {"key": "guest", "name": "Gast", "cents": 800}]


@pytest.fixture
def owner() -> User:
    return UserFactory.create()


@pytest.fixture
def before(owner: User) -> Tournament:
    """An evening in which nothing that is taken over has its default."""
    evening = TournamentFactory.create(
        name="Herbstturnier",
        played_on=date(2026, 10, 10),
        owner=owner,
        place="Krone",
        names="number",
        is_hidden=True,
        hides_amounts=True,
        ceremony="hall",
        draw_mode="random",
        ruleset=replace(preset("schnauz-placing"), rounds=2).to_dict(),
        fees=FEES,
        prize_plan=PrizePlan.from_dict({"prizes": [{"for": "last", "thing": "Trostpreis"}]}).to_dict(),
        starts_at=datetime(2026, 10, 10, 17, 30, tzinfo=UTC),
        admits_at=datetime(2026, 10, 10, 16, 30, tzinfo=UTC),
    )
    more: Any = {"most": 40, "only_in_hall": True, "without_desk": True}
    set_terms(evening, is_open=True, closes_at=datetime(2026, 10, 9, 16, tzinfo=UTC), **more, at=AT)
    evening.desks.create(number=1, name="Theke")
    evening.desks.create(number=2, name="Vorab", is_in_advance=True)
    evening.screens.create(
        number=2, scene="announcement", text="Essen", network="Saal", password="geheim", by="x", at=AT
    )
    set_picture(evening, a_picture())
    Membership.objects.create(tournament=evening, user=UserFactory.create(), role="cashier")
    ParticipantFactory.create_batch(5, tournament=evening)
    a_played_round(evening)
    return evening


def copied(before: Tournament, owner: User, take: set[str], slug: str = "naechster") -> Tournament:
    made = copy_evening(before, take, slug=slug, name="Nächster", played_on=NEXT, owner=owner, at=AT)
    return Tournament.objects.get(pk=made.pk)


def told(evening: Tournament, name: str) -> Any:
    """Return what a field or relation has, moments in the club's time, rows without their ids."""
    field = Tournament._meta.get_field(name)
    if not field.is_relation:
        value = getattr(evening, name)
        return timezone.localtime(value).time() if isinstance(value, datetime) else value
    left_out = {"id", "tournament_id", "at", "scene", "closes_at", "last_number"}
    rows = field.related_model.objects.filter(tournament=evening).values()  # type: ignore[union-attr]
    return sorted(str({key: value for key, value in row.items() if key not in left_out}) for row in rows)


def test_every_field_and_relation_is_taken_over_or_on_the_list() -> None:
    """A relation without a name on the tournament's side is listed by its model."""
    fields = Tournament._meta.get_fields(include_hidden=True)
    names = {_name_of(field) for field in fields}
    assert names == TAKEN.keys() | NOT_TAKEN.keys()
    assert not TAKEN.keys() & NOT_TAKEN.keys()


def test_the_next_evening_has_all_that_is_ticked_and_nothing_else(before: Tournament, owner: User) -> None:
    made = copied(before, owner, GROUPS)
    for name in TAKEN.keys() - {"desks"}:
        assert told(made, name) == told(before, name), name
    # Money paid in advance is of the evening before.
    assert list(made.desks.values_list("name", flat=True)) == ["Theke"]
    assert made.screens.get().scene == "automatic"
    for name, why in NOT_TAKEN.items():
        if why in (PLAYERS, MONEY, PLAY, CODES) and name[0].islower() and not name.startswith("ended"):
            assert told(made, name) == [], name
    assert (made.wishes, made.ended_at, made.is_practice) == ([], None, False)


@pytest.mark.parametrize("group", sorted(GROUPS))
def test_a_group_without_its_tick_stays_behind(before: Tournament, owner: User, group: str) -> None:
    """Alone, as the others are there: only what belongs to the group differs."""
    if group == "fees":
        Tournament.objects.filter(pk=before.pk).update(prize_plan=None)
    everything, less = copied(before, owner, GROUPS), copied(before, owner, GROUPS - {group}, "ohne")
    differing = {name for name in TAKEN if told(everything, name) != told(less, name)}
    assert differing == {name for name, tick in TAKEN.items() if tick == group}


def test_times_move_with_the_day_and_stay_the_same_in_the_hall_s_time(
    before: Tournament, owner: User
) -> None:
    """Between the two evenings the clocks are set back."""
    made = copied(before, owner, GROUPS)
    assert made.starts_at == datetime(2026, 12, 5, 18, 30, tzinfo=UTC)
    assert made.sign_up_terms.closes_at == datetime(2026, 12, 4, 17, tzinfo=UTC)


def test_a_prize_for_a_kind_of_fee_needs_the_fees(before: Tournament, owner: User) -> None:
    plan = {"prizes": [{"for": "fee", "fee": "guest", "cents": 500}]}
    Tournament.objects.filter(pk=before.pk).update(prize_plan=plan)
    with pytest.raises(Refusal) as refused:
        copied(before, owner, GROUPS - {"fees"})
    assert refused.value.code == "prize_fee_unknown"
    assert not Tournament.objects.filter(slug="naechster").exists()


def test_the_next_day_is_the_same_weekday_and_free() -> None:
    like = TournamentFactory.create(played_on=date(2026, 10, 10))  # a Saturday
    today = date(2026, 12, 5)  # a Saturday as well
    assert next_free_day(like, today) == date(2026, 12, 12)
    for week in (1, 2):
        TournamentFactory.create(played_on=today + timedelta(weeks=week))
    assert next_free_day(like, today) == date(2026, 12, 26)
    assert next_free_day(like, date(2026, 12, 4)) == date(2026, 12, 5)


def test_the_page_shows_what_is_taken_and_leaves_out_what_there_is_not(
    before: Tournament, owner: User
) -> None:
    client = Client()
    enter(client, owner)
    said = text_of(client.get(reverse("organiser:again", args=[before.slug])))
    for part in (
        "Krone",
        "Einlass 18:30 Uhr, Beginn 19:30 Uhr",
        "Theke",
        owner.get_username(),
        "nur die Nummer",
    ):
        assert part in said
    plain = TournamentFactory.create(owner=owner)
    form = client.get(reverse("organiser:again", args=[plain.slug])).context["form"]
    assert [key for key, _label in form.fields["take"].choices] == ["rules", "names", "place", "people"]


def test_an_error_keeps_the_ticks(before: Tournament, owner: User) -> None:
    client = Client()
    enter(client, owner)
    typed = {"name": "", "played_on": "5.12.2026", "take": ["rules", "desks"]}
    answer = client.post(reverse("organiser:again", args=[before.slug]), typed)
    assert (answer.status_code, answer.context["form"]["take"].value()) == (422, ["rules", "desks"])


def _name_of(field: Any) -> str:
    return str(field.related_model.__name__ if field.name.endswith("+") else field.name)
