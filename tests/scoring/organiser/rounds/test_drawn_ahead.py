"""The rounds of a Schafkopf evening: both drawn before the start, for the same players (RULES 5.1)."""

import json

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from scoring.documents import dump, export_tournament, import_tournament
from scoring.queries.public_view import public_view
from scoring.services.rounds import DrawOptions, close, draw_again, draw_ahead, draw_next
from scoring.services.sheets import write
from scoring.text.refusals import message
from tests.factories import AT, ParticipantFactory
from tests.scoring.organiser.rounds.test_knockout import field, refused, seated
from tests.scoring.pages import Staff, text_of
from tournaments.core.refusal import Refusal
from tournaments.models import Round, Table, Tournament
from tournaments.services import door, rounds
from tournaments.verification import verify_draws

pytestmark = pytest.mark.django_db

DEAL = {"game": "ruf", "declarer": 1, "partner": 2, "won": True, "level": "normal"}


def a_schafkopf(players: int) -> Staff:
    return Staff(players, ruleset="schafkopf")


def both_drawn(players: int = 8) -> Staff:
    desk = a_schafkopf(players)
    draw_ahead(desk.tournament, number=1, options=DrawOptions(), by="x", at=AT)
    return desk


def states(tournament: Tournament) -> list[str]:
    return list(tournament.rounds.order_by("number").values_list("state", flat=True))


def played(tournament: Tournament, number: int) -> None:
    """Type in every table from paper, with no points for any player."""
    zero = dict.fromkeys("1234", 0)
    sums = dict.fromkeys(("points", "tout_won", "tout_played", "solo_won", "solo_played"), zero)
    for table in Table.objects.filter(round__tournament=tournament, round__number=number):
        write(table, [("totalled", sums), ("accepted", {"reason": "vom Papier"})], by="x", at=AT)
    close(tournament, number, at=AT)


# --- head counts ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "sentence"),
    [
        (5, "Mit 5 Spielern gehen Vierertische nicht auf. Drei Spieler mehr, oder einer setzt aus."),
        (9, "Mit 9 Spielern gehen Vierertische nicht auf. Drei Spieler mehr, oder einer setzt aus."),
        (10, "Mit 10 Spielern gehen Vierertische nicht auf. Zwei Spieler mehr, oder zwei setzen aus."),
        (11, "Mit 11 Spielern gehen Vierertische nicht auf. Ein Spieler mehr, oder drei setzen aus."),
        (13, "Mit 13 Spielern gehen Vierertische nicht auf. Drei Spieler mehr, oder einer setzt aus."),
        (14, "Mit 14 Spielern gehen Vierertische nicht auf. Zwei Spieler mehr, oder zwei setzen aus."),
        (15, "Mit 15 Spielern gehen Vierertische nicht auf. Ein Spieler mehr, oder drei setzen aus."),
    ],
)
def test_rules_5_1_no_multiple_of_four_is_refused_with_the_number_missing_and_two_ways_out(
    players: int, sentence: str
) -> None:
    """RULES 5.1: each of the two ways has a button."""
    desk = a_schafkopf(players)
    page, drawn = desk.get("round", 1), desk.post("draw", 1)
    assert [sentence in text_of(page), sentence in text_of(drawn)] == [True, True]
    assert reverse("door:desk", args=[desk.tournament.slug]) in text_of(page)
    assert reverse("door:roll_call", args=[desk.tournament.slug]) in text_of(page)
    assert "Wer setzt aus?" in text_of(page)
    assert (drawn.status_code, Round.objects.filter(tournament=desk.tournament).count()) == (422, 0)


def test_rules_5_1_who_is_named_to_sit_out_is_not_drawn() -> None:
    """RULES 5.1."""
    desk = a_schafkopf(9)
    door.set_presence(desk.tournament, 4, present=False)
    assert desk.post("draw", 1).status_code == 302
    assert field(desk.tournament, 1) == field(desk.tournament, 2) == {1, 2, 3, 5, 6, 7, 8, 9}


# --- the draw ------------------------------------------------------------------------------------------------------


def test_rules_5_1_one_click_draws_both_rounds_for_the_same_people_at_tables_of_four() -> None:
    """RULES 5.1."""
    desk = a_schafkopf(12)
    assert "Beide Spielrunden auslosen" in text_of(desk.get("overview"))
    page = desk.post("draw", 1, follow=True)
    assert "2 Spielrunden sind ausgelost." in text_of(page)
    assert states(desk.tournament) == ["drawn", "drawn"]
    assert field(desk.tournament, 1) == field(desk.tournament, 2) == set(range(1, 13))
    assert [[len(t) for t in seated(desk.tournament, number)] for number in (1, 2)] == [[4, 4, 4]] * 2


def test_rules_5_1_both_are_drawn_or_none() -> None:
    """RULES 5.1: the second cannot be drawn."""
    desk = a_schafkopf(8)
    impossible = DrawOptions(mode="unknown")
    assert (
        refused(lambda: draw_ahead(desk.tournament, number=1, options=impossible, by="x", at=AT))
        == "unknown_draw"
    )
    assert states(desk.tournament) == []


