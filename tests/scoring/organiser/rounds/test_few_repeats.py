"""Draws with few repeats: their input, their record, and its verification."""

import json
from collections.abc import Callable
from copy import deepcopy
from io import StringIO
from itertools import combinations
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from scoring.documents import dump, export_tournament, import_tournament
from scoring.services.rounds import DrawOptions, draw_again, draw_ahead, draw_next
from scoring.text.refusals import message
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_played_round, a_round
from tests.scoring.evenings import simple_evening, text_of
from tournaments.core.document_reader import DocumentError
from tournaments.core.draw import Swap
from tournaments.core.refusal import Refusal
from tournaments.core.repeats import Repeat, repeats, report
from tournaments.core.wishes import FixedTable, KeepApart, Wish
from tournaments.models import DrawAttempt, Participant, Tournament
from tournaments.queries.seating import report_of, rounds_with_seating
from tournaments.rulesets.loader import preset
from tournaments.services import rounds
from tournaments.services.tournaments import edit_tournament
from tournaments.verification import verify_draws

pytestmark = pytest.mark.django_db

Document = dict[str, Any]


def an_evening(players: int = 30, *, ruleset: str = "schnauz-placing") -> Tournament:
    made: Tournament = TournamentFactory.create(ruleset=preset(ruleset).to_dict())
    ParticipantFactory.create_batch(players, tournament=made)
    return made


def drawn(tournament: Tournament, number: int = 1, **wish: Any) -> DrawAttempt:
    draw_next(tournament, number=number, options=DrawOptions(**wish), by="x", at=AT)
    return DrawAttempt.objects.get(round__tournament=tournament, round__number=number)


def seating(tournament: Tournament) -> list[list[list[int]]]:
    return [[list(table) for table in row.seating] for row in rounds_with_seating(tournament)]


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as refusal:
        call()
    return refusal.value.code


# --- the draw ------------------------------------------------------------------------------------------------------


def met_again(tournament: Tournament) -> list[tuple[Repeat, ...]]:
    """Return the repeats of each round."""
    seatings = [row.seating for row in rounds_with_seating(tournament)]
    return [repeats(tables, seatings[:number]) for number, tables in enumerate(seatings)]


def test_thirty_players_meet_nobody_twice_in_three_rounds() -> None:
    tournament = an_evening()
    for number in (1, 2, 3):
        a_played_round(tournament, number)
    assert met_again(tournament) == [()] * 3


def test_a_draw_looks_at_the_rounds_before_as_they_were_played() -> None:
    """Swaps are included."""
    tournament = an_evening()
    a_round(tournament, released=False)
    rounds.swap(tournament, 1, a=1, b=2, reason="x", by="x", at=AT)
    rounds.release(tournament, 1, at=AT)
    rounds.mark_closed(tournament, 1, reason="x", at=AT)
    made = drawn(tournament, 2)
    assert (made.mode, made.version) == ("few_repeats", 2)
    assert made.history == seating(tournament)[:1]
    assert [list(table) for table in made.drawn()] == seating(tournament)[1]


def test_a_draw_handles_players_who_joined_or_left() -> None:
    tournament = an_evening(32)
    a_played_round(tournament, 1)
    Participant.objects.filter(tournament=tournament, start_number__in=(3, 9)).update(presence="absent")
    ParticipantFactory.create_batch(3, tournament=tournament)
    for number in (2, 3):
        a_played_round(tournament, number)
    assert met_again(tournament) == [()] * 3


def test_a_random_draw_ignores_earlier_rounds() -> None:
    tournament = an_evening(11)
    a_played_round(tournament, 1)
    made = drawn(tournament, 2, mode="random")
    assert (made.mode, made.history) == ("random", [])


def test_the_organiser_chooses_for_the_tournament() -> None:
    tournament = an_evening(11)
    edit_tournament(
        tournament,
        name="x",
        played_on=tournament.played_on,
        place="",
        names="full",
        ruleset=tournament.rules,
        public_until_on=None,
        draw_mode="random",
    )
    tournament.refresh_from_db()
    assert drawn(tournament).mode == "random"
    assert json.loads(dump(export_tournament(tournament)))["tournament"]["draw_mode"] == "random"


def test_all_tables_are_equal_on_the_organisers_wish() -> None:
    assert drawn(an_evening(36), prefer="equal").sizes == [6] * 6
    assert drawn(an_evening(36)).sizes == [6, 5, 5, 5, 5, 5, 5]


# --- wishes --------------------------------------------------------------------------------------------------------

SEED = "5c4a" * 16
WISHES: list[Wish] = [KeepApart(1, 2, "Streit"), FixedTable(3, 4, "schlecht zu Fuß")]


def test_wishes_are_granted_and_on_record_with_their_reasons() -> None:
    tournament = an_evening()
    made = drawn(tournament, wishes=WISHES)
    assert made.wishes == [wish.to_dict() for wish in WISHES]
    (tables,) = seating(tournament)
    assert 3 in tables[3]
    assert not any({1, 2} <= {*table} for table in tables)


