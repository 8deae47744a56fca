"""Wishes to the draw: two players kept apart, a fixed table; kept for the evening, and recorded where granted."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.documents import dump, export_tournament, import_tournament
from scoring.queries.draw_options import size_options
from scoring.services.rounds import DrawOptions, draw_next
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_played_round
from tests.races import at_once
from tests.scoring.pages import Staff, text_of
from tests.scoring.services.test_races import tournament as an_evening
from tests.scoring.services.test_rounds import refused, seating
from tournaments.core.document_reader import DocumentError
from tournaments.core.wishes import FixedTable, KeepApart
from tournaments.models import DrawAttempt, Tournament
from tournaments.rulesets.loader import preset
from tournaments.services.draw_settings import add_wish, choose_mode, remove_wish
from tournaments.verification import verify_draws

APART = KeepApart(1, 2, "streiten sich")
FIXED = FixedTable(3, 2, "schlecht zu Fuß")


def tournament(players: int = 10) -> Tournament:
    made: Tournament = TournamentFactory.create()
    ParticipantFactory.create_batch(players, tournament=made)
    return made


# --- the services --------------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("mode", ["few_repeats", "random"])
def test_a_wish_holds_for_every_round_of_the_evening(mode: str) -> None:
    made = tournament()
    choose_mode(made, mode)
    for wish in (APART, FIXED):
        add_wish(made, wish)
    for number in (1, 2, 3):
        a_played_round(made, number)
        first, second = seating(made, number)
        assert [len({1, 2} & set(table)) for table in (first, second)] == [1, 1]
        assert 3 in second


@pytest.mark.django_db
def test_the_draw_says_which_wishes_it_granted() -> None:
    made = tournament()
    add_wish(made, APART)
    draw_next(made, number=1, options=DrawOptions(), by="x", at=AT)
    remove_wish(made, KeepApart(2, 1))
    made.refresh_from_db()
    assert made.wishes == []
    assert DrawAttempt.objects.get(round__tournament=made).wishes == [APART.to_dict()]


@pytest.mark.django_db
def test_the_same_wish_is_kept_once_with_its_latest_reason() -> None:
    made = tournament()
    add_wish(made, APART)
    assert add_wish(made, KeepApart(2, 1, "Ehepaar")).wishes == [KeepApart(2, 1, "Ehepaar").to_dict()]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("wish", "code"),
    [
        (KeepApart(1, 1, "x"), "same_player"),
        (KeepApart(1, 99, "x"), "unknown_participant"),
        (FixedTable(1, 0, "x"), "unknown_table"),
        (FixedTable(3, 1, "x"), "wish_two_tables"),
        (KeepApart(1, 2, " "), "text_empty"),
    ],
)
def test_an_invalid_wish_is_refused(wish: KeepApart | FixedTable, code: str) -> None:
    made = tournament()
    add_wish(made, FIXED)
    add: Callable[[], object] = lambda: add_wish(made, wish)  # noqa: E731
    assert refused(add) == code
    made.refresh_from_db()
    assert made.wishes == [FIXED.to_dict()]


@pytest.mark.django_db
def test_an_unknown_mode_is_refused() -> None:
    made = tournament()
    assert refused(lambda: choose_mode(made, "nach Laune")) == "unknown_draw"


@pytest.mark.django_db
@pytest.mark.parametrize("wish", [APART, replace(APART, private=True), replace(FIXED, private=True)])
def test_wishes_are_in_the_document_and_come_back_from_it(wish: KeepApart | FixedTable) -> None:
    made = tournament()
    document = json.loads(dump(export_tournament(add_wish(made, wish))))
    again = import_tournament(
        json.dumps(document | {"tournament": document["tournament"] | {"slug": "anders"}}), at=AT
    )
    assert document["tournament"]["wishes"] == [wish.to_dict()]
    assert Tournament.objects.get(slug=again.slug).wishes == [wish.to_dict()]


# --- two at once ---------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("committed")
def test_two_simultaneous_wishes_are_both_stored() -> None:
    for _ in range(8):
        made = an_evening(10)
        at_once(partial(add_wish, made, APART), partial(add_wish, made, FIXED))
        made.refresh_from_db()
        assert {wish["kind"] for wish in made.wishes} == {"keep_apart", "fixed_table"}


@pytest.mark.usefixtures("committed")
def test_without_the_lock_one_wish_would_be_lost() -> None:
    """The control: both read the same list, and the later one overwrites it."""
    made = an_evening(10)
    both_have_read = Barrier(2, timeout=60)

    def add(wish: KeepApart | FixedTable) -> None:
        with transaction.atomic():
            read = Tournament.objects.get(pk=made.pk)
            both_have_read.wait()
            read.wishes = [*read.wishes, wish.to_dict()]
            read.save(update_fields=["wishes"])

    at_once(partial(add, APART), partial(add, FIXED))
    made.refresh_from_db()
    assert len(made.wishes) == 1


# --- the pages -----------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_wish_is_entered_by_number_or_name_and_listed_on_the_draw_page() -> None:
    desk = Staff(9)
    ParticipantFactory.create(tournament=desk.tournament, name="Sepp Streit")
    desk.post("wishes", player="1", other="streit", reason="Streit um den Rasen")
    desk.post("wishes", player="Nr. 2", table="2", reason="schlecht zu Fuß")
    page = text_of(desk.get("round", 1))
    assert "und Sepp Streit nicht an einem Tisch <small>Streit um den Rasen</small>" in page
    assert "immer an Tisch 2 <small>schlecht zu Fuß</small>" in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ({"player": "1", "reason": "x"}, "Bitte entweder einen zweiten Spieler eintragen oder einen Tisch."),
        ({"player": "1", "other": "2", "table": "3", "reason": "x"}, "Bitte entweder einen zweiten Spieler"),
        ({"player": "1", "other": "1", "reason": "x"}, "Das ist zweimal derselbe Spieler."),
        ({"player": "Niemand", "table": "1", "reason": "x"}, "„Niemand“ steht nicht auf der Liste."),
        ({"player": "gleich", "table": "1", "reason": "x"}, "Bitte die Teiln.-Nr. eintragen: 11, 12."),
        ({"player": "1", "other": "2", "reason": ""}, "Bitte in ein paar Worten sagen, warum."),
    ],
)
def test_an_invalid_wish_is_refused_at_its_field(typed: dict[str, Any], says: str) -> None:
    desk = Staff(10)
    for name in ("Anna Gleich", "Sepp Gleich"):
        ParticipantFactory.create(tournament=desk.tournament, name=name)
    answer = desk.post("wishes", **typed)
    desk.tournament.refresh_from_db()
    assert answer.status_code == 422
    assert says in text_of(answer)
    assert desk.tournament.wishes == []


@pytest.mark.django_db
def test_a_wish_is_taken_out_again() -> None:
    desk = Staff(10)
    add_wish(desk.tournament, APART)
    desk.post("remove_wish", kind="keep_apart", a="1", b="2")
    desk.tournament.refresh_from_db()
    assert desk.tournament.wishes == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    "typed", [{}, {"kind": "x"}, {"kind": "keep_apart", "a": "1"}, {"kind": "keep_apart", "a": "x", "b": "2"}]
)
def test_an_unknown_wish_is_404(typed: dict[str, Any]) -> None:
    assert Staff(10).post("remove_wish", **typed).status_code == 404


@pytest.mark.django_db
def test_the_reason_of_a_wish_is_not_public() -> None:
    desk = Staff(10)
    add_wish(desk.tournament, APART)
    desk.draw()
    public = desk.client.get(f"/t/{desk.tournament.slug}/rounds/1.json").json()
    assert public["draw"]["wishes"] == [{"kind": "keep_apart", "a": 1, "b": 2}]


@pytest.mark.django_db
def test_a_private_wish_is_public_by_number_only() -> None:
    desk = Staff(10)
    add_wish(desk.tournament, FIXED)
    add_wish(desk.tournament, replace(APART, private=True))
    desk.draw()
    public = desk.client.get(f"/t/{desk.tournament.slug}/rounds/1.json").json()["draw"]
    assert (public["wishes"], public["private_wishes"], public["seed"]) == (
        [{"kind": "fixed_table", "player": 3, "table": 2}],
        1,
        None,
    )
    page = text_of(Client().get(f"/t/{desk.tournament.slug}/rounds/1/"))
    assert "Ein Wunsch ist privat." in page
    assert "nicht an einem Tisch" not in page
    assert "immer an Tisch 2" in page
    own = text_of(desk.get("round", 1))
    assert "nicht an einem Tisch (privat)" in own
    assert "Ein Wunsch ist privat." not in own


@pytest.mark.django_db
def test_a_draw_is_replayed_from_its_public_record_unless_a_wish_is_private() -> None:
    """The control is the private wish: its draw cannot be replayed without the document."""
    for private in (False, True):
        desk = Staff(10)
        add_wish(desk.tournament, replace(APART, private=private))
        a_played_round(desk.tournament)
        document = json.loads(dump(export_tournament(desk.tournament)))
        assert verify_draws(json.dumps(document))[0].attempts == 1
        public = desk.client.get(f"/t/{desk.tournament.slug}/rounds/1.json").json()
        assert public.pop("is_final") is False  # of the page, not of the document
        read = json.dumps(document | {"rounds": [public]})
        if private:
            with pytest.raises(DocumentError):
                verify_draws(read)
        else:
            assert verify_draws(read)[0].attempts == 1


@pytest.mark.django_db
def test_a_wish_is_private_unless_the_organiser_says_otherwise() -> None:
    desk = Staff(10)
    form = text_of(desk.get("wishes"))
    assert re.search('<input type="checkbox" name="private"[^>]* checked', form)
    assert "steht der Wunsch mit den Namen auf der öffentlichen Seite" in form
    desk.post("wishes", player="1", other="2", reason="Streit", private="on")
    desk.post("wishes", player="3", table="2", reason="schlecht zu Fuß")
    desk.tournament.refresh_from_db()
    assert [wish.get("private", False) for wish in desk.tournament.wishes] == [True, False]
    assert "nicht an einem Tisch (privat)" in text_of(desk.get("wishes"))
    desk.post("remove_wish", kind="keep_apart", a="1", b="2")
    desk.tournament.refresh_from_db()
    assert [wish["kind"] for wish in desk.tournament.wishes] == ["fixed_table"]


# --- the draw page -------------------------------------------------------------------------------------------------


def test_all_tables_alike_are_offered_where_that_differs_from_the_others() -> None:
    rules = preset("schnauz-placing")
    several = replace(rules, tables=replace(rules.tables, sizes=(4, 5, 6), exceptions=()))
    offered = [
        (option.prefer, option.sizes and option.sizes.sizes[-1]) for option in size_options(35, several)
    ]
    assert offered == [("smaller", 4), ("larger", 5), ("equal", 5)]
    assert [option.prefer for option in size_options(30, rules)] == ["smaller", "larger"]


@pytest.mark.django_db
def test_the_mode_that_was_chosen_stays() -> None:
    desk = Staff(10)
    a_played_round(desk.tournament)
    asked = text_of(desk.get("round", 2))
    desk.post("draw", 2, mode="random")
    desk.tournament.refresh_from_db()
    assert "mit möglichst wenigen Wiederholungen" in asked
    assert desk.tournament.draw_mode == "random"
    modes = DrawAttempt.objects.filter(round__tournament=desk.tournament).values_list("mode", flat=True)
    assert list(modes.order_by("round__number")) == ["few_repeats", "random"]


@pytest.mark.django_db
def test_a_draw_that_is_refused_leaves_mode_and_ceremony_as_they_were() -> None:
    desk = Staff(10)
    desk.draw()
    desk.post("draw", 2, mode="random", ceremony="hall")
    desk.tournament.refresh_from_db()
    assert (desk.tournament.draw_mode, desk.tournament.ceremony) == ("few_repeats", "quiet")


@pytest.mark.django_db
def test_three_more_or_fewer_are_shown_with_what_they_mean() -> None:
    desk = Staff(10)
    a_played_round(desk.tournament)
    previews = desk.get("round", 2).context["previews"]
    assert [
        (preview.players, preview.tables, preview.repeats) for preview, _refused in previews if preview.sizes
    ] == [
        (7, 1, 9),
        (8, 2, 4),
        (9, 2, 6),
        (10, 2, 8),
        (11, 2, 8),
        (12, 2, 8),
        (13, 3, 4),
    ]


@pytest.mark.django_db
def test_the_draw_page_takes_as_many_queries_for_thirty_as_for_ten() -> None:
    counted = []
    for players in (10, 30):
        desk = Staff(players)
        a_played_round(desk.tournament)
        with CaptureQueriesContext(connection) as queries:
            desk.get("round", 2)
        counted.append(len(queries))
    assert counted[0] == counted[1]