def test_rules_5_1_the_command_draws_the_second_while_the_first_is_open(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """RULES 5.1."""
    tournament = a_schafkopf(8).tournament
    call_command("draw_round", tournament.slug, "--release")
    call_command("draw_round", tournament.slug)
    printed = [json.loads(line)["number"] for line in capsys.readouterr().out.splitlines()]
    assert (printed, states(tournament)) == ([1, 2], ["released", "drawn"])
    assert refused(lambda: draw_next(tournament, number=3, options=DrawOptions(), by="x", at=AT)) == (
        "all_rounds_drawn"
    )


def test_rules_5_1_the_second_is_drawn_for_those_who_sit_in_the_first() -> None:
    """RULES 5.1: players who come after the draw of the first are not in the second."""
    tournament = a_schafkopf(8).tournament
    draw_next(tournament, number=1, options=DrawOptions(), by="x", at=AT)
    ParticipantFactory.create_batch(4, tournament=tournament)
    draw_next(tournament, number=2, options=DrawOptions(), by="x", at=AT)
    assert field(tournament, 2) == set(range(1, 9))


def test_the_second_round_is_not_drawn_before_the_first() -> None:
    desk = a_schafkopf(8)
    assert refused(lambda: draw_next(desk.tournament, number=2, options=DrawOptions(), by="x", at=AT)) == (
        "previous_round_not_drawn"
    )
    assert "Ausgelost wird zusammen mit der 1. Spielrunde." in text_of(desk.get("round", 2))


def test_rules_5_1_before_the_start_a_new_draw_takes_whoever_has_come() -> None:
    """RULES 5.1: four more; the second round is drawn again with the first."""
    desk = both_drawn()
    for name in ("Anna", "Berta", "Cilli", "Dora"):
        door.register(desk.tournament, door.Newcomer(name), paid=False, by="x", at=AT)
    draw_again(desk.tournament, 1, options=DrawOptions(), reason="vier mehr", by="x", at=AT)
    assert field(desk.tournament, 1) == field(desk.tournament, 2) == set(range(1, 13))
    reasons = [row.attempts.get(abandoned_at=None).reason for row in desk.tournament.rounds.all()]
    assert reasons == ["vier mehr", "vier mehr"]


def test_the_second_round_alone_can_be_drawn_again_while_the_first_is_played() -> None:
    desk = both_drawn()
    rounds.release(desk.tournament, 1, reason="gleich", at=AT)
    write(desk.table(), [("deal", DEAL)], by="x", at=AT)
    first = seated(desk.tournament, 1)
    draw_again(desk.tournament, 2, options=DrawOptions(), reason="ein Versehen", by="x", at=AT)
    assert refused(
        lambda: draw_again(desk.tournament, 1, options=DrawOptions(), reason="x", by="x", at=AT)
    ) == ("round_has_entries")
    assert (seated(desk.tournament, 1), field(desk.tournament, 2)) == (first, set(range(1, 9)))
    assert [row.attempts.count() for row in desk.tournament.rounds.order_by("number")] == [1, 2]


# --- the release ---------------------------------------------------------------------------------------------------


def test_rules_5_1_the_second_round_can_be_looked_at_and_is_released_after_the_first_is_closed() -> None:
    """RULES 5.1: the button says why it waits."""
    desk = both_drawn()
    rounds.release(desk.tournament, 1, reason="gleich", at=AT)
    page = text_of(desk.get("round", 2))
    assert "Erst wenn die 1. Spielrunde abgeschlossen ist." in page
    assert "Tisch 2" in page
    assert (
        refused(lambda: rounds.release(desk.tournament, 2, reason="gleich", at=AT))
        == "previous_round_not_closed"
    )
    played(desk.tournament, 1)
    assert "Auslosung ansehen und freigeben" in text_of(desk.get("overview"))
    rounds.release(desk.tournament, 2, reason="gleich", at=AT)
    assert states(desk.tournament) == ["closed", "released"]


def test_only_a_release_that_has_to_wait_is_said_in_red() -> None:
    desk = both_drawn()
    rounds.release(desk.tournament, 1, reason="gleich", at=AT)
    answers = [desk.post("release", number, reason="x", follow=True).content.decode() for number in (1, 2)]
    assert ['data-kind="error"' in answer for answer in answers] == [False, True]


def test_rules_5_1_the_hall_sees_one_round_at_a_time() -> None:
    """RULES 5.1: the second round, drawn and not released, is not public."""
    desk = both_drawn()
    slug = desk.tournament.slug
    rounds.release(desk.tournament, 1, reason="gleich", at=AT)
    played(desk.tournament, 1)
    view = public_view(slug).round
    assert view is not None
    assert (view.number, view.is_closed) == (1, True)
    ahead = Client().get(f"/t/{slug}/rounds/2.json").json()
    assert (ahead["state"], ahead["draw"], ahead["tables"]) == ("drawn", None, [])
    assert [row["secret"] for row in ahead["commitments"]] == [None]
    page = text_of(Client().get(f"/t/{slug}/"))
    assert "Die Tische der 2. stehen hier, sobald sie freigegeben ist." in page


def test_rules_5_1_nobody_joins_after_the_release_and_the_desk_says_why() -> None:
    """RULES 5.1."""
    desk = both_drawn()
    rounds.release(desk.tournament, 1, reason="gleich", at=AT)
    late = door.Newcomer("Zu Spät")
    refusal = refused(lambda: door.register(desk.tournament, late, paid=False, by="x", at=AT))
    assert refusal == "joining_ended_with_release"
    page = desk.client.get(reverse("door:desk", args=[desk.tournament.slug]))
    assert message(Refusal("joining_ended_with_release")) in text_of(page)
    assert desk.tournament.participants.count() == 8


# --- the document --------------------------------------------------------------------------------------------------


def test_rules_5_1_the_document_holds_a_round_drawn_ahead() -> None:
    """RULES 5.1: a round trip of the document, with every draw replayed."""
    desk = both_drawn()
    rounds.release(desk.tournament, 1, reason="gleich", at=AT)
    document = export_tournament(desk.tournament)
    text = dump(document | {"tournament": document["tournament"] | {"slug": "kopie"}})
    assert [draw.attempts for draw in verify_draws(text)] == [1, 1]
    again = export_tournament(import_tournament(text, at=AT))
    assert dump(again) == text