def test_the_report_on_a_round_has_all_that_bears_on_it() -> None:
    tournament = an_evening(11)
    a_played_round(tournament, 1)
    drawn(tournament, 2, wishes=[FixedTable(3, 2, "schlecht zu Fuß")])
    rounds.swap(tournament, 2, a=1, b=2, reason="x", by="x", at=AT)
    first, second = rounds_with_seating(tournament)
    printed = report_of(tournament, second)
    assert printed == report(
        second.seating, [first.seating], changes=[Swap(1, 2)], wishes=[FixedTable(3, 2, "schlecht zu Fuß")]
    )
    assert printed.least == 10


def test_the_wishes_of_who_does_not_play_are_set_aside() -> None:
    tournament = an_evening()
    Participant.objects.filter(tournament=tournament, start_number=2).update(presence="absent")
    assert drawn(tournament, wishes=WISHES).wishes == [WISHES[1].to_dict()]


@pytest.mark.parametrize(
    ("wishes", "code"),
    [
        ([KeepApart(1, 99, "x")], "unknown_participant"),
        ([KeepApart(1, 2)], "text_empty"),
        ([FixedTable(1, 99, "x")], "unknown_table"),
        ([KeepApart(a, b, "x") for a, b in combinations(range(1, 8), 2)], "wishes_impossible"),
    ],
)
def test_an_impossible_wish_is_refused_and_nothing_is_drawn(wishes: list[Wish], code: str) -> None:
    tournament = an_evening()
    with pytest.raises(Refusal) as caught:
        drawn(tournament, wishes=wishes)
    assert caught.value.code == code
    assert message(caught.value)
    assert not tournament.rounds.exists()


def test_a_redraw_has_wishes_of_its_own() -> None:
    tournament = an_evening()
    drawn(tournament)
    wish = DrawOptions(wishes=WISHES)
    draw_again(tournament, 1, options=wish, reason="x", by="x", at=AT)
    attempts = DrawAttempt.objects.filter(round__tournament=tournament).order_by("attempt")
    assert [len(attempt.wishes) for attempt in attempts] == [0, 2]


def test_the_reasons_of_wishes_are_the_organisers_own(client: Client) -> None:
    tournament = an_evening()
    drawn(tournament, wishes=WISHES)
    draw_again(tournament, 1, options=DrawOptions(wishes=WISHES), reason="x", by="x", at=AT)
    rounds.release(tournament, 1, at=AT)
    answer = client.get(f"/t/{tournament.slug}/rounds/1.json")
    draw = answer.json()["draw"]
    shown = [{"kind": "keep_apart", "a": 1, "b": 2}, {"kind": "fixed_table", "player": 3, "table": 4}]
    assert draw["wishes"] == shown
    assert [attempt["wishes"] for attempt in draw["abandoned"]] == [shown]
    assert "Streit" not in answer.content.decode()


# --- the document --------------------------------------------------------------------------------------------------


@pytest.fixture
def document() -> Document:
    """Return a document with two rounds played, with wishes and a swap; a third round drawn twice."""
    tournament = an_evening(31)
    draw_next(tournament, number=1, options=DrawOptions(wishes=WISHES, seed=SEED), by="x", at=AT)
    rounds.swap(tournament, 1, a=5, b=6, reason="x", by="x", at=AT)
    rounds.release(tournament, 1, at=AT)
    rounds.mark_closed(tournament, 1, reason="x", at=AT)
    a_played_round(tournament, 2)
    a_round(tournament, 3, released=False)
    draw_again(tournament, 3, options=DrawOptions(), reason="x", by="x", at=AT)
    content: Document = json.loads(dump(export_tournament(tournament)))
    return content


def test_export_and_import_give_the_same_bytes(document: Document) -> None:
    document["tournament"]["slug"] = "noch-einer"
    again = import_tournament(text_of(document), at=AT)
    assert dump(export_tournament(again)) == json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def test_every_attempt_is_replayed(document: Document) -> None:
    verified = verify_draws(text_of(document))
    assert [(draw.attempts, draw.changes) for draw in verified] == [(1, 1), (1, 0), (2, 0)]


def test_a_missing_history_is_taken_from_the_document(document: Document) -> None:
    for part in document["rounds"]:
        for attempt in (part["draw"], *part["draw"]["abandoned"]):
            del attempt["history"]
    assert len(verify_draws(text_of(document))) == 3


def of_draw(number: int) -> Callable[[Document], Document]:
    return lambda document: document["rounds"][number - 1]["draw"]


def swap_two(tables: list[list[int]]) -> None:
    tables[0][0], tables[1][0] = tables[1][0], tables[0][0]


