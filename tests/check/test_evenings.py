"""Generated evenings: the checker finds each record right, and counts all that is in it.

CHECKED_EVENINGS sets how many, of each sort.
"""

import json
import os
from contextlib import suppress
from datetime import timedelta
from itertools import count
from random import Random
from typing import Any

import pytest
from factory.random import reseed_random
from pytest_django.plugin import DjangoDbBlocker

from scoring.documents import import_tournament
from scoring.queries.standings import tied_groups
from scoring.services import sheets, standings
from scoring.services.ceremonies import draw_sealed, draw_sealed_lot, seal_draw, seal_lot
from scoring.services.rounds import DrawOptions, close, draw_again
from tests.check.checking import checked
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_round
from tests.scoring.core.writing import ranked
from tests.scoring.evenings import evening, text_of
from tests.scoring.records import record_text
from tests.security.installation import rolled_back
from tournaments.core.refusal import Refusal
from tournaments.core.wishes import FixedTable, KeepApart
from tournaments.models import Round, Table, Tournament
from tournaments.rulesets.loader import PRESETS, preset
from tournaments.services import door, rounds
from tournaments.services.draw_settings import add_wish

EVENINGS = int(os.environ.get("CHECKED_EVENINGS", "15"))
MINUTES = count()
Draft = tuple[str, dict[str, Any]]


