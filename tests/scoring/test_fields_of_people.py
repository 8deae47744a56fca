"""Every field of a person is in the document and gone after an erasure, or a list here says why not.

Each column is changed alone in a stored evening. It is exported if the document then differs, and erased if `erase_person` leaves
neither the row nor the value. So a new column of a person fails until it is exported and erased, or listed.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models, transaction

from scoring.documents import dump, export_tournament
from scoring.models import Evening, Flag, MissingPlayer, ParkedEntry, PrizeHandout, SheetEntry
from scoring.services import purge
from scoring.services.purge import erase_person
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_played_round
from tournaments.models import Participant, Payment, Person, PersonChange, SignUp, Table, Tournament

pytestmark = pytest.mark.django_db

STAFF = "an account of the staff"
RESULTS = "standings and cash book stay, and follow from it"
MOMENTS = "when it happened, without whom"
HERE = "of this installation only"
BY_NUMBER = "said by the start number"

NOT_EXPORTED: Mapping[str, str] = {
    "Appearance": "of the club, whose own document comes later",
    "EveningResult": "follows from the document",
    "Flag": "a talk between the hall and an organiser",
    "MissingPlayer": "until the player is found",
    "SignUp": "becomes a participant, and is deleted a week after the evening",
    "Participant.pauses_round": "a wish of one round, which the player can repeat",
    "PrizeHandout.number": "the order in the document",
    "SheetEntry.sequence": "the order in the document",
    "Table.link_version": HERE,
}
"""Models and columns that no document has, and why."""

NOT_ERASED: Mapping[str, str] = {
    **dict.fromkeys(
        [f"EveningResult.{name}" for name in ("rank", "shared", "points", "strokes", "table_wins", "fee")],
        RESULTS,
    ),
    "MissingPlayer": "a table and a moment, by the number",
    "Payment": RESULTS,
    "PrizeHandout": RESULTS,
    "Seat": RESULTS,
    "Table": RESULTS,
    "Participant.start_number": "stands for the name",
    "Participant.fee": RESULTS,
    "Participant.presence": RESULTS,
    "Participant.pauses_round": RESULTS,
    "Participant.withdrawn_at": RESULTS,
    "Participant.excluded_at": RESULTS,
    "Participant.registered_at": MOMENTS,
    "Participant.registered_by": STAFF,
    "PersonChange.kind": "without the text: withdrawn, back, renamed to a number",
    "PersonChange.by": STAFF,
    "PersonChange.at": MOMENTS,
    "SheetEntry.entry_id": RESULTS,
    "SheetEntry.kind": RESULTS,
    "SheetEntry.data": RESULTS,
    "SheetEntry.made_at": MOMENTS,
    "SheetEntry.pen_epoch": RESULTS,
    "SheetEntry.sequence": RESULTS,
    "SheetEntry.by": RESULTS,
    "SheetEntry.author": STAFF,
    "SheetEntry.initials": "of an organiser, and many share them",
    "SheetEntry.recorded_at": MOMENTS,
    "SheetEntry.digest": RESULTS,
    "ParkedEntry.entry_id": RESULTS,
    "ParkedEntry.kind": RESULTS,
    "ParkedEntry.data": RESULTS,
    "ParkedEntry.made_at": MOMENTS,
    "ParkedEntry.pen_epoch": RESULTS,
    "ParkedEntry.parked_at": MOMENTS,
    "ParkedEntry.outcome": RESULTS,
    "ParkedEntry.decided_by": STAFF,
    "ParkedEntry.decided_initials": "of an organiser, and many share them",
    "ParkedEntry.decided_at": MOMENTS,
}
"""Models and columns that stay after an erasure, and why."""

Columns = dict[str, Any]
ENDED_SIGN_UP: Columns = {
    "participant": None,
    "payment": None,
    "confirmed_at": None,
    "withdrawn_at": AT + timedelta(hours=1),
    "name": "Rosenmüller Zita",
}
OTHERWISE: Mapping[str, Columns] = {
    "EveningResult.name": {"participant": None, "name": "Rosenmüller Zita"},
    "EveningResult.fee": {"participant": None, "fee": "zz"},
    "PrizeHandout.kind": {"kind": "absent", "cents": 0, "things": [], "payment": None},
    "SignUp.name": ENDED_SIGN_UP,
    "SignUp.club": ENDED_SIGN_UP | {"club": "Zz"},
    "SignUp.withdrawn_at": ENDED_SIGN_UP,
    "SignUp.withdrawn_by": ENDED_SIGN_UP | {"withdrawn_by": "zz"},
    "SignUp.names": {"names": "full"},
    "SheetEntry.kind": {"kind": "objected"},
    "SheetEntry.digest": {"digest": "0" * 64},
    "ParkedEntry.kind": {"kind": "stroke"},
}
"""Changes of columns that the constraints do not let change alone, or to any text."""


def of_a_person() -> set[type[models.Model]]:
    """Return the models of people: those that belong to a participant, and those with words about one."""
    all_models = [
        model for app in ("tournaments", "scoring") for model in apps.get_app_config(app).get_models()
    ]
    belonging = {
        model
        for model in all_models
        if any(column.related_model is Participant for column in model._meta.concrete_fields)
    }
    return belonging | {Participant, Flag, SheetEntry, ParkedEntry}


@pytest.fixture
def tournament() -> Tournament:
    """Create a played round of six, the first of whom has everything that can be stored about a person."""
    made: Tournament = TournamentFactory.create()
    zita = ParticipantFactory.create(
        tournament=made, name="Zita Rosenmüller", club="SV Ort", town="Ort", names="short"
    )
    ParticipantFactory.create_batch(5, tournament=made)
    a_played_round(made)
    seat = made.seats.get(participant=zita)
    Participant.objects.filter(pk=zita.pk).update(
        fee="half", pauses_round=2, withdrawn_at=AT, excluded_at=AT, excluded_reason="Grund"
    )
    Table.objects.filter(pk=seat.table_id).update(scribe=zita, scribe_by="leitung", scribe_at=AT)
    PersonChange.objects.create(participant=zita, kind="withdrawn", by="kasse", at=AT)
    Payment.objects.create(participant=zita, kind="fee", cents=300, at=AT, by="kasse", desk="Kasse 1")
    payout = Payment.objects.create(participant=zita, kind="payout", cents=500, at=AT, by="kasse")
    given: Any = {"tournament": made, "participant": zita, "by": "leitung", "at": AT}
    PrizeHandout.objects.create(prize="1", number=1, kind="given", cents=500, payment=payout, **given)
    MissingPlayer.objects.create(
        table=seat.table, participant=zita, reported_at=AT, found_at=AT, found_by="leitung"
    )
    Flag.objects.create(
        tournament=made,
        table=seat.table,
        note="falsch",
        raised_at=AT,
        looked_at=AT,
        looked_by="leitung",
        closed_at=AT,
        closed_word="stimmt",
    )
    known = Person.objects.create(name="Zita Rosenmüller")
    known.appearances.create(participant=zita, how="typed", by="kasse", at=AT)
    Evening.objects.create(tournament=made).results.create(
        participant=zita, rank=1, shared=False, points=6, strokes=0, table_wins=1
    )
    SignUp.objects.create(
        tournament=made, number=1, code_hash="x", made_at=AT, confirmed_at=AT, participant=zita
    )
    ParkedEntry.objects.create(
        tournament=made,
        sheet=seat.table.sheet,
        entry_id="00000000-0000-4000-8000-000000000001",
        kind="objected",
        data={"seat_number": 1},
        made_at=AT,
        parked_at=AT,
        outcome="discarded",
        decided_at=AT,
        decided_by="leitung",
    )
    return made


def of_the_first(model: type[models.Model], tournament: Tournament) -> models.Model:
    """Return the latest row of the first player, or of their table."""
    rows = model._default_manager.all()
    if model is Participant:
        rows = rows.filter(tournament=tournament, start_number=1)
    elif model is Table:
        rows = rows.filter(scribe__start_number=1)
    elif model in (SheetEntry, ParkedEntry):
        rows = rows.filter(sheet__table__scribe__start_number=1)
    elif model is not Flag:
        rows = rows.filter(participant__start_number=1)
    row = rows.order_by("pk").last()
    assert row is not None, f"the evening has no {model.__name__}"
    return row


def another(column: Any, value: Any) -> Any:
    """Return another value that the column may have."""
    if column.choices:
        return next(key for key, _name in column.flatchoices if key != value)
    match column:
        case models.BooleanField():
            return not value
        case models.DateTimeField():
            return (value or AT) + timedelta(hours=1)
        case models.DateField():
            return (value or date(2026, 11, 21)) + timedelta(days=1)
        case models.IntegerField():
            return (value or 0) + 90
        case models.UUIDField():
            return "00000000-0000-4000-8000-00000000ffff"
        case models.JSONField():
            return [*value, "zz"] if isinstance(value, list) else {**(value or {}), "seat_number": 2}
        case models.BinaryField():
            return b"zz"
    return "zz"


def own_columns(model: type[models.Model]) -> Iterator[Any]:
    """Yield the columns that say something themselves, and not whose row it is."""
    return (
        column for column in model._meta.concrete_fields if not column.primary_key and not column.is_relation
    )


def forgotten(
    tournament: Tournament, found: set[type[models.Model]], export: Callable[[Tournament], dict[str, Any]]
) -> tuple[set[str], set[str]]:
    """Change each column of these models alone. Return those not exported, and those not erased."""
    not_exported, not_erased = set[str](), set[str]()
    before = dump(export(tournament))
    for model in found:
        row = of_the_first(model, tournament)
        for column in own_columns(model):
            name = f"{model.__name__}.{column.name}"
            value = another(column, getattr(row, column.name))
            changed = OTHERWISE.get(name, {column.name: value})
            with transaction.atomic():
                with connection.cursor() as cursor:
                    cursor.execute("SET LOCAL session_replication_role = replica")  # the logs are append-only
                    model._default_manager.filter(pk=row.pk).update(**changed)
                    cursor.execute("SET LOCAL session_replication_role = origin")
                if dump(export(tournament)) == before:
                    not_exported.add(name)
                stored = model._default_manager.values_list(column.name, flat=True).get(pk=row.pk)
                erase_person(tournament, 91 if name == "Participant.start_number" else 1, by="leitung", at=AT)
                if list(model._default_manager.filter(pk=row.pk).values_list(column.name, flat=True)) == [
                    stored
                ]:
                    not_erased.add(name)
                transaction.set_rollback(True)
    return not_exported, not_erased


def listed(reasons: Mapping[str, str]) -> set[str]:
    """Return the columns on a list, a model with all its own."""
    names = {model.__name__: [column.name for column in own_columns(model)] for model in of_a_person()}
    return {
        f"{model}.{column}"
        for entry in reasons
        for model, column in (
            [entry.split(".")] if "." in entry else [(entry, column) for column in names[entry]]
        )
    }


def test_every_field_of_a_person_is_exported_and_erased_or_on_a_list(tournament: Tournament) -> None:
    not_exported, not_erased = forgotten(tournament, of_a_person(), export_tournament)
    assert sorted(not_exported ^ listed(NOT_EXPORTED)) == []
    assert sorted(not_erased ^ listed(NOT_ERASED)) == []


def test_a_field_that_an_export_or_an_erasure_forgets_is_found(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_towns(of: Tournament) -> dict[str, Any]:
        document = export_tournament(of)
        for person in document["participants"]:
            del person["town"]
        return document

    monkeypatch.setattr(purge, "PERSON_DETAILS", {})
    not_exported, not_erased = forgotten(tournament, {Participant}, without_towns)
    assert not_exported - listed(NOT_EXPORTED) == {"Participant.town"}
    assert not_erased - listed(NOT_ERASED) == {"Participant.town"}