TAMPERED: list[tuple[Callable[[Document], object], str]] = [
    (lambda d: swap_two(of_draw(2)(d)["history"][0]), "$.rounds[1].draw.history[0]"),
    (lambda d: swap_two(of_draw(3)(d)["history"][1]), "$.rounds[2].draw.history[1]"),
    (
        lambda d: swap_two(of_draw(3)(d)["abandoned"][0]["history"][1]),
        "$.rounds[2].draw.abandoned[0].history[1]",
    ),
    (lambda d: of_draw(3)(d)["history"].pop(), "$.rounds[2].draw.history"),
    (lambda d: of_draw(2)(d).update(seed="0" * 64), "$.rounds[1].tables[0]"),
    (lambda d: of_draw(2)(d).update(mode="random"), "$.rounds[1].tables[0]"),
    (lambda d: of_draw(2)(d).update(version=1), "$.rounds[1].draw"),
    (lambda d: of_draw(1)(d)["wishes"].pop(), "$.rounds[0].tables[0]"),
    (lambda d: of_draw(1)(d)["changes"].pop(), "$.rounds[0].tables[0]"),
    (lambda d: of_draw(1)(d)["wishes"][0].update(b=99), "$.rounds[0].draw"),
    (lambda d: of_draw(1)(d)["wishes"][0].update(kind="window"), "$.rounds[0].draw.wishes[0]"),
    (lambda d: of_draw(3)(d)["abandoned"][0]["players"].pop(), "$.rounds[2].draw.abandoned[0]"),
]


def test_a_manipulated_draw_is_named(document: Document) -> None:
    paths = []
    for tamper, _ in TAMPERED:
        tampered = deepcopy(document)
        tamper(tampered)
        with pytest.raises(DocumentError) as caught:
            verify_draws(text_of(tampered))
        assert message(caught.value.refusal)
        paths.append(caught.value.path)
    assert paths == [path for _, path in TAMPERED]


def test_a_seat_of_an_earlier_round_that_was_not_drawn_here_is_found_by_the_draws_after_it() -> None:
    """The first round has no draw on record; the second records the tables as they were played."""
    tournament = import_tournament(text_of(simple_evening("abend", players=20)), at=AT)
    rounds.mark_closed(tournament, 1, reason="x", at=AT)
    drawn(tournament, 2)
    document = json.loads(dump(export_tournament(tournament)))
    verify_draws(text_of(document))
    first, second = (document["rounds"][0]["tables"][number]["seats"][0] for number in (0, 1))
    first["start_number"], second["start_number"] = second["start_number"], first["start_number"]
    with pytest.raises(DocumentError) as caught:
        verify_draws(text_of(document))
    assert caught.value.path == "$.rounds[1].draw.history[0]"


def test_a_round_drawn_ahead_remembers_the_first_as_it_was_then() -> None:
    """A substitute joins a table of the first round after the second was drawn."""
    tournament = an_evening(8, ruleset="schafkopf")
    draw_ahead(tournament, number=1, options=DrawOptions(), by="x", at=AT)
    rounds.swap(tournament, 1, a=1, b=2, reason="x", by="x", at=AT)
    document = json.loads(dump(export_tournament(tournament)))
    assert document["rounds"][1]["draw"]["history"] != seating(tournament)[:1]
    assert len(verify_draws(text_of(document))) == 2
    document["rounds"][1]["draw"]["history"][0][0].reverse()
    with pytest.raises(DocumentError) as caught:
        verify_draws(text_of(document))
    assert caught.value.path == "$.rounds[1].draw.history[0]"


def test_a_table_that_everybody_left_is_not_missed() -> None:
    tournament = an_evening(16)
    draw_next(tournament, number=1, options=DrawOptions(exceptions=True), by="x", at=AT)
    document = json.loads(dump(export_tournament(tournament)))
    tables, changes = document["rounds"][0]["tables"], document["rounds"][0]["draw"]["changes"]
    assert [len(table["seats"]) for table in tables] == [6, 5, 5]
    *moved, ill, late = (seat["start_number"] for seat in tables.pop()["seats"])
    changes += [{"kind": "left", "player": ill}, {"kind": "left", "player": late}]
    for player, number in zip(moved, (1, 2, 2), strict=True):
        seats = tables[number - 1]["seats"]
        seats.append({"seat_number": len(seats) + 1, "start_number": player})
        changes.append({"kind": "moved", "player": player, "table": number})
    assert verify_draws(text_of(document))[0].changes == 5


# --- commands ------------------------------------------------------------------------------------------------------


def run(*arguments: str) -> Any:
    output = StringIO()
    call_command(*arguments, stdout=output)
    return json.loads(output.getvalue())


def test_draw_round_takes_the_mode_of_the_tournament_or_another() -> None:
    first, second = an_evening(11), an_evening(11)
    assert run("draw_round", first.slug)["draw"]["mode"] == "few_repeats"
    assert run("draw_round", second.slug, "--mode", "random")["draw"]["mode"] == "random"
    assert run("draw_round", an_evening(11).slug, "--mode", "few_repeats")["draw"]["version"] == 2


def test_draw_round_knows_two_modes() -> None:
    with pytest.raises(CommandError):
        call_command("draw_round", an_evening(11).slug, "--mode", "hat")