@pytest.fixture(scope="module")
def texts(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> list[str]:
    """The records of evenings that were imported, and of evenings that were played. Nothing is left in the database."""
    reseed_random("evenings")  # type: ignore[no-untyped-call]
    with django_db_blocker.unblock(), rolled_back():
        return [one for seed in range(EVENINGS) for one in (imported(seed), *played(seed))]


@pytest.fixture(scope="module")
def answers(texts: list[str]) -> list[dict[str, Any]]:
    return checked(*texts)


def by() -> dict[str, Any]:
    """Return who did something and when: every time a minute later, so that a freeze is before what follows."""
    return {"by": "x", "at": AT + timedelta(minutes=next(MINUTES))}


def imported(seed: int) -> str:
    return record_text(import_tournament(text_of(evening(seed, f"import-{seed}")), at=AT))


def played(seed: int) -> list[str]:
    """Return the records of an evening with coming and going, wishes, ceremonies, corrections, lots and a freeze."""
    chance = Random(seed)
    name = PRESETS[seed % len(PRESETS)]
    made = TournamentFactory.create(slug=f"abend-{seed}", ruleset=preset(name).to_dict())
    heads = 8 if name == "schafkopf" else chance.randint(10, 16)
    ParticipantFactory.create_batch(heads, tournament=made)
    if seed % 3 and not made.rules.qualifying:  # a final has one table
        add_wish(made, KeepApart(1, 2, "x", private=seed % 3 == 2))
        add_wish(made, FixedTable(3, 1, "x"))
    texts = []
    for number in range(1, (made.rules.rounds or 2) + 1):
        drawn(chance, made, number)
        for table in Table.objects.filter(round__tournament=made, round__number=number):
            filled(chance, table)
        if chance.random() < 0.2:
            with suppress(Refusal):
                standings.freeze(made, **by())
            texts.append(record_text(made))
        with suppress(Refusal):
            close(made, number, reason="x", at=by()["at"])
        if chance.random() < 0.3:
            correct(made.rounds.get(number=number).tables.all()[0])
        come_and_go(chance, made)
    with suppress(Refusal):
        standings.release(made, **by())
    for group in tied_groups(made)[:2]:
        decided(chance, made, group)
    return [*texts, record_text(made)]


def drawn(chance: Random, made: Tournament, number: int) -> None:
    options = DrawOptions(exceptions=True)
    if made.rules.drawn_ahead or chance.random() < 0.4:
        a_round(made, number, released=False)
        if not made.rules.drawn_ahead and chance.random() < 0.4:
            draw_again(made, number, options=options, reason="x", **by())
    else:
        seal_draw(made, number, options=options, **by())
        draw_sealed(made, number, words=chance.choice(["", "Eichel sieben", "Grün 🍀"]), **by())
    found = made.rounds.get(number=number)
    if chance.random() < 0.4:
        swapped(made, found)
    rounds.release(made, number, reason="x", at=by()["at"])


def swapped(made: Tournament, found: Round) -> None:
    players = list(found.tables.values_list("seats__participant__start_number", flat=True))
    with suppress(Refusal):
        rounds.swap(made, found.number, a=players[0], b=players[-1], reason="x", **by())


def filled(chance: Random, table: Table) -> None:
    """Type a sheet in, with results by lot, and accept it; or leave it as it is."""
    if chance.random() < 0.1:
        return
    seats = list(table.seats.values_list("seat_number", flat=True))
    drafts: list[Draft] = []
    match table.round.tournament.rules.sheet.kind:
        case "survival":
            order = chance.sample(range(1, len(seats) + 1), len(seats))
            strokes = [
                ("stroke", {"seat_number": seat, "mark": "schnauz"})
                for seat in seats
                if chance.random() < 0.4
            ]
            drafts = [*strokes, ("ranked", dict(ranked(*order).data))]
        case "hand_points":
            points = {str(seat): chance.randint(400, 420) for seat in seats}
            nothing = dict.fromkeys(map(str, seats), 0)
            drafts = [("totalled", {"points": points, "schnauz": nothing, "feuer": nothing})]
        case "plus_minus":
            plus = 10 * chance.randint(0, 2)
            nothing = dict.fromkeys(map(str, seats), 0)
            counts = dict.fromkeys(("tout_won", "tout_played", "solo_won", "solo_played"), nothing)
            drafts = [("totalled", {"points": nothing | {"1": plus, "2": -plus}, **counts})]
    sheets.write(table, [*drafts, ("accepted", {"reason": "x"})], **by())


def correct(table: Table) -> None:
    again: list[Draft] = [("reopened", {"reason": "x"}), ("accepted", {"reason": "x"})]
    with suppress(Refusal):
        sheets.write(table, again, **by())


def come_and_go(chance: Random, made: Tournament) -> None:
    if made.rules.drawn_ahead or made.rules.qualifying:
        return
    if chance.random() < 0.3:
        ParticipantFactory.create(tournament=made)
    if chance.random() < 0.3:
        with suppress(Refusal):
            door.withdraw(made, chance.randint(4, 8), **by())


def decided(chance: Random, made: Tournament, group: list[int]) -> None:
    with suppress(Refusal):
        match chance.choice(["lot", "sealed", "playoff"]):
            case "lot":
                standings.draw_lot(made, group, seed=chance.randbytes(32).hex(), **by())
            case "sealed":
                seal_lot(made, group, **by())
                draw_sealed_lot(made, words="Herz", **by())
            case _:
                standings.decide(made, kind="playoff", order=group[::-1], reason="x", **by())


def test_every_evening_is_right_and_all_of_it_is_counted(
    texts: list[str], answers: list[dict[str, Any]]
) -> None:
    for text, answer in zip(texts, answers, strict=True):
        assert "path" not in answer, answer
        assert {key: number for key, number in answer.items() if key != "unchecked"} == counted(
            json.loads(text)
        )


def counted(record: dict[str, Any]) -> dict[str, int]:
    draws = [one["draw"] for one in record["rounds"] if one["draw"]]
    attempts = [attempt for draw in draws for attempt in (*draw["abandoned"], draw)]
    logs = [table["entries"] for one in record["rounds"] for table in one["tables"]]
    return {
        "draws": sum(attempt["seed"] is not None for attempt in attempts),
        "lots": sum(decision["seed"] is not None for decision in record["decisions"]),
        "sheets": sum(bool(log) for log in logs),
        "entries": sum(map(len, logs)),
        "commitments": len(record["commitments"]),
        "marks": len(record["marks"]),
    }


def test_the_evenings_are_of_every_sort(texts: list[str], answers: list[dict[str, Any]]) -> None:
    assert len(answers) >= 2 * EVENINGS
    for key in ("commitments", "lots", "unchecked"):
        assert any(answer[key] for answer in answers), key
    for sort in (
        '"kind": "hand_points"',
        '"kind": "plus_minus"',
        '"kind": "survival"',
        '"kind": "corrected"',
        '"kind": "swap"',
    ):
        assert any(sort in text for text in texts), sort
    assert any('"frozen_at": "2' in text for text in texts)
