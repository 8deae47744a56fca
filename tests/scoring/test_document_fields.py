"""Every column is in a document and in an erasure, or a list here says why not."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.apps import apps
from django.db import models
from django.test.utils import isolate_apps

from scoring import documents
from scoring.services.purge import FREE_TEXTS
from tournaments.documents.fields import FieldTable
from tournaments.person_details import PERSON_DETAILS

PLACE = "where the document has it says so"
HERE = "of this installation only"
DERIVED = "follows from what the document has"
NOT_IN_DOCUMENTS: Mapping[str, Mapping[str, str]] = {
    "CashDesk": {"tournament": PLACE, "number": PLACE},
    "CashEntry": {"tournament": PLACE},
    "ClubSettings": {"jpeg": "printed and shown here only"},
    "Commitment": {"tournament": PLACE, "nonce": "the secret follows from it and the key of the server"},
    "Decision": {"tournament": PLACE},
    "DeskChange": {"desk": PLACE},
    "DrawAttempt": {"round": PLACE},
    "Evening": {"tournament": PLACE},
    "EveningResult": {"evening": PLACE, "participant": "follows from the document of the tournament"},
    "ParkedEntry": {"tournament": PLACE, "sheet": PLACE, "text": "stands in the data"},
    "Participant": {
        "tournament": PLACE,
        "pauses_round": "a wish of one round, which the player can repeat",
        "imported_list": HERE,
    },
    "Payment": {"participant": PLACE},
    "Person": {"words": DERIVED},
    "PersonChange": {"participant": PLACE},
    "PrizeHandout": {"tournament": PLACE, "number": DERIVED},
    "Round": {"tournament": PLACE},
    "RoundMark": {"tournament": PLACE, "number": PLACE, "value": "its keys stand beside the mark's own"},
    "Seat": {"tournament": PLACE, "round": PLACE, "table": PLACE},
    "SeatChange": {"attempt": PLACE, "sequence": PLACE, "data": "its keys stand beside the change's own"},
    "SheetEntry": {
        "tournament": PLACE,
        "sheet": PLACE,
        "sequence": PLACE,
        "text": "stands in the data",
        "digest": "the last one of a sheet stands at the table",
    },
    "Table": {"round": PLACE, "link_version": HERE},
    "Tournament": {"public_until_on": HERE, "is_hidden": HERE, "imported_at": HERE},
}
MODELS_NOT_IN_DOCUMENTS = {
    "BackupNote": HERE,
    "ClubPicture": "printed and shown here only",
    "ClubRole": "accounts",
    "Deletion": HERE,
    "Flag": "a talk between the hall and an organiser",
    "ImportedList": HERE,
    "Invitation": "accounts",
    "Membership": "accounts",
    "MissingPlayer": "until the player is found",
    "PasswordLink": "accounts",
    "PenGrant": "phones",
    "Publication": "an imported tournament is published",
    "Receipt": "answers to forms",
    "RoundClock": "screens",
    "Screen": "screens",
    "ScreenPairing": "screens",
    "SeatResult": DERIVED,
    "SecurityEvent": "accounts",
    "SeriesEvening": "the list of evenings of its series",
    "Sheet": "phones",
    "SignUp": "becomes a participant",
    "SignUpTerms": "the address for sign-ups is of this installation",
    "WrongPasswords": "accounts",
}

STAFF = "an account of the staff"
RULES = "of the game, without words of anybody"
DIGEST = "a digest or a random text"
PERSON = "erased with the player's name"
BY_ROW = "the row is deleted"
SHEET = "blanked on the sheets of the player"
NUMBERS = "start numbers"
CLUB = "of the club, not of a player"
ERASED_OTHERWISE: Mapping[str, Mapping[str, str]] = {
    "Appearance": {"by": STAFF},
    "CashDesk": {"name": "a desk"},
    "CashEntry": {"by": STAFF, "pieces": RULES},
    "Commitment": {
        "value": NUMBERS,
        "by": STAFF,
        "nonce": DIGEST,
        "secret": DIGEST,
        "digest": DIGEST,
        "words": "said in the hall, and the draw follows from them",
    },
    "ClubSettings": {
        **dict.fromkeys(
            ("name", "legal_form", "street", "town", "contact", "register", "place", "announcement"), CLUB
        ),
        "represented_by": "who has agreed to stand in the imprint",
        "by": STAFF,
    },
    "Decision": {"order": NUMBERS, "seed": DIGEST, "by": STAFF, "revoked_by": STAFF},
    "Deletion": {"by": STAFF},
    "DeskChange": {"by": STAFF},
    "DrawAttempt": {
        "mode": RULES,
        "seed": DIGEST,
        "players": NUMBERS,
        "sizes": NUMBERS,
        "history": NUMBERS,
        "wishes": "their reasons are blanked",
        "by": STAFF,
    },
    "BackupNote": {"failure": "of the program"},
    "Evening": {"name": "an evening", "kind": RULES},
    "EveningResult": {"name": PERSON, "fee": RULES},
    "Honour": {"title": "an honour", "name": BY_ROW, "by": STAFF},
    "Flag": {
        "note": BY_ROW,
        "name": BY_ROW,
        "closed_word": BY_ROW,
        "origin": DIGEST,
        "phone": DIGEST,
        "looked_by": STAFF,
        "closed_by": STAFF,
    },
    "ImportedList": {"changed": BY_ROW, "by": STAFF, "taken_out_by": STAFF},
    "Invitation": {"code_hash": DIGEST, "invited_by": STAFF},
    "MissingPlayer": {"reported_by": STAFF, "found_by": STAFF},
    "ParkedEntry": {
        "kind": RULES,
        "data": RULES,
        "text": SHEET,
        "decided_by": STAFF,
        "decided_initials": "initials, which many share",
        "decided_reason": SHEET,
    },
    "Participant": {
        "name": PERSON,
        "club": PERSON,
        **dict.fromkeys(PERSON_DETAILS, PERSON),
        "fee": RULES,
        "excluded_reason": PERSON,
        "registered_by": STAFF,
    },
    "PasswordLink": {"code_hash": DIGEST},
    "Payment": {"by": STAFF, "desk": "a desk"},
    "PenGrant": {"device": DIGEST},
    "Person": {**dict.fromkeys(("name", "words", "club", "town", "member_number"), PERSON), "fee": RULES},
    "PersonChange": {"text": BY_ROW, "by": STAFF},
    "PrizeHandout": {"prize": RULES, "things": "prizes", "by": STAFF},
    "Publication": {"results": "ranks and points by start number", "by": STAFF},
    "RoundClock": {"by": STAFF},
    "RoundMark": {"value": DIGEST, "tables": RULES, "digest": DIGEST},
    "Screen": {"network": "a Wi-Fi", "password": "a Wi-Fi", "revealed": RULES, "by": STAFF},
    "ScreenPairing": {"device": DIGEST, "code": DIGEST, "origin": DIGEST, "paired_by": STAFF},
    "SeatChange": {"data": NUMBERS, "by": STAFF},
    "SeatResult": {"counts": RULES},
    "SecurityEvent": {"kind": RULES, "account": STAFF, "address": "kept for 30 days", "about": STAFF},
    "Series": {"slug": "an address", "name": "a series", "rule": RULES, "lot_seed": DIGEST},
    "Sheet": {"pen_device": DIGEST, "came_by": STAFF},
    "SheetEntry": {
        "kind": RULES,
        "data": RULES,
        "text": SHEET,
        "author": STAFF,
        "initials": "initials, which many share",
        "digest": DIGEST,
    },
    "SignUp": {
        "name": BY_ROW,
        "club": BY_ROW,
        "code_hash": DIGEST,
        "names": BY_ROW,
        "withdrawn_by": STAFF,
        "origin": DIGEST,
        "phone": DIGEST,
    },
    "Table": {"scribe_by": STAFF},
    "Tournament": {
        "slug": "an address",
        "name": "an evening",
        "place": "an inn",
        "ruleset": RULES,
        "wishes": "their reasons are blanked",
        "fees": RULES,
        "prize_plan": "prizes",
        "ended_by": STAFF,
    },
    "WrongPasswords": {"origin": DIGEST},
}

Columns = set[tuple[str, str]]


def listed(names: Mapping[str, Mapping[str, str]]) -> Columns:
    return {(model, column) for model, columns in names.items() for column in columns}


def tables() -> Iterator[FieldTable[Any]]:
    """Yield every table of fields of the packages that read and write documents."""
    assert documents.__name__ == "scoring.documents"
    for name, module in sorted(sys.modules.items()):
        if name.startswith(("scoring.documents", "tournaments.documents")):
            yield from (value for value in vars(module).values() if isinstance(value, FieldTable))


def models_of_the_apps() -> list[type[models.Model]]:
    return [model for app in ("tournaments", "scoring") for model in apps.get_app_config(app).get_models()]


def not_in_a_document(found: Iterable[type[models.Model]]) -> Columns:
    """Return the columns and lists of others that no table of fields has, of the models that belong into documents."""
    written = {
        (table.model.__name__, field.column.name if field.column else field.key)
        for table in tables()
        for field in table.fields
    }
    return {
        (model.__name__, column.name)
        for model in found
        for column in (*model._meta.concrete_fields, *model._meta.local_many_to_many)
        if model.__name__ not in MODELS_NOT_IN_DOCUMENTS and not column.primary_key
    } - written


def not_erased(found: Iterable[type[models.Model]]) -> Columns:
    """Return the columns that can hold words, and that `erase_person` does not search for the player's name."""
    erased = {(model.__name__, column) for model, _path, column in FREE_TEXTS}
    return {
        (model.__name__, column.name)
        for model in found
        for column in model._meta.concrete_fields
        if isinstance(column, models.CharField | models.TextField | models.JSONField) and not column.choices
    } - erased


def test_every_column_is_in_a_document_or_on_the_list() -> None:
    assert not_in_a_document(models_of_the_apps()) == listed(NOT_IN_DOCUMENTS)
    assert not {model.__name__ for model in models_of_the_apps()} ^ (
        MODELS_NOT_IN_DOCUMENTS.keys() | {table.model.__name__ for table in tables()}
    )


def test_every_text_is_searched_for_an_erased_name_or_on_the_list() -> None:
    assert not_erased(models_of_the_apps()) == listed(ERASED_OTHERWISE)


@isolate_apps()
def test_a_new_column_and_a_new_model_are_found() -> None:
    class Payment(models.Model):
        kind = models.CharField(max_length=6, choices=[("fee", "fee")])
        note = models.CharField(max_length=40)

        class Meta:
            app_label = "tournaments"

    class Tombola(models.Model):
        prizes = models.JSONField()
        payments = models.ManyToManyField(Payment)

        class Meta:
            app_label = "tournaments"

    planted = {("Payment", "note"), ("Tombola", "prizes")}
    assert not_in_a_document([Payment, Tombola]) == planted | {("Tombola", "payments")}
    assert not_erased([Payment, Tombola]) == planted
